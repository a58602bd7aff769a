import Glibc
import Messages
import Model
import MusicTags
import Records
import Synchronization
import System

/// A visit of the folders in which something changed, which reads the tags of their new and changed files.
final class FolderScan: Sendable {
  private struct VisitState {
    var result = ScanResult()
    var visited: Set<Place> = []
    /// The stored files for which a moved file was found: only one of two new names for a file counts as the move.
    var claimed: Set<Int64> = []
    /// Folders with files that were not read, as their disk does not answer.
    var silent: Set<PathKey> = []
    /// The CUE sheets of folders that have some, by the index of the folder.
    var sheets: [Int: CueFolder] = [:]
    /// The error that ended the scan.
    var failure: LunaraError?
  }

  private struct Place: Hashable {
    var device: Int64
    var inode: Int64
  }

  private static let batchSize = TagReading.fileLimit

  private let roots: [[UInt8]]
  private let boundary: FolderBoundary
  /// The reason why some folders are visited.
  enum Cause: Sendable {
    /// The kernel reported changes in them.
    case report
    /// A walk of all folders found them; with its findings.
    case walk(ScanResult)
    /// They are a portion of new folders, while a walk continues.
    case portion
  }

  private let isPartial: Bool
  private let isReported: Bool
  private let timed: Set<Int64>
  private let requests: FolderRequests
  private let known: KnownFiles
  private let rules: TagRules
  private let tagReaders: TagReaders
  private let progress: RefreshProgress
  private let queue: ScanQueue
  private let found = Mutex(VisitState())

  /// - Parameters:
  ///   - roots: the music folders.
  ///   - boundary: decides which texts beside the music are read.
  ///   - folders: the folders to visit.
  ///   - cause: the reason to visit these.
  ///   - timed: the devices whose folders' times are noted.
  ///   - requests: the way in which folders are read.
  init(
    roots: [[UInt8]], within boundary: FolderBoundary, visiting folders: [ScanQueue.Folder], for cause: Cause,
    timed: Set<Int64> = [], by requests: FolderRequests, known: KnownFiles, rules: TagRules, tagReaders: TagReaders,
    progress: RefreshProgress
  ) {
    self.timed = timed
    self.requests = requests
    self.roots = roots
    self.known = known
    self.rules = rules
    self.tagReaders = tagReaders
    self.progress = progress
    self.boundary = boundary
    queue = ScanQueue(folders)
    if case .report = cause { isReported = true } else { isReported = false }
    if case .walk(let walk) = cause {
      isPartial = false
      found.withLock { $0.result = walk }
    } else {
      isPartial = true
    }
  }

  /// Visits the folders. Throws `library.noTagReader`.
  func run(threads: Int) async throws -> ScanResult {
    await BlockingThreads.run(threads, nice: BlockingThreads.niceOfScans, until: requests.abandonment) { [self] in
      work()
    }
    if requests.isAbandoned { queue.stop() }
    return try found.withLock { found in
      if let failure = found.failure { throw failure }
      var result = found.result
      let silent = found.silent.map(\.bytes)
      found = VisitState()
      result.isComplete = !progress.isStopped && !requests.isAbandoned
      // Folders without music and pictures are left out, except stored ones: those have lost their files.
      result.folders.removeAll { $0.isBare && known.folder($0.path) == nil }
      result.folders.sort { $0.path.lexicographicallyPrecedes($1.path) }
      for index in result.folders.indices {
        result.folders[index].files.sort { $0.name.lexicographicallyPrecedes($1.name) }
        result.folders[index].keepOneProblemOfEachSheet()
        if result.folders[index].files.contains(where: \.isToBeReadAgain) { result.folders[index].digest = 0 }
      }
      let silentRoots = roots.filter { root in silent.contains { FilePath.isWithin($0, root) } }
      result.unreadable += silent
      result.problems += silentRoots.map(ScanProblem.silentDisk)
      for (index, folder) in result.folders.enumerated() where silent.contains(folder.path) {
        result.folders[index].digest = 0
      }
      result.isPartial = isPartial
      if isPartial { result.roots = roots }
      return result
    }
  }

