import Model
import System

/// The folders in which something changed, so that a refresh need not visit the others.
struct ChangedFolders: Equatable, Sendable {
  /// The most folders that are worth a scan of their own.
  private static let most = 2000

  private var limit = Self.most
  /// True for a folder that changed with everything below it.
  private(set) var folders: [PathKey: Bool] = [:]
  /// True if more may have changed than these folders, so that all have to be scanned.
  private(set) var isUncertain = false

  /// Nothing is known yet.
  static let unknown = ChangedFolders(isUncertain: true)

  init(isUncertain: Bool = false) { self.isUncertain = isUncertain }

  /// These folders, however many they are.
  init(_ folders: [[UInt8]]) {
    limit = .max
    for folder in folders { insert(folder) }
  }

  mutating func insert(_ folder: [UInt8], withSubfolders: Bool = false) {
    guard !isUncertain else { return }
    folders[PathKey(folder), default: false] = folders[PathKey(folder)] ?? false || withSubfolders
    if folders.count > limit { self = .unknown }
  }

  /// The folders as paths, without those that lie in another one that changed with everything below it.
  var paths: [(path: [UInt8], withSubfolders: Bool)] {
    let whole = folders.filter(\.value).keys
    if whole.isEmpty {
      return folders.keys.map { ($0.bytes, false) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }
    return folders.filter { folder, _ in
      !whole.contains { $0 != folder && FilePath.isWithin(folder.bytes, $0.bytes) }
    }.map { ($0.key.bytes, $0.value) }.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Returns the folders to visit, with the rules of the ignore files above them. Folders that these leave out, and
  /// those outside the music folders, are not among them. Reads the ignore files.
  func visits(in roots: [[UInt8]], within boundary: FolderBoundary) -> [ScanQueue.Folder] {
    paths.compactMap { path, withSubfolders in
      guard let root = roots.first(where: { FilePath.isWithin(path, $0) }) else { return nil }
      var rules: IgnoreRules?
      var above = root
      for name in path.dropFirst(root.count).split(separator: UInt8(ascii: "/")).map(Array.init) {
        rules = IgnoreRules.read(of: above, below: rules, within: boundary)
        if rules?.ignores(name, in: above, isFolder: true) == true { return nil }
        above = FilePath.join(above, name)
      }
      return ScanQueue.Folder(path: path, rules: rules, isRecursive: withSubfolders)
    }
  }
}

extension IgnoreRules {
  /// Returns the rules for a folder: those of the folders above, and those of its own ignore files. A file that cannot
  /// be read has none, as in a scan, which reports it.
  fileprivate static func read(
    of folder: [UInt8], below rules: IgnoreRules?, within boundary: FolderBoundary
  ) -> IgnoreRules? {
    var rules = rules
    for file in IgnoreFile.allCases {
      do throws(TextFailure) {
        let text = try file.read(of: folder, within: boundary)
        rules = rules ?? IgnoreRules()
        rules?.add(file, text, of: folder)
      } catch {
        continue
      }
    }
    return rules
  }
}

/// Thrown where a scan of changed folders would delete what only a scan of all folders can judge.
struct UncertainScan: Error {}
