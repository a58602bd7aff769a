import Glibc
public import Model

/// What was saved of a damaged database.
public struct Salvage: Hashable, Sendable {
  /// Where the damaged file lies now.
  public let damaged: String
  /// How many rows were saved.
  public let rows: Int
  /// Whether all rows of the tables in question could be read.
  public let isWhole: Bool
  /// What was wrong.
  public let cause: LunaraError

  /// Has the next opening of a database save what it can: a part of it was found damaged.
  public static func request(for path: String) {
    // Where even this cannot be written the damage is found again.
    let descriptor = open(mark(of: path), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  fileprivate static func mark(of path: String) -> String { path + ".damaged" }
}

extension Database {
  /// Opens a file like `init`; a damaged one is moved aside first, and what can be read of some tables goes into a new
  /// one.
  ///
  /// The new file takes the place of the damaged one only when it is complete, so a process that is killed meanwhile
  /// begins again. The other tables begin empty.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - migrations: what makes its tables.
  ///   - readers: how many threads read.
  ///   - tables: what is saved, where the migrations make all of them; else a damaged file is an error.
  ///   - finish: a statement that marks the new file.
  /// - Throws: what `init` throws; `storage.corrupt` only where nothing of it is to be saved.
  public static func opening(
    at path: String, migrations: [Migration], readers: Int = 2, saving tables: [String], finish: String
  ) throws -> (database: Database, salvage: Salvage?) {
    let fresh = path + ".salvage"
    // Killed between the two renames: the new file is complete.
    if access(path, F_OK) != 0, access(fresh, F_OK) == 0 { try move(fresh, to: path) }
    do {
      let isMarked = access(Salvage.mark(of: path), F_OK) == 0
      if isMarked { throw StorageError.from(.corrupt, words: "damage was found in it", systemError: 0, path: path) }
      return (try Database(at: path, migrations: migrations, readers: readers), nil)
    } catch let error as LunaraError where error.code == "storage.corrupt" {
      guard let saved = try save(path, into: fresh, migrations, tables, finish) else { throw error }
      let damaged = "\(path).damaged-\(Timestamp.now().microseconds / 1_000_000)"
      // The log goes first: with it the file is what it was, without it the start would be from a mixture.
      for suffix in ["-wal", "-shm", ""] where access(path + suffix, F_OK) == 0 {
        try move(path + suffix, to: damaged + suffix)
      }
      try move(fresh, to: path)
      unlink(Salvage.mark(of: path))
      let database = try Database(at: path, migrations: migrations, readers: readers)
      return (database, Salvage(damaged: damaged, rows: saved.rows, isWhole: saved.isWhole, cause: error))
    }
  }

  /// Copies what can be read; nil where the migrations do not make all of the tables.
  private static func save(
    _ path: String, into fresh: String, _ migrations: [Migration], _ tables: [String], _ finish: String
  ) throws -> (rows: Int, isWhole: Bool)? {
    for suffix in ["", "-wal", "-shm"] { unlink(fresh + suffix) }
    let target = try Connection(fresh, .writing, patience: .zero)
    try target.migrate(migrations)
    var rows = 0
    var isWhole = true
    var areThere = true
    _ = try target.write(.power) { transaction in
      areThere = try tables.allSatisfy { table in
        try transaction.row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table) { _ in true }
          ?? false
      }
      guard areThere else { return }
      do {
        let source = try Connection(path, .salvaging, patience: .zero)
        try source.control("BEGIN")
        for table in tables {
          var rescue = TableRescue(of: table, from: source, to: transaction)
          try rescue.run()
          rows += rescue.rows
          isWhole = isWhole && rescue.isWhole
        }
      } catch let error as LunaraError where TableRescue.isHole(error) {
        isWhole = false
      }
      try transaction.execute(finish)
    }
    try target.sync()
    // Closing it takes the log into the file.
    return areThere ? (rows, isWhole) : nil
  }

  private static func move(_ path: String, to other: String) throws {
    guard rename(path, other) == 0 else {
      throw StorageError.from(.cannotOpen, words: "it cannot be renamed", systemError: errno, path: path)
    }
  }
}

/// Copies a table of a damaged file, around what cannot be read.
private struct TableRescue {
  private struct Found {
    var key: Int64
    var values: [SQLValue]
  }

  /// The most ranges of which nothing can be read; after them the rest of a table is given up.
  private static let patience = 512
  private static let reach: Int64 = 1 << 22
  private static let batch = 64

  private let table: String
  private let source: Connection
  private let target: Transaction
  private var columns = ""
  private var insert = ""
  private var hasRowID = true
  private(set) var rows = 0
  private(set) var isWhole = true

