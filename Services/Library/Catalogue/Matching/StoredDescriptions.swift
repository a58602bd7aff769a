import Messages
package import ServiceKit

/// Decodes descriptions of tracks that are stored as JSON. Leaves out and logs those that cannot be decoded, so that
/// the others are still linked.
package struct StoredDescriptions {
  /// The rows that have the descriptions, in the plural, for the log.
  let kind: String
  let log: Log

  package init(kind: String, log: Log) {
    self.kind = kind
    self.log = log
  }

  /// Returns the descriptions that can be decoded, with the ids of their rows. Logs the number of the others, and the
  /// error of the first.
  package func decode<Value: Decodable>(
    _ type: Value.Type, of rows: [(id: Int64, body: String)]
  ) -> [(id: Int64, value: Value)] {
    var problems: [(row: Int64, error: any Error)] = []
    let values = rows.compactMap { row -> (id: Int64, value: Value)? in
      do { return (row.id, try MessageCoding.decode(type, from: row.body.utf8)) } catch {
        problems.append((row.id, error))
        return nil
      }
    }
    if let first = problems.first {
      log.warning(
        "The descriptions of \(problems.count) \(kind) cannot be read; they stay without tracks.",
        ["row": "\(first.row)", "cause": "\(first.error)"])
    }
    return values
  }
}
