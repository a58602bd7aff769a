import Dispatch
import HTTP
import Model
import Synchronization

/// Opens pictures, on queues of its own: a disk that has to spin up must hold neither the other work nor the server's one
/// thread.
final class FileHeads: Sendable {
  /// How many are read at once, and how many wait or are read.
  private static let workers = 4
  static let most = 64
  /// How much of a file is read before it is sent.
  private static let mostBytes: UInt64 = 32 << 20

  private let queues = (0..<workers).map { DispatchQueue(label: "lunara.web.files.\($0)") }
  private let state = Mutex((waiting: 0, next: 0))

  /// Opens a picture and reads its first `count` bytes, and the rest once, so that sending it need not wait for a disk.
  ///
  /// - Parameter name: what it is called where it cannot be read; where it lies is nobody's business.
  /// - Throws: `web.noPicture` where the file cannot be read, `web.busy`.
  func open(_ path: LocalPath, _ name: String, head count: Int) async throws -> (file: OpenFile, head: [UInt8]) {
    let queue = try take()
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        let file = OpenFile(path)
        let head = file?.head(count) ?? []
        file?.readThrough(Self.mostBytes)
        state.withLock { $0.waiting -= 1 }
        if let file {
          continuation.resume(returning: (file, head))
        } else {
          continuation.resume(throwing: LunaraError("web.noPicture", "The picture \(name) cannot be read."))
        }
      }
    }
  }

  private func take() throws -> DispatchQueue {
    let turn: Int? = state.withLock { state in
      guard state.waiting < Self.most else { return nil }
      state.waiting += 1
      state.next = (state.next + 1) % Self.workers
      return state.next
    }
    guard let turn else {
      throw LunaraError("web.busy", "Too many pictures wait for a disk. Try again in a moment.")
    }
    return queues[turn]
  }
}
