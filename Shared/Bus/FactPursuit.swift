import Messages
import Model

/// One reader's way through one node's journal: applies what is next, and fetches what is missing from the desk.
struct FactPursuit: Sendable {
  let publisher: NodeID
  let sink: any FactSink
  /// Asks the publisher's desk for a page.
  let fetch: @Sendable (ReplayStart) async throws -> FactPage
  private(set) var reader = FactReader()
  /// Where to begin in a journal in which there is no place yet.
  private var start: ReplayStart
  private var isFirstContact = true

  init(
    of publisher: NodeID, into sink: any FactSink, fetch: @escaping @Sendable (ReplayStart) async throws -> FactPage
  ) {
    self.publisher = publisher
    self.sink = sink
    self.fetch = fetch
    start = sink.start
  }

  /// Takes in what came: facts in order, then all that the journal has beyond them.
  ///
  /// The place moves with what is applied, so an error half-way repeats nothing.
  mutating func takeIn(_ batch: FactBacklog.Batch) async throws {
    if reader.position == nil, let head = batch.head { try await open(head) }
    try await takeIn(batch.facts)
    if batch.isCut { try await fetchAll() }
    guard let head = batch.head else { return }
    if let position = reader.position, position.journal != head.journal { try await open(head) }
    if reader.judge(head: head) == .fetch { try await fetchAll() }
  }

  /// Finds the place in a journal that was not read before, or not since this process began.
  private mutating func open(_ head: JournalPosition) async throws {
    reader.position = try await sink.position(in: publisher, journal: head.journal)
    guard reader.position == nil else { return }
    if isFirstContact, case .head = sink.start {
      reader.position = head
      isFirstContact = false
    } else {
      // A node with a new journal was wiped: all that is in it is new, wherever the reader began in the one before.
      start = isFirstContact ? sink.start : .oldest
    }
  }

  private mutating func takeIn(_ facts: [ReceivedFact]) async throws {
    var run: [ReceivedFact] = []
    var ahead = reader
    for fact in facts {
      guard let position = fact.envelope.position else { continue }
      switch ahead.judge(fact: position) {
      case .ignore: continue
      case .apply:
        run.append(fact)
        ahead.position = position
      case .fetch:
        if let reached = ahead.position, !run.isEmpty { try await apply(run, through: reached) }
        run = []
        try await fetchAll()
        ahead = reader
      }
    }
    if let reached = ahead.position, !run.isEmpty { try await apply(run, through: reached) }
  }

  private mutating func fetchAll() async throws {
    while true {
      try Task.checkCancellation()
      let page = try await fetch(reader.position.map { .after($0) } ?? start)
      let isLast = page.through.seq >= page.head
      guard isLast || !page.facts.isEmpty else {
        throw LunaraError("bus.badReplay", "\(publisher) sent an empty page of facts though there are more.")
      }
      if !page.facts.isEmpty || page.through != reader.position { try await apply(page.facts, through: page.through) }
      if isLast { return }
    }
  }

  private mutating func apply(_ facts: [ReceivedFact], through position: JournalPosition) async throws {
    do {
      try await sink.apply(facts, through: position, of: publisher)
    } catch  where facts.count > 1 {
      // One of them cannot be applied. Those before it are, one by one, so that it alone is held up.
      for fact in facts {
        guard let own = fact.envelope.position else { continue }
        try await sink.apply([fact], through: own, of: publisher)
        reader.position = own
      }
      try await sink.apply([], through: position, of: publisher)
    }
    reader.position = position
    isFirstContact = false
  }
}
