import Glibc
import Model
import Synchronization
import System

/// One scan of the music folders, which reads the tags of new and changed files.
final class FolderScan: Sendable {
  private struct Found {
    var result = ScanResult()
    var visited: Set<Place> = []
    /// The stored files for which a moved file was found: only one of two new names for a file counts as the move.
    var claimed: Set<Int64> = []
  }

  private struct Place: Hashable {
    var device: Int64
    var inode: Int64
  }

  private static let batchSize = 32

  private let roots: [[UInt8]]
  private let known: KnownFiles
  private let progress: RefreshProgress
  private let queue: ScanQueue
  private let found = Mutex(Found())

  init(roots: [[UInt8]], known: KnownFiles, progress: RefreshProgress) {
    (self.roots, self.known, self.progress) = (roots, known, progress)
    queue = ScanQueue(roots)
  }

  func run(threads: Int) async -> ScanResult {
    await BlockingThreads.run(threads) { [self] in work() }
    return found.withLock { found in
      var result = found.result
      found = Found()
      result.isComplete = !progress.isStopped
      // Folders without music and pictures are left out, except stored ones: those have lost their files.
      result.folders.removeAll { $0.isBare && known.folder($0.path) == nil }
      result.folders.sort { $0.path.lexicographicallyPrecedes($1.path) }
      result.withoutSecondNames()
      result.roots = roots.filter { root in
        result.folders.contains { !$0.files.isEmpty && FilePath.isWithin($0.path, root) }
      }
      return result
    }
  }

  private func work() {
    do {
      let reader = try TagReader()
      while let work = queue.next() {
        switch work {
        case .folder(let path): list(path)
        case .files(let batch): read(batch, with: reader)
        }
        if queue.isListed { progress.allListed() }
        if progress.isStopped { queue.stop() }
      }
    } catch {
      // Without memory for a tag reader the scan ends as if it was stopped.
      progress.stop()
      queue.stop()
    }
  }

  private func list(_ path: [UInt8]) {
    do {
      let listing = try FolderListing(path) { device, inode in
        found.withLock { $0.visited.insert(Place(device: device, inode: inode)).inserted }
      }
      if let listing { return add(listing, of: path) }
    } catch {
      // A missing folder is no problem unless it is a music folder: it was removed during the scan.
      if error != .noSuchFileOrDirectory || roots.contains(path) {
        found.withLock {
          if error != .noSuchFileOrDirectory { $0.result.unreadable.append(path) }
          $0.result.problems.append(ScanProblem.folder(path, error, isRoot: roots.contains(path)))
        }
      }
    }
    queue.listed(subfolders: [], links: [], batches: [])
  }

  private func add(_ listing: FolderListing, of path: [UInt8]) {
    let before = known.folder(path)?.files
    var folder = ScannedFolder(
      path: path, device: listing.device, cover: listing.cover, artistPicture: listing.artistPicture)
    var unread: [FolderListing.Entry] = []
    for entry in listing.audio {
      if let same = before?[PathKey(entry.name)], same.stamp == entry.stamp {
        folder.files.append(ScannedFile(entry, .same(same)))
      } else if let moved = known.moved(entry.stamp), claim(moved) {
        folder.files.append(ScannedFile(entry, .moved(moved.file)))
      } else {
        unread.append(entry)
      }
    }
    let (seen, all) = (folder.files.count, listing.audio.count)
    progress.add(found: all)
    progress.add(done: seen)
    let index = found.withLock { [folder] found in
      found.result.devices[PathKey(path)] = listing.device
      found.result.folders.append(folder)
      return found.result.folders.count - 1
    }
    let batches = stride(from: 0, to: unread.count, by: Self.batchSize).map { start in
      ScanQueue.FileBatch(
        folder: index, path: path, files: Array(unread[start..<min(start + Self.batchSize, unread.count)]))
    }
    queue.listed(
      subfolders: listing.subfolders.map { FilePath.join(path, $0) },
      links: listing.links.map { FilePath.join(path, $0) }, batches: batches)
  }

  /// Returns true if a stored file is no longer at its path, and no other found file was taken as the same one. Another
  /// hard link to a file that is still there is a file of its own.
  private func claim(_ moved: KnownFiles.Movable) -> Bool {
    do throws(Errno) {
      let old = try FileStatus(LocalPath(bytes: FilePath.join(moved.folder, moved.name)), followingLinks: true)
      if FileStamp(old) == moved.file.stamp { return false }
    } catch {
      // There is no file at the old path.
    }
    return found.withLock { $0.claimed.insert(moved.file.id).inserted }
  }

  private func read(_ batch: ScanQueue.FileBatch, with reader: borrowing TagReader) {
    let folder = open(batch.path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let failure = errno
    defer { if folder >= 0 { close(folder) } }
    var files: [ScannedFile] = []
    files.reserveCapacity(batch.files.count)
    for entry in batch.files {
      if progress.isStopped { break }
      progress.add(done: 1)
      if let finding = finding(entry, in: folder, failure, path: batch.path, with: reader) {
        files.append(ScannedFile(entry, finding))
      }
    }
    found.withLock { [files] in $0.result.folders[batch.folder].files += files }
  }

  /// Returns the finding about a file; nil where it was removed meanwhile.
  private func finding(
    _ entry: FolderListing.Entry, in folder: Int32, _ folderFailure: Int32, path: [UInt8],
    with reader: borrowing TagReader
  ) -> ScannedFile.Finding? {
    do throws(TagReader.Failure) {
      guard folder >= 0 else { throw .unreadable(folderFailure) }
      guard case .tagged = AudioFormat(fileName: entry.name) else {
        if entry.stamp.size == 0 { throw .broken }
        let tags = FileTags(isLossless: AudioFormat.isLosslessByName(entry.name))
        return .read(FileMetadata(tags, folder: path, name: entry.name))
      }
      // O_NONBLOCK: opening a file that became a pipe since it was listed must not block.
      let descriptor = openat(folder, entry.name.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard descriptor >= 0 else { throw .unreadable(errno) }
      defer { close(descriptor) }
      let tags = try reader.tags(of: descriptor, name: entry.name, size: entry.stamp.size)
      return .read(FileMetadata(tags, folder: path, name: entry.name))
    } catch .unreadable(ENOENT) {
      return nil
    } catch {
      return .failed(ScanProblem.file(FilePath.join(path, entry.name), error))
    }
  }
}
