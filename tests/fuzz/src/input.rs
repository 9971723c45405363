//! Values read from the bytes of a case, zeros behind its end.

/// The bytes that are left.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// All bytes of a case.
    pub fn new(bytes: &'a [u8]) -> Self {
        Input(bytes)
    }

    /// Whether no byte is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let count = N.min(self.0.len());
        let (next, rest) = self.0.split_at(count);
        self.0 = rest;
        let mut bytes = [0; N];
        bytes[..count].copy_from_slice(next);
        bytes
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.bytes::<1>()[0]
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(u16::from_le_bytes(self.bytes())) % n.max(1)
    }

    /// A number: any bits, or one of the magnitudes of contacts.
    pub fn number(&mut self) -> f64 {
        let kind = self.byte();
        if kind < 32 {
            return f64::from_bits(u64::from_le_bytes(self.bytes()));
        }
        let mantissa = f64::from(i16::from_le_bytes(self.bytes())) / 32768.0;
        mantissa * [1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 1e3, 1e6][usize::from(kind) % 10]
    }
}
