import Model

/// Follows what libmpv says and works out what the ear hears: a pure state machine.
///
/// libmpv reports what it decodes, which runs ahead of the ear by the output's buffer: a file "ends" while its last
/// third of a second still waits to be heard, and the next one "starts" with a negative position. So files are kept in
/// a line of segments; the first is the one that is heard, the last the one that is decoded.
struct Playhead {
  /// What to do about an input.
  enum Action: Hashable, Sendable {
    /// Tell who listens to the engine.
    case report(EngineEvent)
    /// Tell who listens that a cue failed, with the reason put into words.
    case fail(Cue, PlayerSignal.Ending)
    /// The output is gone; see `held` for what it played.
    case outputEnded(Listening)
    /// Tell libmpv.
    case player(PlayerCommand)
  }

  /// What became of the ear when the output ended.
  enum Listening: Hashable, Sendable {
    /// Nothing was heard through it yet.
    case unheard
    /// The sound was held.
    case paused
    /// Sound flowed, or was meant to.
    case playing
  }

  /// One file on its way from the decoder to the ear.
  struct Segment: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
      case opening
      case running
      case over(PlayerSignal.Ending)
    }

    var cue: Cue
    var phase = Phase.opening
    /// Where the next stretch of sound was asked to begin; nil within a stretch.
    var from: Milliseconds?
    /// Up to where it was decoded, once that is known.
    var end: Milliseconds
    var hasBegun = false
    /// How long it says it is.
    var duration: Milliseconds?

    init(_ cue: Cue) {
      self.cue = cue
      from = cue.start
      end = cue.start
    }

    /// How long its sound is.
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

  /// Whether libmpv has nothing left to play, so that nothing that is added to its list would start.
  var isIdle = true
  var isPaused = false
  var isStarving = false
  var isStalled = false
  var isSeeking = false
  /// Whether sound flows, as last reported.
  var isFlowing = false
  /// The last position known of what is heard, and when that was.
  var anchor: (position: Milliseconds, at: MonotonicTime)?
  /// When the position last grew.
  var advancedAt: MonotonicTime?

  /// What the output played when it ended, from where the ear was; to be taken up again.
  var held: Cue?
  /// Whether what is being opened was held.
  var isTakenUp = false
  /// The volume as libmpv was told last, in percent.
  var volume: Double
  /// A change of the volume that is under way.
  var fade: Fade?
  /// Up to where the stream was there as reported last.
  var cached: Milliseconds?

  /// The mark of the position asked for last, and when it was asked for; nil once it was answered.
  var question: (mark: UInt64, at: MonotonicTime)?
  /// The mark given out last, to questions and loads.
  private var lastMark: UInt64 = 0

  /// How long a position may stand still before sound counts as gone.
  static let stallLimit = Milliseconds(2000)

  init(pace: Pace, volume: Int = 100) {
    self.pace = pace
    self.volume = Double(volume)
  }

  /// How often the position is looked at, within reason: a little more often than every second of media time, as a
  /// room that is killed loses what was heard since the last look.
  var tick: Milliseconds {
    switch pace {
    case .steady(let rate): Milliseconds(max(20, Int64(900 / rate)))
    case .free: Milliseconds(20)
    }
  }

  /// When to call `lookUp` next if nothing else happens; nil for never.
  var deadline: MonotonicTime? { [positionDeadline, fade?.due].compactMap { $0 }.min() }

  /// When to look at the position next.
  var positionDeadline: MonotonicTime? {
    guard let anchor, pending == nil, !segments.isEmpty else { return nil }
    if let question { return isFlowing ? question.at + Self.stallLimit : nil }
    guard isFlowing || isStalled else { return nil }
    let next = anchor.at + tick
    guard isFlowing, segments.count > 1, let end = tailEnd else { return next }
    return min(next, end)
  }

  /// When the first segment has been heard to its end; nil while it is being decoded, or where nobody can say.
  var tailEnd: MonotonicTime? {
    guard let anchor, let head = segments.first, case .over = head.phase, pace.rate > 0 else { return nil }
    let left = max(0, Double((head.end - anchor.position).rawValue)) / pace.rate
    return anchor.at + Milliseconds(Int64(left.rounded(.up)) + 1)
  }

  /// Where the ear is at a moment, from what was known last.
  func position(at now: MonotonicTime) -> Milliseconds {
    guard let anchor, let head = segments.first else { return .zero }
    guard isFlowing else { return anchor.position }
    let moved = anchor.position + Milliseconds(Int64(Double((now - anchor.at).rawValue) * pace.rate))
    if case .over = head.phase { return min(moved, head.end) }
    return max(moved, anchor.position)
  }

  /// Asks libmpv where it is.
  mutating func ask(at now: MonotonicTime) -> Action {
    let mark = nextMark()
    question = (mark, now)
    return .player(.askPosition(mark: mark))
  }

  /// A mark that was never given out.
  mutating func nextMark() -> UInt64 {
    lastMark += 1
    return lastMark
  }
}

/// What libmpv is told.
enum PlayerCommand: Hashable, Sendable {
  /// Puts a file into the list: in place of all, or at its end.
  case load(Cue, append: Bool, mark: UInt64)
  /// Empties the list but for the file that is open.
  case clearPrepared
  /// Closes everything.
  case stop
  /// Holds or goes on.
  case pause(Bool)
  /// Jumps within the open file.
  case seek(Milliseconds)
  /// Goes to the file that is next in the list, unless it is there already.
  case next
  /// Sets the volume, in percent.
  case volume(Double)
  /// Lets no sound through, or lets it through.
  case mute(Bool)
  /// Asks for the position.
  case askPosition(mark: UInt64)
}
