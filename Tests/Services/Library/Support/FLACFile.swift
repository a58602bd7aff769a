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

  /// - Parameter cueSheet: the body of a CUESHEET block behind all others, as `cueSheet` makes it.
  static func bytes(
    _ tags: [String], seconds: Double, picture: [UInt8]? = nil, quality: Quality = Quality(), cueSheet: [UInt8]? = nil
  ) -> [UInt8] {
    var file = Array("fLaC".utf8) + block(0, streamInformation(seconds, quality))
    file += block(4, comments(tags))
    if let picture { file += block(6, self.picture(picture)) }
    if let cueSheet { file += block(5, cueSheet) }
    file += block(1, [UInt8](repeating: 0, count: 64), isLast: true)
    return file + [UInt8](repeating: 0x55, count: 5000)
  }

  /// A track of a CUESHEET block: its number, its first sample, and the sample of its index 1 from there on.
  struct CueTrack {
    var number: UInt8
    var start: Int
    var index = 0
    var isrc = ""
    var isData = false
  }

  /// The body of a CUESHEET block of a disc that ends at a sample.
  static func cueSheet(_ tracks: [CueTrack], end: Int, catalogue: String = "") -> [UInt8] {
    func text(_ text: String, _ length: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
    }
    var body = text(catalogue, 128) + big(0) + big(88200) + [0x80] + [UInt8](repeating: 0, count: 258)
    body.append(UInt8(tracks.count + 1))
    for track in tracks {
      body += big(0) + big(track.start) + [track.number] + text(track.isrc, 12) + [track.isData ? 0x80 : 0]
      let indexes = track.index == 0 ? [(1, 0)] : [(0, 0), (1, track.index)]
      body += [UInt8](repeating: 0, count: 13) + [UInt8(indexes.count)]
      for (number, offset) in indexes { body += big(0) + big(offset) + [UInt8(number), 0, 0, 0] }
    }
    return body + big(0) + big(end) + [170] + [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 0, count: 15)
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
