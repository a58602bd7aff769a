import Model

/// Follows libmpv's signals and determines what is audible. It is a state machine without I/O.
///
/// libmpv reports what it decodes, which is ahead of the sound by the output's buffer: a file "ends" before its last
/// third of a second is heard, and the next one "starts" with a negative position. So the open cues are kept in a list;
/// the first is the audible one, the last the one that is decoded.
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

  /// A cue between the decoder and the output. Cues that follow each other in one file have the same entry.
  struct OpenCue: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
      case opening
      case running
      case over(PlayerSignal.Ending)
    }

    var cue: Cue
    /// The number of its file in libmpv's list.
    let entry: Int64
    var phase = Phase.opening
    /// The position at which sound will start next; nil while it flows.
    var from: Milliseconds?
    /// The position up to which the cue was decoded; its start until that is known.
    var end: Milliseconds
    var hasBegun = false
    /// The length in the file's header.
    var fileDuration: Milliseconds?

    init(_ cue: Cue, entry: Int64) {
      self.cue = cue
      self.entry = entry
      from = cue.start
      end = cue.start
    }

    /// The length of the decoded sound.
    var length: Milliseconds { max(.zero, end - cue.start) }

    /// The length of the cue as far as its file reaches; nil if unknown.
    var duration: Milliseconds? {
      guard let rest = fileDuration.map({ $0 - cue.offset }), rest > .zero else { return nil }
      return cue.length.map { min($0, rest) } ?? rest
    }
  }

  let pace: Pace
  /// True if segments of one file may be played without a break in the file. An output that takes sound faster than
  /// the room can follow would make libmpv reach each cut too early.
  let playsOn: Bool
  /// The cues that are heard and decoded, in order.
  var openCues: [OpenCue] = []
  /// The cue that was loaded and is not yet being opened.
  var pending: Cue?
  /// The cue that waits in libmpv's list.
  var prepared: Cue?
  /// The cue that is prepared by playing on in the open file.
  var continuation: Continuation?
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
  /// The time when the position last grew.
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

  init(pace: Pace, playsOn: Bool = true, volume: Int = 100) {
    self.pace = pace
    self.playsOn = playsOn
    fader = Fader(volume: Double(volume))
  }

  /// Forgets all cues and the state of the sound. Only the properties below keep their values.
  mutating func forget() {
    var fresh = Playhead(pace: pace, playsOn: playsOn)
    fresh.isIdle = isIdle
    fresh.isPaused = isPaused
    fresh.fader = fader
    fresh.lastMark = lastMark
    self = fresh
  }

  /// The time between two requests for the position. It is a little less than a second of media time, as a room that is
  /// killed loses the heard time since the last position.
  var tick: Milliseconds { Milliseconds(pace.rate > 0 ? max(20, Int64(900 / pace.rate)) : 20) }

  /// The time when `wake` must be called if nothing else happens; nil for never.
  var deadline: MonotonicTime? { [positionDeadline, fader.deadline].compactMap { $0 }.min() }

  var positionDeadline: MonotonicTime? {
    guard let anchor, pending == nil, !openCues.isEmpty else { return nil }
    if let positionRequest { return isFlowing ? positionRequest.at + Self.stallLimit : nil }
    guard isFlowing || isStalled else { return nil }
    let next = anchor.at + tick
    guard isFlowing else { return next }
    return [next, openCues.count > 1 ? tailEnd : nil, continuationTime].compactMap { $0 }.min()
  }

  /// The time when the first cue has been heard to its end; nil while it is being decoded, or if the time cannot be
  /// known.
  var tailEnd: MonotonicTime? {
    guard let head = openCues.first, isDecoded(head) else { return nil }
    return time(of: head.end)
  }

  /// Returns the time when a position in the first cue is heard; nil if it cannot be known.
  func time(of position: Milliseconds) -> MonotonicTime? {
    guard let anchor, pace.rate > 0 else { return nil }
    let left = max(0, Double((position - anchor.position).rawValue)) / pace.rate
    return anchor.at + Milliseconds(Int64(left.rounded(.up)) + 1)
  }

  /// Returns true if the first cue is decoded to its end, which is then known: its file is, or the decoder may have
  /// gone on to the next cue in the file.
  private func isDecoded(_ head: OpenCue) -> Bool {
    if case .over = head.phase { true } else { openCues.count > 1 && openCues[1].entry == head.entry }
  }

  /// Returns the audible position, extrapolated from the last known one.
  func position(at now: MonotonicTime) -> Milliseconds {
    guard let anchor, let head = openCues.first else { return .zero }
    guard isFlowing else { return anchor.position }
    let moved = anchor.position + Milliseconds(Int64(Double((now - anchor.at).rawValue) * pace.rate))
    if isDecoded(head) { return min(moved, head.end) }
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
