import Glibc
public import Model
import Synchronization
import System

/// The report of what could be saved from a damaged database.
public struct Salvage: Hashable, Sendable {
  /// The part of the report about one table.
  public struct Table: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// The number of its rows that were saved.
    public let rows: Int
    /// True if those are all the rows that the table had.
    public let isWhole: Bool
  }

  /// The path to which the damaged file was moved.
  public let damaged: String
  /// The tables that were to be saved, in that order.
  public let tables: [Table]
  /// The damage that was found.
  public let cause: LunaraError

  /// The number of rows that were saved.
  public var rows: Int { tables.reduce(0) { $0 + $1.rows } }
  /// True if all rows of these tables could be read.
  public var isWhole: Bool { tables.allSatisfy(\.isWhole) }

  /// Marks a database in which damage was found, so that the next `open` saves what it can.
  public static func request(for path: String) {
    do { _ = try Descriptor(opening: mark(of: path), O_WRONLY | O_CREAT | O_NOFOLLOW) } catch {
      // If even this cannot be written, the damage is found again at the next start.
    }
  }

  /// Marks the database at `path` where `error` says that it is damaged, and returns an error that says to restart;
  /// returns any other error as it is.
  static func requested(by error: any Error, from path: String) -> any Error {
    guard let error = error as? LunaraError, error.code == "storage.corrupt", error.message.hasPrefix("\(path) ") else {
      return error
    }
    request(for: path)
    return LunaraError(
      error.code, "A part of \(path) is damaged. Restart the service: it saves all that can be read.",
      cause: error.cause)
  }

  /// Returns the path of the file whose existence means that damage was found in a database.
  static func mark(of path: String) -> String { path + ".damaged" }

  /// Returns the number of the newest damaged file beside a database; 0 where there is none.
  static func newest(of path: String) -> Int64 {
    let beginning = Files.name(of: path) + ".damaged-"
    do throws(Errno) {
      return try Files.names(in: Files.folder(of: path)).reduce(0) { newest, name in
        guard name.hasPrefix(beginning) else { return newest }
        return max(newest, Int64(name.dropFirst(beginning.count).prefix { $0.isNumber }) ?? 0)
      }
    } catch {
      // A folder that cannot be listed shows no damaged file.
      return 0
    }
  }
}

extension Database {
  /// Opens a file like `init`. Where it is damaged, moves it aside and copies the readable rows of some tables into a
  /// new file.
  ///
  /// A file whose last use did not end with `close` is checked before it is used if it is small; the caller of a larger
  /// one is to call `findDamage()` while it is used, see `needsCheck`.
  ///
  /// The new file takes the place of the damaged one only when it is complete, so a process that is killed meanwhile
  /// begins again. Tables that are not saved are as the migrations make them.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - migrations: the steps that make its tables.
  ///   - readers: the number of threads that read.
  ///   - isExpected: true if there was a database before, so that an empty file means damage.
  ///   - tables: the tables to save, each after those that it refers to: a row that refers to a lost one is not saved.
  ///     The migrations must make all of them, or a damaged file is an error.
  ///   - finish: statements to run on the new file at the end, which correct its contents.
  /// - Throws: The errors of `init`; `storage.corrupt` only where the migrations do not make all of `tables`.
  public static func open(
    at path: String, migrations: [Migration], readers: Int = 2, isExpected: Bool = false, saving tables: [String],
    finish: [String]
  ) throws -> (database: Database, salvage: Salvage?) {
    let fresh = path + ".salvage"
    // The process was killed between the renames: the new file is complete, and a log at `path` is of the damaged file.
    if !Files.exists(path), Files.exists(fresh) {
      try setAside(path, as: "\(path).damaged-\(max(1, Salvage.newest(of: path)))", beginning: 1)
      try move(fresh, to: path)
      unlink(Salvage.mark(of: path))
    }
    do {
      let isUnchecked = try look(at: path, isExpected)
      let database = try Database(at: path, migrations: migrations, readers: readers)
      if isUnchecked { database.isUnchecked.store(true, ordering: .relaxed) }
      return (database, nil)
    } catch let error as LunaraError where error.code == "storage.corrupt" {
      guard let saved = try save(path, into: fresh, migrations, tables, finish) else { throw error }
      // A number above all existing ones, even where the clock was set back.
      let number = max(Timestamp.now().microseconds / 1_000_000, Salvage.newest(of: path) + 1)
      let damaged = "\(path).damaged-\(number)"
      try setAside(path, as: damaged, beginning: 0)
      try move(fresh, to: path)
      unlink(Salvage.mark(of: path))
      let database = try Database(at: path, migrations: migrations, readers: readers)
      return (database, Salvage(damaged: damaged, tables: saved, cause: error))
    }
  }

