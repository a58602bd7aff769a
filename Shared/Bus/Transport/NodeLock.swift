import Glibc
public import Model
import System

/// A process's lock on a name: `flock` on a file that holds its pid and start number. The kernel releases it when the
/// process ends, so a stale file does no harm.
public final class NodeLock: Sendable {
  private let file: Descriptor
  private let path: String

  /// Takes the lock of `node` in a runtime directory.
  ///
  /// - Throws: `bus.nameHeld` with the holder's pid; `bus.cannotUseDirectory` if the file cannot be created or locked.
  public convenience init(of node: NodeID, in directory: RuntimeDirectory) throws {
    try self.init(
      at: directory.lock(of: node),
      held: { pid in
        LunaraError(
          "bus.nameHeld",
          "\(node) is already running here\(pid.map { " with pid \($0)" } ?? ""). Stop it first, or use another name.")
      })
  }

  /// Takes the lock at a path; `held` returns the error for the holder's pid.
  public init(at path: String, held: (Int32?) -> LunaraError) throws {
    // `isHeld` takes the lock for some microseconds, so it is tried 20 times, 2 ms apart. Only a program that starts
    // waits here, and only while the lock is held.
    for attempt in 0..<20 {
      if attempt > 0 { usleep(2000) }
      // The file is readable for the group, whose members may check the lock if the directory is shared with them.
      let file: Descriptor
      do throws(Errno) { file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o640) } catch {
        throw LunaraError(
          "bus.cannotUseDirectory", "Cannot make the lock file \(path). Is the disk full, or read-only?", cause: error)
      }
      if flock(file.number, LOCK_EX | LOCK_NB) != 0 {
        let error = Errno.current
        file.close()
        if error == .wouldBlock { continue }
        throw LunaraError(
          "bus.cannotUseDirectory", "Cannot lock the file \(path). Does its file system have locks?", cause: error)
      }
      // The holder before may have removed the file after it was opened here.
      guard Self.isSameFile(file, path) else {
        file.close()
        continue
      }
      self.file = file
      self.path = path
      // If this throws, the object is released, which closes the file.
      try write(pid: getpid(), start: Self.lines(path)[1])
      return
    }
    throw held(Self.holder(path))
  }

  /// Returns a number for this start that is larger than that of the start before, and at least `least`, and stores it.
  ///
  /// - Throws: `bus.cannotUseDirectory` if it cannot be stored.
  func nextStart(atLeast least: Int64) throws -> Int64 {
    let number = max(least, (Self.lines(path)[1].map { $0 < .max ? $0 + 1 : $0 }) ?? least)
    try write(pid: getpid(), start: number)
    return number
  }

  /// Releases the name. A file with a start number is kept, unless `forgetting` is true.
  public func release(forgetting: Bool = false) {
    if Self.isSameFile(file, path) {
      if !forgetting, let start = Self.lines(path)[1] {
        do { try write(pid: nil, start: start) } catch {
          // A pid that cannot be removed is ignored, as after a kill.
        }
      } else {
        unlink(path)
      }
    }
    flock(file.number, LOCK_UN)
  }

  private func write(pid: Int32?, start: Int64?) throws {
    let text = (pid.map { "\($0)" } ?? "") + "\n" + (start.map { "\($0)\n" } ?? "")
    guard pwrite(file.number, text, text.utf8.count, 0) == text.utf8.count,
      ftruncate(file.number, off_t(text.utf8.count)) == 0
    else {
      throw LunaraError(
        "bus.cannotUseDirectory", "Cannot write the lock file \(path). Is the disk full?", cause: Errno.current)
    }
  }

  /// Returns true if a process holds the lock at `path`.
  public static func isHeld(_ path: String) -> Bool {
    do throws(Errno) {
      let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW)
      return flock(file.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    } catch {
      // A missing file is held by nobody. A file that may not be opened counts as not held.
      return false
    }
  }

  /// Returns the pid in the lock file at `path`; nil if there is none.
  public static func holder(_ path: String) -> Int32? { lines(path)[0].flatMap { Int32(exactly: $0) } }

  /// Returns the two numbers in a lock file: pid and start number.
  private static func lines(_ path: String) -> [Int64?] {
    do throws(Errno) {
      let bytes = try Files.read(path, limit: 4096, followsLinks: false)
      let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
      return (0..<2).map { $0 < lines.count ? Int64(String(decoding: lines[$0], as: UTF8.self)) : nil }
    } catch {
      return [nil, nil]
    }
  }

  private static func isSameFile(_ file: Descriptor, _ path: String) -> Bool {
    do throws(Errno) {
      return try file.status().isSameFile(as: FileStatus(path, followingLinks: false))
    } catch {
      // The file was removed.
      return false
    }
  }
}
