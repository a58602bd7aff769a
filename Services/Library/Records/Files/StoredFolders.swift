import Model
import System

/// The stored folders, by a hash of their path.
package struct StoredFolders: Sendable {
  package struct Row: Sendable {  // memberwise
    package var id: Int64
    /// The digest of the listing; 0 if the folder has to be visited whatever is in it.
    package var digest: Int64
  }

  package private(set) var rows: [UInt64: Row] = [:]

  package init() {}

  package mutating func insert(_ path: [UInt8], _ row: Row) { rows[FNV1a.hash(path)] = row }

  package mutating func revisit(_ folders: Set<Int64>) {
    guard !folders.isEmpty else { return }
    for (path, row) in rows where folders.contains(row.id) { rows[path]?.digest = 0 }
  }

  package subscript(_ path: [UInt8]) -> Row? { rows[FNV1a.hash(path)] }
}
