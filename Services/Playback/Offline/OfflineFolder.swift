import Digests
import Glibc
import Model
import System

/// The folder of the kept files, which only this user can read. All functions wait for the disk.
struct OfflineFolder: Sendable {
  let path: String

  /// Opens a folder; creates it if it is missing. Throws `playback.offlineUnusable`.
  init(_ path: String) throws {
    self.path = path
    do throws(Errno) { try Files.makeFolder(path) } catch { throw Self.unusable(path, error) }
    guard Files.allows(W_OK | X_OK, path) else { throw Self.unusable(path, .current) }
  }

  private static let partial = ".part"

  var database: String { "\(path)/offline.sqlite" }

  func path(of name: String) -> String { "\(path)/\(name)" }

  func partialPath(of name: String) -> String { "\(path)/\(name)\(Self.partial)" }

  /// Returns a name for a file. It tells nothing about the track.
  static func newName() -> String { UniqueID<OfflineStore.File>.random().rawValue }

  private static let nameLength = newName().utf8.count

  /// Returns the bytes that are free on the disk for this user.
  static func free(at path: String) -> Int64 {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return 0 }
    return Int64(clamping: UInt64(disk.f_bavail) &* UInt64(disk.f_frsize))
  }

  func status(of name: String) -> FileStatus? { Self.regular(path(of: name)) }

  func partialSize(of name: String) -> Int64 { Self.regular(partialPath(of: name))?.size ?? 0 }

  private static func regular(_ path: String) -> FileStatus? {
    Files.status(path, followingLinks: false).flatMap { $0.kind == .regular ? $0 : nil }
  }

  /// Removes a file, complete or not. A player that has it open plays on.
  func remove(_ name: String) {
    unlink(path(of: name))
    unlink(partialPath(of: name))
  }

  /// Removes the files that have none of these names, as kills may leave them. Files of other programs stay.
  func removeStrays(besides names: Set<String>) throws {
    do throws(Errno) {
      for file in try Files.names(in: path) {
        let name = file.hasSuffix(Self.partial) ? String(file.dropLast(Self.partial.utf8.count)) : file
        guard name.utf8.count == Self.nameLength, !name.contains("."), !names.contains(name) else { continue }
        unlink("\(path)/\(file)")
      }
    } catch {
      throw Self.unusable(path, error)
    }
  }

  /// Returns the SHA-256 of a complete file; nil if it cannot be read.
  func digest(of name: String) throws(LunaraError) -> [UInt8]? {
    do {
      return try OfflinePart.digest(of: try Descriptor(opening: path(of: name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
    } catch {
      guard error is Errno else { throw LunaraError(error) }
      return nil
    }
  }

  /// Removes the folder with everything in it. Throws `playback.offlineUnusable`.
  func removeAll() throws {
    do throws(Errno) { try Files.removeTree(path) } catch { throw Self.unusable(path, error) }
  }

  static func unusable(_ path: String, _ error: Errno) -> LunaraError {
    guard !error.isDiskFull else { return full(cause: error.text) }
    return LunaraError(
      "playback.offlineUnusable", "Albums cannot be kept in \(path). Check its owner, and that the disk works.",
      cause: error)
  }

  static func full(cause: String? = nil) -> LunaraError {
    LunaraError(
      "playback.offlineFull",
      "There is no room for another album. Remove one, unpin one, or raise the limit with `lunara offline space`.",
      cause: cause)
  }
}

/// A file that is being fetched. It gets its final name only when it is complete and checked.
final class OfflinePart {
  private let path: String
  private let file: Descriptor
  private var digest: SHA256.Running
  private(set) var size: Int64 = 0
  private var unsynced: Int64 = 0
  /// The number of bytes after which the file is synced, so that a power cut costs little.
  private static let syncInterval: Int64 = 4 << 20
  private static let pieceSize = 1 << 20

  /// Opens a file, of which the first `kept` bytes are kept. Throws `playback.offlineUnusable`, `playback.offlineFull`.
  init(_ path: String, keeping kept: Int64) throws {
    self.path = path
    digest = try SHA256.Running()
    file = try Self.orUnusable(path) { () throws(Errno) in
      try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW)
    }
    try Self.orUnusable(path) { () throws(Errno) in try cut(at: kept) }
  }

  /// True if bytes wait for a sync.
  var needsSync: Bool { unsynced >= Self.syncInterval }

  /// Throws `playback.offlineUnusable`, `playback.offlineFull`.
  func write(_ bytes: [UInt8]) throws {
    try Self.orUnusable(path) { () throws(Errno) in try file.write(bytes) }
    digest.add(bytes)
    size += Int64(bytes.count)
    unsynced += Int64(bytes.count)
  }

  func sync() throws {
    try Self.orUnusable(path) { () throws(Errno) in try file.sync() }
    unsynced = 0
  }

  func restart() throws {
    digest = try SHA256.Running()
    try Self.orUnusable(path) { () throws(Errno) in try cut(at: 0) }
  }

  /// Keeps the first bytes, and adds them to the digest.
  private func cut(at kept: Int64) throws(Errno) {
    let there = min(kept, try file.status().size)
    guard ftruncate(file.number, Int(there)) == 0, lseek(file.number, 0, SEEK_SET) == 0 else { throw .current }
    size = 0
    while size < there {
      let bytes = try file.readBytes(upTo: min(Self.pieceSize, Int(there - size)))
      guard !bytes.isEmpty else { break }
      digest.add(bytes)
      size += Int64(bytes.count)
    }
    guard lseek(file.number, Int(size), SEEK_SET) >= 0 else { throw .current }
    unsynced = 0
  }

  /// Writes all bytes to the disk, reads them back, and renames the file. Returns its digest and the time of its last
  /// change. Throws `playback.offlineFailed` if the disk has other bytes than those that came.
  func finish(as final: String) throws -> (digest: [UInt8], modified: Int64) {
    try sync()
    let expected = digest.finish()
    let found = try Self.orUnusable(path) { () throws(Errno) in try file.status() }
    guard found.size == size, try Self.digest(of: file) == expected else {
      unlink(path)
      throw LunaraError(
        "playback.offlineFailed", "The disk does not return what was written to \(path). Check it with its tools.")
    }
    try Self.orUnusable(final) { () throws(Errno) in
      try Files.move(path, to: final)
      try Files.syncFolder(of: final)
    }
    return (expected, found.modified)
  }

  /// Returns the SHA-256 of an open file. Throws `Errno`, and `internal.noDigest`.
  static func digest(of file: Descriptor) throws -> [UInt8] {
    let digest = try SHA256.Running()
    var position = 0
    while true {
      let bytes = try file.readBytes(upTo: pieceSize, at: position)
      guard !bytes.isEmpty else { return digest.finish() }
      digest.add(bytes)
      position += bytes.count
    }
  }

  private static func orUnusable<Result>(
    _ path: String, _ body: () throws(Errno) -> Result
  ) throws(LunaraError) -> Result {
    do throws(Errno) { return try body() } catch { throw OfflineFolder.unusable(path, error) }
  }
}
