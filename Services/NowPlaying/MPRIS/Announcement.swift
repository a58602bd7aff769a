import Model

/// Decides when the desktop is told what changed of a player. Pure; times in microseconds of a monotonic clock.
///
/// What a person would notice is told at once: another track, playing or not, volume, modes. The rest waits a moment for
/// its like. What turns out of a new track beyond its queue item waits until all of it is there, and nothing else waits for
/// it: so of a track itself is told once or twice, and not with every answer that comes.
struct Announcement {
  /// The least time between two signals. Programs redraw at each; nobody sees more than a hundred a second.
  static let interval: Int64 = 10_000
  /// How long a change that nobody waits for is held back for others to join it.
  static let gathering: Int64 = 200_000
  /// How long a track's cover and details are waited for. As a rule their search is over before that.
  static let patience: Int64 = 15_000_000
  /// How long they wait for its sound to begin, which may tell another length.
  static let opening: Int64 = 2_000_000
  /// What is told at once.
  private static let urgent: Set<String> = ["PlaybackStatus", "Volume", "LoopStatus", "Shuffle"]

  /// What a track still lacks.
  enum Lack {
    case nothing
    /// Its sound has not begun.
    case sound
    /// Its cover or details are sought.
    case findings
  }

  /// What the desktop was told last.
  private(set) var told: PlayerProperties
  private var wanted: PlayerProperties
  private var changes: [String] = []
  private var lack: Lack
  /// When the current track was told of, as long as the rest of it is not.
  private var trackToldAt: Int64?
  private var toldAt = Int64.min / 2
  /// Since when the metadata differs from what was told, and since when something else does.
  private var waiting: (metadata: Int64?, others: Int64?)

  /// Begins with what whoever sees the player appear reads by itself.
  init(_ properties: PlayerProperties, lack: Lack = .nothing, at now: Int64) {
    (told, wanted) = (properties, properties)
    self.lack = lack
    trackToldAt = lack == .nothing ? nil : now
  }

  /// Takes how the player looks now.
  mutating func observe(_ properties: PlayerProperties, lack: Lack = .nothing, at now: Int64) {
    wanted = properties
    self.lack = lack
    changes = properties.changes(since: told)
    let others = changes.contains { $0 != "Metadata" }
    waiting = (
      changes.contains("Metadata") ? waiting.metadata ?? now : nil, others ? waiting.others ?? now : nil
    )
  }

  /// Whether the desktop has yet to be told of another track, or of playing and pausing: positions mean nothing to it
  /// before that.
  var isUrgent: Bool { isNewTrack || changes.contains(where: Self.urgent.contains) }

  private var isNewTrack: Bool { wanted.trackPath != told.trackPath }

  /// Until when the metadata is held back; nil where it is not.
  private var heldUntil: Int64? {
    guard !isNewTrack, let trackToldAt else { return nil }
    return switch lack {
    case .nothing: nil
    case .sound: trackToldAt + Self.opening
    case .findings: trackToldAt + Self.patience
    }
  }

  /// When something is to be told; nil for never.
  var due: Int64? {
    guard !changes.isEmpty else { return nil }
    if isUrgent { return toldAt + Self.interval }
    let metadata = waiting.metadata.map { max($0 + Self.gathering, heldUntil ?? .min) }
    let others = waiting.others.map { $0 + Self.gathering }
    return [metadata, others].compactMap(\.self).min().map { max($0, toldAt + Self.interval) }
  }

  /// What is to be told now, once.
  mutating func take(at now: Int64) -> [String] {
    guard let due, due <= now else { return [] }
    let isHeld = heldUntil.map { now < $0 } ?? false
    if isNewTrack { trackToldAt = now } else if lack == .nothing { trackToldAt = nil }
    let taken = isHeld ? changes.filter { $0 != "Metadata" } : changes
    let metadata = told.metadata
    told = wanted
    if isHeld { told.metadata = metadata }
    toldAt = now
    waiting = (isHeld ? waiting.metadata : nil, nil)
    changes = isHeld && changes.contains("Metadata") ? ["Metadata"] : []
    return taken
  }
}
