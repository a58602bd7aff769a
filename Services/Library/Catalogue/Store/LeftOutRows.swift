import Messages
import Model
package import Records
package import Storage

/// The rows of files and folders that are not taken, which a scan of the music folders counted.
///
/// The row of the empty path has the count of all folders of which no names are kept.
package enum LeftOutRows {
  private struct Key: Hashable {
    var folder: [UInt8]
    var rule: Int
    var file: [UInt8]
  }

  private struct Value: Hashable {
    var count: Int
    var names: [UInt8]
  }

  /// Writes what a scan found; only the differences.
  package static func write(_ scan: ScanResult, _ transaction: Transaction) throws {
    var found: [Key: Value] = [:]
    for (folder, leftOut) in scan.leftOut.folders {
      for one in leftOut { found[key(one, of: folder.bytes)] = value(one) }
    }
    if !scan.isPartial {
      for one in scan.leftOut.others { found[key(one, of: [])] = value(one) }
    }
    let stored = try stored(scan, transaction)
    if scan.isPartial, try areOthersCounted(transaction) {
      // A folder without a row may be one of the others: the next scan of all folders counts it.
      let known = Set(stored.map { PathKey($0.0.folder) })
      found = found.filter { known.contains(PathKey($0.key.folder)) }
    }
    for (key, value) in stored {
      if found[key] == value {
        found[key] = nil
      } else if found[key] == nil {
        try transaction.execute(
          "DELETE FROM left_out WHERE folder = ? AND rule = ? AND file = ?", key.folder, key.rule, key.file)
      }
    }
    for (key, value) in found {
      try transaction.execute(
        "INSERT OR REPLACE INTO left_out (folder, rule, file, count, names) VALUES (?, ?, ?, ?, ?)", key.folder,
        key.rule, key.file, value.count, value.names)
    }
  }

  /// Returns true if there were folders of which no names are kept.
  private static func areOthersCounted(_ transaction: Transaction) throws -> Bool {
    try transaction.value("SELECT count(*) > 0 FROM left_out WHERE folder = x''") ?? false
  }

  /// Returns the rows that a scan may replace: all, or those of the folders that it visited.
  private static func stored(_ scan: ScanResult, _ transaction: Transaction) throws -> [(Key, Value)] {
    let columns = "SELECT folder, rule, file, count, names FROM left_out"
    func make(_ row: borrowing Row) throws -> (Key, Value) {
      (
        Key(folder: try row.value(0), rule: try row.value(1), file: try row.value(2)),
        Value(count: try row.value(3), names: try row.value(4))
      )
    }
    guard scan.isPartial else { return try transaction.rows(columns, as: make) }
    let visited = try scan.leftOut.folders.keys.flatMap {
      try transaction.rows("\(columns) WHERE folder = ?", $0.bytes, as: make)
    }
    let gone = try scan.leftOut.gone.flatMap { folder in
      let (inside, end) = FilePath.range(below: folder)
      return try transaction.rows(
        "\(columns) WHERE folder = ? OR (folder >= ? AND folder < ?)", folder, inside, end, as: make)
    }
    return visited + gone
  }

  private static func key(_ one: LeftOut, of folder: [UInt8]) -> Key {
    switch one.rule {
    case .noMusic: Key(folder: folder, rule: 0, file: [])
    case .hidden: Key(folder: folder, rule: 1, file: [])
    case .system: Key(folder: folder, rule: 2, file: [])
    case .ignoreFile(let file): Key(folder: folder, rule: 3, file: file)
    }
  }

  private static func rule(_ number: Int, _ file: [UInt8]) -> LeftOut.Rule {
    switch number {
    case 0: .noMusic
    case 1: .hidden
    case 2: .system
    default: .ignoreFile(file)
    }
  }

  /// Names hold no slash, so one separates them.
  private static func value(_ one: LeftOut) -> Value {
    Value(count: one.count, names: Array(one.names.joined(separator: [UInt8(ascii: "/")])))
  }
}

/// The list of files and folders that are not taken.
extension LeftOutRows {
  private static let isNoMusic = "rule = 0"

  /// Returns the numbers of files that are no music, and of files and folders that rules leave out.
  static func counts(_ transaction: ReadTransaction) throws -> (unused: Int, ignored: Int) {
    let counts = try transaction.row(
      "SELECT sum(iif(\(isNoMusic), count, 0)), sum(iif(\(isNoMusic), 0, count)) FROM left_out"
    ) { (unused: try $0.value(0) as Int? ?? 0, ignored: try $0.value(1) as Int? ?? 0) }
    return counts ?? (0, 0)
  }

  /// Returns the counts of the two kinds in a folder and below it, or of all folders.
  static func counts(in folder: [UInt8]?, _ transaction: ReadTransaction) throws -> [Library.ProblemCount] {
    let place = within(folder)
    return try transaction.rows(
      "SELECT \(isNoMusic), sum(count) FROM left_out WHERE \(place.condition) GROUP BY 1", values: place.values
    ) { row in
      let isUnused: Bool = try row.value(0)
      let code = isUnused ? ScanProblem.unusedCode : ScanProblem.ignoredCode
      return Library.ProblemCount(kind: Library.ProblemKind(code: code), code: code, count: try row.value(1))
    }
  }

  /// Returns the rows of a kind by folder, after so many others.
  static func problems(
    _ kind: Library.ProblemKind, in folder: [UInt8]?, after offset: Int, limit: Int, _ transaction: ReadTransaction
  ) throws -> [Library.Problem] {
    let place = within(folder)
    return try transaction.rows(
      """
      SELECT folder, rule, file, count, names FROM left_out
      WHERE \(kind == .unused ? isNoMusic : "rule > 0") AND \(place.condition)
      ORDER BY folder = x'', folder, rule, file LIMIT ? OFFSET ?
      """, values: place.values + [.integer(Int64(limit)), .integer(Int64(offset))]
    ) { row in
      let path: [UInt8] = try row.value(0)
      let names: [UInt8] = try row.value(4)
      var one = LeftOut(rule: rule(try row.value(1), try row.value(2)), count: try row.value(3))
      one.names = names.split(separator: UInt8(ascii: "/")).map(Array.init)
      return Library.Problem(
        kind: kind, source: MusicFolders.source, path: path.isEmpty ? nil : LocalPath(bytes: path),
        problem: ScanProblem.leftOut(one, of: path), count: one.count)
    }
  }

  private static func within(_ folder: [UInt8]?) -> (condition: String, values: [SQLValue]) {
    guard let folder else { return ("TRUE", []) }
    let (inside, end) = FilePath.range(below: folder)
    return ("(folder = ? OR (folder >= ? AND folder < ?))", [.blob(folder), .blob(inside), .blob(end)])
  }
}
