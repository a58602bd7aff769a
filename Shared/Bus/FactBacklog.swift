/// What a reader has yet to take in of one node: facts that came live, and how far the journal goes. Pure and bounded.
struct FactBacklog {
  /// What is taken in at once.
  struct Batch: Sendable {
    /// In the order in which they came.
    var facts: [ReceivedFact]
    /// Whether there were more than could wait.
    var isCut: Bool
    /// Where the journal ends, as its node said last.
    var head: JournalPosition?
  }

  /// The most bytes of payload that wait; what comes beyond them is fetched from the desk later.
  static let sizeLimit = 512 * 1024

  private var facts: [ReceivedFact] = []
  private var size = 0
  private var isCut = false
  private var head: JournalPosition?
  private var settledAt: JournalPosition?

  /// A live fact came.
  mutating func add(_ fact: ReceivedFact) {
    let count = fact.envelope.payload.count
    guard !isCut, facts.isEmpty || size + count <= Self.sizeLimit else {
      isCut = true
      return
    }
    facts.append(fact)
    size += count
  }

  /// A heartbeat said where the journal ends.
  mutating func add(head: JournalPosition) {
    if head != settledAt { self.head = head }
  }

  /// The reader stands here and needs nothing, so a heartbeat that says no more does not wake it. With nil every one
  /// does.
  mutating func settle(at position: JournalPosition?) { settledAt = position }

  /// Takes all that waits; nil where nothing does.
  mutating func take() -> Batch? {
    guard !facts.isEmpty || isCut || head != nil else { return nil }
    defer { (facts, size, isCut, head) = ([], 0, false, nil) }
    return Batch(facts: facts, isCut: isCut, head: head)
  }
}
