import Messages
import Model
import Text

/// The names of a track in the forms in which they are compared: services and list files write them a little
/// differently each.
struct TrackNames {
  /// The folded title, and the same without words for its edition and its guests.
  let title: String
  let plainTitle: String
  /// The key of the artist's line, and those of each name in it.
  let artist: String
  let artists: Set<String>
  /// The plain title of the album; nil if it is not known.
  let album: String?
  let duration: Milliseconds?

  init(title: String, artist: String, artists: Set<String>, album: String?, duration: Milliseconds?) {
    self.title = title.folded.trimmed
    plainTitle = Self.plainTitle(title)
    self.artist = SortKey.of(artist.trimmed)
    self.artists = artists
    self.album = album.map(Self.plainTitle)
    self.duration = duration
  }

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

  /// Returns what a track of the library is recognised by as a described one, and how sure that is; nil if it is
  /// another.
  static func likeness(
    of track: TitleCandidates.Candidate, to wanted: DescribedTrack, _ names: TrackNames
  ) -> (sign: Library.TrackMatch, score: Int)? {
    if let id = wanted.recordingID, id == track.recordingID { return (.recording, 100) }
    if let isrc = wanted.isrc, isrc == track.isrc { return (.isrc, 90) }
    let own = track.names
    guard own.plainTitle == names.plainTitle else { return nil }
    let isSameAlbum = names.album != nil && names.album == own.album
    let difference = names.duration.map { abs($0.rawValue - (own.duration?.rawValue ?? 0)) }
    let isNear = difference.map { $0 <= tolerance.rawValue } ?? false
    if let difference, difference > otherRecording.rawValue, !isSameAlbum { return nil }
    // Without an artist, the length or the album has to agree.
    guard names.artists.isEmpty ? isSameAlbum || isNear : !names.artists.isDisjoint(with: own.artists) else {
      return nil
    }
    var score = 1
    if own.title == names.title { score += 2 }
    if own.artist == names.artist { score += 4 }
    if isSameAlbum { score += 8 }
    if isNear { score += 16 }
    return (.names, score)
  }
}
