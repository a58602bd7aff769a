public import Model

extension Playback {
  /// What a room does by itself.
  public struct Modes: Codable, Hashable, Sendable {
    /// What follows the end.
    public var repeats: Repeat
    /// The order of the queue.
    public var order: Order
    /// Whether the room stops when the current item is over: the next one then waits, and this is over.
    public var stopsAfterCurrent: Bool
    /// When the sleep timer pauses the room; nil where none runs.
    public var sleepsAt: Timestamp?
    /// Whether no sound is let through, whatever the volume.
    public var isMuted: Bool
    /// The volume that is not exceeded, in percent.
    public var maximumVolume: Int

    /// Makes modes from all their parts.
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

  /// What follows the end of an item or of the queue.
  public enum Repeat: String, TolerantName {
    /// The next item; nothing after the last one.
    case off
    /// The same item again.
    case one
    /// The next item; after the last one the first.
    case all
    /// Something of a newer version.
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
    /// Something of a newer version.
    case unknown
  }

  /// Which of the measured levels is brought to the reference of -18 LUFS.
  public enum Levelling: String, TolerantName {
    /// None: sound goes out as it is.
    case off
    /// The track's.
    case track
    /// The album's, or else the track's.
    case album
    /// The album's where a neighbour in the queue is of the same album, else the track's.
    case smart
    /// Something of a newer version.
    case unknown
  }
}

/// A name in a message that a newer version may have more of: what is not known is read as `unknown`.
public protocol TolerantName: RawRepresentable, Codable, Hashable, Sendable, CaseIterable where RawValue == String {
  /// What an unknown name becomes.
  static var unknown: Self { get }
}

extension TolerantName {
  /// Reads a name.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
  }
}
