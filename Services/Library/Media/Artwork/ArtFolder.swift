import Glibc
import Model
import Synchronization
import System

/// The folder of pictures that were made or fetched, limited in size: those used longest ago are removed. Every
/// function blocks until the disk has answered.
final class ArtFolder: Sendable {
  let path: String
  /// The most bytes of all pictures together.
  let capacity: Int64

  private static let unfinished = ".new-"
  /// The bytes of all pictures; nil before the folder was read.
  private let total = Mutex<Int64?>(nil)
  /// The number of temporary files that were created.
  private let created = Atomic(0)

  init(path: String, capacity: Int64) {
    self.path = path
    self.capacity = capacity
  }

  /// The used share of the capacity, from 0 to 1.
  var fill: Double { Double(total.withLock { measured(&$0) }) / Double(max(1, capacity)) }

  /// Makes the folder if it is missing. Throws `library.artUnwritable`.
  func make() throws(LunaraError) {
    if mkdir(path, 0o700) != 0, Errno.current != .fileExists { throw unwritable(.current) }
  }

  /// Returns the path of a picture, and marks it as the one used last; nil if it is not there.
  ///
  /// The time of use is the access time of the file. The time of its last change stays as it is: a sender that has the
  /// file open ends its answer when that changes, and the entity tag is made from it.
  func find(_ name: String) -> LocalPath? {
    let file = "\(path)/\(name)"
    let times = [
      timespec(tv_sec: 0, tv_nsec: Int(UTIME_NOW_NSEC)), timespec(tv_sec: 0, tv_nsec: Int(UTIME_OMIT_NSEC)),
    ]
    return utimensat(AT_FDCWD, file, times, 0) == 0 ? LocalPath(file) : nil
  }

  /// Adds a picture, wholly or not at all, and removes those used longest ago if room is needed.
  ///
  /// - Throws: `library.artUnwritable`.
  func insert(_ bytes: [UInt8], as name: String) throws(LunaraError) -> LocalPath {
    let file = try write(bytes, to: name)
    recordWritten(Int64(bytes.count), keeping: [name])
    return file
  }

  /// Creates an empty file under a temporary name. It is passed to `keep` or `discard`.
  ///
  /// - Throws: `library.artUnwritable`.
  func create() throws(LunaraError) -> TemporaryFile {
    try make()
    // The first reading of the folder removes what an interrupted process left, so it comes before the first file.
    total.withLock { _ = measured(&$0) }
    let name = "\(path)/\(Self.unfinished)\(created.add(1, ordering: .relaxed).newValue)"
    do {
      return TemporaryFile(path: name, descriptor: try Descriptor(opening: name, O_RDWR | O_CREAT | O_TRUNC))
    } catch {
      throw unwritable(error)
    }
  }

  /// A file that is being written.
  struct TemporaryFile: Sendable {
    fileprivate var path: String
    var descriptor: Descriptor
  }

  /// Gives a file that was written its name, and removes the pictures used longest ago if room is needed.
  ///
  /// - Throws: `library.artUnwritable`.
  func keep(_ file: TemporaryFile, as name: String) throws(LunaraError) -> LocalPath {
    let target = "\(path)/\(name)"
    do throws(Errno) {
      let size = try file.descriptor.status().size
      guard rename(file.path, target) == 0 else { throw .current }
      recordWritten(size, keeping: [name])
    } catch {
      discard(file)
      throw unwritable(error)
    }
    return LocalPath(target)
  }

  /// Removes a file that was not written wholly.
  func discard(_ file: TemporaryFile) { unlink(file.path) }

  private func write(_ bytes: [UInt8], to name: String) throws(LunaraError) -> LocalPath {
    try make()
    let options = Files.WriteOptions(isDurable: false, temporary: "\(path)/\(Self.unfinished)-\(name)")
    do { try Files.replace("\(path)/\(name)", with: bytes, options) } catch { throw unwritable(error) }
    return LocalPath("\(path)/\(name)")
  }

  /// Counts bytes that were written to the folder, and removes pictures if it is too full; never those in `kept`.
  private func recordWritten(_ bytes: Int64, keeping kept: Set<String>) {
    total.withLock { total in
      // If the folder was not read yet, reading it now counts these bytes as well.
      let sum = total.map { $0 + bytes } ?? measured(&total)
      total = sum > capacity ? evicted(keeping: kept) : sum
    }
  }

  /// Removes all pictures for whose names `isKept` returns false.
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

  /// Removes pictures until a twentieth of the capacity is free: reading the whole folder is expensive. Returns the
  /// bytes that are left.
  private func evicted(keeping kept: Set<String>) -> Int64 {
    let entries = entries()
    var total = entries.reduce(0) { $0 + $1.size }
    let goal = capacity - capacity / 20
    // The newest picture may be one that is about to be recorded.
    for entry in entries.sorted(by: { $0.used < $1.used }).dropLast() where total > goal && !kept.contains(entry.name) {
      if unlink("\(path)/\(entry.name)") == 0 { total -= entry.size }
    }
    return total
  }

  /// Returns all pictures; the first time temporary files of an interrupted process are removed.
  private func entries(isFirst: Bool = false) -> [Entry] {
    let names: [String]
    // A folder that is missing or unreadable has no pictures; writing to it says what is wrong.
    do { names = try Files.names(in: path) } catch { return [] }
    return names.compactMap { name in
      guard let status = Files.status("\(path)/\(name)", followingLinks: false), status.kind == .regular else {
        return nil
      }
      guard name.hasPrefix(Self.unfinished) else { return Entry(name: name, size: status.size, used: status.accessed) }
      if isFirst { unlink("\(path)/\(name)") }
      return nil
    }
  }

  private func unwritable(_ error: Errno) -> LunaraError {
    LunaraError(
      "library.artUnwritable", "Pictures cannot be kept in \(path). Make room there and let this user write to it.",
      cause: error)
  }
}

/// `UTIME_NOW` and `UTIME_OMIT` of `sys/stat.h`, which Swift cannot import: the values that set a time to the present
/// and that leave it unchanged.
private let UTIME_NOW_NSEC = (1 << 30) - 1
private let UTIME_OMIT_NSEC = (1 << 30) - 2

/// The file names of pictures that are kept as their source has them.
enum ArtName {
  /// Returns the name of a picture's file: its id, with all but letters, digits, dots and hyphens written as `%` and
  /// two digits. A name that is too long for a file system ends in a hash instead.
  static func original(_ id: ArtID) -> String {
    var name = ""
    for byte in "\(id.source)-\(id.native)".utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    guard name.utf8.count > 200 else { return name }
    // The name begins with the source, so a server that forges a hash collision mixes up only its own pictures.
    return name.prefix(180) + "-" + String(FNV1a.hash(name), radix: 16)
  }
}
