import Synchronization

/// A queue with many producers and one consumer. `Contents` decides what is stored and how the size stays bounded.
final class Mailbox<Contents: Sendable, Element: Sendable>: Sendable {
  private struct State {
    var contents: Contents
    var waiting: CheckedContinuation<Element?, Never>?
    var isFinished = false
  }

  private let state: Mutex<State>
  private let take: @Sendable (inout Contents) -> Element?

  init(_ contents: Contents, take: @escaping @Sendable (inout Contents) -> Element?) {
    state = Mutex(State(contents: contents))
    self.take = take
  }

  deinit { finish() }

  /// Changes the contents, and resumes the waiting consumer if there is an element.
  func put(_ change: (inout Contents) -> Void) {
    let handed = state.withLock { state -> (CheckedContinuation<Element?, Never>, Element)? in
      guard !state.isFinished else { return nil }
      change(&state.contents)
      guard let waiting = state.waiting, let element = take(&state.contents) else { return nil }
      state.waiting = nil
      return (waiting, element)
    }
    if let (waiting, element) = handed { waiting.resume(returning: element) }
  }

  /// Ends the mailbox: its contents are not delivered, and `next` returns nil.
  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: nil)
  }

  /// Waits for the next element; returns nil after the end. Only one task at a time may call this; cancelling that task
  /// ends the mailbox.
  func next() async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Element?? in
          if state.isFinished { return .some(nil) }
          if let element = take(&state.contents) { return element }
          state.waiting = continuation
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      finish()
    }
  }
}