  private func work() {
    do throws(LunaraError) {
      while let work = queue.next() {
        switch work {
        case .folder(let folder): requests.visit(folder.path) { list(folder, $0) }
        case .files(let batch): try read(batch)
        }
        if isReported, queue.isListed { progress.allListed() }
        if progress.isStopped || requests.isAbandoned { queue.stop() }
      }
    } catch {
      found.withLock { $0.failure = error }
      queue.stop()
    }
  }

  private func list(_ folder: ScanQueue.Folder, _ visit: SilentFolders.Visit) {
    let path = folder.path
    if requests.isSilent(path) {
      found.withLock { $0.result.unreadable.append(path) }
      return queue.listed(subfolders: [], links: [], batches: [])
    }
    do throws(Errno) {
      if let listing = folder.listing { return try add(listing, of: folder, visit) }
      let listing = try FolderListing(
        path, rules: folder.rules, within: boundary, width: requests.width(of: path), stamp: requests.stamp,
        answered: visit.answered
      ) { device, inode in
        found.withLock { $0.visited.insert(Place(device: device, inode: inode)).inserted }
      }
      if requests.isAbandoned { return }
      if let listing { return try add(listing, of: folder, visit) }
    } catch {
      if isReported {
        recordMissing(path, error)
      } else {
        // It was there when all folders were listed: the next scan decides.
        found.withLock {
          $0.result.unreadable.append(path)
          if error != .noSuchFileOrDirectory {
            $0.result.problems.append(ScanProblem.folder(path, error, isRoot: false))
          }
        }
      }
    }
    queue.listed(subfolders: [], links: [], batches: [])
  }

  /// Notes the device of the nearest folder above one that was removed. Any other error than a missing folder is left
  /// to a scan of all folders, as is a missing music folder.
  private func recordMissing(_ folder: [UInt8], _ error: Errno) {
    var above = FilePath.parent(folder)
    while let path = above, !roots.contains(folder), error == .noSuchFileOrDirectory {
      do throws(Errno) {
        let device = Int64(bitPattern: try FileStatus(LocalPath(bytes: path), followingLinks: true).device)
        return found.withLock {
          $0.result.devices[PathKey(path)] = device
          $0.result.leftOut.remove(folder)
        }
      } catch {
        above = roots.contains(path) ? nil : FilePath.parent(path)
      }
    }
    found.withLock { $0.result.isUncertain = true }
  }

