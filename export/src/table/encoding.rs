//! Encodings of text: UTF-8, UTF-16, Latin-1.

/// Text of bytes, its lines ended by a line feed alone, and the name of its encoding; a sentence
/// where they are no text.
pub fn decode(bytes: &[u8]) -> Result<(String, &'static str), String> {
    let order = match bytes {
        [0x50, 0x4b, 3, 4, ..] => {
            return Err(
                "this is a workbook or an archive, expected text; save it as CSV".to_owned(),
            );
        }
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        // ASCII in UTF-16 without a mark.
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => {
            Some(u16::from_le_bytes as fn([u8; 2]) -> u16)
        }
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => {
            Some(u16::from_be_bytes as fn([u8; 2]) -> u16)
        }
        _ => None,
    };
    let (text, name) = if let Some(order) = order {
        if bytes.len() % 2 == 1 {
            return Err(
                "this is UTF-16 with half a character at its end; copy the file again".to_owned(),
            );
        }
        let units = bytes.chunks_exact(2).map(|pair| order([pair[0], pair[1]]));
        let text: Result<String, _> = char::decode_utf16(units).collect();
        (
            text.map_err(|_| "this is no text in UTF-16, expected CSV".to_owned())?,
            "UTF-16",
        )
    } else if let Ok(text) = std::str::from_utf8(bytes) {
        (text.to_owned(), "UTF-8")
    } else {
        // Windows-1252 differs from it in quotation marks and the like, which no number and no unit
        // has.
        (
            bytes.iter().map(|byte| char::from(*byte)).collect(),
            "Latin-1",
        )
    };
    if text.contains('\0') {
        return Err("this is no text but binary data, expected CSV".to_owned());
    }
    Ok((
        text.trim_start_matches('\u{feff}')
            .replace("\r\n", "\n")
            .replace('\r', "\n"),
        name,
    ))
}
