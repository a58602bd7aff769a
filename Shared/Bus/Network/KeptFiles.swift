import Glibc
import Model
import Synchronization

/// Writes small files on a thread of its own: a card may take seconds to confirm a write, and a node that waited for it
/// would be silent meanwhile.
///
/// Of what is put in the place of one file while another is written only the newest is written.
actor KeptFiles {
  /// Makes a file's bytes; called on the thread that writes.
  typealias Content = @Sendable () throws -> [UInt8]

  private let thread = IOThread()
  private let report: @Sendable (LunaraError) -> Void
  private let waiting = Mutex<[String: Content]>([:])
  /// What became of each file last, where that was nothing good.
  private var failures: [String: LunaraError] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Starts the thread; `report` is told of files that cannot be written.
  ///
  /// - Throws: `bus.noThread`.
  init(report: @escaping @Sendable (LunaraError) -> Void) throws {
    self.report = report
    if let failure = thread.failure { throw failure }
  }

  isolated deinit { thread.stop() }

  /// Has a file replaced soon.
  nonisolated func put(_ content: @escaping Content, at path: String) {
    let isFirst = waiting.withLock { waiting in
      waiting[path] = content
      return waiting.count == 1
    }
    if isFirst { Task { await writeAll() } }
  }

  /// Writes all that was put.
  func writeAll() {
    while let (path, content) = waiting.withLock({ $0.popFirst() }) {
      do {
        try Self.write(try content(), to: path)
        failures[path] = nil
      } catch {
        failures[path] = LunaraError(error)
        report(LunaraError(error))
      }
    }
  }

  /// Returns once what was put at a path is on the disk.
  ///
  /// - Throws: `bus.cannotKeepRoster`.
  func settle(_ path: String) throws {
    writeAll()
    if let failure = failures[path] { throw failure }
  }

  /// Replaces a file, or leaves it as it is; blocks until it is on the disk. Its folder is made where it is missing.
  ///
  /// - Throws: `bus.cannotKeepRoster`.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let folderPath = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    mkdir(folderPath, 0o700)
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    let isReplaced = isWritten && rename(temporary, path) == 0
    let failure = isReplaced ? nil : Self.failure(path)
    close(descriptor)
    if let failure {
      unlink(temporary)
      throw failure
    }
    // The name is on the disk once its folder is.
    let folder = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private static func failure(_ path: String) -> LunaraError {
    LunaraError(
      "bus.cannotKeepRoster",
      "What is known of the household cannot be kept in \(path). Is the disk full, or read-only?",
      cause: String(cString: strerror(errno)))
  }
}
