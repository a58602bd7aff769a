import CSQLite
import Model
import Synchronization

/// Copies the write-ahead log into the database file, on a thread beside the one that writes.
///
/// SQLite by itself does that within a commit, which would make one in some hundred commits 10 ms longer.
final class Checkpoints: Sendable {
  /// The number of pages in the log after which it is copied (12 MB). A sync of the log takes longer during the
  /// copying, so this is more than SQLite's default.
  static let pages: Int32 = 3000
  /// The number of pages after which the writer waits for the copying and does the rest itself: a log that the writer
  /// fills faster than it is copied would fill the disk.
  static let pageLimit: Int32 = 8000

  private let threads: ConnectionThreads
  private let isAsked = Atomic(false)
  /// True from the request for a checkpoint until it has ended.
  var isUnderWay: Bool { isAsked.load(ordering: .relaxed) }
  /// Held by the thread that copies: SQLite would refuse a second one at once with SQLITE_BUSY.
  private let turn = Mutex(())

  init(path: String, limits: Database.Limits) {
    threads = ConnectionThreads(path: path, limit: 1, stays: false, linger: limits.linger) {
      try DatabaseConnection(path, .checkpointing, patience: limits.patience)
    }
  }

  /// Starts a checkpoint if the log has grown too long. Called on the writer's thread after each commit.
  func checkpointIfNeeded(on connection: DatabaseConnection) {
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
      // The database is closing, and its last connection copies the rest; or the system gives no thread, and the next
      // commit tries again.
      isAsked.store(false, ordering: .relaxed)
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
