/// FLAC files put together block by block (RFC 9639, section 8): quick to make, with any tags. The bytes behind the
/// blocks are no audio, which the tests do not decode.
enum FLACFile {
  /// The sample rate in Hz, the bits of a sample, and the byte that the digest of the audio consists of; with 0 the
  /// file has none.
  struct Quality {
    var sampleRate = 44100
    var bitDepth = 16
    var digest: UInt8 = 0
  }

  static func bytes(
    _ tags: [String], seconds: Double, picture: [UInt8]? = nil, quality: Quality = Quality()
  ) -> [UInt8] {
    var file = Array("fLaC".utf8) + block(0, streamInformation(seconds, quality))
    file += block(4, comments(tags))
    if let picture { file += block(6, self.picture(picture)) }
    file += block(1, [UInt8](repeating: 0, count: 64), isLast: true)
    return file + [UInt8](repeating: 0x55, count: 5000)
  }

  private static func block(_ kind: UInt8, _ body: [UInt8], isLast: Bool = false) -> [UInt8] {
    [kind | (isLast ? 0x80 : 0)] + big(body.count).dropFirst() + body
  }

  private static func streamInformation(_ seconds: Double, _ quality: Quality) -> [UInt8] {
    let samples = UInt64(seconds * Double(quality.sampleRate))
    let packed = UInt64(quality.sampleRate) << 44 | 1 << 41 | UInt64(quality.bitDepth - 1) << 36 | samples
    let number = (0..<8).map { UInt8(truncatingIfNeeded: packed >> (56 - 8 * $0)) }
    return big(0x1000_1000) + [UInt8](repeating: 0, count: 6) + number + [UInt8](repeating: quality.digest, count: 16)
  }

  static func comments(_ tags: [String]) -> [UInt8] {
    var body = little(4) + Array("test".utf8) + little(tags.count)
    for tag in tags { body += little(tag.utf8.count) + Array(tag.utf8) }
    return body
  }

  static func picture(_ bytes: [UInt8], kind: Int = 3) -> [UInt8] {
    let mime = Array("image/png".utf8)
    return big(kind) + big(mime.count) + mime + big(0) + big(1) + big(1) + big(24) + big(0) + big(bytes.count) + bytes
  }

  static func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
  static func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
}
