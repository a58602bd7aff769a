import Model
import Synchronization

/// An answer whose body is read as it arrives. Releasing the last reference to it closes the connection.
public final class HTTPStream: Sendable {
  /// The status, for example 200.
  public let status: Int
  /// Names and values of the headers, in their order.
  public let headers: [(String, String)]

  private let buffer: ReceiveBuffer
  private let transfer: Transfer?
  private let thread: TransferThread

  /// The number of bytes that wait for a slow reader before the server is held back.
  static let limit = 256 * 1024

  init(_ head: HTTPResponse, _ buffer: ReceiveBuffer, _ transfer: Transfer?, _ thread: TransferThread) {
    status = head.status
    headers = head.headers
    self.buffer = buffer
    self.transfer = transfer
    self.thread = thread
  }

  deinit { cancel() }

  /// The first value of a header; the name's case does not matter.
  public func header(_ name: String) -> String? { Headers.first(name, in: headers) }

  /// Waits for the next bytes and returns them; nil at the end. For one reader at a time. Cancelling the task breaks
  /// the connection off.
  ///
  /// Throws the errors of `HTTPClient.send` where the answer breaks off.
  public func next() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await buffer.next { [transfer, thread] in if let transfer { thread.resume(transfer) } }
    } onCancel: {
      cancel()
    }
  }

  /// Returns the bytes that have come and were not read yet, without waiting for more.
  public func waiting() -> [UInt8] {
    buffer.waiting { [transfer, thread] in if let transfer { thread.resume(transfer) } }
  }

  /// True once the answer has ended or broken off, even if the reader does not know yet.
  public var isEnded: Bool { buffer.isEnded }

  /// Breaks the connection off. The reader gets the bytes that have arrived, then `CancellationError`.
  public func cancel() { if let transfer { thread.cancel(transfer) } }
}

/// A bounded buffer in which the pieces of a streamed answer wait for their one reader. Once it is full the server is
/// held back.
final class ReceiveBuffer: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var bytes = 0
    var end: Result<Void, any Error>?
    var waiting: CheckedContinuation<[UInt8]?, any Error>?
    var isPaused = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  var isEnded: Bool { state.withLock { $0.end != nil } }

  /// Appends a piece. Returns false if the buffer is full; the caller has to append the piece again after `resume`.
  func append(_ piece: UnsafeRawBufferPointer) -> Bool {
    let handed: (CheckedContinuation<[UInt8]?, any Error>, [UInt8])?? = state.withLock { state in
      if state.bytes >= limit {
        state.isPaused = true
        return .none
      }
      let piece = Array(piece)
      if let waiting = state.waiting {
        state.waiting = nil
        return .some((waiting, piece))
      }
      state.pieces.append(piece)
      state.bytes += piece.count
      return .some(nil)
    }
    guard let handed else { return false }
    if let (waiting, piece) = handed { waiting.resume(returning: piece) }
    return true
  }

  /// Ends the buffer: the reader gets the pieces in it, and then the end or the error.
  func end(_ result: Result<Void, any Error>) {
    let waiting = state.withLock { state in
      if state.end == nil { state.end = result }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(with: result.map { nil })
  }

  /// Waits for the next piece and returns it; nil at the end. Calls `resume` if the transfer was paused and may
  /// continue.
  func next(resume: @Sendable () -> Void) async throws -> [UInt8]? {
    try await withCheckedThrowingContinuation { continuation in
      enum Step {
        case wait
        case give(Result<[UInt8]?, any Error>)
      }
      let (step, mayGoOn) = state.withLock { state -> (Step, Bool) in
        if !state.pieces.isEmpty {
          let piece = state.pieces.removeFirst()
          state.bytes -= piece.count
          let mayGoOn = state.isPaused && state.bytes <= limit / 2
          if mayGoOn { state.isPaused = false }
          return (.give(.success(piece)), mayGoOn)
        }
        if let end = state.end { return (.give(end.map { nil }), false) }
        // Another reader waits already, and would lose pieces to this one: this one gets the end.
        if state.waiting != nil { return (.give(.success(nil)), false) }
        state.waiting = continuation
        return (.wait, false)
      }
      if mayGoOn { resume() }
      if case .give(let result) = step { continuation.resume(with: result) }
    }
  }

  /// Returns all pieces in the buffer. Calls `resume` if the transfer was paused.
  func waiting(resume: () -> Void) -> [UInt8] {
    let (bytes, mayGoOn) = state.withLock { state -> ([UInt8], Bool) in
      defer {
        state.pieces = []
        state.bytes = 0
        state.isPaused = false
      }
      return (Array(state.pieces.joined()), state.isPaused)
    }
    if mayGoOn { resume() }
    return bytes
  }
}
