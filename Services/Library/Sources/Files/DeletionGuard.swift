import Model

/// Keeps a lost disk from emptying the catalogue: which of the files that were not found may be deleted.
///
/// Nothing is deleted below a folder that could not be read, that is missing or without music although it is a music
/// folder, or that is on another device than before. Nor is anything where nothing at all was found, or where more than
/// a quarter of the tracks would go and at least five whole albums with them: then a person is asked.
struct DeletionGuard {
  static let largestShare = 4
  static let mostAlbums = 5

  /// Files that may be deleted.
  private(set) var deletable: [FileMatching.Vanished] = []
  /// How many tracks stay listed although they were not found.
  private(set) var held = 0
  /// What a person should know about it.
  private(set) var problems: [LunaraError] = []

  private let scan: ScanResult
  private let known: KnownFiles
  private let roots: [[UInt8]]

  /// Decides file by file. With `accepts` a person has agreed to all but what could not be read.
  init(_ vanished: [FileMatching.Vanished], scan: ScanResult, known: KnownFiles, roots: [[UInt8]], accepts: Bool) {
    self.scan = scan
    self.known = known
    self.roots = roots
    var elsewhere: [[UInt8]: Int] = [:]
    var emptyRoots: Set<[UInt8]> = []
    for file in vanished {
      if scan.unreadable.contains(where: { FilePath.isWithin(file.folder, $0) }) {
        held += 1
      } else if accepts {
        deletable.append(file)
      } else if let root = roots.first(where: { FilePath.isWithin(file.folder, $0) }), !scan.roots.contains(root) {
        // A missing one was named by the scan itself.
        if scan.devices[PathKey(root)] != nil { emptyRoots.insert(root) }
        held += 1
      } else if let folder = otherDevice(file.folder) {
        elsewhere[folder, default: 0] += 1
        held += 1
      } else {
        deletable.append(file)
      }
    }
    for root in roots where scan.devices[PathKey(root)] != nil && !scan.roots.contains(root) {
      problems.append(ScanProblem.empty(root, hadMusic: emptyRoots.contains(root)))
    }
    for (folder, count) in elsewhere.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      problems.append(ScanProblem.elsewhere(tracks: count, folder: folder))
    }
  }

  /// The nearest folder above that is there, where it is on another device than the file was.
  private func otherDevice(_ folder: [UInt8]) -> [UInt8]? {
    guard let before = known.folder(folder)?.device else { return nil }
    var above: [UInt8]? = folder
    while let path = above {
      if let now = scan.devices[PathKey(path)] { return now == before ? nil : path }
      above = FilePath.parent(path)
    }
    return nil
  }

  /// Takes files out that were found under other names after all.
  mutating func spare(_ files: Set<Int64>) { deletable.removeAll { files.contains($0.file.id) } }

  /// Holds everything back where too much would go.
  mutating func weigh(known count: Int, found: Int, albums: () throws -> Int) rethrows {
    let tracks = deletable.count { $0.file.track != nil }
    guard tracks > 0 else { return }
    let isMuch = tracks * Self.largestShare > count
    let lost = isMuch || found == 0 ? try albums() : 0
    guard found == 0 || (isMuch && lost >= Self.mostAlbums) else { return }
    problems.append(ScanProblem.held(tracks: tracks, albums: lost))
    held += deletable.count
    deletable = []
  }
}
