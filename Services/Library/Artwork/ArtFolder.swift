import Glibc
import Model
import Synchronization

/// The folder of pictures that were made or fetched, of which those used last are kept. Blocks; for threads of its own.
final class ArtFolder: Sendable {
  let path: String
  /// How many bytes all pictures together may take.
  let capacity: Int64

  private static let unfinished = ".new-"
  /// How many bytes they take; nil before the first look.
  private let total = Mutex<Int64?>(nil)

  init(path: String, capacity: Int64) {
    self.path = path
    self.capacity = capacity
  }

  /// How much of the capacity is used, from 0 to 1.
  var fill: Double { Double(total.withLock { measured(&$0) }) / Double(max(1, capacity)) }

  /// Makes the folder where it is missing.
  ///
  /// - Throws: `library.artUnwritable`.
  func make() throws(LunaraError) {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw unwritable(errno) }
  }

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
    let unfinished = try keepAside(bytes, as: name)
    guard rename(unfinished.description, "\(path)/\(name)") == 0 else { throw unwritable(errno) }
    took(Int64(bytes.count), keeping: [name])
    return LocalPath("\(path)/\(name)")
  }

  /// Writes bytes to a file that is no picture of the folder yet; who asked for it removes it.
  ///
  /// - Throws: `library.artUnwritable`.
  func keepAside(_ bytes: [UInt8], as name: String) throws(LunaraError) -> LocalPath {
    try make()
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
    return LocalPath(unfinished)
  }

  /// Removes what was written by `keepAside`.
  func drop(_ file: LocalPath) { unlink(file.description) }

  /// Takes note of what was put into the folder, and makes room again where that was too much.
  func took(_ bytes: Int64, keeping kept: Set<String>) {
    total.withLock { total in
      // A first look sees it already.
      let sum = total.map { $0 + bytes } ?? measured(&total)
      total = sum > capacity ? evicted(keeping: kept) : sum
    }
  }

  /// Removes all pictures but those that `isKept` says, by their names.
  func prune(_ isKept: (String) -> Bool) {
    total.withLock { total in
      total = entries().reduce(0) { sum, entry in
        isKept(entry.name) || unlink("\(path)/\(entry.name)") != 0 ? sum + entry.size : sum
      }
    }
  }

  private struct Entry {
    var name: String
    var size: Int64
    var used: Int64
  }

  private func measured(_ total: inout Int64?) -> Int64 {
    if let total { return total }
    let sum = entries(isFirst: true).reduce(0) { $0 + $1.size }
    total = sum
    return sum
  }

  /// Looks through the whole folder, so it makes more room than is needed just now.
  private func evicted(keeping kept: Set<String>) -> Int64 {
    let entries = entries()
    var total = entries.reduce(0) { $0 + $1.size }
    let goal = capacity - capacity / 20
    // The newest one's maker may have yet to tell of it.
    for entry in entries.sorted(by: { $0.used < $1.used }).dropLast() where total > goal && !kept.contains(entry.name) {
      if unlink("\(path)/\(entry.name)") == 0 { total -= entry.size }
    }
    return total
  }

  /// All pictures; at the first look what an interrupted process has left behind is removed.
  private func entries(isFirst: Bool = false) -> [Entry] {
    var entries: [Entry] = []
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0, status.isRegular else { continue }
      if name.hasPrefix(Self.unfinished) {
        if isFirst { unlink("\(path)/\(name)") }
        continue
      }
      let stamp = FileStamp(status)
      entries.append(Entry(name: name, size: stamp.size, used: stamp.modified))
    }
    return entries
  }

  private func unwritable(_ number: Int32) -> LunaraError {
    LunaraError(
      "library.artUnwritable", "Pictures cannot be kept in \(path). Make room there and let this user write to it.",
      cause: String(cString: strerror(number)))
  }
}

/// The names of pictures' files that are kept as their source has them.
enum ArtName {
  /// The name of a picture as it is: its id, with everything but letters, digits, dots and hyphens of a file's name
  /// written as `%` and two digits. One that is too long for a file system ends in a hash instead.
  static func original(_ id: ArtID) -> String {
    var name = ""
    for byte in "\(id.source)-\(id.native)".utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    guard name.utf8.count > 200 else { return name }
    // FNV-1a: one who makes two of them alike has only their own server's pictures to mix up.
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return name.prefix(180) + "-" + String(hash, radix: 16)
  }
}
