public import Model

extension Playback {
  /// The modes of a room: repeat, stop after the current item, sleep timer, mute.
  public struct Modes: Codable, Hashable, Sendable {
    /// The repeat mode.
    public var repeats: Repeat
    /// The order of the queue.
    public var order: Order
    /// True if the room stops when the current item is over. The next item then waits, and this mode ends.
    public var stopsAfterCurrent: Bool
    /// The moment when the sleep timer pauses the room; nil if no timer runs.
    public var sleepsAt: Timestamp?
    /// True while the room is muted, whatever its volume.
    public var isMuted: Bool
    /// The volume that is not exceeded, in percent.
    public var maximumVolume: Int

    public init(
      repeats: Repeat = .off, order: Order = .queued, stopsAfterCurrent: Bool = false, sleepsAt: Timestamp? = nil,
      isMuted: Bool = false, maximumVolume: Int = 100
    ) {
      self.repeats = repeats
      self.order = order
      self.stopsAfterCurrent = stopsAfterCurrent
      self.sleepsAt = sleepsAt
      self.isMuted = isMuted
      self.maximumVolume = maximumVolume
    }
  }

  /// The repeat mode: what follows the end of an item or of the queue.
  public enum Repeat: String, TolerantName {
    /// The next item; nothing after the last one.
    case off
    /// The same item again.
    case one
    /// The next item; after the last one the first.
    case all
    case unknown
  }

  /// The order in which a queue plays.
  public enum Order: String, TolerantName {
    /// As it was queued.
    case queued
    /// Its tracks mixed.
    case tracks
    /// Its albums mixed, each in its own order.
    case albums
    case unknown
  }

  /// The measured level that is brought to the reference of -18 LUFS.
  public enum Levelling: String, TolerantName {
    /// None: sound goes out as it is.
    case off
    /// The track's.
    case track
    /// The album's, or else the track's.
    case album
    /// The album's where a neighbour in the queue is of the same album, else the track's.
    case smart
    case unknown
  }
}

/// A name in a message that a newer version may have more of: what is not known is read as `unknown`.
public protocol TolerantName: RawRepresentable, Codable, Hashable, Sendable, CaseIterable where RawValue == String {
  /// The value that stands for an unknown name.
  static var unknown: Self { get }
}

extension TolerantName {
  /// Reads a name.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
  }
}

/// The messages for setting up a room.
extension Playback {
  /// Sets the title by which people call a room.
  public struct SetTitle: CommandRequest {
    public static let kind = "playback.set-title"
    /// The room's state afterwards.
    public typealias Answer = RoomState
    /// 1 to 64 characters on one line; nil for none, so that the room goes by its name.
    public var title: String?

    public init(title: String?) { self.title = title }
  }

  /// Lets a short chord be heard where the room's music would be, at its volume. Refused while music plays; its queue
  /// and what was listened to stay as they are.
  public struct PlayTestSound: CommandRequest {
    public static let kind = "playback.play-test-sound"
    /// Comes when the chord was heard.
    public typealias Answer = Done

    public init() {}
  }
}
