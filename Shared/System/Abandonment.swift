import Synchronization

/// Ends the waiting for threads that may never end, as a disk does not answer their requests. The threads themselves
/// cannot be ended: they go on once the disk answers, and what they find then is of no use.
public final class Abandonment: Sendable {
  private struct State {
    var isAbandoned = false
    var next = 0
    var waiting: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Creates one that still waits.
  public init() {}

  /// True if nothing waits any more.
  public var isAbandoned: Bool { state.withLock(\.isAbandoned) }

  /// Ends all waiting, now and later.
  public func abandon() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isAbandoned = true
      return state.waiting.values
    }
    for resume in waiting { resume() }
  }

  /// Has `resume` called at the end of the waiting, at once if it has ended. Returns the number for `forget`.
  func wait(_ resume: @escaping @Sendable () -> Void) -> Int {
    let number: Int? = state.withLock { state in
      guard !state.isAbandoned else { return nil }
      state.next += 1
      state.waiting[state.next] = resume
      return state.next
    }
    if number == nil { resume() }
    return number ?? 0
  }

  func forget(_ number: Int) { state.withLock { $0.waiting[number] = nil } }
}