  private func add(
    _ listing: FolderListing, of visited: ScanQueue.Folder, _ visit: SilentFolders.Visit
  ) throws(Errno) {
    let path = visited.path
    let stored = known.folder(path)
    let before = stored?.files
    let hadSheets = stored.map { $0.sheets != 0 } ?? false || before?.values.contains { $0.segments > 0 } == true
    var listing = listing
    if let error = listing.errorOfSheets {
      // The scan keeps what a sheet said. Files that had none before are listed as they are.
      if hadSheets { throw error }
      listing.sheets = []
    }
    // Other sheets may cut every file in another way, so all are read again.
    let areSheetsSame = listing.sheetsDigest == stored?.sheets ?? 0
    var folder = ScannedFolder(
      path: path, device: listing.device, cover: listing.cover, artistPicture: listing.artistPicture,
      digest: listing.digest, sheets: listing.sheetsDigest, lyrics: listing.lyrics,
      lists: listing.lists.map { ScannedList($0, in: path, within: boundary, answered: visit.answered) })
    if folder.lists?.contains(where: { $0.isDenied || $0.failure != nil }) == true { folder.digest = 0 }
    var unread: [FolderEntry] = []
    for entry in listing.audio {
      if let same = before?[PathKey(entry.name)], entry.stamp.hasContents(of: same.stamp),
        !same.needsReading, areSheetsSame
      {
        folder.files.append(ScannedFile(entry, .same(same)))
      } else if listing.sheets.isEmpty, let moved = known.moved(entry.stamp), claim(moved, visit) {
        folder.files.append(ScannedFile(entry, .moved(moved.file)))
      } else {
        unread.append(entry)
      }
    }
    let (seen, all) = (folder.files.count, listing.audio.count)
    var cue: CueFolder?
    if !listing.sheets.isEmpty, !unread.isEmpty || !areSheetsSame {
      let sheets = CueFolder(path, listing, within: boundary, encoding: tagReaders.encodings.name(at: path))
      visit.answered()
      if let error = sheets.failure ?? (sheets.isDenied ? .permissionDenied : nil) {
        // A server may refuse for a while what it gave before; 0 is stored where it has refused before.
        if sheets.failure == nil ? stored.map({ $0.sheets != 0 }) ?? false : hadSheets { throw error }
        folder.sheets = 0
        folder.digest = 0
      }
      cue = sheets.failure == nil ? sheets : nil
      folder.files += sheets.problems
    } else {
      for entry in listing.sheets {
        if let same = before?[PathKey(entry.name)] { folder.files.append(ScannedFile(entry, .same(same))) }
      }
    }
    if isReported { progress.add(found: all) }
    progress.add(done: seen)
    let index = found.withLock { [folder, cue, listing] found in
      found.result.devices[PathKey(path)] = listing.device
      // Only a scan of all folders knows whether the target of a link is found by another path, too.
      let hasLinks = !listing.links.isEmpty || listing.audio.contains(where: \.isLink)
      if isReported, hasLinks { found.result.isUncertain = true }
      if isReported {
        if !hasLinks { found.result.links.add(linkless: path) }
        if timed.contains(listing.device) { found.result.times[PathKey(path)] = listing.time }
        found.result.leftOut.add(listing.leftOut, of: path, isUpdate: true)
      }
      // The walk has noted those of its own listings.
      if isReported || visited.listing == nil { found.result.add(problemsOf: listing, at: path) }
      found.result.add(unreadListsOf: folder)
      found.result.folders.append(folder)
      found.sheets[found.result.folders.count - 1] = cue
      return found.result.folders.count - 1
    }
    let batches = stride(from: 0, to: unread.count, by: Self.batchSize).map { start in
      ScanQueue.FileBatch(
        folder: index, path: path, files: Array(unread[start..<min(start + Self.batchSize, unread.count)]))
    }
    let subfolders = visited.isRecursive ? listing.subfolders : []
    queue.listed(
      subfolders: subfolders.map { ScanQueue.Folder(path: FilePath.join(path, $0), rules: listing.rules) },
      links: [], batches: batches)
  }

  /// Returns true if a stored file is no longer at its path, and no other found file was taken as the same one. Another
  /// hard link to a file that is still there is a file of its own.
  private func claim(_ moved: KnownFiles.Movable, _ visit: SilentFolders.Visit) -> Bool {
    defer { visit.answered() }
    do throws(Errno) {
      let old = try FileStatus(LocalPath(bytes: FilePath.join(moved.folder, moved.name)), followingLinks: true)
      if FileStamp(old) == moved.file.stamp { return false }
    } catch {
      // There is no file at the old path.
    }
    return found.withLock { $0.claimed.insert(moved.file.id).inserted }
  }

