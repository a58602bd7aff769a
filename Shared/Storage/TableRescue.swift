import Glibc
import Model
import System

/// Copies the readable rows of a table of a damaged file.
struct TableRescue {
  /// The number of ranges without a readable row after which the rest of a table is given up.
  private static let patience = 512
  /// The number of row ids that are tried behind the last readable row, where the table's end cannot be read.
  private static let reach: Int64 = 1 << 22
  /// The number of rows that are read before they are written.
  private static let batch = 64

  private let table: String
  private let source: DatabaseConnection
  private let target: Transaction
  private var columns = ""
  private var insert = ""
  private var hasRowID = true
  private(set) var rows = 0
  private(set) var isWhole = true

  init(of table: String, from source: DatabaseConnection, to target: Transaction) {
    self.table = table
    self.source = source
    self.target = target
  }

  /// Returns true if an error of the source means that a part of the file cannot be read.
  static func isUnreadable(_ error: LunaraError) -> Bool { ["storage.corrupt", "storage.failed"].contains(error.code) }

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
      try copyAll()
    } else {
      // A table without row ids is read from both ends, by its primary key, up to the part that cannot be read.
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
    } catch let error as LunaraError where Self.isUnreadable(error) {
      return []
    }
  }

  /// Copies rows by row id, which is never negative in our tables: from the beginning, from the end, and then each half
  /// of the range between, the widest first, until too many ranges had no readable row.
  private mutating func copyAll() throws {
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
        // The end cannot be read, so the highest row id is unknown: ranges of growing width are tried.
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

  /// Copies rows in an order, to the end or to the first that cannot be read. Returns the row id of the last copied
  /// row, and true if the end was reached.
  private mutating func copy(_ order: String, _ range: [Int64]) throws -> (last: Int64?, isDone: Bool) {
    var last: Int64?
    var isDone = false
    let sql = "SELECT \(hasRowID ? "rowid" : "0"), \(columns) FROM \(table) \(order)"
    let count = columns.split(separator: ",").count
    try source.withStatement(sql) { statement in
      do { try statement.bind(range.map { .integer($0) }) } catch { return }
      while true {
        var found: [(key: Int64, values: [SQLValue])] = []
        do {
          while found.count < Self.batch {
            guard try statement.step() else {
              isDone = true
              break
            }
            let row = Row(statement, path: source.path)
            found.append((try row.value(0), try (1...count).map { try row.value($0) }))
          }
        } catch let error as LunaraError where Self.isUnreadable(error) {
          try put(found, &last)
          return
        }
        try put(found, &last)
        if isDone { return }
      }
    }
    return (last, isDone)
  }

  private mutating func put(_ found: [(key: Int64, values: [SQLValue])], _ last: inout Int64?) throws {
    for row in found {
      // A row that breaks a rule of its table is damaged as well.
      do { try target.run(insert, row.values) { _ = try $0.step() } } catch let error as LunaraError
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

/// A damaged file that can be read in part.
struct DamagedFile {
  let connection: DatabaseConnection
  /// The path of a copy with a new header, which is read in place of the file; nil if the file itself is read.
  private let copy: String?

  /// Opens a file. Returns nil if nothing in it can be read.
  static func open(_ path: String) throws -> DamagedFile? {
    if let connection = try connect(path) { return DamagedFile(connection: connection, copy: nil) }
    // If only the header is damaged, a copy with a new one can be read: all that SQLite needs from it is the same in
    // each of our files.
    let copy = path + ".reheaded"
    let isCopied = duplicate(path, to: copy, hasNewHeader: true)
    if isCopied, access(path + "-wal", R_OK) == 0 {
      _ = duplicate(path + "-wal", to: copy + "-wal", hasNewHeader: false)
    }
    if isCopied, let connection = try connect(copy) { return DamagedFile(connection: connection, copy: copy) }
    remove(copy)
    return nil
  }

  /// Removes the copy. The connection is not used after this.
  func remove() { if let copy { Self.remove(copy) } }

  private static func remove(_ copy: String) { for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) } }

  private static func connect(_ path: String) throws -> DatabaseConnection? {
    do {
      let connection = try DatabaseConnection(path, .salvaging, patience: .zero)
      try connection.control("BEGIN")
      let isReadable = try connection.withStatement("SELECT 1 FROM sqlite_schema LIMIT 1") { try $0.step() }
      return isReadable ? connection : nil
    } catch let error as LunaraError where TableRescue.isUnreadable(error) {
      return nil
    }
  }

  private static let pageSize = 4096

  /// Copies a file, with a new header if `hasNewHeader` is true. Returns false if that fails.
  private static func duplicate(_ path: String, to copy: String, hasNewHeader: Bool) -> Bool {
    do throws(Errno) {
      let source = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW)
      let size = try source.status().size
      guard !hasNewHeader || size >= pageSize else { return false }
      let target = try Descriptor(opening: copy, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
      while true {
        let bytes = try source.readBytes(upTo: 1 << 20)
        if bytes.isEmpty { break }
        try target.write(bytes)
      }
      guard hasNewHeader else { return true }
      let header = header(pages: Int(size) / pageSize)
      return pwrite(target.number, header, header.count, 0) == header.count
    } catch {
      // The caller reads nothing of a file that cannot be copied.
      return false
    }
  }

  /// Returns a new header for a file of `pages` pages (sqlite.org/fileformat2.html#the_database_header).
  private static func header(pages: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 100)
    func put(_ number: Int, at offset: Int) {
      for byte in 0..<4 { header[offset + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
    }
    header.replaceSubrange(0..<15, with: Array("SQLite format 3".utf8))
    // Page size 4096, with a write-ahead log, no reserved bytes, the three fixed fractions.
    header.replaceSubrange(16..<24, with: [0x10, 0, 2, 2, 0, 64, 32, 32])
    // Counter of changes, pages, schema cookie, schema format, UTF-8, and the version that all this is valid for.
    for (number, offset) in [(1, 24), (pages, 28), (1, 40), (4, 44), (1, 56), (1, 92), (3_040_001, 96)] {
      put(number, at: offset)
    }
    return header
  }
}
