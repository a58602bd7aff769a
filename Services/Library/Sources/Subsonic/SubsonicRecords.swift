import Messages
import Model
import MusicTags
import Records
import Text

/// Converts a server's rows to records (opensubsonic.netlify.app, "Responses"). Any field may be missing: old servers
/// have half of them, and no server sends empty lists.
enum SubsonicRecords {
  static func artist(_ row: JSONView, section: String?) -> ServerArtist? {
    guard let native = row["id"]?.text, let name = row["name"]?.text else { return nil }
    return ServerArtist(
      native: native, name: name, sort: row["sortName"]?.text, artistID: musicBrainzID(row),
      art: row["coverArt"]?.text, rating: rating(row), section: section)
  }

  static func album(_ row: JSONView, section: String?) -> ServerAlbum? {
    guard let native = row["id"]?.text, let title = row["name"]?.text ?? row["title"]?.text ?? row["album"]?.text else {
      return nil
    }
    let first = row["artists"]?.elements.first
    let isCompilation = row["isCompilation"]?.isTrue == true
    var artist = row["displayArtist"]?.text ?? row["artist"]?.text ?? first?["name"]?.text
    if artist == nil || artist.map(VariousArtists.isMeant) == true {
      artist = artist == nil && !isCompilation ? VariousArtists.unknown : VariousArtists.name
    }
    return ServerAlbum(
      native: native, title: title, titleSort: row["sortName"]?.text, artist: artist ?? VariousArtists.unknown,
      artistNative: row["artistId"]?.text ?? first?["id"]?.text, year: row["year"]?.integer(in: 1000...2999),
      genres: genres(row),
      moods: texts(row["moods"]), releaseID: musicBrainzID(row), art: row["coverArt"]?.text,
      rating: rating(row), addedAt: time(row["created"]), lastPlayedAt: time(row["played"]), section: section)
  }

  /// A track; nil if it has no id or title, or belongs to no album, and for what is no music.
  static func track(_ row: JSONView, section: String?) -> ServerTrack? {
    guard let native = row["id"]?.text, let album = row["albumId"]?.text ?? row["parent"]?.text,
      let title = row["title"]?.text, row["isDir"]?.isTrue != true, row["isVideo"]?.isTrue != true
    else { return nil }
    let type = row["type"]?.text
    guard type == nil || type == "music" else { return nil }
    var artist = row["displayArtist"]?.text ?? row["artist"]?.text
    if let name = artist, VariousArtists.isMeant(by: name) || name == row["displayAlbumArtist"]?.text { artist = nil }
    // The ids are used only if every artist has one: an incomplete list would not match the credits.
    let artists = (row["artists"]?.elements ?? []).map(musicBrainzID)
    let artistIDs = artists.contains(nil) ? [] : artists.compactMap { $0 }.prefix(MusicIDs.mostArtists)
    return ServerTrack(
      native: native, album: album, title: title, titleSort: row["sortName"]?.text, artist: artist,
      disc: row["discNumber"]?.integer(in: 1...99_999) ?? 1, number: row["track"]?.integer(in: 1...99_999),
      year: row["year"]?.integer(in: 1000...2999), genres: genres(row),
      moods: texts(row["moods"]), duration: duration(row),
      recordingID: musicBrainzID(row),
      ids: MusicIDs(artists: Array(artistIDs), isrc: row["isrc"]?.elements.first?.text),
      levels: levels(row["replayGain"]), rating: rating(row),
      file: row["path"]?.text, part: native, format: row["suffix"]?.text?.lowercased(), audio: audio(row),
      addedAt: time(row["created"]),
      lastPlayedAt: time(row["played"]),
      counts: row["playCount"]?.integer.map { ServerTrack.Counts(plays: Int(clamping: $0)) },
      section: section)
  }

  /// Returns the properties of the audio. Some servers give the bit rate in bit/s and not in kbit/s.
  private static func audio(_ row: JSONView) -> AudioProperties {
    let codec = row["suffix"]?.text.flatMap { AudioFormat.codec(ofEnding: $0.lowercased()) }
    // Lossy audio has at most 1,500 kbit/s, and audio of high resolution some 50,000.
    let highest = codec.map(AudioFormat.isLossless) == true ? 100_000 : 5000
    return AudioProperties(
      codec: codec,
      bitRate: row["bitRate"]?.integer(in: 1...AudioLimits.bitRates.upperBound * 1000)
        .map { $0 > highest ? $0 / 1000 : $0 },
      sampleRate: row["samplingRate"]?.integer(in: AudioLimits.sampleRates),
      bitDepth: row["bitDepth"]?.integer(in: AudioLimits.bitDepths),
      channels: row["channelCount"]?.integer(in: AudioLimits.channels))
  }

  /// Returns the rating: one to five stars as half stars, or five stars for an item that is only starred, as Lunara has
  /// no other mark for favourites.
  static func rating(_ row: JSONView) -> Rating? {
    if let stars = row["userRating"]?.integer, (1...5).contains(stars) { return Rating(rawValue: Int(stars) * 2) }
    return row["starred"]?.text == nil ? nil : Rating(rawValue: 10)
  }

  /// Returns the stars for a rating, with half stars rounded up, as servers have only whole ones.
  static func stars(_ rating: Rating?) -> Int { ((rating?.rawValue ?? 0) + 1) / 2 }

  /// Returns the loudness, relative to -18 LUFS as in tags; nil if all gains are 0 and all peaks 1, which some
  /// servers send for tracks that were not measured.
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
    guard let text = value?.text else { return nil }
    if let time = Timestamp(text) { return time }
    // `+02:00` behind the seconds.
    let zone = text.suffix(6)
    guard zone.first == "+" || zone.first == "-", let hours = Int64(zone.dropFirst().prefix(2)),
      let minutes = Int64(zone.suffix(2))
    else { return Timestamp("\(text)Z") }
    let offset = (hours * 60 + minutes) * (zone.first == "+" ? 60_000_000 : -60_000_000)
    return Timestamp("\(text.dropLast(6))Z").map { Timestamp(microseconds: $0.microseconds - offset) }
  }

  /// The duration, which servers give in seconds; one that cannot be stored is as long as possible, and is left out.
  private static func duration(_ row: JSONView) -> Milliseconds {
    let (milliseconds, isTooLong) = max(0, row["duration"]?.integer ?? 0).multipliedReportingOverflow(by: 1000)
    return Milliseconds(isTooLong ? .max : milliseconds)
  }

  private static func musicBrainzID(_ row: JSONView) -> String? {
    row["musicBrainzId"]?.text.flatMap(MusicBrainzID.init)?.text
  }

  private static func genres(_ row: JSONView) -> [String] {
    let several = row["genres"]?.elements.compactMap { $0["name"]?.text } ?? []
    return several.isEmpty ? [row["genre"]?.text].compactMap { $0 } : several
  }

  private static func texts(_ list: JSONView?) -> [String] { list?.elements.compactMap(\.text) ?? [] }
}
