import Synchronization

/// Bounds the memory of pictures that are copied and wait for the worker. Who needs more than is left waits, the first
/// one first.
final class PictureMemory: Sendable {
  private struct State {
    var used = 0
    var waiting: [(bytes: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Grants memory to those that wait, as far as it lasts; returns them.
    mutating func grant(upTo limit: Int) -> [CheckedContinuation<Void, Never>] {
      let count = waiting.prefix { request in
        guard used + request.bytes <= limit else { return false }
        used += request.bytes
        return true
      }.count
      defer { waiting.removeFirst(count) }
      return waiting.prefix(count).map(\.continuation)
    }
  }

  /// The memory of one picture.
  final class Part: Sendable {
    private let memory: PictureMemory
    private let bytes: Mutex<Int>

    fileprivate init(_ memory: PictureMemory, _ bytes: Int) {
      self.memory = memory
      self.bytes = Mutex(bytes)
    }

    /// Gives back what the picture does not need, once its size in bytes is known.
    func shrink(to size: Int) {
      memory.release(
        bytes.withLock { bytes in
          let unneeded = max(0, bytes - size)
          bytes -= unneeded
          return unneeded
        })
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: the most bytes of all pictures, at least as many as one may have.
  init(limit: Int) { self.limit = limit }

  /// Waits for memory, and calls `body` with it.
  ///
  /// - Parameters:
  ///   - bytes: the most bytes that the picture may have.
  ///   - body: copies the picture and waits for the worker.
  /// - Throws: the errors of `body`; `CancellationError` if the task was cancelled meanwhile.
  func with<Value: Sendable>(
    _ bytes: Int, _ body: @Sendable (Part) async throws -> Value
  ) async throws -> Value {
    await withCheckedContinuation { continuation in
      let granted = state.withLock { state in
        state.waiting.append((min(bytes, limit), continuation))
        return state.grant(upTo: limit)
      }
      for granted in granted { granted.resume() }
    }
    let part = Part(self, min(bytes, limit))
    defer { part.shrink(to: 0) }
    try Task.checkCancellation()
    return try await body(part)
  }

  private func release(_ bytes: Int) {
    let granted = state.withLock { state in
      state.used -= bytes
      return state.grant(upTo: limit)
    }
    for granted in granted { granted.resume() }
  }
}
