import Messages
import Model

/// A listen as a line of JSON in ListenBrainz's form (listenbrainz.readthedocs.io, JSON Documentation).
enum ListenLine {
  /// The line of a listen; its own id is with it, so that it is known again.
  static func json(_ entry: Scrobble.Entry) -> JSON {
    let track = entry.track
    var more: [JSON.Member] = [
      .init(key: "media_player", value: .string("Lunara")), .init(key: "submission_client", value: .string("Lunara")),
      .init(key: "lunara_listen", value: .text(entry.listen)),
    ]
    func add(_ key: String, _ value: JSON?) { if let value { more.append(.init(key: key, value: value)) } }
    add("duration_ms", track.duration > .zero ? .count(track.duration.rawValue) : nil)
    add("tracknumber", track.number.map { .count($0) })
    add("release_artist_name", track.albumArtist.isEmpty ? nil : .text(track.albumArtist))
    add("recording_mbid", track.recordingID.map { .string($0) })
    add("release_mbid", track.releaseID.map { .string($0) })
    add("release_group_mbid", track.releaseGroupID.map { .string($0) })
    add("artist_mbids", track.artistIDs.map { .list($0) { .string($0) } })
    add("isrc", track.isrc.map { .string($0) })
    var metadata: [JSON.Member] = [
      .init(key: "artist_name", value: .string(track.artist)), .init(key: "track_name", value: .string(track.title)),
    ]
    if !track.album.isEmpty { metadata.append(.init(key: "release_name", value: .string(track.album))) }
    metadata.append(.init(key: "additional_info", value: .object(more)))
    return .object(["listened_at": .count(entry.startedAt.seconds), "track_metadata": .object(metadata)])
  }

  /// The latest time that is one: what is larger is in milliseconds.
  private static let latest: Int64 = 100_000_000_000

  /// Reads a line; nil for what has no time, artist or title.
  static func listen(_ line: [UInt8]) -> Scrobble.ImportedListen? {
    guard let view = JSONView(line), let time = view["listened_at"]?.integer, time > 0, time < latest,
      let data = view["track_metadata"], let artist = data["artist_name"]?.string, !artist.isEmpty,
      let title = data["track_name"]?.string, !title.isEmpty
    else { return nil }
    let more = data["additional_info"]
    let duration = more?["duration_ms"]?.integer ?? more?["duration"]?.integer.map { $0 &* 1000 }
    return Scrobble.ImportedListen(
      listen: more?["lunara_listen"]?.string.map { ListenID(rawValue: $0) }, startedAt: Timestamp(seconds: time),
      title: title, artist: artist, album: data["release_name"]?.string,
      albumArtist: more?["release_artist_name"]?.string,
      number: more?["tracknumber"]?.integer.map { Int(clamping: $0) },
      duration: duration.flatMap { $0 > 0 ? Milliseconds($0) : nil },
      recordingID: more?["recording_mbid"]?.string ?? data["mbid_mapping"]?["recording_mbid"]?.string,
      releaseID: more?["release_mbid"]?.string ?? data["mbid_mapping"]?["release_mbid"]?.string)
  }
}
