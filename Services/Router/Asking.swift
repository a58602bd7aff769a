import Bus
import Messages

/// Who can be asked: the nodes on the bus, or what a test puts in their place.
protocol Asking: Sendable {
  /// Asks a node and waits for its answer.
  func ask<R: Request>(
    _ request: R, of node: NodeID, within patience: Duration, id requestID: RequestID?
  ) async throws -> R.Answer
}

extension Asking {
  /// Asks with the usual patience.
  func ask<R: Request>(_ request: R, of node: NodeID) async throws -> R.Answer {
    try await ask(request, of: node, within: .seconds(5), id: nil)
  }

  /// Asks for what need not be known again.
  func ask<R: Request>(_ request: R, of node: NodeID, within patience: Duration) async throws -> R.Answer {
    try await ask(request, of: node, within: patience, id: nil)
  }
}

extension Node: Asking {
  nonisolated func ask<R: Request>(
    _ request: R, of node: NodeID, within patience: Duration, id requestID: RequestID?
  ) async throws -> R.Answer {
    try await self.request(request, to: node, within: patience, id: requestID)
  }
}
