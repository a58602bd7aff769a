import Synchronization

/// The committed facts that wait until the node sends them. Bounded.
///
/// If the node does not keep up, facts are dropped here; readers notice the gap and fetch them from the journal.
final class FactSendQueue: Sendable {
  private struct State {
    var facts: [JournaledFact] = []
    var size = 0
    var head: Int64
    var wake: (@Sendable () -> Void)?
    /// True from the call of `wake` until the facts are taken.
    var isWoken = false
  }

  /// The largest number of bytes of payload that wait.
  static let sizeLimit = 1 << 20

  private let state: Mutex<State>

  init(head: Int64) { state = Mutex(State(head: head)) }

  var head: Int64 { state.withLock { $0.head } }

  /// Sets the function that is called when facts wait, once until they are taken. It replaces the former function.
  func connect(_ wake: (@Sendable () -> Void)?) {
    let mustWake = state.withLock { state in
      state.wake = wake
      state.isWoken = wake != nil && !state.facts.isEmpty
      return state.isWoken
    }
    if mustWake { wake?() }
  }

  /// Adds a fact. Must be called in the order of the commits.
  func put(_ fact: JournaledFact) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      state.head = max(state.head, fact.seq)
      if state.size + fact.payload.count > Self.sizeLimit, !state.facts.isEmpty {
        state.facts = []
        state.size = 0
      }
      state.facts.append(fact)
      state.size += fact.payload.count
      guard !state.isWoken, let wake = state.wake else { return nil }
      state.isWoken = true
      return wake
    }
    wake?()
  }

  func removeAll() -> [JournaledFact] {
    state.withLock { state in
      defer {
        state.facts = []
        state.size = 0
        state.isWoken = false
      }
      return state.facts
    }
  }
}
