import Messages
import Model

/// A queue that came to its end before what it goes on with: that is started when it comes.
extension RoomMachine {
  /// A queue that waits for more of its continuation.
  struct Dry: Hashable, Sendable {
    /// Until when what comes starts by itself. Later nobody expects music any more.
    var until: Moment
    /// Rows from this one on were queued since.
    var row: Int64
  }

  /// Whether the queue came to its end while more of its continuation was wanted.
  var isDry: Bool { dry != nil }

  /// Whether more of the continuation is to follow what plays or is to play.
  var wantsToGoOn: Bool { wantsMore && wantsSound }

  /// Where the end came before what the queue goes on with, that is started when it comes.
  ///
  /// - Parameter wasWanted: whether it was to follow what played.
  mutating func runDry(if wasWanted: Bool, at now: Now) {
    guard wasWanted, phase == .idle, queue.continuation != nil else { return }
    dry = Dry(until: now.moment + Self.retryLimit, row: queue.nextRow)
    show()
  }

  /// What a queue that ran dry is brought no longer starts by itself.
  mutating func leaveDry() {
    guard isDry else { return }
    dry = nil
    show()
  }

  /// The library was away for too long.
  mutating func stopWaitingForMore(at now: Now) {
    if let dry, now.moment >= dry.until { leaveDry() }
  }
}
