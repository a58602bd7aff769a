/// Decodes text that does not state its encoding, as in CUE sheets, LRC files and playlists.
public enum EncodedText {
  /// Returns text in UTF-8, with or without a byte order mark, or in UTF-16 with one; nil if the bytes are neither.
  public static func unicode(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), low: 0, high: 1) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), low: 1, high: 0) }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns text in Windows-1252, which any bytes are; the five bytes that it leaves open are those of Latin-1.
  public static func windows1252(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(windows1252(byte)) }
    return String(text)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, low: Int, high: Int) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      UInt16(bytes[index + low]) | UInt16(bytes[index + high]) << 8
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The characters from 0x80 to 0x9F, of which five have none; the others are those of Latin-1.
  private static let upper: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }
}