  init(of table: String, from source: Connection, to target: Transaction) {
    self.table = table
    self.source = source
    self.target = target
  }

  /// Whether an error of the source means a place that cannot be read.
  static func isHole(_ error: LunaraError) -> Bool { ["storage.corrupt", "storage.failed"].contains(error.code) }

  mutating func run() throws {
    let wanted: [String] = try target.rows("SELECT name FROM pragma_table_info(?)", table) { try $0.value(0) }
    let there: [String] = try names()
    let shared = wanted.filter(there.contains)
    guard !shared.isEmpty else {
      isWhole = false
      return
    }
    columns = shared.joined(separator: ", ")
    let marks = shared.map { _ in "?" }.joined(separator: ", ")
    insert = "INSERT OR REPLACE INTO \(table) (\(columns)) VALUES (\(marks))"
    hasRowID = try target.row("SELECT wr FROM pragma_table_list WHERE name = ?", table) { try $0.value(0) as Int } == 0
    if hasRowID {
      try takeAll()
    } else {
      // What lies behind a hole in a table without row ids is found from the other end.
      let key: [String] = try target.rows("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table) {
        try $0.value(0)
      }
      let isDone = try copy("ORDER BY " + key.joined(separator: ", "), []).isDone
      if !isDone { _ = try copy("ORDER BY " + key.map { $0 + " DESC" }.joined(separator: ", "), []) }
      isWhole = isDone
    }
  }

  private func names() throws -> [String] {
    do {
      return try source.withStatement("SELECT name FROM pragma_table_info('\(table)')") { statement in
        var names: [String] = []
        while try statement.step() { names.append(try Row(statement, path: source.path).value(0)) }
        return names
      }
    } catch let error as LunaraError where Self.isHole(error) {
      return []
    }
  }

  /// Copies all by row id, which is never negative: from the beginning, from the end, and then the halves of what is
  /// left between, the widest first, until too many have come to nothing.
  private mutating func takeAll() throws {
    var ranges: [(low: Int64, high: Int64)] = [(0, .max)]
    var next = 0
    var failures = 0
    while next < ranges.count, failures < Self.patience {
      let (low, high) = ranges[next]
      next += 1
      let up = try copy("WHERE rowid BETWEEN ? AND ? ORDER BY rowid", [low, high])
      if up.isDone { continue }
      let first = up.last.map { $0 &+ 1 } ?? low
      let down = try copy("WHERE rowid BETWEEN ? AND ? ORDER BY rowid DESC", [first, high])
      if down.isDone { continue }
      isWhole = false
      if up.last == nil, down.last == nil { failures += 1 }
      if down.last == nil, high == .max, first < .max - Self.reach {
        // The end cannot be read, so nobody knows how far the rows went: it is looked for in growing steps.
        var (step, width) = (first, Int64(32))
        while step < first + Self.reach {
          ranges.append((step, step + width - 1))
          step += width
          width *= 2
        }
        continue
      }
      let last = down.last.map { $0 &- 1 } ?? high
      guard first < last else { continue }
      let middle = first + (last - first) / 2
      ranges += [(first, middle), (middle + 1, last)]
    }
    if next < ranges.count { isWhole = false }
  }

  /// Copies rows in an order, until the end or until one cannot be read; tells the row id of the last.
  private mutating func copy(_ order: String, _ range: [Int64]) throws -> (last: Int64?, isDone: Bool) {
    var last: Int64?
    var isDone = false
    let sql = "SELECT \(hasRowID ? "rowid" : "0"), \(columns) FROM \(table) \(order)"
    let count = columns.split(separator: ",").count
    try source.withStatement(sql) { statement in
      do { try statement.bind(range) } catch { return }
      while true {
        var found: [Found] = []
        do {
          while found.count < Self.batch {
            guard try statement.step() else {
              isDone = true
              break
            }
            let row = Row(statement, path: source.path)
            found.append(Found(key: try row.value(0), values: try (1...count).map { try row.value($0) }))
          }
        } catch let error as LunaraError where Self.isHole(error) {
          try put(found, &last)
          return
        }
        try put(found, &last)
        if isDone { return }
      }
    }
    return (last, isDone)
  }

  private mutating func put(_ found: [Found], _ last: inout Int64?) throws {
    for row in found {
      // A row that breaks a rule of its table is damaged as well.
      do { try target.run(insert, row.values.map { $0 }) { _ = try $0.step() } } catch let error as LunaraError
        where error.code == "storage.constraint"
      {
        isWhole = false
        continue
      }
      rows += 1
    }
    if let key = found.last?.key { last = key }
  }
}
