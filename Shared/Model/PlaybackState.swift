/// The state of a room: an object with `name`, and with `error` in the state of that name.
public enum PlaybackState: Hashable, Sendable {
  /// Nothing is loaded, or the queue has ended.
  case idle
  /// Playing was requested, but no sound reaches the output yet.
  case buffering
  /// Sound reaches the output.
  case playing
  /// A person paused the room, the room paused itself, or it waits to be resumed after a restart.
  case paused
  /// Playing failed; the error tells why and what to do.
  case error(LunaraError)
  /// A state of a newer version that this version does not know.
  case unknown(String)

  /// The name: `idle`, `buffering`, `playing`, `paused`, `error`, or that of the unknown state.
  public var name: String {
    switch self {
    case .idle: "idle"
    case .buffering: "buffering"
    case .playing: "playing"
    case .paused: "paused"
    case .error: "error"
    case .unknown(let name): name
    }
  }
}

extension PlaybackState: Codable {
  private enum CodingKeys: String, CodingKey { case name, error }

  /// Reads `{"name": …, "error": …}`; an unknown name gives `unknown`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .name)
    switch name {
    case "error":
      let unexplained = LunaraError("playback.failed", "Playback failed without a reason given.")
      self = .error(try container.decodeIfPresent(LunaraError.self, forKey: .error) ?? unexplained)
    default: self = [.idle, .buffering, .playing, .paused].first { $0.name == name } ?? .unknown(name)
    }
  }

  /// Writes the name, and the error if there is one.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    if case .error(let error) = self { try container.encode(error, forKey: .error) }
  }
}

/// The position in a track at a known time, from which readers compute the present one, so that it is not sent
/// repeatedly.
public struct Position: Codable, Hashable, Sendable {
  /// The audible position at `takenAt`.
  public var offset: Milliseconds
  /// The media seconds per second: 1 while sound flows, else 0.
  public var rate: Double
  /// The time of the position, by the room's clock.
  public var takenAt: Timestamp

  /// Returns the position at `age` after `takenAt`, at most `duration`.
  public func after(_ age: Milliseconds, upTo duration: Milliseconds? = nil) -> Milliseconds {
    let moved = max(offset + Milliseconds(seconds: age.seconds * rate), .zero)
    return duration.map { min(moved, max($0, .zero)) } ?? moved
  }
}

/// An entry in a room's queue, with all data that display, history and scrobbling need without the library. It contains
/// no URL and no secret.
public struct QueueItem: Codable, Hashable, Sendable {
  /// The id of this entry: a track that is queued twice has two.
  public var entry: EntryID
  /// The track, with title, artists, album, disc, number, length, genres, MusicBrainz ids and art.
  public var track: Track
  /// The path of the audio on the library's host, which only a room on that host can use; nil if it has no file.
  public var path: LocalPath? = nil
  /// The id of the host on which the path is valid.
  public var host: String? = nil
  /// The node that requested the item, and what it requested.
  public var origin: Origin
  /// The part of the file that is the track, as it was when the item was queued; nil for the whole file.
  public var segment: AudioSegment? = nil
  /// The description of a track that was not in the library when the item was queued; nil for others. It is looked for
  /// when a room prepares the item.
  public var described: DescribedTrack? = nil

  /// The origin of a queue entry: the node that requested it, and what it requested.
  public struct Origin: Codable, Hashable, Sendable {
    /// The node, for example `web@main`.
    public var node: String
    /// The requested item, for example an album's id; nil if unknown.
    public var place: String? = nil
    /// True for an item with which a queue continued by itself; nil for one that was queued by a request. Since 0.2.
    public var isContinued: Bool? = nil
  }
}
