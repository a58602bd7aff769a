import Text

/// The files and folders in one folder that are not taken for one reason, counted, with the first names.
package struct LeftOut: Hashable, Sendable {  // memberwise
  package enum Rule: Hashable, Sendable {
    /// The file is no music, and nothing else that the library uses.
    case noMusic
    /// The name begins with a dot.
    case hidden
    /// The name is one that systems and servers keep for themselves.
    case system
    /// The ignore file with this path leaves it out.
    case ignoreFile([UInt8])
  }

  /// The most names that are kept.
  static let namesLimit = 5

  package var rule: Rule
  package var count = 0
  /// The first names in the order of their bytes.
  package var names: [[UInt8]] = []

  mutating func add(_ name: [UInt8]) {
    count += 1
    if names.count == Self.namesLimit, let last = names.last {
      guard name.lexicographicallyPrecedes(last) else { return }
      names.removeLast()
    }
    names.insert(name, at: names.firstIndex { name.lexicographicallyPrecedes($0) } ?? names.count)
  }
}

extension [LeftOut] {
  /// Counts a file or folder.
  package mutating func add(_ name: [UInt8], by rule: LeftOut.Rule) {
    let index = firstIndex { $0.rule == rule } ?? endIndex
    if index == endIndex { append(LeftOut(rule: rule)) }
    self[index].add(name)
  }
}

/// The files and folders that a scan left out. So that the memory does not grow with the library, names are kept of
/// some folders only; of others all is counted together.
package struct LeftOutFolders: Sendable {
  /// The most folders of which names are kept.
  static let foldersLimit = 2000

  /// The counts and names by folder; empty for a folder that was visited and leaves out nothing.
  package private(set) var folders: [PathKey: [LeftOut]] = [:]
  /// The folders that are gone, with all below them.
  package private(set) var gone: [[UInt8]] = []
  /// The counts of the other folders, without names.
  package private(set) var others: [LeftOut] = []

  /// Notes what was left out in a folder.
  ///
  /// - Parameter isUpdate: true if nothing should be noted, too, as something may be stored.
  package mutating func add(_ leftOut: [LeftOut], of folder: [UInt8], isUpdate: Bool = false) {
    guard isUpdate || !leftOut.isEmpty else { return }
    if folders.count < Self.foldersLimit {
      folders[PathKey(folder)] = leftOut
      return
    }
    for one in leftOut {
      let rule: LeftOut.Rule = one.rule == .noMusic ? .noMusic : .hidden
      let index = others.firstIndex { $0.rule == rule } ?? others.endIndex
      if index == others.endIndex { others.append(LeftOut(rule: rule)) }
      others[index].count += one.count
    }
  }

  package mutating func remove(_ folder: [UInt8]) { gone.append(folder) }
}
