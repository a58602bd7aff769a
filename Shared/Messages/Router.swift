public import Model

/// The messages of `lunara-router`: one node a household, `router@main`. It stores nothing.
public enum Router {}

extension Router {
  /// An intent: play these in a room.
  public struct Play: CommandRequest {
    public static let kind = "router.play"
    /// The room and the tracks that were loaded.
    public typealias Answer = Played
    /// Albums, tracks or artists, in this order.
    public var ids: [PlayableID]
    /// The room; nil where there is only one.
    public var room: RoomName?
    /// The place in the queue where the items go.
    public var mode: Playback.LoadMode
    /// The index of the first track to play, from 0.
    public var startAt: Int
    /// True to shuffle the order.
    public var shuffle: Bool
    /// The seed of the shuffled order, drawn by the sender, so that an intent sent again gives the same order.
    public var seed: UInt64?
    /// The list that the last album belongs to, for `.now`: the albums after it follow. Nil for music that ends.
    public var continues: Library.AlbumList?
    /// The unit that is shuffled: tracks, or whole albums; nil for tracks.
    public var order: Playback.Order?

    public init(
      ids: [PlayableID], room: RoomName? = nil, mode: Playback.LoadMode = .now, startAt: Int = 0, shuffle: Bool = false,
      seed: UInt64? = nil, continues: Library.AlbumList? = nil, order: Playback.Order? = nil
    ) {
      self.ids = ids
      self.room = room
      self.mode = mode
      self.startAt = startAt
      self.shuffle = shuffle
      self.seed = seed
      self.continues = continues
      self.order = order
    }
  }

  /// The result of an intent.
  public struct Played: Codable, Hashable, Sendable {
    /// The room it went to.
    public var room: RoomName
    /// The number of tracks that were loaded.
    public var tracks: Int
    /// The queue after it.
    public var queue: Playback.QueueSummary

    public init(room: RoomName, tracks: Int, queue: Playback.QueueSummary) {
      self.room = room
      self.tracks = tracks
      self.queue = queue
    }
  }

  /// Asks, on behalf of a room, from which file or URL the audio of a track can be read.
  public struct Resolve: ReadRequest {
    public static let kind = "router.resolve"
    /// The file or URL.
    public typealias Answer = Library.Locator
    /// The track.
    public var track: TrackID
    /// The room's host id.
    public var host: String

    public init(track: TrackID, host: String) {
      self.track = track
      self.host = host
    }
  }

  /// Moves what a room plays to another room, with its queue and position. Refused as a whole: after a failure the
  /// source goes on as before.
  public struct Move: CommandRequest {
    public static let kind = "router.move"
    /// The target's state.
    public typealias Answer = Playback.RoomState
    /// The room that plays.
    public var from: RoomName
    /// The room that is to play.
    public var to: RoomName

    public init(from: RoomName, to: RoomName) {
      self.from = from
      self.to = to
    }
  }
}
