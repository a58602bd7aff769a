import Model

/// Follows libmpv's signals and determines what is audible. It is a state machine without I/O.
///
/// libmpv reports what it decodes, which is ahead of the sound by the output's buffer: a file "ends" before its last
/// third of a second is heard, and the next one "starts" with a negative position. So the files are kept in a list of
/// segments; the first is the audible one, the last the one that is decoded.
struct Playhead {
  /// An action for `PlayerDriver`.
  enum Action: Hashable, Sendable {
    case report(EngineEvent)
    case fail(Cue, PlayerSignal.Ending)
    /// Decide about an output that is gone. The property `held` is the cue that it played.
    case outputEnded(Listening)
    case player(PlayerCommand)
  }

  /// The state of the sound when its output was lost.
  enum Listening: Hashable, Sendable {
    /// Nothing was heard on the output yet.
    case unheard
    case paused
    /// Sound flowed, or was wanted.
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
    /// The position at which sound will start next; nil while it flows.
    var from: Milliseconds?
    /// The position up to which the file was decoded; its start until that is known.
    var end: Milliseconds
    var hasBegun = false
    /// The length in the file's header.
    var duration: Milliseconds?

    init(_ cue: Cue) {
      self.cue = cue
      from = cue.start
      end = cue.start
    }

    /// The length of the decoded sound.
    var length: Milliseconds { max(.zero, end - cue.start) }
  }

  let pace: Pace
  /// The files that are heard and decoded, in order.
  var segments: [Segment] = []
  /// The cue that was loaded and is not yet being opened.
  var pending: Cue?
  /// The cue that waits in libmpv's list.
  var prepared: Cue?
  /// The cues by their numbers in libmpv's list.
  var entries: [Int64: Cue] = [:]
  /// The cues whose numbers are not known yet, by the marks of their load commands.
  var adding: [UInt64: Cue] = [:]

  /// True if libmpv has nothing left to play: it would not start a file that is added to its list.
  var isIdle = true
  var isPaused = false
  var isStarving = false
  var isStalled = false
  var isSeeking = false
  /// True while sound flows, as last reported.
  var isFlowing = false
  /// The last known audible position, and its time.
  var anchor: (position: Milliseconds, at: MonotonicTime)?
  /// The time at which the position last grew.
  var advancedAt: MonotonicTime?

  /// The cue that an output played when it was lost, with the audible position as its start; it is to be opened again.
  var held: Cue?
  /// True while a held cue is being opened again.
  var isReopened = false
  var fader: Fader
  /// The position up to which the stream is buffered, as last reported.
  var cached: Milliseconds?

  /// The mark and time of the last request for the position; nil once it was answered.
  var positionRequest: (mark: UInt64, at: MonotonicTime)?
  /// The last mark that was used, for requests for the position and for loads.
  private var lastMark: UInt64 = 0

  /// The time for which the position may stay the same before sound counts as stopped.
  static let stallLimit = Milliseconds(2000)

  init(pace: Pace, volume: Int = 100) {
    self.pace = pace
    fader = Fader(volume: Double(volume))
  }

  /// Forgets all cues and the state of the sound. Only the properties below keep their values.
  mutating func forget() {
    var fresh = Playhead(pace: pace)
    (fresh.isIdle, fresh.isPaused, fresh.fader, fresh.lastMark) = (isIdle, isPaused, fader, lastMark)
    self = fresh
  }

  /// The time between two requests for the position. It is a little less than a second of media time, as a room that is
  /// killed loses the heard time since the last position.
  var tick: Milliseconds { Milliseconds(pace.rate > 0 ? max(20, Int64(900 / pace.rate)) : 20) }

  /// The time at which `wake` must be called if nothing else happens; nil for never.
  var deadline: MonotonicTime? { [positionDeadline, fader.deadline].compactMap { $0 }.min() }

  var positionDeadline: MonotonicTime? {
    guard let anchor, pending == nil, !segments.isEmpty else { return nil }
    if let positionRequest { return isFlowing ? positionRequest.at + Self.stallLimit : nil }
    guard isFlowing || isStalled else { return nil }
    let next = anchor.at + tick
    guard isFlowing, segments.count > 1, let end = tailEnd else { return next }
    return min(next, end)
  }

  /// The time at which the first segment has been heard to its end; nil while it is being decoded, or if the time
  /// cannot be known.
  var tailEnd: MonotonicTime? {
    guard let anchor, let head = segments.first, case .over = head.phase, pace.rate > 0 else { return nil }
    let left = max(0, Double((head.end - anchor.position).rawValue)) / pace.rate
    return anchor.at + Milliseconds(Int64(left.rounded(.up)) + 1)
  }

  /// Returns the audible position, extrapolated from the last known one.
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

  /// Returns a mark that was never used.
  mutating func nextMark() -> UInt64 {
    lastMark += 1
    return lastMark
  }
}
