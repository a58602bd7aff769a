import Model

/// Follows libmpv's signals and works out what is audible: a pure state machine.
///
/// libmpv reports what it decodes, which runs ahead of the sound by the output's buffer: a file "ends" while its last
/// third of a second still waits to be heard, and the next one "starts" with a negative position. So files are kept in
/// a list of segments; the first is the one that is heard, the last the one that is decoded.
struct Playhead {
  /// Something that `PlayerDriver` is to do.
  enum Action: Hashable, Sendable {
    case report(EngineEvent)
    case fail(Cue, PlayerSignal.Ending)
    /// Decide what to do about an output that is gone. The property `held` is the cue that it played.
    case outputEnded(Listening)
    case player(PlayerCommand)
  }

  /// The state of the sound when its output ended.
  enum Listening: Hashable, Sendable {
    /// Nothing was heard on the output yet.
    case unheard
    case paused
    /// Sound flowed, or was meant to.
    case playing
  }

  /// One file between the decoder and the output.
  struct Segment: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
      case opening
      case running
      case over(PlayerSignal.Ending)
    }

    var cue: Cue
    var phase = Phase.opening
    /// The position at which the next stretch of sound was asked to begin; nil within a stretch.
    var from: Milliseconds?
    /// The position up to which it was decoded, once that is known.
    var end: Milliseconds
    var hasBegun = false
    /// The length in its header.
    var duration: Milliseconds?

    init(_ cue: Cue) {
      self.cue = cue
      from = cue.start
      end = cue.start
    }

    /// The length of its decoded sound.
    var length: Milliseconds { max(.zero, end - cue.start) }
  }

  let pace: Pace
  /// Files being heard and decoded, in order.
  var segments: [Segment] = []
  /// The cue that was asked for and is not yet being opened.
  var pending: Cue?
  /// The cue that waits in libmpv's list.
  var prepared: Cue?
  /// The numbers that libmpv gave to cues in its list.
  var entries: [Int64: Cue] = [:]
  /// Cues whose numbers are not known yet.
  var adding: [UInt64: Cue] = [:]

  /// True while libmpv has nothing left to play: a file that is added to its list would not start.
  var isIdle = true
  var isPaused = false
  var isStarving = false
  var isStalled = false
  var isSeeking = false
  /// True while sound flows, as last reported.
  var isFlowing = false
  /// The last position known of what is heard, and when that was.
  var anchor: (position: Milliseconds, at: MonotonicTime)?
  /// The time at which the position last grew.
  var advancedAt: MonotonicTime?

  /// The cue that the output played when it ended, from the audible position; to be opened again.
  var held: Cue?
  /// True while a cue that was held is being opened again.
  var isReopened = false
  var fader: Fader
  /// The position up to which the stream was buffered, as last reported.
  var cached: Milliseconds?

  /// The mark and the time of the last request for the position; nil once it was answered.
  var positionRequest: (mark: UInt64, at: MonotonicTime)?
  /// The mark given out last, to requests for the position and loads.
  private var lastMark: UInt64 = 0

  /// The time for which a position may stand still before the sound counts as gone.
  static let stallLimit = Milliseconds(2000)

  init(pace: Pace, volume: Int = 100) {
    self.pace = pace
    fader = Fader(volume: Double(volume))
  }

  /// Forgets all that is heard, decoded or prepared. All properties but the named ones are as at the start.
  mutating func forget() {
    var fresh = Playhead(pace: pace)
    (fresh.isIdle, fresh.isPaused, fresh.fader, fresh.lastMark) = (isIdle, isPaused, fader, lastMark)
    self = fresh
  }

  /// The time between two looks at the position: a little less than a second of media time, as a room that is killed
  /// loses what was heard since the last look.
  var tick: Milliseconds { Milliseconds(pace.rate > 0 ? max(20, Int64(900 / pace.rate)) : 20) }

  /// The time to call `wake` if nothing else happens; nil for never.
  var deadline: MonotonicTime? { [positionDeadline, fader.deadline].compactMap { $0 }.min() }

  var positionDeadline: MonotonicTime? {
    guard let anchor, pending == nil, !segments.isEmpty else { return nil }
    if let positionRequest { return isFlowing ? positionRequest.at + Self.stallLimit : nil }
    guard isFlowing || isStalled else { return nil }
    let next = anchor.at + tick
    guard isFlowing, segments.count > 1, let end = tailEnd else { return next }
    return min(next, end)
  }

  /// The time at which the first segment has been heard to its end; nil while it is
  /// being decoded, or if that is not known.
  var tailEnd: MonotonicTime? {
    guard let anchor, let head = segments.first, case .over = head.phase, pace.rate > 0 else { return nil }
    let left = max(0, Double((head.end - anchor.position).rawValue)) / pace.rate
    return anchor.at + Milliseconds(Int64(left.rounded(.up)) + 1)
  }

  /// Returns the audible position, extrapolated from the last one known.
  func position(at now: MonotonicTime) -> Milliseconds {
    guard let anchor, let head = segments.first else { return .zero }
    guard isFlowing else { return anchor.position }
    let moved = anchor.position + Milliseconds(Int64(Double((now - anchor.at).rawValue) * pace.rate))
    if case .over = head.phase { return min(moved, head.end) }
    return max(moved, anchor.position)
  }

  mutating func askPosition(at now: MonotonicTime) -> Action {
    let mark = nextMark()
    positionRequest = (mark, now)
    return .player(.askPosition(mark: mark))
  }

  /// Returns a mark that was never given out.
  mutating func nextMark() -> UInt64 {
    lastMark += 1
    return lastMark
  }
}
