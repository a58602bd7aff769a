import Glibc
import Model
import System

/// The files of the cache, in a folder that only this user can read. All functions wait for the disk.
struct CacheFolder: Sendable {
  let path: String

  /// Opens a folder, creates it if it is missing, and removes the unfinished files of an earlier run. Throws
  /// `playback.cacheUnusable`.
  init(_ path: String) throws {
    self.path = path
    guard mkdir(path, 0o700) == 0 || errno == EEXIST, Files.allows(W_OK | X_OK, path) else {
      throw Self.unusable(path, .current)
    }
    for name in try Self.names(in: path) where name.hasSuffix(Self.partial) { unlink("\(path)/\(name)") }
  }

  /// Removes the files of a cache, and their folder if it is then empty. Does nothing if the folder does not exist.
  /// Throws `playback.cacheUnusable`.
  static func remove(_ path: String) throws {
    guard Files.exists(path) else { return }
    for name in try names(in: path) where CacheName(file: name) != nil || name.hasSuffix(partial) {
      unlink("\(path)/\(name)")
    }
    // The folder stays if it contains files that are not the cache's.
    guard rmdir(path) == 0 || errno == ENOTEMPTY || errno == EEXIST else { throw unusable(path, .current) }
  }

  private static let partial = ".part"

  /// Returns the complete files. Removes empty ones, which a power cut may leave. Throws `playback.cacheUnusable`.
  func entries() throws -> [CacheIndex.Entry] {
    try Self.names(in: path).compactMap { file in
      guard let name = CacheName(file: file), let status = status(of: name) else { return nil }
      guard status.size > 0 else {
        remove(name)
        return nil
      }
      return CacheIndex.Entry(
        name: name, size: status.size, fetchedAt: Timestamp(microseconds: status.modified / 1000),
        usedAt: Timestamp(microseconds: status.accessed / 1000))
    }
  }

  func path(of name: CacheName) -> LocalPath { LocalPath("\(path)/\(name.file)") }

  /// Returns the name of the file at a path; nil for a file that is not in the cache.
  func name(at path: LocalPath) -> CacheName? {
    let start = Array("\(self.path)/".utf8)
    guard path.bytes.starts(with: start) else { return nil }
    return CacheName(file: String(decoding: path.bytes.dropFirst(start.count), as: UTF8.self))
  }

  /// Returns true if a file exists and has its full size.
  func holds(_ entry: CacheIndex.Entry) -> Bool { status(of: entry.name)?.size == entry.size }

  private func status(of name: CacheName) -> FileStatus? {
    Files.status("\(path)/\(name.file)", followingLinks: false).flatMap { $0.kind == .regular ? $0 : nil }
  }

  /// Removes a file; a player that has the file open plays on.
  func remove(_ name: CacheName) { unlink("\(path)/\(name.file)") }

  /// Stores the time of a file's last use as its access time, which not every file system updates on reading.
  func use(_ name: CacheName, on date: Timestamp) {
    let seconds = date.microseconds / 1_000_000
    let times = [timespec(tv_sec: Int(seconds), tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: Int(UTIME_OMIT_NSEC))]
    utimensat(AT_FDCWD, "\(path)/\(name.file)", times, 0)
  }

  private static func names(in path: String) throws(LunaraError) -> [String] {
    try orUnusable(path) { () throws(Errno) in try Files.names(in: path).filter { !$0.hasPrefix(".") } }
  }

  private static func orUnusable<Result>(
    _ path: String, _ body: () throws(Errno) -> Result
  ) throws(LunaraError) -> Result {
    do throws(Errno) { return try body() } catch { throw unusable(path, error) }
  }

  private static func unusable(_ path: String, _ error: Errno) -> LunaraError {
    LunaraError(
      "playback.cacheUnusable",
      "The next items cannot be kept in \(path). Check its owner, or that the disk has room.", cause: error)
  }
}

/// `UTIME_OMIT` of `sys/stat.h`, which Swift cannot import: the value that leaves a time unchanged.
private let UTIME_OMIT_NSEC = (1 << 30) - 2

extension CacheFolder {
  /// A file that is being fetched; it gets its final name when it is complete.
  final class Partial {
    private let file: Descriptor
    private let temporary: String
    private let final: String
    private(set) var size: Int64 = 0
    private var unsynced: Int64 = 0
    /// The number of bytes between two syncs, so that the last sync of a large file does not take long.
    private static let syncInterval: Int64 = 4 << 20

    /// Throws `playback.cacheUnusable`.
    init(_ name: CacheName, in folder: String) throws {
      let final = "\(folder)/\(name.file)"
      let temporary = final + CacheFolder.partial
      self.final = final
      self.temporary = temporary
      file = try CacheFolder.orUnusable(folder) { () throws(Errno) in
        try Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
      }
    }

    // After `finish` the temporary file no longer exists, and `unlink` does nothing.
    deinit { unlink(temporary) }

    /// Throws `playback.cacheUnusable`.
    func write(_ bytes: [UInt8]) throws {
      try CacheFolder.orUnusable(temporary) { () throws(Errno) in
        try file.write(bytes)
        size += Int64(bytes.count)
        unsynced += Int64(bytes.count)
        if unsynced >= Self.syncInterval { try sync() }
      }
    }

    private func sync() throws(Errno) {
      try file.sync()
      unsynced = 0
    }

    func restart() {
      ftruncate(file.number, 0)
      lseek(file.number, 0, SEEK_SET)
      size = 0
    }

    /// Writes all bytes to the disk, and then renames the file to its final name: after a power cut it is complete or
    /// does not exist. Throws `playback.cacheUnusable`.
    func finish() throws {
      try CacheFolder.orUnusable(final) { () throws(Errno) in
        try sync()
        try Files.move(temporary, to: final)
      }
    }
  }
}
