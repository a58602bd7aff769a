import Model
import Synchronization

/// A connection as the household sees it: the room that it shows, and the changes that it has to report.
final class Subscriber: Sendable {
  private struct State {
    var room: RoomName?
    var idle = IdleState()
  }

  private let state = Mutex(State())
  /// Wakes the connection.
  let wakeup: Wakeup

  init(wakeup: Wakeup) { self.wakeup = wakeup }

  /// The room of the connection; nil until there is one.
  var room: RoomName? {
    get { state.withLock { $0.room } }
    set { state.withLock { $0.room = newValue } }
  }

  /// Notes changes in a room; nil for those of the whole household.
  func note(_ changes: Set<Subsystem>, in room: RoomName?) {
    let isAwaited = state.withLock { state in
      guard room == nil || room == state.room else { return false }
      state.idle.add(changes)
      return state.idle.isIdle
    }
    if isAwaited { wakeup.signal() }
  }

  /// Returns the result of a change to the idle state.
  func idle<Result: Sendable>(_ body: (inout IdleState) -> Result) -> Result { state.withLock { body(&$0.idle) } }
}
