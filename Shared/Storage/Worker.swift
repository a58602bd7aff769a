import Model

/// Work for a connection's thread. It gets the connection, or the reason why there is none.
typealias Job = @Sendable (Result<Connection, any Error>) -> Outcome

/// What is left of a job once it has run: to tell whoever waits.
struct Outcome {
  /// Whether the log must be synced first.
  let needsSync: Bool
  /// What is to be done once the change is committed, before anybody is told.
  var actions: [@Sendable () -> Void] = []
  /// Tells it; the error is the reason why the log could not be synced.
  let tell: (LunaraError?) -> Void

  /// Does what was to be done, and tells.
  func finish() {
    for action in actions { action() }
    tell(nil)
  }
}

/// One thread's connection and what its jobs have left to tell. Used only on that thread.
///
/// The log is synced once for all changes that came in while the last sync ran. What they have to tell waits for it in
/// order, also where it would not need the sync itself: facts leave in the order of their commits.
final class Worker {
  private static let batch = 64

  private let open: () throws -> Connection
  private var connection: Connection?
  private var unsettled: [Outcome] = []
  private var failure: LunaraError?
  /// Whether there is nothing to give back.
  private(set) var isTrimmed = true

  /// Makes a worker that opens its connection when it is first needed.
  init(_ open: @escaping () throws -> Connection) { self.open = open }

  /// Whether some of what has run is still to be told.
  var hasUnsettled: Bool { !unsettled.isEmpty }
  /// Whether so much is to be told that further jobs have to wait.
  var mustSettle: Bool { unsettled.count >= Self.batch }

  /// Runs a job.
  func run(_ job: Job) {
    isTrimmed = false
    let outcome = job(Result { try usable() })
    if outcome.needsSync || hasUnsettled {
      unsettled.append(outcome)
    } else {
      outcome.finish()
    }
    // A transaction that could not even be rolled back ends with its connection.
    if connection?.isInTransaction == true { connection = nil }
  }

  private func usable() throws -> Connection {
    if let failure { throw failure }
    if let connection { return connection }
    let fresh = try open()
    connection = fresh
    return fresh
  }

  /// Syncs the log and tells what waits for it.
  func settle() {
    do {
      try connection?.sync()
    } catch {
      // The kernel forgets what it could not write (fsync(2)), so a later sync would succeed and mean nothing: nothing
      // more is promised until the service has started again.
      failure = LunaraError(error)
    }
    let told = unsettled
    unsettled = []
    for outcome in told {
      if let failure {
        // Nothing is done that says or presumes that the change is there to stay; nor for those behind it, which would
        // tell of it by telling of themselves: a fact shows that there is one before it.
        outcome.tell(outcome.needsSync ? failure : nil)
      } else {
        outcome.finish()
      }
    }
  }

  /// Gives memory back.
  func trim() {
    connection?.trim()
    isTrimmed = true
  }

  /// Closes the connection.
  func end() {
    connection?.trim()
    connection = nil
  }
}
