import Model
import Records
import Synchronization
import System

/// Lists all music folders, and finds those in which something changed since the last scan by a digest of each folder.
/// Files are not opened, and what is known of them is not read.
final class FolderWalk: Sendable {
  struct Result: Sendable {
    /// The folders to visit, as they are new or changed.
    var changed: [ScanQueue.Folder] = []
    /// The rows of the stored folders that were found, while the walk continues.
    fileprivate var found: Set<Int64> = []
    /// The rows of the folders that were stored when the walk began and were not found.
    var missing: Set<Int64> = []
    /// The findings that concern all folders.
    var scan = ScanResult()
  }

  private struct WalkState {
    var result = Result()
    /// The paths of the folders that were listed.
    var visited: [Place: [UInt8]] = [:]
    var keptEntries = 0
    var rootsWithMusic: Set<PathKey> = []
  }

  private struct Place: Hashable {
    var device: Int64
    var inode: Int64
  }

  /// The most files whose listings are kept for the scan. The folders of others are listed again.
  private static let mostKept = 20_000

  private let roots: [[UInt8]]
  private let boundary: FolderBoundary
  private let stored: StoredFolders
  private let progress: RefreshProgress
  private let queue: ScanQueue
  /// The portions to which new folders go while the walk continues; nil if they are collected.
  private let portions: FolderPortions?
  private let timed: Set<Int64>
  private let requests: FolderRequests
  private let found = Mutex(WalkState())

  /// - Parameters:
  ///   - timed: the devices whose folders' times are noted.
  ///   - requests: the way in which folders are read; nil to wait for each of them for ever.
  init(
    _ roots: [[UInt8]], within boundary: FolderBoundary, _ stored: StoredFolders, into portions: FolderPortions? = nil,
    timed: Set<Int64> = [], by requests: FolderRequests? = nil, progress: RefreshProgress
  ) {
    self.timed = timed
    self.requests = requests ?? .patient(in: roots)
    self.boundary = boundary
    self.roots = roots
    self.stored = stored
    self.portions = portions
    self.progress = progress
    queue = ScanQueue(roots.map { ScanQueue.Folder(path: $0) }) { [requests = self.requests] folder in
      requests.isDistant(folder.path)
    }
  }

  /// The number of further threads that list folders where a request takes long.
  private static let distantThreads = 12

  func run(threads: Int) async -> Result {
    async let distant: Void = listDistant()
    await BlockingThreads.run(threads, nice: BlockingThreads.niceOfScans, until: requests.abandonment) { [self] in
      while let work = queue.next() { list(work) }
    }
    await distant
    let isComplete = !progress.isStopped && !requests.isAbandoned
    if isComplete { progress.allListed() } else { queue.stop() }
    portions?.end()
    return found.withLock { found in
      var result = found.result
      result.scan.roots = roots.filter { found.rootsWithMusic.contains(PathKey($0)) }
      result.scan.isComplete = isComplete
      result.scan.problems += requests.silent.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
        .map { ScanProblem.silentFolder($0.key.bytes, since: $0.value) }
      result.scan.problems += requests.slow.map { ScanProblem.slowFolder($0.folder, latency: $0.latency) }
      result.missing = Set(stored.rows.values.lazy.map(\.id).filter { [found] in !found.result.found.contains($0) })
      result.found = []
      found = WalkState()
      return result
    }
  }

  private func listDistant() async {
    guard requests.hasDistant else { return }
    await BlockingThreads.run(
      Self.distantThreads, nice: BlockingThreads.niceOfScans, until: requests.abandonment
    ) { [self] in
      while let work = queue.next(onlyDistant: true) { list(work) }
    }
  }

  private func list(_ work: ScanQueue.Work) {
    if case .folder(let folder) = work { list(folder) }
    if progress.isStopped || requests.isAbandoned { queue.stop() }
  }

