import Glibc
import Model

/// The files of the cache, in a folder of their own that only this user can read.
struct CacheFolder: Sendable {
  let path: String

  /// Takes a folder, making it where it is missing, and removes what an earlier start left half done.
  ///
  /// - Throws: `playback.cacheUnusable`.
  init(_ path: String) throws {
    self.path = path
    guard mkdir(path, 0o700) == 0 || errno == EEXIST, access(path, W_OK | X_OK) == 0 else {
      throw Self.unusable(path, errno)
    }
    for name in try names() where name.hasSuffix(Self.partial) { unlink("\(path)/\(name)") }
  }

  private static let partial = ".part"

  /// The files that are whole.
  func entries() throws -> [CacheIndex.Entry] {
    try names().compactMap { file in
      var status = stat()
      guard let name = CacheName(file: file), lstat("\(path)/\(file)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
      else { return nil }
      return CacheIndex.Entry(
        name: name, size: Int64(status.st_size), fetchedAt: Self.date(status.st_mtim), usedAt: Self.date(status.st_atim)
      )
    }
  }

  /// Where a file lies.
  func path(of name: CacheName) -> LocalPath { LocalPath("\(path)/\(name.file)") }

  /// Removes a file; who plays it plays on.
  func remove(_ name: CacheName) { unlink("\(path)/\(name.file)") }

  /// Notes on the disk when a file was used: in the time of its last access, which is not kept by itself everywhere.
  func use(_ name: CacheName, on date: Timestamp) {
    let seconds = date.microseconds / 1_000_000
    let times = [timespec(tv_sec: Int(seconds), tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: Int(UTIME_OMIT_NSEC))]
    utimensat(AT_FDCWD, "\(path)/\(name.file)", times, 0)
  }

  private func names() throws -> [String] {
    guard let folder = opendir(path) else { throw Self.unusable(path, errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func date(_ time: timespec) -> Timestamp {
    Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  private static func unusable(_ path: String, _ error: Int32) -> LunaraError {
    LunaraError(
      "playback.cacheUnusable",
      "What comes next cannot be kept in \(path). Check its owner, or that the disk has room.",
      cause: String(cString: strerror(error)))
  }
}

/// `UTIME_OMIT` of `sys/stat.h`, which does not import: leave this time as it is.
private let UTIME_OMIT_NSEC = (1 << 30) - 2

extension CacheFolder {
  /// A file that is being fetched: it has its name once it is whole.
  final class Partial {
    private let descriptor: Int32
    private let temporary: String
    private let final: String
    private(set) var size: Int64 = 0

    /// - Throws: `playback.cacheUnusable`.
    fileprivate init(_ name: CacheName, in folder: String) throws {
      final = "\(folder)/\(name.file)"
      temporary = final + CacheFolder.partial
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw CacheFolder.unusable(folder, errno) }
    }

    deinit {
      close(descriptor)
      // Nothing where it has its name.
      unlink(temporary)
    }

    /// Adds bytes.
    ///
    /// - Throws: `playback.cacheUnusable`.
    func write(_ bytes: [UInt8]) throws {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw CacheFolder.unusable(temporary, errno) }
        rest = rest.dropFirst(count)
        size += Int64(count)
      }
    }

    /// Begins anew.
    func restart() {
      ftruncate(descriptor, 0)
      lseek(descriptor, 0, SEEK_SET)
      size = 0
    }

    /// Gives it its name.
    ///
    /// - Throws: `playback.cacheUnusable`.
    func finish() throws {
      guard rename(temporary, final) == 0 else { throw CacheFolder.unusable(final, errno) }
    }
  }

  /// Begins a file.
  ///
  /// - Throws: `playback.cacheUnusable`.
  func begin(_ name: CacheName) throws -> Partial { try Partial(name, in: path) }
}
