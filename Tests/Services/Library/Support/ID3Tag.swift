/// ID3v2.4 tags put together frame by frame (id3.org, "ID3 tag version 2.4.0").
enum ID3Tag {
  /// A tag with text frames in UTF-8, several values apart by NUL, a front cover, and frames of other kinds.
  static func bytes(
    _ frames: [(String, String)], picture: [UInt8]? = nil, loudness: [(String, Double)] = [],
    peaks: [String: UInt16] = [:], binary: [(String, [UInt8])] = []
  ) -> [UInt8] {
    var body: [UInt8] = []
    for (name, text) in frames { body += frame(name, [3] + Array(text.utf8)) }
    for (name, bytes) in binary { body += frame(name, bytes) }
    if let picture { body += frame("APIC", [3] + Array("image/png".utf8) + [0, 3, 0] + picture) }
    for (of, gain) in loudness {
      // The frame RVA2: what it describes, the channel (master volume), the gain in 1/512 dB, and the bits of the peak.
      let steps = Int16(gain * 512)
      let peak: [UInt8] = peaks[of].map { [16, UInt8($0 >> 8), UInt8($0 & 255)] } ?? [0]
      body += frame(
        "RVA2",
        Array(of.utf8) + [0, 1, UInt8(truncatingIfNeeded: steps >> 8), UInt8(truncatingIfNeeded: steps)] + peak)
    }
    return Array("ID3".utf8) + [4, 0, 0] + syncSafe(body.count) + body
  }

  private static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + syncSafe(body.count) + [0, 0] + body
  }

  /// Splits a number into bytes of seven bits.
  static func syncSafe(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (21 - 7 * $0) & 127) } }
}
