import Messages
import Model
import Storage

/// Which staged records of a kind are new and which are different from their rows.
struct StagedChanges {
  /// The server's ids of records without a row, shorter ones first.
  private(set) var new: [String] = []
  /// Records whose rows are different, with the rows' numbers.
  private(set) var changed: [(native: String, row: Int64)] = []
  /// Rows whose ids name other things now: a library was built anew and counts from the beginning.
  private(set) var displaced: [Int64] = []

  private static func rows(_ kind: StagingTable.Kind) -> String {
    switch kind {
    case .album: "albums t ON t.source = s.source AND t.key = s.native"
    default: "tracks t ON t.source = s.source AND t.native = s.native"
    }
  }

  init(of kind: StagingTable.Kind, _ reconciliation: ServerReconciliation) throws {
    var (new, changed): ([String], [(native: String, row: Int64)]) = ([], [])
    _ = try reconciliation.transaction.rows(
      """
      SELECT s.native, s.body, t.id, t.digest FROM staged s LEFT JOIN \(Self.rows(kind))
      WHERE s.source = ? AND s.kind = ?
      """, reconciliation.source, kind.rawValue
    ) { row in
      guard let number = try row.value(2) as Int64? else {
        new.append(try row.value(0))
        return
      }
      if try row.value(3) as Int64? != contentHash(of: try row.value(1) as [UInt8]) {
        changed.append((try row.value(0), number))
      }
    }
    try reconciliation.checkStop()
    self.changed = changed
    if kind == .track {
      self.changed = []
      for (native, row) in changed {
        if try reconciliation.isSame(native, row) {
          self.changed.append((native, row))
        } else {
          new.append(native)
          displaced.append(row)
        }
      }
    }
    self.new = new.sorted(by: Self.isBefore)
  }

  /// Takes records that were found to be known rows for changed ones.
  mutating func take(_ links: [String: Int64]) {
    changed += new.compactMap { native in links[native].map { (native, $0) } }
    new.removeAll { links[$0] != nil }
  }

  /// Shorter ids first: numbers in their order.
  static func isBefore(_ left: String, _ right: String) -> Bool {
    (left.utf8.count, left) < (right.utf8.count, right)
  }
}

extension ServerReconciliation {
  /// A staged record.
  func record<Record: Decodable>(_ type: Record.Type, _ kind: StagingTable.Kind, _ native: String) throws -> (
    record: Record, digest: Int64
  )? {
    let body = try transaction.row(
      "SELECT body FROM staged WHERE source = ? AND kind = ? AND native = ?", source, kind.rawValue, native
    ) { try $0.value(0) as [UInt8] }
    guard let body else { return nil }
    return (try MessageCoding.decode(type, from: body), contentHash(of: body))
  }
}
