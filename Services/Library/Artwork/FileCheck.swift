import Glibc
import Model

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
