import Model

/// Decides when the desktop is told what changed of a player. Pure; times in microseconds of a monotonic clock.
///
/// What a person would notice is told at once: another track, playing or not, volume, modes. The rest waits a moment for
/// its like, and what is found out of a new track beyond its queue item waits until all of it is there: so a new track
/// is told of once or twice, and not with every answer that comes.
struct Announcement {
  /// The least time between two signals. Programs redraw at each; nobody sees more than a hundred a second.
  static let interval: Int64 = 10_000
  /// How long a change that nobody waits for is held back for others to join it.
  static let gathering: Int64 = 200_000
  /// How long a track's cover and details are waited for. As a rule their search is over before that.
  static let patience: Int64 = 15_000_000
  /// What is told at once.
  private static let urgent: Set<String> = ["PlaybackStatus", "Volume", "LoopStatus", "Shuffle"]

  /// What the desktop was told last.
  private(set) var told: PlayerProperties
  private var wanted: PlayerProperties
  private var changes: [String] = []
  /// Whether all is known of the current track that will be.
  private var isComplete: Bool
  /// When the current track was told of, as long as the rest of it is not.
  private var trackToldAt: Int64?
  private var toldAt = Int64.min / 2
  private var quietSince: Int64?

  /// Begins with what whoever sees the player appear reads by itself.
  init(_ properties: PlayerProperties, isComplete: Bool, at now: Int64) {
    (told, wanted) = (properties, properties)
    self.isComplete = isComplete
    trackToldAt = isComplete ? nil : now
  }

  /// Takes how the player looks now.
  mutating func observe(_ properties: PlayerProperties, isComplete: Bool, at now: Int64) {
    wanted = properties
    self.isComplete = isComplete
    changes = properties.changes(since: told)
    quietSince = changes.isEmpty ? nil : quietSince ?? now
  }

  /// Whether the desktop has yet to be told of another track, or of playing and pausing: positions mean nothing to it
  /// before that.
  var isUrgent: Bool { wanted.trackPath != told.trackPath || changes.contains(where: Self.urgent.contains) }

  /// When something is to be told; nil for never.
  var due: Int64? {
    guard let quietSince else { return nil }
    if isUrgent { return toldAt + Self.interval }
    if let trackToldAt, !isComplete { return max(trackToldAt + Self.patience, quietSince + Self.gathering) }
    return max(quietSince + Self.gathering, toldAt + Self.interval)
  }

  /// What is to be told now, once.
  mutating func take(at now: Int64) -> [String] {
    guard let due, due <= now else { return [] }
    if wanted.trackPath != told.trackPath { trackToldAt = now } else if isComplete { trackToldAt = nil }
    defer { changes = [] }
    told = wanted
    toldAt = now
    quietSince = nil
    return changes
  }
}
