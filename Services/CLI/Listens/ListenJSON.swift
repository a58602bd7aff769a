import Messages
import Model

/// Reads listens as ListenBrainz, Maloja, Last.fm and programs that read from Last.fm write them in JSON.
enum ListenJSON {
  static func read(_ view: JSONView) -> ListenReading {
    if view["track_metadata"] != nil || view["listened_at"] != nil { return ofListenBrainz(view) }
    if view["@attr"]?["nowplaying"]?.isTrue == true { return .other }
    if let track = view["track"], track["artists"] != nil { return ofMaloja(track, view) }
    if view["artists"] != nil, view["title"] != nil { return ofMaloja(view, view) }
    guard let artist = view["artist"], let title = view["track"] ?? view["name"] ?? view["title"], !title.isArray,
      !title.isObject
    else { return .other }
    return ofLastFM(title, artist, view)
  }

  /// The form of submissions and exports (listenbrainz.readthedocs.io, JSON Documentation).
  private static func ofListenBrainz(_ view: JSONView) -> ListenReading {
    guard let data = view["track_metadata"] else { return .incomplete }
    let more = data["additional_info"]
    let duration = more?["duration_ms"]?.integer ?? more?["duration"]?.integer.map { $0 &* 1000 }
    return ListenFields(
      time: view["listened_at"]?.integer, title: data["track_name"]?.string, artist: data["artist_name"]?.string,
      album: data["release_name"]?.string, albumArtist: more?["release_artist_name"]?.string,
      listen: more?["lunara_listen"]?.string, number: more?["tracknumber"]?.integer, duration: duration,
      recordingID: more?["recording_mbid"]?.string ?? data["mbid_mapping"]?["recording_mbid"]?.string,
      releaseID: more?["release_mbid"]?.string ?? data["mbid_mapping"]?["release_mbid"]?.string
    ).reading
  }

  /// The form of Maloja's export and API: artists are a list.
  private static func ofMaloja(_ track: JSONView, _ view: JSONView) -> ListenReading {
    func artists(_ view: JSONView?) -> String? {
      view.map { $0.elements.isEmpty ? $0.string ?? "" : $0.elements.compactMap(\.string).joined(separator: ", ") }
    }
    let album = track["album"]
    return ListenFields(
      time: view["time"]?.integer, title: track["title"]?.string, artist: artists(track["artists"]),
      album: album?["albumtitle"]?.string ?? album?.string, albumArtist: artists(album?["artists"]),
      duration: track["length"]?.integer.map { $0 &* 1000 }
    ).reading
  }

  /// The form of Last.fm's API, and the flat one of programs that export from it.
  private static func ofLastFM(_ title: JSONView, _ artist: JSONView, _ view: JSONView) -> ListenReading {
    func name(_ view: JSONView?) -> String? { view?["#text"]?.string ?? view?["name"]?.string ?? view?.string }
    let date = view["date"]
    let time =
      date?["uts"]?.integer ?? view["uts"]?.integer ?? view["timestamp"]?.integer ?? view["time"]?.integer
      ?? date?.integer
    return ListenFields(
      time: time ?? date?.string.flatMap(ListenTime.seconds), title: title.string, artist: name(artist),
      album: name(view["album"])
    ).reading
  }
}

/// The parts of a listen, as an export has them.
struct ListenFields {
  /// The seconds, or milliseconds, from 1970.
  var time: Int64?
  var title: String?
  var artist: String?
  var album: String?
  var albumArtist: String?
  var listen: String?
  var number: Int64?
  /// The length in milliseconds.
  var duration: Int64?
  var recordingID: String?
  var releaseID: String?

  /// The upper bound of times in seconds: a larger number is one of milliseconds.
  private static let latest: Int64 = 100_000_000_000
  /// The largest size of a text in bytes.
  private static let longest = 4096

  var reading: ListenReading {
    guard let time, time > 0, let title, let artist else { return .incomplete }
    let seconds = time < Self.latest ? time : time / 1000
    let texts = [title, artist, album, albumArtist, listen, recordingID, releaseID].compactMap(\.self)
    guard seconds < Self.latest, !title.isEmpty, !artist.isEmpty, texts.allSatisfy({ $0.utf8.count <= Self.longest })
    else { return .incomplete }
    func text(_ value: String?) -> String? { value.flatMap { $0.isEmpty ? nil : $0 } }
    return .listen(
      Scrobble.ImportedListen(
        listen: text(listen).map { ListenID(rawValue: $0) }, startedAt: Timestamp(seconds: seconds), title: title,
        artist: artist, album: text(album), albumArtist: text(albumArtist), number: number.map { Int(clamping: $0) },
        duration: duration.flatMap { $0 > 0 ? Milliseconds($0) : nil }, recordingID: text(recordingID),
        releaseID: text(releaseID)))
  }
}
