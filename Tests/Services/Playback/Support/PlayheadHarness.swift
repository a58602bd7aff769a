import Model
import Messages

@testable import lunara_playback

/// A playhead under a hand-driven clock, with what it reports and orders.
struct PlayheadHarness {
  var head: Playhead
  var now = MonotonicTime(nanoseconds: 0)
  var events: [EngineEvent] = []
  var commands: [PlayerCommand] = []
  var failures: [(CueID, PlayerSignal.Ending)] = []
  var outputEnded: Playhead.Listening?
  private var nextEntry: Int64 = 1

  init(_ pace: Pace = .steady(1)) { head = Playhead(pace: pace) }

  mutating func perform(_ actions: [Playhead.Action]) {
    for action in actions {
      switch action {
      case .report(let event): events.append(event)
      case .fail(let cue, let ending): failures.append((cue.id, ending))
      case .outputEnded(let listening): outputEnded = listening
      case .player(let command): commands.append(command)
      }
    }
    // Loads are answered at once, with numbers in order.
    while let index = commands.firstIndex(where: { if case .load = $0 { true } else { false } }) {
      guard case .load(_, _, let mark) = commands.remove(at: index) else { break }
      perform(head.handle(.added(mark: mark, entry: nextEntry), at: now))
      nextEntry += 1
    }
  }

  mutating func say(_ signal: PlayerSignal) { perform(head.handle(signal, at: now)) }
  mutating func order(_ command: EngineCommand) { perform(head.handle(command, at: now)) }

  /// Answers the open request for the position.
  mutating func answer(_ seconds: Double?) {
    guard let request = head.positionRequest else { return }
    say(.position(mark: request.mark, seconds: seconds))
  }

  /// Lets time pass to the next thing that is due, and does it.
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
    order(.play(Cue(number, LocalPath("/\(number)")), paused: false))
    say(.started(entry: entry))
    say(.restarted)
    answer(0)
  }

  mutating func takeEvents() -> [EngineEvent] {
    defer { events = [] }
    return events
  }
}
