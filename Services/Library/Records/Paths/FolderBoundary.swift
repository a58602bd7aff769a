import Glibc
package import Model
import Synchronization
package import System

/// The reason why a text file next to the music was not read.
package enum TextFailure: Error, Equatable {
  /// The file leads out of the music folders.
  case outside
  case unreadable(Errno)
}

/// Decides whether files lie in the music folders once all symbolic links were followed. Blocks for the disk.
package final class FolderBoundary: Sendable {
  private let folders: MusicFolders
  /// Further folders, such as that of pictures.
  private let others: [[UInt8]]
  /// The real paths, with all links followed, of the folders that were resolved so far.
  private let roots = Mutex<[[UInt8]: [UInt8]]>([:])

  package init(_ folders: MusicFolders, and others: [[UInt8]] = []) {
    self.folders = folders
    self.others = others
  }

  /// The error of a file that leads out of the music folders.
  package static func outside(_ path: LocalPath) -> LunaraError {
    LunaraError(
      outsideCode,
      "\(path) leads out of the music folders, so it is not handed out. Add the folder it lies in with `lunara sources add`."
    )
  }

  package static let outsideCode = "library.outsideFolders"

  /// Refuses a file outside of the folders.
  ///
  /// - Parameters:
  ///   - real: the path of the open file, with all links followed.
  ///   - path: the path by which the catalogue knows it.
  /// - Throws: `library.outsideFolders`.
  package func requireInside(_ real: LocalPath, of path: LocalPath) throws(LunaraError) {
    guard (folders.all + others).contains(where: { isWithin(real.bytes, $0) }) else { throw Self.outside(path) }
  }

  /// Reads a text file next to the music: a list file, a CUE sheet, lyrics, an ignore file. All such files are read
  /// here, because a link in a music folder may point to any file of the user. Blocks on the disk, but not on a pipe.
  ///
  /// The open file decides, not its path: it must be a regular file in the folder in which it was found, or in a music
  /// folder.
  package func readText(_ path: LocalPath, limit: Int) throws(TextFailure) -> [UInt8] {
    do throws(Errno) {
      let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      guard try file.status().kind == .regular else { throw .invalidArgument }
      guard let real = file.path else { throw .noSuchFileOrDirectory }
      if isInFoundFolder(real, path) || (folders.all + others).contains(where: { isWithin(real.bytes, $0) }) {
        return try file.readToEnd(limit: limit)
      }
    } catch {
      throw .unreadable(error)
    }
    throw .outside
  }

  /// Returns true if an open file lies in the folder in which it was found; that folder may be a link.
  private func isInFoundFolder(_ real: LocalPath, _ path: LocalPath) -> Bool {
    guard let folder = FilePath.parent(path.bytes), let resolved = realpath(folder.cString, nil) else { return false }
    defer { free(resolved) }
    return FilePath.parent(real.bytes) == Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
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
