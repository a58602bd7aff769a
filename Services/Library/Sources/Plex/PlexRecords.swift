import Messages
import Model
import MusicTags
import Records
import Text

/// Converts Plex's rows to records. Any field may be missing, numbers are sometimes texts, and `ratingKey` is a name,
/// not a number.
enum PlexRecords {
  /// The kinds of items, by the number that requests use for them.
  enum Kind: Int, Sendable, CaseIterable {
    case artist = 8
    case album, track
  }

  /// The folded name of a track's artist that means that there are several.
  private static let variousArtists = "various artists"

  /// The server's own id; nil for pseudo rows, such as those that lead to all of an artist's tracks.
  static func key(_ row: JSONView) -> String? { row["ratingKey"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  static func artist(_ row: JSONView, section: String?) -> ServerArtist? {
    guard let native = key(row), let name = row["title"]?.text else { return nil }
    return ServerArtist(
      native: native, name: name, sort: row["titleSort"]?.text, guid: row["guid"]?.text, artistID: musicBrainzID(row),
      summary: row["summary"]?.text, genres: tags(row["Genre"]), art: row["thumb"]?.text, rating: rating(row),
      section: section ?? row["librarySectionID"]?.text)
  }

  static func album(_ row: JSONView, section: String?) -> ServerAlbum? {
    guard let native = key(row), let title = row["title"]?.text else { return nil }
    return ServerAlbum(
      native: native, title: title, titleSort: row["titleSort"]?.text, artist: row["parentTitle"]?.text ?? "",
      artistNative: row["parentRatingKey"]?.text, year: year(row), genres: tags(row["Genre"]),
      moods: tags(row["Mood"]), styles: tags(row["Style"]), guid: row["guid"]?.text, releaseID: musicBrainzID(row),
      art: row["thumb"]?.text, rating: rating(row), addedAt: time(row["addedAt"]),
      lastPlayedAt: time(row["lastViewedAt"]), section: section ?? row["librarySectionID"]?.text)
  }

  static func track(_ row: JSONView, section: String?) -> ServerTrack? {
    guard let native = key(row), let album = row["parentRatingKey"]?.text else { return nil }
    let medium = row["Media"]?.elements.first { $0["Part"] != nil }
    let part = medium?["Part"]?.elements.first
    let file = part?["file"]?.string
    return ServerTrack(
      native: native, album: album, title: row["title"]?.text ?? "", titleSort: row["titleSort"]?.text,
      artist: trackArtist(row), disc: row["parentIndex"]?.integer(in: 1...999) ?? 1,
      number: row["index"]?.integer(in: 1...99_999),
      year: year(row) ?? row["parentYear"]?.integer(in: 1...9999), genres: tags(row["Genre"]), moods: tags(row["Mood"]),
      duration: Milliseconds(max(0, (row["duration"] ?? part?["duration"])?.integer ?? 0)), guid: row["guid"]?.text,
      recordingID: musicBrainzID(row), levels: levels(part), rating: rating(row), file: file,
      part: part?["key"]?.text, format: format(medium, part, file), audio: audio(medium, part),
      addedAt: time(row["addedAt"]),
      lastPlayedAt: time(row["lastViewedAt"]), counts: counts(row),
      section: section ?? row["librarySectionID"]?.text)
  }

  static func collection(_ row: JSONView, section: String, items: [String]) -> ServerList? {
    guard let native = key(row), let title = row["title"]?.text else { return nil }
    return ServerList(
      native: native, title: title, titleSort: row["titleSort"]?.text, summary: row["summary"]?.text,
      art: row["thumb"]?.text ?? row["composite"]?.text, section: section, items: items)
  }

  static func playlist(_ row: JSONView, items: [String]) -> ServerList? {
    guard let native = key(row), let title = row["title"]?.text else { return nil }
    return ServerList(
      native: native, title: title, isSmart: row["smart"]?.isTrue ?? false,
      art: row["composite"]?.text ?? row["thumb"]?.text, items: items)
  }

  /// Returns the plays, and the listeners at Last.fm, which Plex calls ratings; nil if it gives neither.
  private static func counts(_ row: JSONView) -> ServerTrack.Counts? {
    let counts = ServerTrack.Counts(
      plays: row["viewCount"]?.integer(in: 0...Int.max), listeners: row["ratingCount"]?.integer(in: 1...1_000_000_000))
    return counts == ServerTrack.Counts() ? nil : counts
  }

  /// Returns the track's own artist; nil if it is the album's, or "Various Artists".
  private static func trackArtist(_ row: JSONView) -> String? {
    guard let own = row["originalTitle"]?.text, own != row["grandparentTitle"]?.text, own.caseFolded != variousArtists
    else {
      return nil
    }
    return own
  }

  /// Returns the audio stream that is played; nil in lists, whose rows have no streams.
  private static func audioStream(_ part: JSONView?) -> JSONView? {
    let streams = (part?["Stream"]?.elements ?? []).filter { $0["streamType"]?.integer == 2 }
    return streams.first { $0["selected"]?.isTrue ?? false } ?? streams.first
  }

  private static func audio(_ medium: JSONView?, _ part: JSONView?) -> AudioProperties {
    let stream = audioStream(part)
    let codec = (stream?["codec"] ?? medium?["audioCodec"])?.text.map(AudioProperties.codec)
    return AudioProperties(
      codec: codec, bitRate: (stream?["bitrate"] ?? medium?["bitrate"])?.integer(in: AudioLimits.bitRates),
      sampleRate: stream?["samplingRate"]?.integer(in: AudioLimits.sampleRates),
      bitDepth: stream?["bitDepth"]?.integer(in: AudioLimits.bitDepths),
      channels: (stream?["channels"] ?? medium?["audioChannels"])?.integer(in: AudioLimits.channels))
  }

  /// Returns the loudness. Plex writes the album's gain into both gain fields, so the track's gain is computed from its
  /// loudness, relative to -18 LUFS.
  private static func levels(_ part: JSONView?) -> Levels? {
    guard let stream = audioStream(part) else { return nil }
    let levels = Levels(
      trackGain: stream["loudness"]?.number.map { ((-18 - $0) * 100).rounded() / 100 },
      trackPeak: stream["peak"]?.number, albumGain: stream["albumGain"]?.number, albumPeak: stream["albumPeak"]?.number)
    return levels.isEmpty ? nil : levels
  }

  /// Returns the ending of the file, but `alac` for ALAC, which shares its ending with AAC.
  private static func format(_ medium: JSONView?, _ part: JSONView?, _ file: String?) -> String? {
    if medium?["audioCodec"]?.string?.lowercased() == "alac" { return "alac" }
    let endings = [file, part?["key"]?.string].lazy.compactMap { $0.flatMap { FileName.ending(Array($0.utf8)) } }
    if let ending = endings.first(where: { !$0.contains("/") }) { return ending }
    return (part?["container"] ?? medium?["container"])?.text?.lowercased()
  }

  private static func year(_ row: JSONView) -> Int? {
    row["year"]?.integer(in: 1...9999)
      ?? row["originallyAvailableAt"]?.text.flatMap { Int($0.prefix(4)) }.flatMap { (1...9999).contains($0) ? $0 : nil }
  }

  /// Returns the rating in half stars; nil for an unrated item.
  private static func rating(_ row: JSONView) -> Rating? {
    row["userRating"]?.number.flatMap { Rating(rawValue: Int(max(-1, min(11, $0.rounded())))) }
  }

  /// The id of `mbid://UUID`, which some servers write with the kind of item before it.
  private static func musicBrainzID(_ row: JSONView) -> String? {
    let guids = row["Guid"]?.elements.lazy.compactMap { $0["id"]?.string }
    return guids?.first { $0.hasPrefix("mbid://") }?.split(separator: "/").last
      .flatMap { MusicBrainzID(String($0)) }?.text
  }

  private static func tags(_ list: JSONView?) -> [String] {
    var found: [String] = []
    for element in list?.elements ?? [] {
      if let tag = element["tag"]?.text, !found.contains(tag) { found.append(tag) }
    }
    return found
  }

  private static func time(_ value: JSONView?) -> Timestamp? {
    value?.integer.flatMap { (1...253_402_300_799).contains($0) ? Timestamp(seconds: $0) : nil }
  }

}
