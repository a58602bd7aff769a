import Messages
import Model
import Text

/// What a server says of single items, in the words of the house (opensubsonic.netlify.app, "Responses"). What is
/// missing is left out: old servers know half of it, and none send empty lists.
enum SubsonicRecords {
  /// An artist; nil where it has no id or name.
  static func artist(_ row: JSONView, section: String?) -> ServerArtist? {
    guard let native = text(row["id"]), let name = text(row["name"]) else { return nil }
    return ServerArtist(
      native: native, name: name, sort: text(row["sortName"]), artistID: text(row["musicBrainzId"]),
      art: text(row["coverArt"]), rating: rating(row), section: section)
  }

  /// An album; nil where it has no id or title.
  static func album(_ row: JSONView, section: String?) -> ServerAlbum? {
    guard let native = text(row["id"]), let title = text(row["name"]) ?? text(row["title"]) ?? text(row["album"]) else {
      return nil
    }
    let first = row["artists"]?.elements.first
    let isCompilation = row["isCompilation"]?.isTrue == true
    var artist = text(row["displayArtist"]) ?? text(row["artist"]) ?? text(first?["name"])
    if artist == nil || artist.map(VariousArtists.isMeant) == true {
      artist = artist == nil && !isCompilation ? VariousArtists.unknown : VariousArtists.name
    }
    return ServerAlbum(
      native: native, title: title, titleSort: text(row["sortName"]), artist: artist ?? VariousArtists.unknown,
      artistNative: text(row["artistId"]) ?? text(first?["id"]), year: year(row["year"]), genres: genres(row),
      moods: texts(row["moods"]), releaseID: text(row["musicBrainzId"]), art: text(row["coverArt"]),
      rating: rating(row), addedAt: time(row["created"]), lastPlayedAt: time(row["played"]), section: section)
  }

  /// A track; nil where it has no id or title, or belongs to no album, and for what is no music.
  static func track(_ row: JSONView, section: String?) -> ServerTrack? {
    guard let native = text(row["id"]), let album = text(row["albumId"]) ?? text(row["parent"]),
      let title = text(row["title"]), row["isDir"]?.isTrue != true, row["isVideo"]?.isTrue != true
    else { return nil }
    let type = text(row["type"])
    guard type == nil || type == "music" else { return nil }
    var artist = text(row["displayArtist"]) ?? text(row["artist"])
    if let name = artist, VariousArtists.isMeant(by: name) || name == text(row["displayAlbumArtist"]) { artist = nil }
    // Of each artist or of none: a list with gaps would name others than are credited.
    let artists = (row["artists"]?.elements ?? []).map { text($0["musicBrainzId"]) }
    let artistIDs =
      artists.contains(nil) || artists.isEmpty ? nil : artists.compactMap { $0 }.prefix(MusicIDs.mostArtists)
    return ServerTrack(
      native: native, album: album, title: title, titleSort: text(row["sortName"]), artist: artist,
      disc: number(row["discNumber"]) ?? 1, number: number(row["track"]), year: year(row["year"]), genres: genres(row),
      moods: texts(row["moods"]), duration: Milliseconds(max(0, row["duration"]?.integer ?? 0) &* 1000),
      recordingID: text(row["musicBrainzId"]), artistIDs: artistIDs.map(Array.init),
      isrc: text(row["isrc"]?.elements.first), levels: levels(row["replayGain"]), rating: rating(row),
      file: text(row["path"]), part: native, format: text(row["suffix"])?.lowercased(), addedAt: time(row["created"]),
      lastPlayedAt: time(row["played"]), plays: row["playCount"]?.integer.map { Int(clamping: $0) }, section: section)
  }

  /// Stars from one to five are twice as many half stars. A star without a number of stars says as much as five: the
  /// house has one word for what somebody likes best.
  static func rating(_ row: JSONView) -> Rating? {
    if let stars = row["userRating"]?.integer, (1...5).contains(stars) { return Rating(rawValue: Int(stars) * 2) }
    return text(row["starred"]) == nil ? nil : Rating(rawValue: 10)
  }

  /// The stars for a rating: a half one is rounded up, as servers know whole ones only.
  static func stars(_ rating: Rating?) -> Int { ((rating?.rawValue ?? 0) + 1) / 2 }

  /// Gains are relative to -18 LUFS, as in tags. No gain with a peak of exactly 1 everywhere is how some servers write
  /// that nothing was measured.
  static func levels(_ row: JSONView?) -> Levels? {
    guard let row else { return nil }
    func peak(_ value: JSONView?) -> Double? { value?.number.flatMap { $0 > 0 ? $0 : nil } }
    let levels = Levels(
      trackGain: row["trackGain"]?.number, trackPeak: peak(row["trackPeak"]), albumGain: row["albumGain"]?.number,
      albumPeak: peak(row["albumPeak"]))
    let isUnmeasured =
      [levels.trackGain, levels.albumGain].allSatisfy { $0 ?? 0 == 0 }
      && [levels.trackPeak, levels.albumPeak].allSatisfy { $0 ?? 1 == 1 }
    return isUnmeasured ? nil : levels
  }

  /// A time; one without a zone is taken for UTC.
  static func time(_ value: JSONView?) -> Timestamp? {
    guard let text = text(value) else { return nil }
    if let time = Timestamp(text) { return time }
    var local = text
    var offset: Int64 = 0
    // `+02:00` behind the seconds.
    let zone = text.utf8.suffix(6)
    if zone.count == 6, let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = Int64(String(Substring(zone.dropFirst().prefix(2)))),
      let minutes = Int64(String(Substring(zone.suffix(2))))
    {
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "+") ? 60 : -60)
      local = String(Substring(text.utf8.dropLast(6)))
    }
    return Timestamp("\(local)Z").map { Timestamp(microseconds: $0.microseconds - offset * 1_000_000) }
  }

  private static func genres(_ row: JSONView) -> [String] {
    let several = row["genres"]?.elements.compactMap { text($0["name"]) } ?? []
    return several.isEmpty ? text(row["genre"]).map { [$0] } ?? [] : several
  }

  private static func texts(_ list: JSONView?) -> [String] { list?.elements.compactMap { text($0) } ?? [] }

  private static func text(_ value: JSONView?) -> String? {
    guard let text = value?.string?.trimmed, !text.isEmpty else { return nil }
    return text.normalised
  }

  private static func number(_ value: JSONView?) -> Int? {
    value?.integer.flatMap { $0 > 0 && $0 < 100_000 ? Int($0) : nil }
  }

  private static func year(_ value: JSONView?) -> Int? {
    value?.integer.flatMap { (1000...2999).contains($0) ? Int($0) : nil }
  }
}
