import CSQLite
import Model
import Synchronization

/// Copies the write-ahead log into the file, beside the thread that writes.
///
/// Within a commit, as SQLite does it by itself, one in some hundred commits would take ten milliseconds longer.
final class Checkpoints: Sendable {
  /// The pages in the log after which it is copied, 12 MB of them. While that lasts a sync of the log takes longer, so
  /// it is done more seldom than SQLite does it.
  static let pages: Int32 = 3000
  /// The pages after which the writer waits for the copying and does what is left of it itself: it is quicker, and a
  /// log that only grows fills the disk.
  static let pageLimit: Int32 = 8000

  private let threads: ConnectionThreads
  private let isAsked = Atomic(false)
  /// Held by who copies: SQLite would send a second one away at once.
  private let turn = Mutex(())

  init(path: String, limits: Database.Limits) {
    threads = ConnectionThreads(path: path, limit: 1, stays: false, linger: limits.linger) {
      try DatabaseConnection(path, .checkpointing, patience: limits.patience)
    }
  }

  /// Looks at what a commit left in the log, on the writer's thread.
  func look(at connection: DatabaseConnection) {
    if connection.pagesInLog >= Self.pageLimit { turn.withLock { _ in connection.checkpoint() } }
    guard connection.pagesInLog >= Self.pages, !isAsked.exchange(true, ordering: .relaxed) else { return }
    do {
      try threads.submit { [self] connection in
        // Pages that cannot be copied stay in the log and are read from there.
        if case .success(let connection) = connection { turn.withLock { _ in connection.checkpoint() } }
        isAsked.store(false, ordering: .relaxed)
        return Outcome(needsSync: false) { _ in }
      }
    } catch {
      // The database is closing, and its last connection copies the rest; or the system gives no thread.
    }
  }

  func close() async { await threads.close() }
  func abandon() { threads.abandon() }
}

extension DatabaseConnection {
  /// Copies the log into the file as far as readers allow, without waiting for them.
  ///
  /// Pages that were written meanwhile are copied in further, shorter rounds: once all are copied, the next commit
  /// writes the log from its beginning again.
  func checkpoint() {
    for _ in 0..<5 {
      var logged: Int32 = 0
      var copied: Int32 = 0
      let result = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &logged, &copied)
      guard result == SQLITE_OK, copied < logged else { return }
    }
  }
}
