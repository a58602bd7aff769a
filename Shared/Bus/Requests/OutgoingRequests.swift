import Model

/// The requests that a node has sent and not yet been answered, with those who wait for the answers.
struct OutgoingRequests {
  /// Called once with the answer's envelope, or with the reason why there is none.
  typealias Completion = (Result<Envelope, LunaraError>) -> Void

  var table = RequestTable(startingAt: .random(in: 0...UInt32.max))
  private var completions: [UInt32: Completion] = [:]

  /// True while nobody waits for an answer.
  var isIdle: Bool { completions.isEmpty && table.pending.isEmpty }

  mutating func onAnswer(to number: UInt32, _ completion: @escaping Completion) { completions[number] = completion }

  /// Ends a request that was answered; returns false for an answer to another request.
  mutating func answered(_ number: UInt32, id: String, by node: NodeID) -> Bool {
    table.answered(number, id: id, by: node) != nil
  }

  mutating func removeCompletion(of number: UInt32) -> Completion? { completions.removeValue(forKey: number) }

  mutating func removeAllCompletions() -> [Completion] {
    defer { completions = [:] }
    return Array(completions.values)
  }

  func numbers(of id: String) -> [UInt32] { table.pending.filter { $1.id == id }.map(\.key) }
}

extension UInt32 {
  /// The four bytes of the number, big endian.
  var bytes: [UInt8] { [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)] }

  init?(bytes: [UInt8]) {
    guard bytes.count == 4 else { return nil }
    self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
