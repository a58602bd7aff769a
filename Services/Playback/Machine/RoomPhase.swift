import Messages
import Model

/// The phase of a room. Each case contains the state that only this phase has, so that leaving a phase forgets it.
enum RoomPhase: Hashable, Sendable {
  /// Nothing is current. The cause is nil after a restart.
  case idle(IdleCause?)
  /// The track is current and paused, and the engine does not have it, for example after a restart.
  case unloaded(PreparedTrack)
  /// The engine plays, is paused, or is about to play.
  case engaged(Playing)
  /// Playback has failed, and waits for a person or for the next retry.
  case failed(Failure)

  /// The current track, then the following ones. Setting them has no effect in `idle`, and in `unloaded` and `failed`
  /// sets only the first.
  var tracks: [PreparedTrack] {
    get {
      switch self {
      case .idle: []
      case .unloaded(let track): [track]
      case .engaged(let playing): playing.tracks
      case .failed(let failure): [failure.track]
      }
    }
    set {
      guard let first = newValue.first else { return }
      switch self {
      case .idle: break
      case .unloaded: self = .unloaded(first)
      case .engaged(var playing):
        playing.tracks = newValue
        self = .engaged(playing)
      case .failed(var failure):
        failure.track = first
        self = .failed(failure)
      }
    }
  }

  /// True if a person wants sound, and has not paused.
  var wantsSound: Bool {
    switch self {
    case .idle, .unloaded: false
    case .engaged(let playing): playing.wantsSound
    case .failed(let failure): failure.wantsSound
    }
  }

  /// The attempts to get sound again; empty if the room neither plays nor has failed.
  var recovery: Recovery {
    switch self {
    case .idle, .unloaded: Recovery()
    case .engaged(let playing): playing.recovery
    case .failed(let failure): failure.recovery
    }
  }
}

/// The state of a room whose engine has a track.
struct Playing: Hashable, Sendable {
  /// The current track, and the following ones that were given to the engine or are being located. Never empty.
  var tracks: [PreparedTrack]
  /// The time when to request the locator of the current track again.
  var locateAt: MonotonicTime?
  /// The reason why the current track has no locator.
  var locateError: LunaraError?
  /// The time when to try again to prepare the next track.
  var prepareAt: MonotonicTime?
  /// A row whose audio could not be located in advance; it is located when its turn comes.
  var unpreparable: Int64?
  var wantsSound: Bool
  /// True while sound flows.
  var isFlowing = false
  /// The time since which sound is wanted and missing.
  var silentSince: MonotonicTime?
  /// The time until which a room without sound is shown as playing: shortly after a jump or the end of a pause.
  var graceUntil: MonotonicTime?
  var recovery: Recovery

  static let grace = Milliseconds(500)

  /// Creates the state for a track of which nothing was heard yet.
  init(_ track: PreparedTrack, wantsSound: Bool, recovery: Recovery, at now: Now) {
    tracks = [track]
    self.wantsSound = wantsSound
    silentSince = wantsSound ? now.moment : nil
    self.recovery = recovery
  }

  /// Records that sound has stopped, and since when it is missing if it is wanted.
  mutating func hold(at now: Now) {
    isFlowing = false
    silentSince = wantsSound ? now.moment : nil
  }

  /// Records the start of a jump, during which no sound is expected for a moment.
  mutating func jump(at now: Now) {
    if isFlowing { graceUntil = now.moment + Self.grace }
    hold(at: now)
  }
}

/// The state of a room that cannot continue with its current track.
struct Failure: Hashable, Sendable {
  var error: LunaraError
  /// The current track; the engine no longer has it.
  var track: PreparedTrack
  /// True if sound was wanted when the track failed.
  var wantsSound: Bool
  var recovery: Recovery
}

/// The reason why a room has nothing current.
struct IdleCause: Hashable, Sendable {
  enum Cause: Hashable, Sendable {
    /// A person stopped the item in this row.
    case stopped(row: Int64)
    /// The queue came to its end. Until `waitsUntil` it continues by itself with more of its continuation; nil if it
    /// does not.
    case endOfQueue(waitsUntil: MonotonicTime?)
  }

  var cause: Cause
  /// The lowest row that was queued afterwards.
  var nextRow: Int64
}

/// The last known audible position of the current track, and the last published one.
struct PositionTracker: Hashable, Sendable {
  /// A position that was audible at a time.
  struct Anchor: Hashable, Sendable {
    var position: Milliseconds
    var at: MonotonicTime
    var date: Timestamp
  }

  let pace: Pace
  private(set) var anchor: Anchor
  private var published: Anchor

  /// The time after which a position is published again even if it is right.
  static let publishInterval = Milliseconds(10_000)

  /// Creates the tracker of a position that does not move; `takenAt` is the time when it was last audible, which
  /// tells when the room was last used.
  init(pace: Pace, position: Milliseconds, at now: Now, takenAt: Timestamp) {
    self.pace = pace
    anchor = Anchor(position: position, at: now.moment, date: min(takenAt, now.date))
    published = anchor
  }

  mutating func set(_ position: Milliseconds, at now: Now) {
    anchor = Anchor(position: position, at: now.moment, date: now.date)
  }

  /// Forgets the position without a new use of the room.
  mutating func reset(at now: Now) { anchor = Anchor(position: .zero, at: now.moment, date: anchor.date) }

  mutating func markPublished() { published = anchor }

  /// Returns the position extrapolated from the anchor, if sound has flowed since; at most `duration`.
  func extrapolated(to now: Now, within duration: Milliseconds?) -> Milliseconds {
    let position = moved(anchor, to: now.moment)
    return duration.map { min(position, max($0, anchor.position)) } ?? position
  }

  /// Returns true if extrapolating the published position gives a wrong one, or if it was published long ago.
  func isStale(at now: Now) -> Bool {
    let age = now.moment - published.at
    let error = abs((moved(published, to: now.moment) - anchor.position).rawValue)
    return age >= Self.publishInterval || error > Int64(250 * max(1, pace.rate)) && age >= Milliseconds(1000)
  }

  private func moved(_ anchor: Anchor, to moment: MonotonicTime) -> Milliseconds {
    anchor.position + Milliseconds(Int64(Double((moment - anchor.at).rawValue) * pace.rate))
  }
}
