import Glibc
import Model

/// The folder of pictures that were taken out of files, of which those used last are kept. Blocks; for a thread of its
/// own, one call at a time.
struct ArtFolder: Sendable {
  let path: String
  /// How many bytes all pictures together may take.
  let capacity: Int64

  private static let unfinished = ".new-"

  /// The path of a picture that is there, which is thereby the one used last; nil where it is not there.
  func find(_ name: String) -> LocalPath? {
    let file = "\(path)/\(name)"
    // No times means now.
    return utimensat(AT_FDCWD, file, nil, 0) == 0 ? LocalPath(file) : nil
  }

  /// Puts a picture in, wholly or not at all, and lets go of those that were not used for longest.
  ///
  /// - Throws: `library.artUnwritable`.
  func insert(_ bytes: [UInt8], as name: String) throws(LunaraError) -> LocalPath {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw unwritable(errno) }
    let unfinished = "\(path)/\(Self.unfinished)\(name)"
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw unwritable(errno) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let number = errno
        close(descriptor)
        unlink(unfinished)
        throw unwritable(number)
      }
      done += count
    }
    close(descriptor)
    guard rename(unfinished, "\(path)/\(name)") == 0 else { throw unwritable(errno) }
    evict(keeping: name)
    return LocalPath("\(path)/\(name)")
  }

  private struct Entry {
    var name: String
    var size: Int64
    var used: Int64
  }

  private func evict(keeping kept: String) {
    var entries: [Entry] = []
    guard let stream = opendir(path) else { return }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0, status.isRegular else { continue }
      // What an interrupted process has left behind.
      if name.hasPrefix(Self.unfinished), name != Self.unfinished + kept { unlink("\(path)/\(name)") }
      let stamp = FileStamp(status)
      entries.append(Entry(name: name, size: stamp.size, used: stamp.modified))
    }
    closedir(stream)
    var total = entries.reduce(0) { $0 + $1.size }
    for entry in entries.sorted(by: { $0.used < $1.used }) where total > capacity && entry.name != kept {
      if unlink("\(path)/\(entry.name)") == 0 { total -= entry.size }
    }
  }

  private func unwritable(_ number: Int32) -> LunaraError {
    LunaraError(
      "library.artUnwritable", "Pictures cannot be kept in \(path). Make room there and let this user write to it.",
      cause: String(cString: strerror(number)))
  }
}
