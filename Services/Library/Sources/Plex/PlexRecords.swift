import Messages
import Model
import Text

/// Plex's rows in the words of the house. Fields are sparse, numbers are texts now and then, and `ratingKey` is a name,
/// not a number.
enum PlexRecords {
  /// What rows of a listing are asked for by, and what `type` a row says it is.
  enum Kind: Int, Sendable, CaseIterable {
    case artist = 8
    case album, track
  }

  /// The names of a track's artist that mean that there are many.
  private static let nobody = "various artists"

  /// The server's own id; nil for pseudo rows, such as those that lead to all of an artist's tracks.
  static func key(_ row: JSONView) -> String? { row["ratingKey"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  static func artist(_ row: JSONView, section: String?) -> ServerArtist? {
    guard let native = key(row), let name = text(row["title"]) else { return nil }
    return ServerArtist(
      native: native, name: name, sort: text(row["titleSort"]), guid: text(row["guid"]), artistID: musicBrainzID(row),
      summary: text(row["summary"]), genres: tags(row["Genre"]), art: text(row["thumb"]), rating: rating(row),
      section: section ?? text(row["librarySectionID"]))
  }

  static func album(_ row: JSONView, section: String?) -> ServerAlbum? {
    guard let native = key(row), let title = text(row["title"]) else { return nil }
    return ServerAlbum(
      native: native, title: title, titleSort: text(row["titleSort"]), artist: text(row["parentTitle"]) ?? "",
      artistNative: text(row["parentRatingKey"]), year: year(row), genres: tags(row["Genre"]),
      moods: tags(row["Mood"]), styles: tags(row["Style"]), guid: text(row["guid"]), releaseID: musicBrainzID(row),
      art: text(row["thumb"]), rating: rating(row), addedAt: time(row["addedAt"]),
      lastPlayedAt: time(row["lastViewedAt"]), section: section ?? text(row["librarySectionID"]))
  }

  static func track(_ row: JSONView, section: String?) -> ServerTrack? {
    guard let native = key(row), let album = text(row["parentRatingKey"]) else { return nil }
    let medium = row["Media"]?.elements.first { $0["Part"] != nil }
    let part = medium?["Part"]?.elements.first
    let file = part?["file"]?.string
    return ServerTrack(
      native: native, album: album, title: text(row["title"]) ?? "", titleSort: text(row["titleSort"]),
      artist: trackArtist(row), disc: number(row["parentIndex"], 1...999) ?? 1,
      number: number(row["index"], 1...99_999),
      year: year(row) ?? number(row["parentYear"], 1...9999), genres: tags(row["Genre"]), moods: tags(row["Mood"]),
      duration: Milliseconds(max(0, (row["duration"] ?? part?["duration"])?.integer ?? 0)), guid: text(row["guid"]),
      recordingID: musicBrainzID(row), levels: levels(part), rating: rating(row), file: file,
      part: text(part?["key"]), format: format(medium, part, file), addedAt: time(row["addedAt"]),
      lastPlayedAt: time(row["lastViewedAt"]), plays: number(row["viewCount"], 0...Int.max),
      section: section ?? text(row["librarySectionID"]))
  }

  static func collection(_ row: JSONView, section: String?, items: [String]) -> ServerCollection? {
    guard let native = key(row), let title = text(row["title"]) else { return nil }
    return ServerCollection(
      native: native, title: title, titleSort: text(row["titleSort"]), summary: text(row["summary"]),
      art: text(row["thumb"]) ?? text(row["composite"]), section: section, items: items)
  }

  static func playlist(_ row: JSONView, items: [String]) -> ServerPlaylist? {
    guard let native = key(row), let title = text(row["title"]) else { return nil }
    return ServerPlaylist(
      native: native, title: title, isSmart: row["smart"]?.isTrue ?? false,
      art: text(row["composite"]) ?? text(row["thumb"]), items: items)
  }

  /// The track's own artist; nil where it is the album's, or nobody's in particular.
  private static func trackArtist(_ row: JSONView) -> String? {
    guard let own = text(row["originalTitle"]), own != text(row["grandparentTitle"]), own.caseFolded != nobody else {
      return nil
    }
    return own
  }

  /// Plex writes the album's gain into both fields: the track's own is what its loudness misses to the reference of
  /// -18 LUFS.
  private static func levels(_ part: JSONView?) -> Levels? {
    guard let streams = part?["Stream"]?.elements else { return nil }
    let audio = streams.filter { $0["streamType"]?.integer == 2 }
    guard let stream = audio.first(where: { $0["selected"]?.isTrue ?? false }) ?? audio.first else { return nil }
    let levels = Levels(
      trackGain: stream["loudness"]?.number.map { ((-18 - $0) * 100).rounded() / 100 },
      trackPeak: stream["peak"]?.number, albumGain: stream["albumGain"]?.number, albumPeak: stream["albumPeak"]?.number)
    return levels.isEmpty ? nil : levels
  }

  /// The ending of the file. ALAC and AAC share one, so the former goes by the name of its coding.
  private static func format(_ medium: JSONView?, _ part: JSONView?, _ file: String?) -> String? {
    if medium?["audioCodec"]?.string?.lowercased() == "alac" { return "alac" }
    for name in [file, part?["key"]?.string] {
      guard let name, let ending = FileName.ending(Array(name.utf8)), !ending.contains("/") else {
        continue
      }
      return ending
    }
    return text(part?["container"] ?? medium?["container"])?.lowercased()
  }

  private static func year(_ row: JSONView) -> Int? {
    number(row["year"], 1...9999)
      ?? text(row["originallyAvailableAt"]).flatMap { Int($0.prefix(4)) }.flatMap { (1...9999).contains($0) ? $0 : nil }
  }

  /// Half stars; an unrated item has no rating at all.
  private static func rating(_ row: JSONView) -> Rating? {
    row["userRating"]?.number.flatMap { Rating(rawValue: Int(max(-1, min(11, $0.rounded())))) }
  }

  /// The id of `mbid://UUID`, which some servers write with the kind of item before it.
  private static func musicBrainzID(_ row: JSONView) -> String? {
    for guid in row["Guid"]?.elements ?? [] {
      guard let id = guid["id"]?.string, id.hasPrefix("mbid://") else { continue }
      return id.split(separator: "/").last.map(String.init)
    }
    return nil
  }

  private static func tags(_ list: JSONView?) -> [String] {
    var found: [String] = []
    for element in list?.elements ?? [] {
      if let tag = text(element["tag"]), !found.contains(tag) { found.append(tag) }
    }
    return found
  }

  private static func time(_ value: JSONView?) -> Timestamp? {
    value?.integer.flatMap { (1...253_402_300_799).contains($0) ? Timestamp(seconds: $0) : nil }
  }

  private static func number(_ value: JSONView?, _ range: ClosedRange<Int>) -> Int? {
    value?.integer.map { Int(clamping: $0) }.flatMap { range.contains($0) ? $0 : nil }
  }

  /// A text in the normal form C; nil where there is none or nothing but white space.
  static func text(_ value: JSONView?) -> String? {
    guard let text = value?.string?.normalised.trimmed, !text.isEmpty else { return nil }
    return text
  }
}
