import Messages
import Model

/// A room with nothing current: what begins there when a person plays on, or when more comes of what the queue goes on with.
extension RoomMachine {
  /// How a room came to rest.
  struct Rest: Hashable, Sendable {
    /// The row that was current when a person stopped it; nil where the queue came to its end.
    var stopped: Int64?
    /// Rows from this one on were queued since.
    var nextRow: Int64
  }

  /// Whether the queue came to its end while more of its continuation was wanted.
  var isDry: Bool { dryUntil != nil }

  /// From which row on the queue goes on with what comes; nil where nothing starts by itself.
  var dryRow: Int64? { isDry ? rest?.nextRow : nil }

  /// Whether more of the continuation is to follow what plays or is to play.
  var wantsToGoOn: Bool { wantsMore && wantsSound }

  /// Where to begin: with what was stopped, or with what was queued since the end; nil where there is neither.
  var restIndex: Int? {
    guard let rest else { return nil }
    if let stopped = rest.stopped { return queue.slots.firstIndex { $0.row == stopped } }
    return queue.slots.firstIndex { $0.row >= rest.nextRow }
  }

  /// Where the end came before what the queue goes on with, that is started when it comes; for ten minutes, as nobody expects
  /// music any more after that.
  ///
  /// - Parameter wasWanted: whether it was to follow what played.
  mutating func runDry(if wasWanted: Bool, at now: Now) {
    guard wasWanted, phase == .idle, queue.continuation != nil else { return }
    dryUntil = now.moment + Self.retryLimit
    show()
  }

  /// What a queue that ran dry is brought no longer starts by itself.
  mutating func leaveDry() {
    guard isDry else { return }
    dryUntil = nil
    show()
  }

  /// The library was away for too long.
  mutating func stopWaitingForMore(at now: Now) {
    if let dryUntil, now.moment >= dryUntil { leaveDry() }
  }
}
