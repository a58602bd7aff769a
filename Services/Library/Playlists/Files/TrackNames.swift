import Messages
import Model
import Text

/// The names of tracks as services and list files write them, each a little differently.
enum TrackNames {
  /// The largest difference between two lengths of one recording.
  private static let tolerance = Milliseconds(3000)
  /// The difference from which on two tracks of the same names are different recordings.
  private static let otherRecording = Milliseconds(15_000)

  /// Words in parentheses, or behind a dash, that do not tell recordings apart.
  private static let editionWords = [
    "remaster", "feat.", "feat ", "ft.", "featuring", "mono", "stereo", "deluxe", "bonus track", "album version",
    "single version", "original mix", "explicit",
  ]

  /// Returns a folded title without words for its edition and its guests: `Come Together - Remastered 2009` becomes
  /// `come together`.
  static func plainTitle(_ title: String) -> String {
    var rest = title.folded.trimmed
    while let start = suffix(of: rest), start > rest.startIndex {
      let words = rest[start...]
      guard editionWords.contains(where: { words.contains($0) }) else { break }
      rest = String(rest[..<start]).trimmed
    }
    return rest
  }

  /// Returns the start of what stands in parentheses, or behind a dash, at the end of a title.
  private static func suffix(of title: String) -> String.Index? {
    switch title.last {
    case ")": title.lastIndex(of: "(")
    case "]": title.lastIndex(of: "[")
    default: title.ranges(of: " - ").last?.lowerBound
    }
  }

  /// Returns the names of an artist's line, folded: the whole of it, and each of several.
  static func artists(_ text: String) -> Set<String> {
    let whole = SortKey.of(text.trimmed)
    var names: Set = [whole]
    var parts = [text.folded]
    for separator in [" feat. ", " feat ", " ft. ", " featuring ", ", ", " & ", " and ", "; ", " / ", " x "] {
      parts = parts.flatMap { $0.split(separator: separator).map(String.init) }
    }
    for part in parts { names.insert(SortKey.of(part.trimmed)) }
    return names.filter { !$0.isEmpty }
  }

  /// Returns what a track of the library is recognised by as a described one, and how sure that is; nil where it is
  /// another.
  static func likeness(of track: Track, to wanted: DescribedTrack) -> (sign: Library.TrackMatch, score: Int)? {
    if let id = wanted.recordingID, id == track.recordingID { return (.recording, 100) }
    if let isrc = wanted.isrc, isrc == track.isrc { return (.isrc, 90) }
    guard plainTitle(track.title) == plainTitle(wanted.title) else { return nil }
    let isSameAlbum = wanted.album.map { plainTitle($0) == plainTitle(track.album) } ?? false
    let difference = wanted.duration.map { abs($0.rawValue - track.duration.rawValue) }
    let isNear = difference.map { $0 <= tolerance.rawValue } ?? false
    if let difference, difference > otherRecording.rawValue, !isSameAlbum { return nil }
    let wantedArtists = artists(wanted.artist)
    let ownArtists = artists(track.artist).union(artists(track.albumArtist))
    // Without an artist, the length or the album has to agree.
    guard wantedArtists.isEmpty ? isSameAlbum || isNear : !wantedArtists.isDisjoint(with: ownArtists) else {
      return nil
    }
    var score = 1
    if track.title.folded.trimmed == wanted.title.folded.trimmed { score += 2 }
    if SortKey.of(track.artist) == SortKey.of(wanted.artist) { score += 4 }
    if isSameAlbum { score += 8 }
    if isNear { score += 16 }
    return (.names, score)
  }
}
