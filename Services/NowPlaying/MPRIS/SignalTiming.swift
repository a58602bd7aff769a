import Model

/// Decides when the signal `PropertiesChanged` is sent, and for which properties. Times are in microseconds of a
/// monotonic clock.
///
/// Changes that a person notices are sent at once: another track, playing or paused, volume, modes. Other changes wait
/// 0.2 s, so that several are sent together. The details of a new track are sent when all of them are known, and delay
/// no other property; so the metadata of a track is sent once or twice, and not for every result of a lookup.
struct PropertyChangeTiming {
  /// The shortest time between two signals. Programs redraw at each signal, and nobody can see more than a hundred a
  /// second.
  static let interval: Int64 = 10_000
  /// The time for which other changes wait, so that more changes are sent with them.
  static let gathering: Int64 = 200_000
  /// The longest wait for a track's cover and details. Usually they are found sooner.
  static let patience: Int64 = 15_000_000
  /// The longest wait of the details for the end of buffering, which may correct the track's length.
  static let soundPatience: Int64 = 2_000_000
  private static let urgent: Set<String> = ["PlaybackStatus", "Volume", "LoopStatus", "Shuffle"]

  /// The data of a track that is still missing.
  enum Pending {
    case nothing
    /// The room is buffering.
    case sound
    /// The cover or the details are being looked up.
    case details
  }

  /// The properties as the desktop knows them.
  private(set) var sent: PlayerProperties
  private var latest: PlayerProperties
  private var changes: [String] = []
  private var pending: Pending
  /// The time when the current track was sent; nil once its details were sent as well.
  private var trackSentAt: Int64?
  private var sentAt = Int64.min / 2
  /// The times since which the metadata, and any other property, differ from the sent values; nil if they do not.
  private var changedAt: (metadata: Int64?, others: Int64?)

  /// Starts with the state that programs read themselves when the player appears.
  init(_ properties: PlayerProperties, pending: Pending = .nothing, at now: Int64) {
    sent = properties
    latest = properties
    self.pending = pending
    trackSentAt = pending == .nothing ? nil : now
  }

  mutating func update(_ properties: PlayerProperties, pending: Pending = .nothing, at now: Int64) {
    latest = properties
    self.pending = pending
    changes = properties.changes(since: sent)
    let others = changes.contains { $0 != "Metadata" }
    changedAt = (
      changes.contains("Metadata") ? changedAt.metadata ?? now : nil, others ? changedAt.others ?? now : nil
    )
  }

  /// True if the desktop does not yet know the current track, or a change of playback, volume or modes. Until then it
  /// could not use a position.
  var isUrgent: Bool { isNewTrack || changes.contains(where: Self.urgent.contains) }

  private var isNewTrack: Bool { latest.trackPath != sent.trackPath }

  /// The time until which metadata is held back; nil if it is not.
  private var metadataHeldUntil: Int64? {
    guard !isNewTrack, let trackSentAt else { return nil }
    return switch pending {
    case .nothing: nil
    case .sound: trackSentAt + Self.soundPatience
    case .details: trackSentAt + Self.patience
    }
  }

  /// The time when a signal is due; nil if nothing has changed.
  var due: Int64? {
    guard !changes.isEmpty else { return nil }
    if isUrgent { return sentAt + Self.interval }
    let metadata = changedAt.metadata.map { max($0 + Self.gathering, metadataHeldUntil ?? .min) }
    let others = changedAt.others.map { $0 + Self.gathering }
    return [metadata, others].compactMap(\.self).min().map { max($0, sentAt + Self.interval) }
  }

  /// Returns the names of the properties to send now, and records them as sent.
  mutating func popDue(at now: Int64) -> [String] {
    guard let due, due <= now else { return [] }
    let isHeld = metadataHeldUntil.map { now < $0 } ?? false
    if isNewTrack { trackSentAt = now } else if pending == .nothing { trackSentAt = nil }
    let names = isHeld ? changes.filter { $0 != "Metadata" } : changes
    let metadata = sent.metadata
    sent = latest
    if isHeld { sent.metadata = metadata }
    sentAt = now
    changedAt = (isHeld ? changedAt.metadata : nil, nil)
    changes = isHeld && changes.contains("Metadata") ? ["Metadata"] : []
    return names
  }
}

/// A position of playback at one time of this host's monotonic clock. Both are in microseconds.
struct PositionAnchor: Equatable, Sendable {
  var offset: Int64 = 0
  /// The seconds of the track that play in one second.
  var rate = 0.0
  /// The time when the position was `offset`.
  var at: Int64 = 0

  /// Returns the position at another time, limited to the track.
  func position(at now: Int64, upTo length: Milliseconds?) -> Int64 {
    let moved = Double(now &- at) * rate
    let position = moved.magnitude < 9e15 ? max(0, offset &+ Int64(moved)) : max(0, offset)
    return length.map { min(position, $0.microseconds) } ?? position
  }
}

/// Keeps the position that the programs of the desktop assume, and detects when it is wrong: only then is the signal
/// `Seeked` due.
///
/// Programs start from the position that they read last, or from 0 for a new track, and advance it with the clock while
/// the player is playing.
struct SeekDetector: Sendable {
  /// The smallest difference that counts as a jump. Smaller ones come from buffers, and displays show whole seconds.
  static let tolerance: Int64 = 500_000

  private var track = TrackPath.none
  private var assumed = PositionAnchor()

  /// Compares the actual position with the assumed one. Returns the position to send, or nil if the assumed one is
  /// right.
  mutating func update(
    track: String, isPlaying: Bool, actual: PositionAnchor, length: Milliseconds?, at now: Int64
  ) -> Int64? {
    let position = actual.position(at: now, upTo: length)
    let isNewTrack = track != self.track
    let expected = isNewTrack ? 0 : assumed.position(at: now, upTo: length)
    self.track = track
    let hasJumped = track != TrackPath.none && abs(position - expected) > Self.tolerance
    // A track that buffers at its start appears as playing, but does not move: the desktop counts from this position.
    let base = hasJumped || isNewTrack ? position : expected
    assumed = PositionAnchor(offset: base, rate: isPlaying ? 1 : 0, at: now)
    return hasJumped ? position : nil
  }
}
