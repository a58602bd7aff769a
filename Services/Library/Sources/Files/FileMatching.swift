/// Which of the files that a scan found are known ones. A pure function of the scan and of what the store knows.
struct FileMatching {
  /// A found file that is written: it is new, was changed, or lies elsewhere.
  struct Written: Sendable {
    /// Its folder's and its own place in the scan.
    var folder: Int
    var file: Int
    /// The known file that it is; nil for a new one.
    var known: KnownFiles.File?
  }

  /// A known file that was not found.
  struct Vanished: Hashable, Sendable {
    var file: KnownFiles.File
    var folder: [UInt8]
  }

  /// Known files that were found, in whatever state.
  private(set) var seen: Set<Int64> = []
  /// Files that are written.
  private(set) var written: [Written] = []
  /// Known files that were not found, by folder.
  private(set) var vanished: [Vanished] = []
  /// How many files with a track are as they were.
  private(set) var unchanged = 0

  init(_ scan: ScanResult, _ known: KnownFiles) {
    var moved: Set<Int64> = []
    for folder in scan.folders {
      for file in folder.files { if case .moved(let before) = file.finding { moved.insert(before.id) } }
    }
    for (folderIndex, folder) in scan.folders.enumerated() {
      let knownFolder = known.folder(folder.path)
      for (fileIndex, file) in folder.files.enumerated() {
        var before: KnownFiles.File?
        switch file.finding {
        case .same(let known):
          seen.insert(known.id)
          if known.track != nil { unchanged += 1 }
          continue
        case .moved(let known): before = known
        case .read, .failed:
          // Another file in the place of one that has moved is a new one.
          before = knownFolder?.files[PathKey(file.name)].flatMap { moved.contains($0.id) ? nil : $0 }
        }
        if let before { seen.insert(before.id) }
        written.append(Written(folder: folderIndex, file: fileIndex, known: before))
      }
    }
    for folder in known.folders.values.sorted(by: { $0.id < $1.id }) {
      for file in folder.files.values.sorted(by: { $0.id < $1.id }) where !seen.contains(file.id) {
        vanished.append(Vanished(file: file, folder: folder.path))
      }
    }
  }

  /// Notes that new files, by their places in `written`, are known ones that had vanished.
  mutating func relink(_ links: [Int: KnownFiles.File]) {
    for (index, file) in links {
      written[index].known = file
      seen.insert(file.id)
    }
    let found = Set(links.values.map(\.id))
    vanished.removeAll { found.contains($0.file.id) }
  }
}
