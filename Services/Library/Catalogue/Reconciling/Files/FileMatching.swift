import Model
import Records
import Storage
import Text

/// Matches the files that a scan found with stored ones. A pure function of the scan and of what is stored.
struct FileMatching {
  /// A found file that must be written, because it is new, changed or moved.
  struct ChangedFile: Sendable {
    /// The index of its folder in the scan, and its own index in the folder.
    var folder: Int
    var file: Int
    /// The stored file that it replaces; nil for a new one.
    var known: KnownFiles.File?
  }

  struct MissingFile: Hashable, Sendable {
    var file: KnownFiles.File
    var folder: [UInt8]
    var name: [UInt8]
  }

  private(set) var seen: Set<Int64> = []
  private(set) var written: [ChangedFile] = []
  private(set) var vanished: [MissingFile] = []
  /// The number of files with a track that are as they were.
  private(set) var unchanged = 0

  init(_ scan: ScanResult, _ known: KnownFiles) {
    let moved = Set(
      scan.folders.lazy.flatMap(\.files).compactMap { file -> Int64? in
        if case .moved(let before) = file.finding { before.id } else { nil }
      })
    for (folderIndex, folder) in scan.folders.enumerated() {
      let knownFolder = known.folder(folder.path)
      for (fileIndex, file) in folder.files.enumerated() {
        var before: KnownFiles.File?
        switch file.finding {
        case .same(let known):
          seen.insert(known.id)
          unchanged += known.trackCount
          continue
        case .moved(let known): before = known
        case .read, .failed:
          // A file at the path of one that has moved is a new file.
          before = knownFolder?.files[PathKey(file.name)].flatMap { moved.contains($0.id) ? nil : $0 }
        }
        if let before { seen.insert(before.id) }
        written.append(ChangedFile(folder: folderIndex, file: fileIndex, known: before))
      }
    }
    for folder in known.folders.values.sorted(by: { $0.id < $1.id }) where folder.isVisited {
      for (name, file) in folder.files.sorted(by: { $0.value.id < $1.value.id }) where !seen.contains(file.id) {
        vanished.append(MissingFile(file: file, folder: folder.path, name: name.bytes))
      }
    }
  }

  /// Records that new files, by their indexes in `written`, are stored ones that had vanished.
  mutating func relink(_ links: [Int: KnownFiles.File]) {
    for (index, file) in links {
      written[index].known = file
      seen.insert(file.id)
    }
    let found = Set(links.values.map(\.id))
    vanished.removeAll { found.contains($0.file.id) }
  }
}

/// Decides which of the files that were not found may be deleted, so that a disk that is missing does not empty the
/// catalogue.
///
/// Nothing is deleted that could not be read or lies in a folder that could not, in a music folder that is missing or
/// without music, or in a folder that is on another device than before. A person has to agree where no file was found
/// at all, or where more than a quarter of the tracks would be deleted and at least five whole albums among them.
struct DeletionGuard {
  static let shareDivisor = 4
  static let mostAlbums = 5

  private(set) var deletable: [FileMatching.MissingFile] = []
  /// The number of tracks that stay listed although they were not found.
  private(set) var held = 0
  private(set) var problems: [LunaraError] = []

  /// Files that were held and are deleted after all, as their tracks return at once. They need no agreement.
  private var givenUp: [FileMatching.MissingFile] = []

  private let scan: ScanResult
  private let known: KnownFiles

  /// Decides file by file. If `accepts`, a person has agreed, and only what could not be read is kept.
  init(_ vanished: [FileMatching.MissingFile], scan: ScanResult, known: KnownFiles, roots: [[UInt8]], accepts: Bool) {
    self.scan = scan
    self.known = known
    var elsewhere: [[UInt8]: Int] = [:]
    var emptyRoots: Set<[UInt8]> = []
    let unseen = UnseenPaths(scan.unreadable)
    for file in vanished {
      let path = FilePath.join(file.folder, file.name)
      if unseen.cover(path) {
        held += 1
      } else if accepts {
        deletable.append(file)
      } else if let root = roots.first(where: { FilePath.isWithin(file.folder, $0) }), !scan.roots.contains(root) {
        // A root without a device is missing, which the scan itself has reported.
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
      problems.append(ScanProblem.otherDisk(tracks: count, folder: folder))
    }
  }

  /// Returns the folder, or its nearest parent that exists, if that is on another device than the folder was before.
  private func otherDevice(_ folder: [UInt8]) -> [UInt8]? {
    guard let before = known.folder(folder)?.device else { return nil }
    var above: [UInt8]? = folder
    while let path = above {
      if let now = scan.devices[PathKey(path)] { return now == before ? nil : path }
      above = FilePath.parent(path)
    }
    return nil
  }

  /// Removes files from the deletable ones, as they were found under other names.
  mutating func keep(_ files: Set<Int64>) { deletable.removeAll { files.contains($0.file.id) } }

  /// Counts files no longer as held, as they were found elsewhere.
  mutating func release(_ count: Int) { held -= count }

  /// Has a file that was held deleted.
  mutating func giveUp(_ file: FileMatching.MissingFile) {
    held -= 1
    givenUp.append(file)
  }

  /// All files to delete.
  var deletions: [FileMatching.MissingFile] { deletable + givenUp }

  /// Returns the number of albums all of whose tracks are among these.
  static func wholeAlbums(among tracks: [Int64], _ transaction: ReadTransaction) throws -> Int {
    let albums = try tracks.compactMap { track in
      try transaction.row("SELECT album FROM tracks WHERE id = ?", track) { try $0.value(0) as Int64 }
    }
    let lost = Dictionary(albums.map { ($0, 1) }, uniquingKeysWith: +)
    return try lost.count { album, count in
      let all: Int? = try transaction.row("SELECT count(*) FROM tracks WHERE album = ?", album) { try $0.value(0) }
      return all == count
    }
  }

  /// Deletes nothing at all if so much would be deleted that a person has to agree.
  mutating func holdBackIfTooMany(known count: Int, found: Int, albums: () throws -> Int) rethrows {
    let tracks = deletable.reduce(0) { $0 + $1.file.trackCount }
    guard let problem = try Self.problem(losing: tracks, of: count, isAll: found == 0, albums) else { return }
    problems.append(problem)
    held += deletable.count
    deletable = []
  }

  /// Returns the problem that asks a person to agree to the deletion of tracks; nil if nobody has to.
  static func problem(
    losing tracks: Int, of count: Int, isAll: Bool, _ albums: () throws -> Int
  ) rethrows -> LunaraError? {
    let isMuch = tracks * shareDivisor > count
    guard tracks > 0, isMuch || isAll else { return nil }
    let lost = try albums()
    return isAll || lost >= mostAlbums ? ScanProblem.held(tracks: tracks, albums: lost) : nil
  }
}
