import Model

/// Brings one reader through one node's journal: the next fact is applied, and missing ones are fetched. Pure: it is
/// told what happened and says what to do.
///
/// One action at a time is open. Each but the last two is answered by its event; a new batch is handled once `isIdle`,
/// so live facts wait while a range is fetched.
struct FactCatchUp: Sendable {
  enum Event: Sendable {
    /// Facts came, or the end of the journal was told.
    case received(FactReaderLoop.Batch)
    case recalled(FactPlace)
    case fetched(FactPage)
    /// The facts took effect, and the place moved with them.
    case applied
    case failed(LunaraError)
  }

  enum Action: Sendable {
    /// Look up where the reader is in a journal.
    case recall(journal: String)
    case fetch(ReplayStart)
    /// Have facts take effect in order, and move the place. Behind them `next` will be fetched, where it is known yet.
    case apply([ReceivedFact], through: JournalPosition, next: ReplayStart?)
    /// Tell a person; nothing answers this.
    case report(LunaraError)
    /// Drop the batch for this reason; nothing answers this. The next message about the journal's end tries again.
    case giveUp(LunaraError)
  }

  enum Verdict: Equatable {
    case apply
    /// It was applied before, or is of a former start or another journal.
    case ignore
    case fetch
  }

  /// A step of handling a batch, in this order.
  private enum Step { case place, facts, rest, journal, head }

  private enum Open {
    case nothing
    /// The place in the journal that ends here.
    case recall(JournalPosition)
    case fetch
    /// The place in the journal of a page, which is not the one that was asked for.
    case recallForPage(FactPage)
    case apply(JournalPosition)
    /// One of several facts could not be applied: they are applied one by one, so that those before it take effect.
    case applySingly(ArraySlice<ReceivedFact>, through: JournalPosition)
  }

  let publisher: NodeID
  /// The place that the reader has reached; nil before the first contact.
  private(set) var position: JournalPosition?
  private let name: String
  /// The start of the first contact.
  private let first: ReplayStart
  /// The start in a journal in which there is no place yet.
  private var start: ReplayStart
  private var isFirstContact = true
  /// The journal in which the place was looked up last.
  private var journal: String?
  private var steps: ArraySlice<Step> = []
  private var facts: ArraySlice<ReceivedFact> = []
  private var isCut = false
  private var head: JournalPosition?
  /// True while pages are fetched, until one says that there are no more.
  private var isCatchingUp = false
  private var applying: [ReceivedFact] = []
  private var open = Open.nothing
  /// The start of the last page of which a loss was told.
  private var reportedLossStart: ReplayStart?

  init(of publisher: NodeID, as reader: String, from start: ReplayStart) {
    self.publisher = publisher
    name = reader
    first = start
    self.start = start
  }

  var isIdle: Bool { steps.isEmpty && !isCatchingUp && !isOpen }

  private var isOpen: Bool { if case .nothing = open { false } else { true } }

  /// Handles an event. The place moves with what is applied, so an error half-way repeats nothing. An event that
  /// answers no open action changes nothing.
  mutating func handle(_ event: Event) -> [Action] {
    switch (event, open) {
    case (.received(let batch), .nothing) where isIdle:
      (facts, isCut, head) = (batch.facts[...], batch.isCut, batch.head)
      steps = [.place, .facts, .rest, .journal, .head]
      return next()
    case (.recalled(let place), .recall(let head)):
      recalled(place, head: head)
      return next()
    case (.fetched(let page), .fetch):
      guard page.through.journal == journal else {
        // The publisher has another journal now, before a heartbeat told of it. The reader may have read that journal
        // before, so its place there is looked up.
        open = .recallForPage(page)
        return [.recall(journal: page.through.journal)]
      }
      return fetched(page)
    case (.recalled(let place), .recallForPage(let page)):
      journal = page.through.journal
      guard let here = place.here else { return fetched(page) }
      position = here
      return next()
    case (.applied, .apply(let position)):
      reached(position)
      return next()
    case (.applied, .applySingly(let rest, let through)):
      if let own = rest.first?.envelope.position { reached(own) }
      guard !rest.isEmpty else {
        reached(through)
        return next()
      }
      return applySingly(rest.dropFirst(), through: through)
    case (.failed, .apply(let through)) where applying.count > 1:
      return applySingly(applying[...], through: through)
    case (.failed(let error), .recall), (.failed(let error), .fetch), (.failed(let error), .recallForPage),
      (.failed(let error), .apply), (.failed(let error), .applySingly):
      return giveUp(error)
    default: return []
    }
  }

  private mutating func next() -> [Action] {
    open = .nothing
    applying = []
    while !isCatchingUp, let step = steps.first {
      switch step {
      case .place:
        if position == nil, let head { return recall(head) }
      case .facts:
        if let run = nextRun() { return apply(run.facts, through: run.position, next: nil) }
        // The facts behind a gap are looked at once it is filled.
        if isCatchingUp { continue }
      case .rest: isCatchingUp = isCut
      case .journal:
        if let head, let position, position.journal != head.journal { return recall(head) }
      case .head:
        if let head, Self.judge(head: head, at: position) == .fetch { isCatchingUp = true }
      }
      steps.removeFirst()
    }
    guard isCatchingUp else {
      facts = []
      return []
    }
    open = .fetch
    return [.fetch(position.map { .after($0) } ?? start)]
  }

