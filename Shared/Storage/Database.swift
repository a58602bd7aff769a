public import Model
import Synchronization
import System

/// A SQLite file with one writer and some readers, each on a thread of its own.
///
/// Writes happen one after the other; reads run beside them on snapshots. Only the initialiser blocks the caller's
/// thread, as it opens the file.
public final class Database: Sendable {
  /// The path of the file.
  public let path: String
  private let writer: ConnectionThreads
  private let readers: ConnectionThreads
  private let checkpoints: Checkpoints
  /// True if the last process did not close the file, and `findDamage()` has not checked it since.
  let isUnchecked = Atomic(false)
  /// True if `findDamage()` should be called.
  public var needsCheck: Bool { isUnchecked.load(ordering: .relaxed) }

  /// Opens a file, creates it where it is missing (readable by this user only), and brings its tables up to date.
  ///
  /// Blocks until that is done. Throws `storage.cannotOpen`, `storage.readOnly`, `storage.full`, `storage.corrupt`,
  /// `storage.busy`, or `storage.newerSchema` where the file has migrations that are not in the list.
  public convenience init(at path: String, migrations: [Migration], readers: Int = 2) throws {
    try self.init(at: path, migrations: migrations, readers: readers, limits: Limits())
  }

  /// The times after which idle threads end and waiting for a lock ends.
  struct Limits: Sendable {
    /// The time for which an idle thread keeps its connection, or its memory.
    var linger = Milliseconds(5000)
    /// The longest wait for a lock that another program holds.
    var patience = Milliseconds(5000)
  }

  init(at path: String, migrations: [Migration], readers: Int, limits: Limits) throws {
    self.path = path
    writer = ConnectionThreads(path: path, limit: 1, stays: true, linger: limits.linger) {
      try DatabaseConnection(path, .writing, patience: limits.patience)
    }
    self.readers = ConnectionThreads(path: path, limit: max(1, readers), stays: false, linger: limits.linger) {
      try DatabaseConnection(path, .reading, patience: limits.patience)
    }
    checkpoints = Checkpoints(path: path, limits: limits)
    let opened = Monitor<Result<Void, LunaraError>?>(nil)
    try writer.submit { connection in
      let result = Result { try connection.get().migrate(migrations) }.mapError { LunaraError($0) }
      return Outcome(needsSync: false) { _ in opened.change { $0 = result } }
    }
    // The thread that opens always answers, so this wait ends.
    do { try opened.wait { $0 }?.get() } catch {
      checkpoints.abandon()
      writer.abandon()
      throw error
    }
  }

  deinit {
    readers.abandon()
    checkpoints.abandon()
    writer.abandon()
  }

  /// Runs a closure as one transaction on the writer's thread and commits it; rolls it back where the closure throws.
  ///
  /// Returns when the change is as durable as `survival`, or the transaction's `requireDurability`, asks for. Throws
  /// the errors of the closure, and those of SQLite as `storage.…`.
  ///
  /// - Parameters:
  ///   - survival: the end of the process or of the power that the change has to survive.
  ///   - priority: `background` for a step of long work, which lets all other changes that wait go first.
  ///   - body: the change. It runs on the writer's thread.
  @discardableResult
  public func write<T: Sendable>(
    _ survival: Durability = .process, priority: JobPriority = .normal,
    _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      Self.submit(to: writer, continuation, priority) { [checkpoints] connection in
        let (value, transaction) = try connection.write(survival, body)
        checkpoints.checkpointIfNeeded(on: connection)
        return Outcome(needsSync: transaction.survival == .power, actions: transaction.actions) { error in
          if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: value) }
        }
      }
    }
  }

  /// Runs a closure on a reader's thread, with a snapshot of what was committed when its first statement ran.
  public func read<T: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      Self.submit(to: readers, continuation) { connection in
        let value = try connection.read(body)
        return Outcome(needsSync: false) { _ in continuation.resume(returning: value) }
      }
    }
  }

  var waitingWrites: Int { writer.waitingJobs }

  static func submit<T>(
    to threads: ConnectionThreads, _ continuation: CheckedContinuation<T, any Error>,
    _ priority: JobPriority = .normal, _ work: @escaping @Sendable (DatabaseConnection) throws -> Outcome
  ) {
    let path = threads.path
    let job: Job = { connection in
      do { return try work(connection.get()) } catch {
        let error = Salvage.requested(by: error, from: path)
        return Outcome(needsSync: false) { _ in continuation.resume(throwing: error) }
      }
    }
    do { try threads.submit(job, priority) } catch {
      continuation.resume(throwing: error)
    }
  }

  /// Runs all jobs that were submitted before, closes the file and ends the threads. Later uses throw `storage.closed`.
  public func close() async {
    await readers.close()
    await checkpoints.close()
    await writer.close()
  }
}
