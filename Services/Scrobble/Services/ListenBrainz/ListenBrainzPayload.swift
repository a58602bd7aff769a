import Messages
import Model
import ServiceKit

/// The JSON that is sent to ListenBrainz (listenbrainz.readthedocs.io, Core API and Client metadata).
struct ListenBrainzPayload: Encodable {
  enum Kind: String, Encodable {
    case single
    case `import`
    case playingNow = "playing_now"
  }

  var listen_type: Kind
  var payload: [Listen]

  /// Creates a payload of listens; several are sent as an import.
  init(_ batch: [Submission]) {
    listen_type = batch.count == 1 ? .single : .import
    payload = batch.map { Listen($0, hasTime: true) }
  }

  /// Creates a payload of the current track, which has no time.
  init(now: Submission) {
    listen_type = .playingNow
    payload = [Listen(now, hasTime: false)]
  }

  struct Listen: Encodable {
    var listened_at: Int64?
    var track_metadata: TrackMetadata
  }

  struct TrackMetadata: Encodable {
    var artist_name: String
    var track_name: String
    var release_name: String?
    var additional_info: AdditionalInfo
  }

  struct AdditionalInfo: Encodable {
    var media_player = "Lunara"
    var submission_client = "Lunara"
    var submission_client_version = LunaraVersion.current
    var duration_ms: Int64?
    var tracknumber: Int?
    var release_artist_name: String?
    var recording_mbid: String?
    var release_mbid: String?
    var release_group_mbid: String?
    var artist_mbids: [String]?
    var isrc: String?
  }
}

extension ListenBrainzPayload.Listen {
  /// The longest duration that ListenBrainz accepts: 24 days.
  private static let longest = Milliseconds(24 * 86_400_000)

  init(_ each: Submission, hasTime: Bool) {
    listened_at = hasTime ? each.startedAt : nil
    track_metadata = .init(
      artist_name: each.artist, track_name: each.title, release_name: each.album,
      additional_info: .init(
        duration_ms: each.duration.flatMap { $0 < Self.longest ? $0.rawValue : nil }, tracknumber: each.number,
        release_artist_name: each.albumArtist, recording_mbid: each.recordingID, release_mbid: each.releaseID,
        release_group_mbid: each.releaseGroupID, artist_mbids: each.artistIDs.isEmpty ? nil : each.artistIDs,
        isrc: each.isrc))
  }
}
