public import Model

extension Playback {
  /// The modes of a room: repeat, stop after the current item, sleep timer, mute.
  public struct Modes: Codable, Hashable, Sendable {
    /// The repeat mode.
    public var repeats: Repeat = .off
    /// The order of the queue.
    public var order: Order = .queued
    /// True if the room stops after the current item. The next item then becomes current without playing, and this mode
    /// ends.
    public var stopsAfterCurrent: Bool = false
    /// True if the room stops after the album of the current item, likewise; nil if not. Since 0.2.
    public var stopsAfterAlbum: Bool? = nil
    /// The time when the sleep timer pauses the room; nil if no timer runs.
    public var sleepsAt: Timestamp? = nil
    /// True while the room is muted, independent of its volume.
    public var isMuted: Bool = false
    /// The largest volume that can be set, in percent.
    public var maximumVolume: Int = 100
  }

  /// The repeat mode: what plays after an item, and after the queue.
  public enum Repeat: String, TolerantName {
    /// The next item; nothing after the last one.
    case off
    /// The same item again.
    case one
    /// The next item; after the last one the first again.
    case all
    case unknown
  }

  /// The orders in which a queue plays.
  public enum Order: String, TolerantName {
    /// The order in which the items were queued.
    case queued
    /// Shuffled tracks.
    case tracks
    /// Shuffled albums, each in its own order.
    case albums
    case unknown
  }

  /// The measured loudness by which sound is levelled to the reference of -18 LUFS.
  public enum Levelling: String, TolerantName {
    /// No levelling.
    case off
    /// The loudness of the track.
    case track
    /// The loudness of the album, or of the track if that is not known.
    case album
    /// The loudness of the album if a neighbour in the queue is of the same album, else that of the track.
    case smart
    case unknown
  }
}

/// The messages for setting up a room.
extension Playback {
  /// Sets the title by which people call a room.
  public struct SetTitle: CommandRequest {
    public static let kind = "playback.set-title"
    /// The room's state afterwards; refused with `playback.stopping`, `playback.badSetting`, `playback.notStored`.
    public typealias Answer = RoomState
    /// The title, 1 to 64 characters on one line; nil for none, so that the room is shown by its name.
    public var title: String?
  }

  /// Plays a short chord through the room's output at its volume. It is refused while music plays, and if nothing would
  /// be heard. A player of its own plays it, so the queue and the history do not change. Music that begins meanwhile
  /// ends it.
  public struct PlayTestSound: CommandRequest {
    public static let kind = "playback.play-test-sound"
    /// Answers after the chord was played; refused with `playback.stopping`, `playback.noTestSound`,
    /// `playback.noOutput`, `playback.engineMissing`, `playback.engineFailed`.
    public typealias Answer = Done

    public init() {}
  }
}
