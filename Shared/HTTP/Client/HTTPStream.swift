import Model

/// An answer whose body is read as it comes. The connection is broken off when nobody holds it any more.
public final class HTTPStream: Sendable {
  /// The status, for example 200.
  public let status: Int
  /// Names and values of the headers, in their order.
  public let headers: [(String, String)]

  private let inflow: Inflow
  private let transfer: Transfer?
  private let thread: TransferThread

  /// How many bytes wait for a slow reader before the server is held back.
  static let limit = 256 * 1024

  init(_ head: HTTPResponse, _ inflow: Inflow, _ transfer: Transfer?, _ thread: TransferThread) {
    status = head.status
    headers = head.headers
    self.inflow = inflow
    self.transfer = transfer
    self.thread = thread
  }

  deinit { cancel() }

  /// The first value of a header; the name's case does not matter.
  public func header(_ name: String) -> String? { Headers.first(name, in: headers) }

  /// The next bytes, awaited; nil at the end. For one reader at a time. Cancelling the task breaks the connection off.
  ///
  /// Throws as `HTTPClient.send` does, where the answer breaks off.
  public func next() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await inflow.next { [transfer, thread] in if let transfer { thread.goOn(transfer) } }
    } onCancel: {
      cancel()
    }
  }

  /// What has come and was not read yet, without waiting for more.
  public func waiting() -> [UInt8] {
    inflow.waiting { [transfer, thread] in if let transfer { thread.goOn(transfer) } }
  }

  /// Breaks the connection off; who reads gets `CancellationError` after what has come.
  public func cancel() { if let transfer { thread.cancel(transfer) } }
}
