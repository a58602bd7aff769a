import Model
import System

/// The folders in which something changed, so that a refresh need not visit the others.
package struct ChangedFolders: Equatable, Sendable {
  /// The most folders that are worth a scan of their own.
  private static let most = 2000

  private var limit = Self.most
  /// True for a folder that changed with everything below it.
  package private(set) var folders: [PathKey: Bool] = [:]
  /// True if more may have changed than these folders, so that all have to be scanned.
  package private(set) var isUncertain = false

  /// Nothing is known yet.
  package static let unknown = ChangedFolders(isUncertain: true)

  package init(isUncertain: Bool = false) { self.isUncertain = isUncertain }

  /// These folders, however many they are.
  package init(_ folders: [[UInt8]]) {
    limit = .max
    for folder in folders { insert(folder) }
  }

  package mutating func insert(_ folder: [UInt8], withSubfolders: Bool = false) {
    guard !isUncertain else { return }
    folders[PathKey(folder), default: false] = folders[PathKey(folder)] ?? false || withSubfolders
    if folders.count > limit { self = .unknown }
  }

  /// The folders as paths, without those that lie in another one that changed with everything below it.
  package var paths: [(path: [UInt8], withSubfolders: Bool)] {
    let whole = folders.filter(\.value).keys
    if whole.isEmpty {
      return folders.keys.map { ($0.bytes, false) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }
    return folders.filter { folder, _ in
      !whole.contains { $0 != folder && FilePath.isWithin(folder.bytes, $0.bytes) }
    }.map { ($0.key.bytes, $0.value) }.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }
}
