import Model

/// Copies a table of a damaged file, around what cannot be read.
struct TableRescue {
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
      do { try statement.bind(range.map { .integer($0) }) } catch { return }
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