  private func list(_ folder: ScanQueue.Folder) {
    let path = folder.path
    if requests.isSilent(path) {
      found.withLock { $0.result.scan.unreadable.append(path) }
      return queue.listed(subfolders: [], links: [], batches: [])
    }
    do throws(Errno) {
      let listing = try read(folder)
      // The next scan reads what came after this one was abandoned.
      if requests.isAbandoned { return }
      if let listing { return add(listing, of: folder) }
    } catch {
      let (isMissing, isRoot) = (error == .noSuchFileOrDirectory, roots.contains(path))
      found.withLock {
        // The folder above has just named it: it was removed, or the share was unmounted. The next scan decides.
        if !isMissing || !isRoot { $0.result.scan.unreadable.append(path) }
        if !isMissing || isRoot { $0.result.scan.problems.append(ScanProblem.folder(path, error, isRoot: isRoot)) }
      }
    }
    queue.listed(subfolders: [], links: [], batches: [])
  }

  /// Reads a folder; nil if it was read by another path before.
  private func read(_ folder: ScanQueue.Folder) throws(Errno) -> FolderListing? {
    try requests.visit(folder.path) { visit throws(Errno) in
      try FolderListing(
        folder.path, rules: folder.rules, within: boundary, width: requests.width(of: folder.path),
        stamp: requests.stamp, answered: visit.answered
      ) { device, inode in
        found.withLock { found in
          let place = Place(device: device, inode: inode)
          if let other = found.visited[place] {
            found.result.scan.links.add(folder: folder.path, at: other)
            return false
          }
          found.visited[place] = folder.path
          return true
        }
      }
    }
  }

  private func add(_ listing: FolderListing, of folder: ScanQueue.Folder) {
    let path = folder.path
    let row = stored[path]
    let digest = listing.digest
    let isSame = row.map { $0.digest == digest && digest != 0 } ?? listing.isBare
    let files = listing.audio.count
    progress.add(found: files)
    if isSame { progress.add(done: files) }
    found.withLock { found in
      found.result.scan.devices[PathKey(path)] = listing.device
      if timed.contains(listing.device) { found.result.scan.times[PathKey(path)] = listing.time }
      found.result.scan.add(problemsOf: listing, at: path)
      found.result.scan.leftOut.add(listing.leftOut, of: path)
      if let row { found.result.found.insert(row.id) }
      if files > 0, let root = roots.first(where: { FilePath.isWithin(path, $0) }) {
        found.rootsWithMusic.insert(PathKey(root))
      }
      // Only all folders together tell whether the target of a link is found by another name, too.
      guard !isSame, portions == nil || listing.audio.contains(where: \.isLink) else { return }
      var visit = ScanQueue.Folder(path: path, rules: folder.rules, isRecursive: false)
      if found.keptEntries + files <= Self.mostKept {
        found.keptEntries += files
        visit.listing = listing
      }
      found.result.changed.append(visit)
    }
    if let portions, !isSame, !listing.audio.contains(where: \.isLink) {
      portions.add(ScanQueue.Folder(path: path, rules: folder.rules, isRecursive: false, listing: listing))
    }
    queue.listed(
      subfolders: listing.subfolders.map { ScanQueue.Folder(path: FilePath.join(path, $0), rules: listing.rules) },
      links: listing.links.map { ScanQueue.Folder(path: FilePath.join(path, $0), rules: listing.rules) }, batches: [])
  }
}

extension ScanResult {
  /// Adds the ignore files that could not be read, and the entries of which the disk did not say what they are.
  mutating func add(problemsOf listing: FolderListing, at folder: [UInt8]) {
    problems += listing.unreadIgnoreFiles.map { file, error in
      ScanProblem.ignoreFile(FilePath.join(folder, Array(file.rawValue.utf8)), error, limit: IgnoreFile.largestSize)
    }
    for (name, error) in listing.unseen {
      let path = FilePath.join(folder, name)
      unreadable.append(path)
      problems.append(ScanProblem.file(path, .unreadable(error)))
    }
  }

  /// Adds the list files that could not be read.
  mutating func add(unreadListsOf folder: ScannedFolder) {
    for list in folder.lists ?? [] {
      guard let error = list.failure else { continue }
      let path = FilePath.join(folder.path, list.name)
      unreadable.append(path)
      problems.append(ScanProblem.file(path, .unreadable(error)))
    }
  }
}
