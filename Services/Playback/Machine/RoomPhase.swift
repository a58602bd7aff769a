import Messages
import Model

/// The phase of a room. Each case carries the state that only this phase has: whoever leaves a phase forgets it.
enum RoomPhase: Hashable, Sendable {
  /// Nothing is current. `IdleCause` is nil after a restart.
  case idle(IdleCause?)
  /// The track is current and paused, and the engine knows nothing of it: after a restart, for one.
  case unloaded(PreparedTrack)
  /// The engine plays, is held, or is about to play.
  case engaged(Playing)
  /// Sound cannot go on until a person resumes, or until the next try.
  case failed(Failure)

  /// The current track, then those that follow. Setting them changes nothing in `idle`, and only
  /// the first elsewhere but in `engaged`.
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

  /// True if a person wants sound, as opposed to a pause.
  var wantsSound: Bool {
    switch self {
    case .idle, .unloaded: false
    case .engaged(let playing): playing.wantsSound
    case .failed(let failure): failure.wantsSound
    }
  }

  /// The attempts to get sound again; none where the room neither plays nor failed.
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
  /// The current track, and those that follow it as far as the engine was given them. Never empty.
  var tracks: [PreparedTrack]
  /// The time to ask again for the place of the current track.
  var locateAt: MonotonicTime?
  /// The reason why the place of the current track is not known.
  var locateError: LunaraError?
  /// The time to try again to prepare the next track.
  var prepareAt: MonotonicTime?
  /// A row whose audio could not be found in advance; it is asked for again when its turn comes.
  var unpreparable: Int64?
  var wantsSound: Bool
  /// True while sound flows.
  var isFlowing = false
  /// The time since when sound is wanted and missing.
  var silentSince: MonotonicTime?
  /// The time until which missing sound still shows as playing: shortly after a jump or the end of a pause.
  var graceUntil: MonotonicTime?
  var recovery: Recovery

  static let grace = Milliseconds(500)

  /// Begins with a track of which nothing is heard yet.
  init(_ track: PreparedTrack, wantsSound: Bool, recovery: Recovery, at now: Now) {
    tracks = [track]
    self.wantsSound = wantsSound
    silentSince = wantsSound ? now.moment : nil
    self.recovery = recovery
  }

  /// Notes that sound holds. It is missed if it is wanted.
  mutating func hold(at now: Now) {
    isFlowing = false
    silentSince = wantsSound ? now.moment : nil
  }

  /// Notes that a jump begins, during which no sound is expected for a moment.
  mutating func jump(at now: Now) {
    if isFlowing { graceUntil = now.moment + Self.grace }
    hold(at: now)
  }
}

/// The state of a room that cannot go on with its current track.
struct Failure: Hashable, Sendable {
  var error: LunaraError
  /// The current track; the engine knows nothing of it any more.
  var track: PreparedTrack
  /// True if sound was wanted when it failed.
  var wantsSound: Bool
  var recovery: Recovery
}

/// The way in which a room came to have nothing current.
struct IdleCause: Hashable, Sendable {
  enum Cause: Hashable, Sendable {
    /// A person stopped the item in this row.
    case stopped(row: Int64)
    /// The queue came to its end. Until `waitsUntil` it goes on by itself with more of
    /// its continuation; nil for not at all.
    case endOfQueue(waitsUntil: MonotonicTime?)
  }

  var cause: Cause
  /// The first row that was queued since.
  var nextRow: Int64
}

/// The audible position of the current track, as it was known last and as it was published last.
struct PositionTracker: Hashable, Sendable {
  /// A position that was audible at a moment.
  struct Anchor: Hashable, Sendable {
    var position: Milliseconds
    var at: MonotonicTime
    var date: Timestamp
  }

  let pace: Pace
  private(set) var anchor: Anchor
  private var published: Anchor

  /// The time after which a position that is still right is published again.
  static let publishInterval = Milliseconds(10_000)

  init(pace: Pace, position: Milliseconds, at now: Now) {
    self.pace = pace
    anchor = Anchor(position: position, at: now.moment, date: now.date)
    published = anchor
  }

  mutating func set(_ position: Milliseconds, at now: Now) {
    anchor = Anchor(position: position, at: now.moment, date: now.date)
  }

  mutating func markPublished() { published = anchor }

  /// Returns the position after the time since the anchor, provided that sound has flowed; at most `duration`.
  func extrapolated(to now: Now, within duration: Milliseconds?) -> Milliseconds {
    let position = moved(anchor, to: now.moment)
    return duration.map { min(position, max($0, anchor.position)) } ?? position
  }

  /// Returns true if the published position misleads those who extrapolate it, or was published long ago.
  func isStale(at now: Now) -> Bool {
    let age = now.moment - published.at
    let error = abs((moved(published, to: now.moment) - anchor.position).rawValue)
    return age >= Self.publishInterval || error > Int64(250 * max(1, pace.rate)) && age >= Milliseconds(1000)
  }

  private func moved(_ anchor: Anchor, to moment: MonotonicTime) -> Milliseconds {
    anchor.position + Milliseconds(Int64(Double((moment - anchor.at).rawValue) * pace.rate))
  }
}
