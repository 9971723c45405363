//! Saved states as bytes: each type writes and reads its own part, by [`SavedState`].
//!
//! Numbers are 8 bytes, little-endian, so that a saved state restores to the same bits on every
//! platform. A reader rejects values that no state can have. [`seal`] puts the mark of the layout
//! before a state and a checksum behind it, and [`unseal`] refuses bytes that were altered.

/// Mark of the layout of saved states; its digits are the version.
const MARK: &[u8; 8] = b"BRISTL12";
const CHECKSUM: usize = 8;

/// Part of a saved state.
pub trait SavedState: Sized {
    /// Writes the part.
    fn write(&self, writer: &mut Writer);

    /// Reads the part; `None` where the bytes end too early or hold values that no such part can
    /// have.
    fn read(reader: &mut Reader) -> Option<Self>;
}

/// Writer into a buffer of fixed size. It counts the bytes beyond the end of the buffer as well, so
/// that an empty buffer measures the length of a state.
///
/// ```
/// use bristle::saved_state::{Reader, SavedState, Writer};
///
/// let state = [1.0, -2.5];
/// let mut measure = Writer::new(&mut []);
/// state.write(&mut measure);
///
/// let mut bytes = vec![0; measure.length()];
/// state.write(&mut Writer::new(&mut bytes));
/// assert_eq!(<[f64; 2]>::read(&mut Reader::new(&bytes)), Some(state));
/// assert_eq!(<[f64; 2]>::read(&mut Reader::new(&bytes[1..])), None);
/// ```
#[derive(Debug)]
pub struct Writer<'a> {
    buffer: &'a mut [u8],
    length: usize,
    is_finite: bool,
}

impl<'a> Writer<'a> {
    /// Writer at the start of a buffer.
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Writer {
            buffer,
            length: 0,
            is_finite: true,
        }
    }

    /// Writes bytes unchanged.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) {
        if let Some(place) = self.buffer.get_mut(self.length..self.length + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.length += bytes.len();
    }

    /// Writes a number.
    #[inline]
    pub fn number(&mut self, number: f64) {
        self.is_finite &= number.is_finite();
        self.bytes(&number.to_le_bytes());
    }

    /// Number of bytes written so far, those beyond the end of the buffer included.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether all numbers written so far are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.is_finite
    }
}

/// Reader of bytes from a [`Writer`].
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reader at the start of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    /// The next `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    /// The next `length` bytes.
    pub fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    /// The next number, finite or not.
    pub fn number(&mut self) -> Option<f64> {
        self.bytes().map(f64::from_le_bytes)
    }

    /// The next number, if it is finite and at least 0.
    pub fn at_least_zero(&mut self) -> Option<f64> {
        f64::read(self).filter(|number| *number >= 0.0)
    }

    /// Whether all bytes have been read.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Number of bytes that [`seal`] makes of this state.
pub fn sealed_length(state: &impl SavedState) -> usize {
    let mut measure = Writer::new(&mut []);
    state.write(&mut measure);
    MARK.len() + measure.length() + CHECKSUM
}

/// The state as bytes, between the mark of the layout and a checksum over both.
pub fn seal(state: &impl SavedState) -> Vec<u8> {
    let length = sealed_length(state);
    let mut bytes = vec![0; length];
    let (content, sum) = bytes.split_at_mut(length - CHECKSUM);
    let mut writer = Writer::new(content);
    writer.bytes(MARK);
    state.write(&mut writer);
    sum.copy_from_slice(&checksum(content).to_le_bytes());
    bytes
}

/// Reader of the state in sealed bytes, or a clause that says why they are none.
pub fn unseal(bytes: &[u8]) -> Result<Reader<'_>, String> {
    let Some((content, sum)) = bytes.split_last_chunk::<CHECKSUM>() else {
        return Err(format!(
            "the state has {} bytes, which no state has",
            bytes.len()
        ));
    };
    let Some(parts) = content.strip_prefix(MARK) else {
        return Err("the bytes are no state of this version of Bristle".to_owned());
    };
    if checksum(content).to_le_bytes() != *sum {
        return Err("the state was altered: its checksum is wrong".to_owned());
    }
    Ok(Reader::new(parts))
}

/// Checksum FNV-1a of 64 bits (draft-eastlake-fnv).
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A finite number.
impl SavedState for f64 {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        writer.number(*self);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        reader.number().filter(|number| number.is_finite())
    }
}

impl SavedState for bool {
    fn write(&self, writer: &mut Writer) {
        writer.bytes(&[u8::from(*self)]);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        match reader.bytes()? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }
}

/// Whether there is a part, and then the part.
impl<T: SavedState> SavedState for Option<T> {
    fn write(&self, writer: &mut Writer) {
        self.is_some().write(writer);
        if let Some(part) = self {
            part.write(writer);
        }
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(if bool::read(reader)? {
            Some(T::read(reader)?)
        } else {
            None
        })
    }
}

impl<T: SavedState> SavedState for Box<T> {
    fn write(&self, writer: &mut Writer) {
        T::write(self, writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        T::read(reader).map(Box::new)
    }
}

impl<T: SavedState + Copy + Default, const N: usize> SavedState for [T; N] {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        self.iter().for_each(|part| part.write(writer));
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let mut parts = [T::default(); N];
        for part in &mut parts {
            *part = T::read(reader)?;
        }
        Some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_values_are_rejected() {
        let read = |bytes: &[u8]| {
            (
                f64::read(&mut Reader::new(bytes)),
                bool::read(&mut Reader::new(bytes)),
            )
        };
        assert_eq!(read(&[]), (None, None));
        assert_eq!(read(&f64::NAN.to_le_bytes()), (None, Some(false)));
        assert_eq!(read(&[2; 7]), (None, None));
        assert_eq!(Reader::new(&(-1.0_f64).to_le_bytes()).at_least_zero(), None);
    }

    #[test]
    fn numbers_that_are_not_finite_are_detected() {
        let mut writer = Writer::new(&mut []);
        [1.0, f64::MAX].write(&mut writer);
        assert!(writer.is_finite() && writer.length() == 16);
        f64::INFINITY.write(&mut writer);
        assert!(!writer.is_finite());
    }

    #[test]
    fn checksum_is_the_published_one() {
        // Test vectors of the draft "The FNV Non-Cryptographic Hash Algorithm", Appendix C.
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn sealed_bytes_are_refused_where_a_byte_is_altered_or_missing() {
        let bytes = seal(&[1.0, -2.5]);
        assert_eq!(bytes.len(), sealed_length(&[1.0, -2.5]));
        assert_eq!(
            <[f64; 2]>::read(&mut unseal(&bytes).unwrap()),
            Some([1.0, -2.5])
        );
        for i in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[i] ^= 0x10;
            assert!(
                unseal(&altered).is_err() && unseal(&bytes[..i]).is_err(),
                "byte {i}"
            );
        }
    }
}
