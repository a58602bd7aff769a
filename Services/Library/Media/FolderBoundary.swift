import Glibc
import Model
import Synchronization

/// Decides whether files lie in the music folders once all symbolic links were followed. Blocks for the disk.
final class FolderBoundary: Sendable {
  private let folders: MusicFolders
  /// Further folders, such as that of pictures.
  private let others: [[UInt8]]
  /// The real paths, with all links followed, of the folders that were resolved so far.
  private let roots = Mutex<[[UInt8]: [UInt8]]>([:])

  init(_ folders: MusicFolders, and others: [[UInt8]] = []) { (self.folders, self.others) = (folders, others) }

  /// Refuses a file outside of the folders.
  ///
  /// - Parameters:
  ///   - real: the path of the open file, with all links followed.
  ///   - path: the path by which the catalogue knows it.
  /// - Throws: `library.outsideFolders`.
  func requireInside(_ real: LocalPath, of path: LocalPath) throws(LunaraError) {
    guard (folders.all + others).contains(where: { isWithin(real.bytes, $0) }) else {
      throw LunaraError(
        "library.outsideFolders",
        "\(path) leads out of the music folders, so it is not handed out. Add the folder it lies in with `lunara sources add`."
      )
    }
  }

  /// Returns true if a file is in a folder. The folder's real path is cached, and resolved again where the file is not
  /// in the cached one.
  private func isWithin(_ file: [UInt8], _ folder: [UInt8]) -> Bool {
    if let root = roots.withLock({ $0[folder] }), FilePath.isWithin(file, root) { return true }
    guard let resolved = realpath(folder.cString, nil) else { return FilePath.isWithin(file, folder) }
    defer { free(resolved) }
    let root = Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    roots.withLock { $0[folder] = root }
    return FilePath.isWithin(file, root)
  }
}
