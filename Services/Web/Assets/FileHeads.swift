import Dispatch
import Glibc
import Model

/// Reads the first bytes of files, on a queue of its own: a disk that has to spin up must not hold the other work.
struct FileHeads: Sendable {
  private let queue = DispatchQueue(label: "lunara.web.files")

  /// The first `count` bytes, or all there are.
  ///
  /// - Throws: `web.noPicture` where the file cannot be read.
  func head(of path: LocalPath, count: Int) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try Self.read(path, count: count) }) }
    }
  }

  private static func read(_ path: LocalPath, count: Int) throws -> [UInt8] {
    // A pipe or device under this name must not block.
    let descriptor = (path.bytes + [0]).withUnsafeBytes { bytes in
      bytes.baseAddress.map { open($0.assumingMemoryBound(to: CChar.self), O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
    }
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = Glibc.read(descriptor, &bytes, count)
    guard got >= 0 else { throw unreadable(path) }
    return Array(bytes.prefix(got))
  }

  private static func unreadable(_ path: LocalPath) -> LunaraError {
    LunaraError("web.noPicture", "The picture \(path) cannot be read.", cause: String(cString: strerror(errno)))
  }
}
