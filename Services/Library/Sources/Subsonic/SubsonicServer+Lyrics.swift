import HTTP
import Messages
import Model
import Records

extension SubsonicServer {
  /// Returns the lyrics of a song by the extension `songLyrics`; none from servers without it.
  func lyrics(of native: String) async throws -> [Library.Lyrics] {
    guard try await client.profile().hasSongLyrics else { return [] }
    let answer = try await client.callIfKnown(.reads, "getLyricsBySongId", [("id", native)])
    let found = (answer?["lyricsList"]?["structuredLyrics"]?.elements ?? []).compactMap(Self.lyrics)
    return found.filter(\.isTimed) + found.filter { !$0.isTimed }
  }

  /// Reads lyrics; nil for those without any words.
  private static func lyrics(_ row: JSONView) -> Library.Lyrics? {
    let isTimed = row["synced"]?.isTrue == true
    // A positive offset shows lines earlier.
    let offset = row["offset"]?.integer ?? 0
    let lines = (row["line"]?.elements ?? []).map { line in
      let start = isTimed ? line["start"]?.integer : nil
      return Library.LyricsLine(
        start: start.map { Milliseconds(max(0, clamped($0) - clamped(offset))) }, text: line["value"]?.string ?? "")
    }
    let kept = LyricsText.limited(isTimed ? sorted(lines) : lines)
    guard kept.contains(where: { !$0.text.isEmpty }) else { return nil }
    // "und" and "xxx" stand for a language that is not known.
    let language = row["lang"]?.string.flatMap { ["", "und", "xxx"].contains($0) ? nil : String($0.prefix(40)) }
    return Library.Lyrics(source: .server, lines: kept, language: language)
  }

  /// A time that a track can have: at most some thousand hours.
  private static func clamped(_ time: some BinaryInteger) -> Int64 {
    let most: Int64 = 1 << 40
    return min(max(Int64(clamping: time), -most), most)
  }

  /// Returns the lines by their times; lines of the same time, and those without one, stay behind the line before them.
  private static func sorted(_ lines: [Library.LyricsLine]) -> [Library.LyricsLine] {
    var time = Milliseconds.zero
    let timed = lines.enumerated().map { index, line in
      time = line.start ?? time
      return (time: time, index: index, line: line)
    }
    return timed.sorted { ($0.time, $0.index) < ($1.time, $1.index) }.map(\.line)
  }
}
