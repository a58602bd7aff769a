public import Model

/// The messages of `lunara-router`: one node in a household, `router@main`. It stores nothing.
public enum Router {}

extension Router {
  /// Plays items in a room.
  public struct Play: CommandRequest {
    public static let kind = "router.play"
    /// The room and the number of tracks that were loaded; refused with `client.noRoom`, `client.roomNeeded`,
    /// `client.roomUnknown`, `client.roomAway`, `router.nothingToPlay`, `router.badDescription`,
    /// `router.badContinuation`, `router.startOutOfRange`, `router.tooMany`. It is refused as `Library.ListPlayable`
    /// and `Playback.Load` are, too.
    public typealias Answer = Played
    /// The most descriptions of an intent.
    public static let describedLimit = 200
    /// The albums, tracks, artists, collections or playlists, in playing order, as for `ListPlayable`.
    public var ids: [PlayableID]
    /// Tracks by their descriptions, at most 200, each with title and artist, which follow after `ids`. Each is looked
    /// for when a room prepares it.
    public var described: [DescribedTrack]? = nil
    /// The room; nil for the only one, the one that plays, or else the one used last.
    public var room: RoomName? = nil
    /// The place in the queue for the items.
    public var mode: Playback.LoadMode = .now
    /// The index of the first track to play, from 0.
    public var startAt: Int = 0
    /// True to shuffle the order.
    public var shuffle: Bool = false
    /// The seed for shuffling, which the sender draws, so that a repeated request gives the same order.
    public var seed: UInt64? = nil
    /// The list that the last album belongs to, in any order but that by plays, for `.now`: the queue continues with
    /// the albums after it. Nil for none.
    public var continues: Library.AlbumList? = nil
    /// True if the queue ends after the last item, and keeps the list of `continues` only for a person who lets it
    /// continue later; nil and false let it continue. Since 0.2.
    public var endsAfter: Bool? = nil
    /// The unit that is shuffled: tracks, or whole albums; nil for tracks.
    public var order: Playback.Order? = nil
  }

  /// The result of `Play`.
  public struct Played: Codable, Hashable, Sendable {
    /// The room that was chosen.
    public var room: RoomName
    /// The number of tracks that were loaded.
    public var tracks: Int
    /// The queue afterwards.
    public var queue: Playback.QueueSummary
  }

  /// Asks for the file or URL from which a room can read the audio of a track.
  public struct Resolve: ReadRequest {
    public static let kind = "router.resolve"
    /// The file or URL: that of the library, or for a description that of `Resolver.Locate`; refused as
    /// `Library.LocateTrack` and `Resolver.Locate` are.
    public typealias Answer = Library.Locator
    /// The track.
    public var track: TrackID
    /// The id of the room's host.
    public var host: String
    /// The description of a described track; nil for others.
    public var described: DescribedTrack? = nil
    /// The ids of plugins whose addresses could not be played; nil for none.
    public var failed: [String]? = nil
  }

  /// Moves the queue and the position of a room to another room. After a failure the source continues as before.
  public struct Move: CommandRequest {
    public static let kind = "router.move"
    /// The target's state. It is refused as `Play` is for its rooms, and as `Playback.PrepareMove` is. Refused with
    /// `router.sameRoom`, `router.moveUnsettled`, `router.moveBroken`, `playback.nothingToMove`,
    /// `playback.moveOutdated`.
    public typealias Answer = Playback.RoomState
    /// The source.
    public var from: RoomName
    /// The target.
    public var to: RoomName
    /// True if the target keeps its queue, which follows after the moved items; nil if they replace it.
    public var keepsQueue: Bool? = nil
  }
}
