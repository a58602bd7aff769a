import Model

/// Decides how one reader proceeds through one node's journal: which facts it applies next, and which missing ones it
/// fetches. A pure state machine: `handle(_:)` takes an event and returns actions.
///
/// At most one action is open at a time. Each action except `report` and `giveUp` is answered by its event. A new batch
/// is handled only when `isIdle`, so live facts wait while a range is fetched.
struct FactCatchUp: Sendable {
  enum Event: Sendable {
    /// Live facts came, or a heartbeat told the end of the journal.
    case received(FactReaderLoop.Batch)
    case recalled(FactPlace)
    case fetched(FactPage)
    /// The facts were applied, and the reader's stored place was moved.
    case applied
    case failed(LunaraError)
  }

  enum Action: Sendable {
    /// Look up the reader's place in a journal.
    case recall(journal: String)
    case fetch(ReplayStart)
    /// Apply facts in order and move the place. `next` is the start of the page that is fetched next; nil if unknown.
    case apply([ReceivedFact], through: JournalPosition, next: ReplayStart?)
    /// Report an error to a person; no event answers this.
    case report(LunaraError)
    /// Drop the batch because of this error; no event answers this. The next heartbeat tries again.
    case giveUp(LunaraError)
  }

  enum Verdict: Equatable {
    case apply
    /// The fact was applied before, or belongs to a former start or another journal.
    case ignore
    case fetch
  }

  /// A step of handling a batch; the steps are done in this order.
  private enum Step { case place, facts, rest, journal, head }

  private enum Open {
    case nothing
    /// The place is looked up in the journal of this end.
    case recall(JournalPosition)
    case fetch
    /// The place is looked up in the journal of this page, which is not the journal that was asked for.
    case recallForPage(FactPage)
    case apply(JournalPosition)
    /// One of several facts could not be applied: they are applied one by one, so that those before the bad one are
    /// kept.
    case applySingly(ArraySlice<ReceivedFact>, through: JournalPosition)
  }

  let publisher: NodeID
  /// The place that the reader has reached; nil before the first contact.
  private(set) var position: JournalPosition?
  private let name: String
  /// The start to use at the first contact.
  private let first: ReplayStart
  /// The start to use in a journal in which the reader has no place yet.
  private var start: ReplayStart
  private var isFirstContact = true
  /// The journal in which the place was last looked up.
  private var journal: String?
  private var steps: ArraySlice<Step> = []
  private var facts: ArraySlice<ReceivedFact> = []
  private var isCut = false
  private var head: JournalPosition?
  /// True while pages are fetched, until the last page came.
  private var isCatchingUp = false
  private var applying: [ReceivedFact] = []
  private var open = Open.nothing
  /// The start of the last page for which a loss was reported.
  private var reportedLossStart: ReplayStart?

  init(of publisher: NodeID, as reader: String, from start: ReplayStart) {
    self.publisher = publisher
    name = reader
    first = start
    self.start = start
  }

  var isIdle: Bool { steps.isEmpty && !isCatchingUp && !isOpen }

  private var isOpen: Bool { if case .nothing = open { false } else { true } }

  /// Handles an event. The place moves with each applied fact, so after an error no fact is applied twice. An event
  /// that answers no open action changes nothing.
  mutating func handle(_ event: Event) -> [Action] {
    switch (event, open) {
    case (.received(let batch), .nothing) where isIdle:
      facts = batch.facts[...]
      isCut = batch.isCut
      head = batch.head
      steps = [.place, .facts, .rest, .journal, .head]
      return next()
    case (.recalled(let place), .recall(let head)):
      recalled(place, head: head)
      return next()
    case (.fetched(let page), .fetch):
      guard page.through.journal == journal else {
        // The publisher changed its journal, and no heartbeat told of this yet. The reader may have read the new
        // journal before, so its place there is looked up.
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
        // The facts behind a gap are handled after the gap was fetched.
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

  /// Continues at the place that was looked up, in a journal that was not read since this process started.
  private mutating func recalled(_ place: FactPlace, head: JournalPosition) {
    let former = position ?? place.elsewhere
    journal = head.journal
    position = place.here
    guard place.here == nil else { return }
    if isFirstContact, case .head = first {
      position = head
      isFirstContact = false
    } else if let former {
      // A journal that descends from the former one knows which of its facts the reader has; any other sends all its
      // facts.
      start = .after(former)
    } else {
      start = isFirstContact ? first : .oldest
    }
  }

  /// Removes and returns the next facts that can be applied together; nil if there are none before a gap or the end.
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
    open = .nothing
    steps = []
    facts = []
    applying = []
    isCatchingUp = false
    return [.giveUp(error)]
  }
}

extension FactCatchUp {
  /// Judges a live fact by the reader's place. A fact of another journal is ignored, as a late fact of a wiped journal
  /// may still come; a change of the journal is learnt from heartbeats.
  static func judge(fact: JournalPosition, at position: JournalPosition?) -> Verdict {
    guard let position else { return .fetch }
    guard position.journal == fact.journal, fact.epoch >= position.epoch else { return .ignore }
    if fact.epoch > position.epoch { return .fetch }
    if fact.seq <= position.seq { return .ignore }
    return fact.seq == position.seq &+ 1 ? .apply : .fetch
  }

  /// Judges the end of the journal that a heartbeat tells. Frames of one node stay in order, so an end ahead of the
  /// place means that facts are missing.
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

/// The place of a reader in the journals of a node, as stored by the reader.
struct FactPlace: Hashable, Sendable {
  /// The place in the journal that was asked about.
  var here: JournalPosition?
  /// The place in another journal of the same node, the one that moved last.
  var elsewhere: JournalPosition?
}
