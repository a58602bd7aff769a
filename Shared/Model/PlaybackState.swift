/// The state of a room. Every program that shows rooms shows all five.
public enum PlaybackState: Hashable, Sendable {
  /// Nothing is loaded, or the queue has come to its end.
  case idle
  /// Sound was asked for and is not there yet.
  case buffering
  /// Sound reaches the output.
  case playing
  /// Held by a person.
  case paused
  /// Sound cannot go on; the error says why and what to do.
  case error(LunaraError)
  /// A state of a newer version that this one does not know.
  case unknown(String)

  /// The state's name: `idle`, `buffering`, `playing`, `paused`, `error`, or the unknown one.
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

  /// Reads `{"name": …, "error": …}`; an unknown name passes through.
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

  /// Writes the name, and the error where there is one.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    if case .error(let error) = self { try container.encode(error, forKey: .error) }
  }
}

/// The position in a track, as an anchor from which readers extrapolate. Never sent as ticks.
public struct Position: Codable, Hashable, Sendable {
  /// The audible position when the anchor was taken.
  public var offset: Milliseconds
  /// Media seconds a second: 1 while sound flows, 0 while it does not.
  public var rate: Double
  /// The moment the anchor was taken, on the room's own clock.
  public var takenAt: Timestamp

  public init(offset: Milliseconds, rate: Double, takenAt: Timestamp) {
    self.offset = offset
    self.rate = rate
    self.takenAt = takenAt
  }

  /// The position `age` after the anchor was taken, never past `duration`.
  public func after(_ age: Milliseconds, upTo duration: Milliseconds? = nil) -> Milliseconds {
    let moved = max(offset + Milliseconds(seconds: age.seconds * rate), .zero)
    return duration.map { min(moved, max($0, .zero)) } ?? moved
  }
}

/// One place in a room's queue, with all that display, history and scrobbling need when the library is gone. It holds
/// no URL and no secret.
public struct QueueItem: Codable, Hashable, Sendable {
  /// This place's own id: the same track queued twice has two.
  public var entry: EntryID
  /// The track, with title, artists, album, disc, number, length, genres, MusicBrainz ids and art.
  public var track: Track
  /// The path of the audio on the library's host, used as it is only by a room there; nil where it has no file.
  public var path: LocalPath?
  /// The host the path is valid on.
  public var host: String?
  /// The node that asked for it, and the place it was asked for from.
  public var origin: Origin

  public init(entry: EntryID, track: Track, path: LocalPath? = nil, host: String? = nil, origin: Origin) {
    self.entry = entry
    self.track = track
    self.path = path
    self.host = host
    self.origin = origin
  }

  /// The origin of an item of a queue: the node that asked for it, and what it asked for.
  public struct Origin: Codable, Hashable, Sendable {
    /// The node that asked, for example `web@main`.
    public var node: String
    /// The thing that was asked for, for example an album's id.
    public var place: String?

    public init(node: String, place: String? = nil) {
      self.node = node
      self.place = place
    }
  }
}
