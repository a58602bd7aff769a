import Model
import Messages

@testable import lunara_playback

/// A playhead with a fake clock that records the events and commands it returns.
struct PlayheadHarness {
  var head: Playhead
  var now = MonotonicTime(nanoseconds: 0)
  /// The events except `opening`, which say nothing about sound.
  var events: [EngineEvent] = []
  /// The cues whose opening was reported.
  var opened: [CueID] = []
  var commands: [PlayerCommand] = []
  var failures: [(CueID, PlayerSignal.Ending)] = []
  var outputEnded: Playhead.Listening?
  private var nextEntry: Int64 = 1

  init(_ pace: Pace = .steady(1)) { head = Playhead(pace: pace) }

  mutating func perform(_ actions: [Playhead.Action]) {
    for action in actions {
      switch action {
      case .report(.opening(let id)): opened.append(id)
      case .report(let event): events.append(event)
      case .fail(let cue, let ending): failures.append((cue.id, ending))
      case .outputEnded(let listening): outputEnded = listening
      case .player(let command): commands.append(command)
      }
    }
    // Loads are answered at once, with increasing entry numbers.
    while let index = commands.firstIndex(where: { if case .load = $0 { true } else { false } }) {
      guard case .load(_, _, let mark) = commands.remove(at: index) else { break }
      perform(head.handle(.added(mark: mark, entry: nextEntry), at: now))
      nextEntry += 1
    }
  }

  mutating func receive(_ signal: PlayerSignal) { perform(head.handle(signal, at: now)) }
  mutating func send(_ command: EngineCommand) { perform(head.handle(command, at: now)) }

  /// Gives the signals of a file that is decoded to its end, at a time in seconds, and of the next one that begins.
  mutating func endFile(_ entry: Int64, at end: Double, thenStart next: Int64) {
    receive(.unloading(end: end))
    receive(.ended(entry: entry, .endOfFile))
    receive(.started(entry: next))
  }

  /// Answers the playhead's open request for the position.
  mutating func answer(_ seconds: Double?) {
    guard let request = head.positionRequest else { return }
    receive(.position(mark: request.mark, seconds: seconds))
  }

  /// Advances the clock to the playhead's deadline and wakes it.
  @discardableResult
  mutating func wait() -> Milliseconds? {
    guard let deadline = head.deadline else { return nil }
    let passed = deadline - now
    now = max(now, deadline)
    perform(head.wake(at: now))
    return passed
  }

  mutating func pass(_ milliseconds: Int64) { now = now + Milliseconds(milliseconds) }

  /// Plays a cue until it is heard.
  mutating func play(_ number: UInt64, entry: Int64 = 1) {
    send(.play(Cue(number, LocalPath("/\(number)")), paused: false))
    receive(.started(entry: entry))
    receive(.restarted)
    answer(0)
  }

  mutating func takeEvents() -> [EngineEvent] {
    defer { events = [] }
    return events
  }
}
