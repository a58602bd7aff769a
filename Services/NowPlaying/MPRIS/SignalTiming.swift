import Model

/// Decides when the desktop is told what changed of a player. Pure; times in microseconds of a monotonic clock.
///
/// What a person would notice is told at once: another track, playing or not, volume, modes. The rest waits a moment for
/// its like. What turns out of a new track beyond its queue item waits until all of it is there, and nothing else waits for
/// it: so of a track itself is told once or twice, and not with every answer that comes.
struct PropertyChangeTiming {
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
  enum Pending {
    case nothing
    /// Its sound has not begun.
    case sound
    /// Its cover or details are sought.
    case details
  }

  /// What the desktop was told last.
  private(set) var told: PlayerProperties
  private var wanted: PlayerProperties
  private var changes: [String] = []
  private var pending: Pending
  /// When the current track was told of, as long as the rest of it is not.
  private var trackToldAt: Int64?
  private var toldAt = Int64.min / 2
  /// Since when the metadata differs from what was told, and since when something else does.
  private var waiting: (metadata: Int64?, others: Int64?)

  /// Begins with what whoever sees the player appear reads by itself.
  init(_ properties: PlayerProperties, pending: Pending = .nothing, at now: Int64) {
    (told, wanted) = (properties, properties)
    self.pending = pending
    trackToldAt = pending == .nothing ? nil : now
  }

  /// Takes how the player looks now.
  mutating func update(_ properties: PlayerProperties, pending: Pending = .nothing, at now: Int64) {
    wanted = properties
    self.pending = pending
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
    return switch pending {
    case .nothing: nil
    case .sound: trackToldAt + Self.opening
    case .details: trackToldAt + Self.patience
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
  mutating func popDue(at now: Int64) -> [String] {
    guard let due, due <= now else { return [] }
    let isHeld = heldUntil.map { now < $0 } ?? false
    if isNewTrack { trackToldAt = now } else if pending == .nothing { trackToldAt = nil }
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

/// Where playback stood at one moment of this host's monotonic clock. Microseconds throughout.
struct PositionAnchor: Equatable, Sendable {
  var offset: Int64 = 0
  /// Media seconds a second.
  var rate = 0.0
  /// When it stood there.
  var at: Int64 = 0

  /// The position at another moment, within the track.
  func position(at now: Int64, upTo length: Milliseconds?) -> Int64 {
    let moved = Double(now &- at) * rate
    let position = moved.magnitude < 9e15 ? max(0, offset &+ Int64(moved)) : max(0, offset)
    return length.map { min(position, $0.microseconds) } ?? position
  }
}

/// Follows the position that programs of the desktop believe in, and tells when it is wrong: only then is `Seeked` due.
///
/// Such programs know what was playing when they last asked, and count on by themselves: with the clock while the
/// player shows as playing, not at all otherwise, from 0 for a new track.
struct SeekDetector: Sendable {
  /// Smaller differences are the jitter of buffers and not a jump; displays show seconds.
  static let tolerance: Int64 = 500_000

  private var track = TrackPath.none
  private var believed = PositionAnchor()

  /// Takes how the player stands now and gives the position to announce, or nil where the desktop has it right.
  mutating func update(
    track: String, isPlaying: Bool, actual: PositionAnchor, length: Milliseconds?, at now: Int64
  ) -> Int64? {
    let position = actual.position(at: now, upTo: length)
    let isNewTrack = track != self.track
    let expected = isNewTrack ? 0 : believed.position(at: now, upTo: length)
    self.track = track
    let hasJumped = track != TrackPath.none && abs(position - expected) > Self.tolerance
    // While buffering at its start a track shows as playing and stands still: counting goes on from where it stands.
    let base = hasJumped || isNewTrack ? position : expected
    believed = PositionAnchor(offset: base, rate: isPlaying ? 1 : 0, at: now)
    return hasJumped ? position : nil
  }
}
