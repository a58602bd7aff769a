import Glibc

/// Decodes text in the encodings that `LUNARA_TAG_ENCODING` can name, by iconv(3).
enum TextDecoder {
  /// The most bytes of UTF-8 that one byte of text becomes.
  private static let growth = 4

  /// Returns the text of some bytes; nil if they are not valid in the encoding, or it is unknown.
  ///
  /// - Parameter encoding: a key of `TagEncodings.names`.
  static func decode(_ bytes: [UInt8], _ encoding: String) -> String? {
    guard let name = TagEncodings.names[encoding], let converter = iconv_open("UTF-8", name),
      // iconv_open(3) returns this number where it fails.
      Int(bitPattern: converter) != -1
    else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: bytes.count * growth)
    let length: Int? = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (from, to) = (input.baseAddress, output.baseAddress)
        var (fromLeft, toLeft) = (input.count, output.count)
        let isWhole = iconv(converter, &from, &fromLeft, &to, &toLeft) != -1
        return isWhole && fromLeft == 0 ? output.count - toLeft : nil
      }
    }
    return length.map { String(decoding: output.prefix($0).map(UInt8.init(bitPattern:)), as: UTF8.self) }
  }
}
