import Text

/// Decodes the text of a CUE sheet or an LRC file: UTF-8, UTF-16 with a byte order mark, or else the encoding that is
/// set for the folder, or else Windows-1252, as most programs for Windows write it. No bytes make it fail.
package enum CueText {
  /// - Parameter encoding: the encoding of text that is no Unicode, as `TagEncodings.names` calls it; nil for
  ///   Windows-1252. Where the bytes are not valid in it, they are Windows-1252, too.
  package static func decode(_ bytes: [UInt8], encoding: String? = nil) -> String {
    EncodedText.unicode(bytes) ?? encoding.flatMap { TextDecoder.decode(bytes, $0) } ?? EncodedText.windows1252(bytes)
  }

  /// Returns the encoding in which a sheet probably is that is decoded as Windows-1252; nil if it probably is that,
  /// and for sheets that are Unicode, or valid in the encoding that is set.
  package static func likelyEncoding(of bytes: [UInt8], encoding: String? = nil) -> String? {
    guard EncodedText.unicode(bytes) == nil, encoding.flatMap({ TextDecoder.decode(bytes, $0) }) == nil else {
      return nil
    }
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    return EncodingDetection.likelyEncoding(of: lines.map(words))
  }

  /// Returns what a line says, without its keyword and the quotes, as Latin-1.
  private static func words(_ line: ArraySlice<UInt8>) -> String {
    let quote = UInt8(ascii: "\"")
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var words = line.drop(while: isBlank).drop { !isBlank($0) }
    if let first = words.firstIndex(of: quote), let last = words.lastIndex(of: quote), first < last {
      words = words[(first + 1)..<last]
    }
    var text = String.UnicodeScalarView()
    for byte in words { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }
}