  /// The size, in bytes, up to which a file is checked before it is used: reading it takes a fraction of a second.
  static let quicklyRead = 32 << 20

  /// Checks a file before it is opened. Returns true if it is too large to be read now and `findDamage()` has to
  /// follow.
  ///
  /// - Throws: `storage.corrupt`.
  private static func look(at path: String, _ isExpected: Bool) throws -> Bool {
    func damaged(_ words: String) -> LunaraError {
      StorageError.from(.corrupt, words: words, systemError: 0, path: path)
    }
    if Files.exists(Salvage.mark(of: path)) { throw damaged("damage was found in it") }
    let file = Files.status(path, followingLinks: true)
    // SQLite removes the log when the last connection is closed, so a log means that the last use was broken off.
    let log = Files.status(path + "-wal", followingLinks: true).flatMap { $0.size > 0 ? $0 : nil }
    // SQLite would take an empty file for a new database, and the loss of its contents would go unnoticed.
    if isExpected, file?.size == 0, log == nil { throw damaged("the file is empty") }
    guard let file, let log else { return false }
    guard file.size + log.size <= quicklyRead else { return true }
    let connection = try DatabaseConnection(path, .reading, patience: Milliseconds(5000))
    if let problem = try connection.problem() { throw damaged(problem) }
    return false
  }

  /// Reads the whole file while it is in use. Returns nil if all of it can be read.
  ///
  /// If some cannot be read, marks the file, so that the next `open` saves the rest.
  public func findDamage() async -> LunaraError? {
    let threads = ConnectionThreads(path: path, limit: 1, stays: false, linger: .zero) { [path] in
      try DatabaseConnection(path, .reading, patience: Milliseconds(5000))
    }
    var found: LunaraError?
    do {
      let problem: String? = try await withCheckedThrowingContinuation { continuation in
        Self.submit(to: threads, continuation) { connection in
          let problem = try connection.problem()
          return Outcome(needsSync: false) { _ in continuation.resume(returning: problem) }
        }
      }
      found = problem.map { StorageError.from(.corrupt, words: $0, systemError: 0, path: path) }
    } catch {
      found = LunaraError(error)
    }
    await threads.close()
    isUnchecked.store(false, ordering: .relaxed)
    guard let found, found.code == "storage.corrupt" else { return nil }
    Salvage.request(for: path)
    return found
  }

  /// Copies all readable rows into a new file. Returns nil if the migrations do not make all of the tables.
  private static func save(
    _ path: String, into fresh: String, _ migrations: [Migration], _ tables: [String], _ finish: [String]
  ) throws -> [Salvage.Table]? {
    for suffix in ["", "-wal", "-shm"] { unlink(fresh + suffix) }
    let target = try DatabaseConnection(fresh, .writing, patience: .zero)
    try target.migrate(migrations)
    var saved: [Salvage.Table] = []
    var areThere = true
    _ = try target.write(.power) { transaction in
      areThere = try tables.allSatisfy(transaction.hasTable)
      guard areThere else { return }
      let source = try DamagedFile.open(path)
      for table in tables {
        guard let source else {
          saved.append(.init(name: table, rows: 0, isWhole: false))
          continue
        }
        var rescue = TableRescue(of: table, from: source.connection, to: transaction)
        try rescue.run()
        saved.append(.init(name: table, rows: rescue.rows, isWhole: rescue.isWhole))
      }
      for statement in finish { try transaction.execute(statement) }
      source?.remove()
    }
    try target.sync()
    // SQLite copies the log of `target` into the file when it is closed.
    return areThere ? saved : nil
  }

  /// Moves a damaged file and then its log, leaving out the first `beginning` of the three names.
  ///
  /// The log is last: a start after a crash between the moves finds no file at `path` and continues with the new one,
  /// instead of opening a damaged file without its log.
  private static func setAside(_ path: String, as damaged: String, beginning: Int) throws {
    for suffix in ["", "-wal", "-shm"].dropFirst(beginning) where Files.exists(path + suffix) {
      do { try move(path + suffix, to: damaged + suffix) } catch {
        // A connection that is being closed may have removed its log meanwhile.
        if Files.exists(path + suffix) { throw error }
      }
    }
  }

  private static func move(_ path: String, to other: String) throws {
    do throws(Errno) { try Files.move(path, to: other) } catch {
      throw StorageError.from(
        .cannotOpen, words: "it cannot be renamed", systemError: error.rawValue, path: path)
    }
  }
}
