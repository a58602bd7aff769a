import Model
import Synchronization

/// A connection as the household sees it: the room that it shows, and the changes that it has to report.
final class Subscriber: Sendable {
  /// The most channels of a connection, and the most messages that it has not read.
  private static let limit = 64

  private struct State {
    var room: RoomName?
    var idle = IdleState()
    var channels: Set<String> = []
    var messages: [ClientMessage] = []
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

  /// The channels to which the client subscribed.
  var channels: Set<String> { state.withLock { $0.channels } }

  /// Subscribes to a channel; returns false if that is so already, or if there are too many.
  func subscribe(to channel: String) -> Bool {
    state.withLock { $0.channels.count < Self.limit && $0.channels.insert(channel).inserted }
  }

  /// Ends a subscription; returns false if there is none.
  func unsubscribe(from channel: String) -> Bool { state.withLock { $0.channels.remove(channel) != nil } }

  /// Adds a message to a channel of the client; returns false for others. Messages beyond the limit are dropped.
  func receive(_ message: ClientMessage) -> Bool {
    let isReceived = state.withLock { state in
      guard state.channels.contains(message.channel) else { return false }
      if state.messages.count < Self.limit { state.messages.append(message) }
      return true
    }
    if isReceived { note([.message], in: nil) }
    return isReceived
  }

  /// Returns the messages that were not read, and forgets them.
  func takeMessages() -> [ClientMessage] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Returns the result of a change to the idle state.
  func idle<Result: Sendable>(_ body: (inout IdleState) -> Result) -> Result { state.withLock { body(&$0.idle) } }
}
