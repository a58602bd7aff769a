import Glibc
import Model

/// Pictures out of files with music. Blocks; for a thread of its own.
enum EmbeddedArt {
  /// The picture in a file that stands for its album.
  ///
  /// - Throws: `library.fileMissing` where the file cannot be read or holds none.
  static func read(_ path: LocalPath) throws(LunaraError) -> [UInt8] {
    let descriptor = open(path.bytes.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw missing(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isRegular else { throw missing(path, "no regular file") }
    do {
      let reader = try TagReader()
      let name = FilePath.name(path.bytes)
      if let picture = try reader.picture(of: descriptor, name: name, size: Int64(status.st_size)) { return picture }
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

/// Whether files are there. Blocks; for a thread of its own.
enum FileCheck {
  /// Refuses a file that cannot be read.
  ///
  /// - Throws: `library.fileMissing`.
  static func requireReadable(_ path: LocalPath) throws(LunaraError) {
    guard access(path.bytes.cString, R_OK) != 0 else { return }
    throw LunaraError(
      "library.fileMissing",
      "\(path) cannot be read. Connect its disk; if it was moved or removed, refresh the library with `lunara sync`.",
      cause: String(cString: strerror(errno)))
  }
}
