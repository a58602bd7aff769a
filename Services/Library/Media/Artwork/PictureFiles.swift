import Glibc
import Messages
import Model
import Records
import Sources
import System

/// Opens the pictures of the music folders: files of their own, and those in music files. All functions block.
struct PictureFiles: Sendable {
  let boundary: FolderBoundary
  let tagReaders: TagReaders

  /// Opens a picture that is a file of its own. Returns it with its path after all links were followed.
  ///
  /// - Throws: `library.fileMissing`; `library.outsideFolders` for one that a link leads to out of the music folders.
  func open(_ path: LocalPath) throws(LunaraError) -> (file: Descriptor, path: LocalPath) {
    let file = try openRegular(path).file
    guard let real = file.path else { throw Self.missing(path, "it was removed") }
    try boundary.requireInside(real, of: path)
    return (file, real)
  }

  /// Opens a music file that has a picture. Waits for as long as its disk does. Throws `library.fileMissing`.
  func openMusic(_ path: LocalPath) throws(LunaraError) -> OpenMusicFile {
    let (file, status) = try openRegular(path)
    return OpenMusicFile(name: FilePath.name(path.bytes), descriptor: file, status: status)
  }

  /// Copies the picture in a music file that stands for its album into memory.
  ///
  /// - Throws: `library.fileMissing` where the file cannot be read or holds none; `library.badPicture` where it breaks
  ///   the tag reader; `library.noTagReader`.
  func picture(in music: OpenMusicFile, at path: LocalPath) throws(LunaraError) -> MusicFileContent {
    let result = try tagReaders.picture(in: music)
    do throws(TagFailure) {
      if let picture = try result.get() { return picture }
    } catch .breaksReader(let cause) {
      throw Artwork.badPicture(cause)
    } catch .outOfMemory {
      throw Artwork.badPicture("it needs more memory than is allowed")
    } catch .readerKilled(let cause) {
      throw Self.missing(path, cause)
    } catch .diskSilent {
      throw Self.missing(path, "its disk does not answer")
    } catch {
      throw Self.missing(path, "\(error)")
    }
    throw Self.missing(path, "it holds no picture any more")
  }

  private func openRegular(_ path: LocalPath) throws(LunaraError) -> (file: Descriptor, status: FileStatus) {
    do {
      let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      let status = try file.status()
      guard status.kind == .regular else { throw Self.missing(path, "no regular file") }
      return (file, status)
    } catch let error as LunaraError {
      throw error
    } catch {
      throw Self.missing(path, "\(error)")
    }
  }

  private static func missing(_ path: LocalPath, _ cause: String) -> LunaraError {
    LunaraError(
      "library.fileMissing", "The picture in \(path) cannot be read. Refresh the library with `lunara sync`.",
      cause: cause)
  }
}

/// Checks of files before they are given to others. Blocks; for a thread of its own.
enum FileCheck {
  /// Refuses a file that cannot be read. Throws `library.fileMissing`.
  static func requireReadable(_ path: LocalPath) throws(LunaraError) {
    guard access(path.cString, R_OK) != 0 else { return }
    throw LunaraError(
      "library.fileMissing",
      "\(path) cannot be read. Connect its disk; if it was moved or removed, refresh the library with `lunara sync`.",
      cause: .current)
  }
}
