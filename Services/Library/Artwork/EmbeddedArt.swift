import Glibc
import Model
import System

/// Pictures inside music files. Blocks; for a thread of its own.
enum EmbeddedArt {
  /// Returns the picture in a file that stands for its album.
  ///
  /// - Throws: `library.fileMissing` where the file cannot be read or holds none.
  static func read(_ path: LocalPath) throws(LunaraError) -> [UInt8] {
    do {
      let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      let status = try file.status()
      guard status.kind == .regular else { throw missing(path, "no regular file") }
      let name = FilePath.name(path.bytes)
      if let picture = try TagReader().picture(of: file.number, name: name, size: status.size) { return picture }
    } catch let error as LunaraError {
      throw error
    } catch {
      throw missing(path, "\(error)")
    }
    throw missing(path, "it holds no picture any more")
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