  private mutating func recall(_ head: JournalPosition) -> [Action] {
    steps.removeFirst()
    open = .recall(head)
    return [.recall(journal: head.journal)]
  }

  /// Finds the place in a journal that was not read before, or not since this process began.
  private mutating func recalled(_ place: FactPlace, head: JournalPosition) {
    let former = position ?? place.elsewhere
    journal = head.journal
    position = place.here
    guard place.here == nil else { return }
    if isFirstContact, case .head = first {
      position = head
      isFirstContact = false
    } else if let former {
      // A journal that grew out of the one before knows how far this place goes; any other sends all that it has.
      start = .after(former)
    } else {
      start = isFirstContact ? first : .oldest
    }
  }

  /// Removes and returns the next facts that may be applied together; nil where there are none before a gap or the end.
  private mutating func nextRun() -> (facts: [ReceivedFact], position: JournalPosition)? {
    var run: [ReceivedFact] = []
    var ahead = position
    loop: while let fact = facts.first {
      if let next = fact.envelope.position {
        switch Self.judge(fact: next, at: ahead) {
        case .ignore: break
        case .apply:
          run.append(fact)
          ahead = next
        case .fetch where run.isEmpty:
          isCatchingUp = true
          facts.removeFirst()
          break loop
        case .fetch: break loop
        }
      }
      facts.removeFirst()
    }
    guard let ahead, !run.isEmpty else { return nil }
    return (run, ahead)
  }

  private mutating func fetched(_ page: FactPage) -> [Action] {
    let isLast = page.through.seq >= page.head
    let start: ReplayStart = position.map { .after($0) } ?? start
    guard page.isInOrder, isLast || (!page.facts.isEmpty && page.through != position) else {
      return giveUp(
        LunaraError("bus.badReplay", "\(publisher) sent a page of facts that is out of order or does not advance."))
    }
    if isLast { isCatchingUp = false }
    var actions: [Action] = []
    if page.missed > 0, reportedLossStart != start {
      reportedLossStart = start
      actions.append(.report(lost(page)))
    }
    guard !page.facts.isEmpty || page.through != position else { return actions + next() }
    return actions + apply(page.facts, through: page.through, next: isLast ? nil : .after(page.through))
  }

  private func lost(_ page: FactPage) -> LunaraError {
    LunaraError(
      "bus.factsLost",
      """
      \(name) was away for so long that \(publisher) no longer keeps \(page.missed) of the facts it had yet to read. \
      It goes on with the oldest that is kept.
      """, cause: page.oldest.map { "the oldest kept is number \($0)" })
  }

  private mutating func apply(_ facts: [ReceivedFact], through position: JournalPosition, next: ReplayStart?)
    -> [Action]
  {
    applying = facts
    open = .apply(position)
    return [.apply(facts, through: position, next: next)]
  }

  private mutating func applySingly(_ rest: ArraySlice<ReceivedFact>, through: JournalPosition) -> [Action] {
    applying = []
    let rest = rest.drop { $0.envelope.position == nil }
    open = .applySingly(rest, through: through)
    guard let fact = rest.first, let own = fact.envelope.position else {
      return [.apply([], through: through, next: nil)]
    }
    return [.apply([fact], through: own, next: nil)]
  }

  private mutating func reached(_ position: JournalPosition) {
    self.position = position
    isFirstContact = false
  }

  private mutating func giveUp(_ error: LunaraError) -> [Action] {
    (open, steps, facts, applying, isCatchingUp) = (.nothing, [], [], [], false)
    return [.giveUp(error)]
  }
}

extension FactCatchUp {
  /// Judges a live fact by the reader's place. One of another journal is ignored: that the journal changed is told by a
  /// heartbeat, as a last fact of a wiped one may still come late.
  static func judge(fact: JournalPosition, at position: JournalPosition?) -> Verdict {
    guard let position else { return .fetch }
    guard position.journal == fact.journal, fact.epoch >= position.epoch else { return .ignore }
    if fact.epoch > position.epoch { return .fetch }
    if fact.seq <= position.seq { return .ignore }
    return fact.seq == position.seq &+ 1 ? .apply : .fetch
  }

  /// Judges the journal's end, as a heartbeat tells it. Frames of one node keep their order, so an end ahead of the
  /// place is a gap.
  static func judge(head: JournalPosition, at position: JournalPosition?) -> Verdict {
    guard let position, position.journal == head.journal else { return .fetch }
    if head.epoch < position.epoch { return .ignore }
    return head.epoch > position.epoch || head.seq > position.seq ? .fetch : .ignore
  }

  static func lag(behind head: JournalPosition, at position: JournalPosition?) -> Int64 {
    guard let position, position.journal == head.journal else { return max(0, head.seq) }
    return max(0, head.seq &- position.seq)
  }
}

/// The place of a reader in the journals of a node, as the reader's own store knows it.
struct FactPlace: Hashable, Sendable {
  /// The place in the journal that was asked about.
  var here: JournalPosition?
  /// The place that moved last in another journal of the same node.
  var elsewhere: JournalPosition?
}
