/// Lyrics in music files, as the tag readers write them into a file in memory.
extension TagReading {
  /// The most bytes of all lyrics of a file; those after them are left out.
  public static let lyricsLimit = 1 << 20

  /// The words of one tag.
  public struct Lyrics: Hashable, Sendable {
    /// The language as the tag says it, such as `eng`; empty if it says none.
    public var language: String
    /// The words, where they have times with those of LRC: `[01:02.345]`.
    public var text: String
  }

  /// Returns the bytes of lyrics: of each the language, NUL, the text, NUL.
  public static func bytes(of lyrics: [Lyrics]) -> [UInt8] {
    lyrics.reduce(into: []) { bytes, one in
      let entry = Array(one.language.utf8) + [0] + one.text.utf8.map { $0 == 0 ? 32 : $0 } + [0]
      if bytes.count + entry.count <= lyricsLimit { bytes += entry }
    }
  }

  /// Reads lyrics; ends where they are incomplete. Bytes that are no UTF-8 are replaced.
  public static func lyrics(_ bytes: [UInt8]) -> [Lyrics] {
    var rest = bytes[...]
    func next() -> String? {
      guard let end = rest.firstIndex(of: 0) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    var lyrics: [Lyrics] = []
    while let language = next(), let text = next() { lyrics.append(Lyrics(language: language, text: text)) }
    return lyrics
  }
}
