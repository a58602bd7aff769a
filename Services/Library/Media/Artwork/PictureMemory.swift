import Synchronization

/// Bounds the memory of pictures that are copied and wait for the worker. Who needs more than is left waits: those for
/// whom somebody waits come first, and then the first one.
///
/// One origin gets three quarters of the memory at most, so that pictures of a disk or server that does not answer hold
/// up no others. Pictures for which nobody waits get half of it at most.
final class PictureMemory: Sendable {
  /// The picture for which memory is asked: where it comes from, and who waits for it.
  struct Purpose: Hashable, Sendable {
    /// The disk or server that has the picture.
    var origin: String
    /// True where somebody waits for the picture.
    var isUrgent: Bool
  }

  private struct Request {
    var id: Int
    var bytes: Int
    var purpose: Purpose
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var used: [Purpose: Int] = [:]
    var waiting: [Request] = []
    var lastID = 0

    /// Grants memory to those that wait, as far as it lasts; returns them.
    mutating func grant(upTo limit: Int) -> [Request] {
      var granted: [Request] = []
      for request in waiting.filter(\.purpose.isUrgent) + waiting.filter({ !$0.purpose.isUrgent })
      where fits(request, limit) {
        used[request.purpose, default: 0] += request.bytes
        granted.append(request)
      }
      let ids = Set(granted.map(\.id))
      waiting.removeAll { ids.contains($0.id) }
      return granted
    }

    /// Returns true if a request exceeds no limit. The first one of an origin, and the first one for which nobody
    /// waits, need only be within the whole limit.
    private func fits(_ request: Request, _ limit: Int) -> Bool {
      func isWithin(_ limit: Int, _ isCounted: (Purpose) -> Bool) -> Bool {
        let sum = used.reduce(0) { isCounted($1.key) ? $0 + $1.value : $0 }
        return sum == 0 || sum + request.bytes <= limit
      }
      return isWithin(limit) { _ in true } && isWithin(limit * 3 / 4) { $0.origin == request.purpose.origin }
        && (request.purpose.isUrgent || isWithin(limit / 2) { !$0.isUrgent })
    }
  }

  /// The memory of one picture.
  final class Part: Sendable {
    private let memory: PictureMemory
    private let purpose: Purpose
    private let bytes: Mutex<Int>

    fileprivate init(_ memory: PictureMemory, _ bytes: Int, _ purpose: Purpose) {
      self.memory = memory
      self.purpose = purpose
      self.bytes = Mutex(bytes)
    }

    /// Gives back what the picture does not need, once its size in bytes is known.
    func shrink(to size: Int) {
      memory.release(
        bytes.withLock { bytes in
          let unneeded = max(0, bytes - size)
          bytes -= unneeded
          return unneeded
        }, purpose)
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: the most bytes of all pictures, at least as many as one may have.
  init(limit: Int) { self.limit = limit }

  /// The number of pictures that wait for memory.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits for memory, and calls `body` with it.
  ///
  /// - Parameters:
  ///   - bytes: the most bytes that the picture may have.
  ///   - purpose: who asks.
  ///   - body: copies the picture and waits for the worker.
  /// - Throws: the errors of `body`; `CancellationError` if the task was cancelled meanwhile.
  func with<Value: Sendable>(
    _ bytes: Int, for purpose: Purpose, _ body: @Sendable (Part) async throws -> Value
  ) async throws -> Value {
    let bytes = min(bytes, limit)
    try await acquire(bytes, purpose)
    let part = Part(self, bytes, purpose)
    defer { part.shrink(to: 0) }
    try Task.checkCancellation()
    return try await body(part)
  }

  private func acquire(_ bytes: Int, _ purpose: Purpose) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let request = Request(id: id, bytes: bytes, purpose: purpose, continuation: continuation)
        let granted: [Request]? = state.withLock { state in
          // A task that is cancelled later finds its request here.
          guard !Task.isCancelled else { return nil }
          state.waiting.append(request)
          return state.grant(upTo: limit)
        }
        guard let granted else { return continuation.resume(throwing: CancellationError()) }
        for request in granted { request.continuation.resume() }
      }
    } onCancel: {
      let cancelled = state.withLock { state in
        let cancelled = state.waiting.filter { $0.id == id }
        state.waiting.removeAll { $0.id == id }
        return cancelled
      }
      for request in cancelled { request.continuation.resume(throwing: CancellationError()) }
    }
  }

  private func release(_ bytes: Int, _ purpose: Purpose) {
    let granted = state.withLock { state in
      state.used[purpose, default: 0] -= bytes
      if state.used[purpose] == 0 { state.used[purpose] = nil }
      return state.grant(upTo: limit)
    }
    for request in granted { request.continuation.resume() }
  }
}
