import Glibc
public import Model

/// A process's hold on a name: `flock` on a file that holds its pid. The kernel frees it at a kill, so a stale file is
/// no hindrance.
public final class NodeLock: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Takes the lock of `node` in a runtime directory.
  ///
  /// - Throws: `bus.nameHeld` with the holder's pid; `bus.cannotUseDirectory` where the file cannot be made.
  public convenience init(of node: NodeID, in directory: RuntimeDirectory) throws {
    try self.init(
      at: directory.lock(of: node),
      held: { pid in
        LunaraError(
          "bus.nameHeld",
          "\(node) is already running here\(pid.map { " with pid \($0)" } ?? ""). Stop it first, or use another name.")
      })
  }

  /// Takes the lock at a path; `held` makes the error for a holder's pid.
  public init(at path: String, held: (Int32?) -> LunaraError) throws {
    // Those who look whether a lock is held take it for an instant; so one refusal proves nothing.
    for attempt in 0..<20 {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        throw LunaraError(
          "bus.cannotUseDirectory", "Cannot make the lock file \(path). Is the disk full, or read-only?",
          cause: String(cString: strerror(errno)))
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isSameFile(descriptor, path) {
        self.descriptor = descriptor
        self.path = path
        let pid = "\(getpid())\n"
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, pid, pid.utf8.count, 0) == pid.utf8.count else {
          let cause = String(cString: strerror(errno))
          Glibc.close(descriptor)
          throw LunaraError(
            "bus.cannotUseDirectory", "Cannot write the lock file \(path). Is the disk full?", cause: cause)
        }
        return
      }
      Glibc.close(descriptor)
      if attempt < 19 { usleepBriefly() }
    }
    throw held(Self.holder(path))
  }

  deinit { Glibc.close(descriptor) }

  /// Removes the file and frees the name.
  public func release() {
    if Self.isSameFile(descriptor, path) { unlink(path) }
    flock(descriptor, LOCK_UN)
  }

  /// Whether some process holds the lock at `path`.
  public static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// The pid written in the lock file at `path`; nil where there is none.
  public static func holder(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
  }

  private static func isSameFile(_ descriptor: Int32, _ path: String) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino
      && held.st_dev == named.st_dev
  }
}

/// Two milliseconds: far longer than a look at a lock takes. Used at a process's start only.
private func usleepBriefly() {
  var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
  nanosleep(&pause, nil)
}
