import Glibc
package import Model
import Records
import System

/// Opens files that the catalogue names.
package enum MusicFile {
  /// Opens a regular file for reading. Blocks. Throws `library.fileMissing`.
  static func open(_ path: LocalPath) throws(LunaraError) -> (file: Descriptor, status: FileStatus) {
    do {
      // O_NONBLOCK: opening a file that became a pipe must not block.
      let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      let status = try file.status()
      if status.kind == .regular { return (file, status) }
    } catch {
      throw unreadable(path, error.text)
    }
    throw unreadable(path, "it is no regular file")
  }

  /// Opens a music file for the tag readers. Blocks. Throws `library.fileMissing`.
  ///
  /// - Parameter encoding: that of text that claims to be Latin-1, as `TagReading.File` has it.
  package static func openMusic(_ path: LocalPath, encoding: UInt8) throws(LunaraError) -> OpenMusicFile {
    let (file, status) = try open(path)
    return OpenMusicFile(name: FilePath.name(path.bytes), descriptor: file, status: status, encoding: encoding)
  }

  package static func unreadable(_ path: LocalPath, _ cause: String) -> LunaraError {
    LunaraError(
      "library.fileMissing",
      "\(path) cannot be read. Connect its disk; if it was moved or removed, refresh the library with `lunara sync`.",
      cause: cause)
  }
}
