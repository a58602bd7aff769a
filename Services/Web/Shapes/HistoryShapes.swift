import Messages
import Model

extension Shape {
  /// What was heard of a track, and where.
  struct Heard: Encodable {
    var listen: ListenID
    var room: RoomName
    var id: TrackID
    var albumID: AlbumID
    var track: String
    var artist: String
    var album: String
    var art: ArtID?
    var startedAt: Timestamp
    var heardSeconds: Double

    init(_ listen: ListenID, of track: Model.Track, in room: RoomName, at startedAt: Timestamp, for heard: Milliseconds)
    {
      self.listen = listen
      self.room = room
      id = track.id
      albumID = track.albumID
      self.track = track.title
      artist = track.artist
      album = track.album
      art = track.art
      self.startedAt = startedAt
      heardSeconds = heard.seconds
    }
  }

  /// One of `plays`.
  static func play(_ play: Library.Play) -> Joined<Heard, PlayEnd> {
    Joined(
      first: Heard(play.listen, of: play.track, in: play.room, at: play.startedAt, for: play.heard),
      second: PlayEnd(counted: play.counted, skipped: play.skipped))
  }

  /// What became of a play.
  struct PlayEnd: Encodable {
    var counted: Bool
    var skipped: Bool
  }

  /// One of `scrobbles`.
  static func scrobble(_ entry: Scrobble.Entry) -> Joined<Heard, ScrobbleEnd> {
    Joined(
      first: Heard(entry.listen, of: entry.track, in: entry.room, at: entry.startedAt, for: entry.heard),
      second: ScrobbleEnd(destinations: entry.destinations, withheld: entry.withheld))
  }

  /// Where a scrobble was sent.
  struct ScrobbleEnd: Encodable {
    var destinations: [Scrobble.Destination]
    var withheld: String?
  }

  /// One of what was played in a room.
  struct PlayedItem: Encodable {
    var entry: EntryID
    var id: TrackID
    var albumID: AlbumID
    var title: String
    var artist: String
    var album: String
    var art: ArtID?
    var startedAt: Timestamp
    var heardSeconds: Double
    var reason: String

    init(_ played: Playback.PlayedItem) {
      let track = played.item.track
      entry = played.item.entry
      id = track.id
      albumID = track.albumID
      title = track.title
      artist = track.artist
      album = track.album
      art = track.art
      startedAt = played.startedAt
      heardSeconds = played.heard.seconds
      reason = played.reason.rawValue
    }
  }

  /// Until when listening is private.
  struct Private: Encodable {
    @Nullable var until: Timestamp?
  }

  /// How the outbox stands.
  struct Outbox: Encodable {
    var counted: Int
    var pending: Int
    var failed: Int
    var accounts: [Scrobble.Account]
    var privateUntil: Timestamp?
    var failedLoves: Int?

    init(_ state: Scrobble.OutboxState) {
      counted = state.counted
      pending = state.pending
      failed = state.failed
      accounts = state.accounts ?? []
      privateUntil = state.privateUntil
      failedLoves = state.failedLoves
    }
  }
}