  /// Reads a batch of files of a folder. One that is gone meanwhile counts as unread: its share may be gone.
  private func read(_ batch: ScanQueue.FileBatch) throws(LunaraError) {
    var findings: [(entry: FolderEntry, finding: ScannedFile.Finding)] = []
    var gone: [[UInt8]] = []
    func fail(_ entry: FolderEntry, _ failure: TagFailure) {
      guard failure != .unreadable(.noSuchFileOrDirectory) else {
        gone.append(FilePath.join(batch.path, entry.name))
        return
      }
      findings.append((entry, .failed(ScanProblem.file(FilePath.join(batch.path, entry.name), failure))))
    }
    var opened: [(entry: FolderEntry, file: OpenMusicFile)] = []
    for (entry, file) in requests.visit(batch.path, { open(batch, $0) }) {
      do throws(TagFailure) { opened.append((entry, try file.get())) } catch { fail(entry, error) }
    }
    if progress.isStopped || requests.isAbandoned { return }
    let results = try tagReaders.tags(of: opened.map(\.file)) { progress.isStopped || requests.isAbandoned }
    var isSilent = false
    var files: [ScannedFile] = []
    for ((entry, _), result) in zip(opened, results) {
      switch result {
      case .success(let tags): files.append(contentsOf: read(entry, tags, in: batch))
      case .failure(.diskSilent): isSilent = true
      case .failure(let failure): fail(entry, failure)
      }
    }
    files += findings.map { ScannedFile($0.entry, $0.finding) }
    found.withLock { [isSilent, files, gone] found in
      // The scan may have been given up meanwhile, and its result with it.
      if requests.isAbandoned { return }
      progress.add(done: batch.files.count)
      found.result.folders[batch.folder].files += files
      found.result.unreadable += gone
      if !gone.isEmpty { found.result.folders[batch.folder].digest = 0 }
      if isSilent { found.silent.insert(PathKey(batch.path)) }
    }
  }

  /// Returns what was found in a file, and the problem of its CUE sheet.
  private func read(_ entry: FolderEntry, _ tags: FileTags, in batch: ScanQueue.FileBatch) -> [ScannedFile] {
    let cue = found.withLock { $0.sheets[batch.folder] }
    guard cue != nil || tags.cueSheet != nil || tags.cueBlock != nil else {
      return [ScannedFile(entry, .read(FileMetadata(tags, folder: batch.path, name: entry.name, rules)))]
    }
    return (cue ?? CueFolder(batch.path)).scanned(entry, tags, rules)
  }

  /// Opens the files of a batch.
  private func open(
    _ batch: ScanQueue.FileBatch, _ visit: SilentFolders.Visit
  ) -> [(FolderEntry, Result<OpenMusicFile, TagFailure>)] {
    let folder: Result<Descriptor, Errno> = Result { () throws(Errno) in
      try Descriptor(opening: LocalPath(bytes: batch.path), O_RDONLY | O_DIRECTORY)
    }
    visit.answered()
    let encoding = tagReaders.encodings.number(at: batch.path)
    let width = requests.width(of: batch.path)
    let opened = Mutex<[Int: Result<OpenMusicFile, TagFailure>]>([:])
    BlockingThreads.concurrently(batch.files.count, width: width) { number in
      let file = Result { () throws(TagFailure) in
        try Self.open(batch.files[number], in: folder, encoding, ahead: width > 1)
      }
      visit.answered()
      opened.withLock { $0[number] = file }
    }
    return opened.withLock { opened in
      batch.files.enumerated().map { ($1, opened[$0] ?? .failure(.unreadable(.noSuchFileOrDirectory))) }
    }
  }

  /// The bytes at the beginning of a file that are read ahead, where most tags are, and those at its end.
  private static let ahead = (beginning: 65_536, end: 16_384)

  /// Has the kernel read the parts of a file where tags are, without waiting for it: a reader asks for one after the
  /// other.
  private static func readAhead(_ file: Descriptor, size: Int64) {
    posix_fadvise(file.number, 0, ahead.beginning, POSIX_FADV_WILLNEED)
    guard size > ahead.beginning else { return }
    posix_fadvise(file.number, max(0, Int(size) - ahead.end), ahead.end, POSIX_FADV_WILLNEED)
  }

  private static func open(
    _ entry: FolderEntry, in folder: Result<Descriptor, Errno>, _ encoding: UInt8, ahead: Bool
  ) throws(TagFailure) -> OpenMusicFile {
    do throws(Errno) {
      // O_NONBLOCK: opening a file that became a pipe since it was listed must not block.
      let number = openat(
        try folder.get().number, entry.name.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard number >= 0 else { throw .current }
      let descriptor = Descriptor(owning: number)
      if ahead { readAhead(descriptor, size: entry.stamp.size) }
      return OpenMusicFile(
        name: entry.name, descriptor: descriptor, status: try descriptor.status(), encoding: encoding)
    } catch {
      throw .unreadable(error)
    }
  }
}
