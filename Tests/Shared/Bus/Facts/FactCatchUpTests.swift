import Model
import Synchronization
import Testing

@testable import Bus

/// A journal and a reader's store in memory.
private final class FakeJournal: Sendable {
  struct State {
    var journal = "j"
    var epoch: Int64 = 1
    var facts: [ReceivedFact] = []
    var applied: [String] = []
    var cursors: [String: JournalPosition] = [:]
    var poison: String?
    var fetches: [ReplayStart] = []
    var isReachable = true
    var pageLength = 3
    var oldest: Int64 = 1
    var reports: [LunaraError] = []
  }

  let state = Mutex(State())

  func publish(_ seqs: ClosedRange<Int64>) {
    state.withLock { state in
      for seq in seqs { state.facts.append(Invented.fact(seq, epoch: state.epoch, journal: state.journal)) }
    }
  }

  var head: JournalPosition {
    state.withLock { Invented.place($0.facts.last?.seq ?? 0, epoch: $0.epoch, journal: $0.journal) }
  }

  func page(_ start: ReplayStart) throws -> FactPage {
    try state.withLock { state in
      state.fetches.append(start)
      guard state.isReachable else { throw LunaraError("bus.unreachable", "gone") }
      var from = state.oldest
      var missed: Int64 = 0
      if case .after(let place) = start, place.journal == state.journal {
        from = max(from, place.seq + 1)
        missed = from - place.seq - 1
      }
      let facts = Array(state.facts.filter { $0.seq >= from }.prefix(state.pageLength))
      let head = state.facts.last?.seq ?? 0
      let through =
        facts.last.flatMap(\.envelope.position) ?? Invented.place(head, epoch: state.epoch, journal: state.journal)
      return FactPage(facts: facts, through: through, head: head, oldest: state.oldest, missed: missed)
    }
  }

  func apply(_ facts: [ReceivedFact], through position: JournalPosition) throws {
    try state.withLock { state in
      let names = facts.map { "\($0.envelope.journal ?? "")\($0.seq)" }
      if let poison = state.poison, names.contains(poison) { throw LunaraError("test.poison", poison) }
      state.applied += names
      state.cursors[position.journal] = position
    }
  }

  /// Carries out the actions of a catch-up until there are none left.
  func deliver(_ batch: FactReaderLoop.Batch, _ catchUp: inout FactCatchUp) throws {
    var event: FactCatchUp.Event? = .received(batch)
    while let happened = event {
      event = nil
      for action in catchUp.handle(happened) {
        #expect(event == nil, "only one action is open")
        do {
          switch action {
          case .recall(let journal):
            let cursors = state.withLock { $0.cursors }
            event = .recalled(
              FactPlace(here: cursors[journal], elsewhere: cursors.values.first { $0.journal != journal }))
          case .fetch(let start): event = .fetched(try page(start))
          case .apply(let facts, let position, _):
            try apply(facts, through: position)
            event = .applied
          case .report(let error): state.withLock { $0.reports.append(error) }
          case .giveUp(let error): throw GivenUp(error: error)
          }
        } catch let error as GivenUp {
          #expect(catchUp.isIdle)
          throw error.error
        } catch {
          event = .failed(LunaraError(error))
        }
      }
    }
    #expect(catchUp.isIdle)
  }
}

private struct GivenUp: Error { var error: LunaraError }

@Suite struct FactCatchUpTests {
  private let journal = FakeJournal()

  private func batch(_ facts: [ReceivedFact] = [], head: JournalPosition? = nil, isCut: Bool = false)
    -> FactReaderLoop.Batch
  {
    FactReaderLoop.Batch(facts: facts, isCut: isCut, head: head)
  }

  private func catchUp(from start: ReplayStart = .oldest) -> FactCatchUp {
    FactCatchUp(of: Invented.kitchen, as: "The reader r", from: start)
  }

  private var applied: [String] { journal.state.withLock { $0.applied } }
  private func names(_ seqs: ClosedRange<Int64>, _ journal: String = "j") -> [String] { seqs.map { "\(journal)\($0)" } }

  @Test func aFirstContactReadsTheWholeJournalPageByPageThenLiveFacts() throws {
    journal.publish(1...10)
    var catchUp = catchUp()
    try journal.deliver(batch(head: journal.head), &catchUp)
    try journal.deliver(batch([Invented.fact(11), Invented.fact(12)]), &catchUp)
    #expect(applied == names(1...12))
    #expect(catchUp.position == Invented.place(12))
  }

  @Test func aGapIsFetchedAndWhatWasFetchedIsNotAppliedAgain() throws {
    journal.publish(1...3)
    var catchUp = catchUp()
    try journal.deliver(batch(head: journal.head), &catchUp)
    journal.publish(4...9)
    try journal.deliver(batch([4, 5, 8, 9].map { Invented.fact($0) }), &catchUp)
    #expect(applied == names(1...9))
    try journal.deliver(batch([8, 9].map { Invented.fact($0) }, head: journal.head), &catchUp)
    #expect(applied == names(1...9))
  }

  @Test func aBatchThatWasCutIsCompletedFromThePublisher() throws {
    journal.publish(1...2)
    var catchUp = catchUp()
    try journal.deliver(batch(head: journal.head), &catchUp)
    journal.publish(3...6)
    try journal.deliver(batch([Invented.fact(3)], isCut: true), &catchUp)
    #expect(applied == names(1...6))
  }

  @Test func oneFactThatCannotBeAppliedHoldsUpNothingBeforeItAndEverythingBehindIt() throws {
    journal.publish(1...6)
    journal.state.withLock {
      $0.poison = "j5"
      $0.pageLength = 6
    }
    var catchUp = catchUp()
    for _ in 1...3 {
      #expect(throws: LunaraError("test.poison", "j5")) { try journal.deliver(batch(head: journal.head), &catchUp) }
      #expect(applied == names(1...4))
      #expect(catchUp.position == Invented.place(4))
    }
    journal.state.withLock { $0.poison = nil }
    try journal.deliver(batch(head: journal.head), &catchUp)
    #expect(applied == names(1...6))
  }

  @Test func anErrorHalfWayRepeatsNothing() throws {
    journal.publish(1...9)
    journal.state.withLock { $0.poison = "j8" }
    var catchUp = catchUp()
    #expect(throws: LunaraError.self) { try journal.deliver(batch(head: journal.head), &catchUp) }
    journal.state.withLock { $0.poison = nil }
    try journal.deliver(batch(head: journal.head), &catchUp)
    #expect(applied == names(1...9))
  }

  @Test func aStoredCursorIsResumedAndAWipedJournalIsReadFromItsOldest() throws {
    journal.publish(1...4)
    journal.state.withLock { $0.cursors["j"] = Invented.place(3) }
    var catchUp = catchUp()
    try journal.deliver(batch(head: journal.head), &catchUp)
    #expect(applied == ["j4"])
    journal.state.withLock {
      $0.journal = "w"
      $0.facts = []
    }
    journal.publish(1...2)
    // The last live fact of the old journal may arrive before its end is known.
    try journal.deliver(batch([Invented.fact(5)], head: journal.head), &catchUp)
    #expect(applied == ["j4", "j5", "w1", "w2"])
    #expect(journal.state.withLock { $0.fetches.last } == .after(Invented.place(5)))
    try journal.deliver(batch([Invented.fact(6)]), &catchUp)
    #expect(applied == ["j4", "j5", "w1", "w2"])
    #expect(journal.state.withLock { $0.cursors.mapValues(\.seq) } == ["j": 5, "w": 2])
  }

  @Test func aLateHeadOfAWipedJournalRepeatsNothingOfTheNewOne() throws {
    journal.publish(1...4)
    var catchUp = catchUp()
    let old = journal.head
    try journal.deliver(batch(head: old), &catchUp)
    journal.state.withLock {
      $0.journal = "w"
      $0.facts = []
    }
    journal.publish(1...3)
    // Requests already reach the new run, while heartbeats of the old run still arrive.
    try journal.deliver(batch([Invented.fact(6)]), &catchUp)
    try journal.deliver(batch(head: old), &catchUp)
    try journal.deliver(batch(head: journal.head), &catchUp)
    #expect(applied == names(1...4) + names(1...3, "w"))
  }

  @Test func aReaderThatBeginsAtTheHeadMissesNothingBehindTheHeadItWasTold() throws {
    journal.publish(1...5)
    var catchUp = catchUp(from: .head)
    let told = journal.head
    journal.publish(6...7)
    try journal.deliver(batch([Invented.fact(7)], head: told), &catchUp)
    #expect(applied == ["j6", "j7"])
  }

  @Test func aReaderThatBeganAtTheHeadReadsAWipedJournalWhole() throws {
    journal.publish(1...5)
    var catchUp = catchUp(from: .head)
    try journal.deliver(batch(head: journal.head), &catchUp)
    journal.state.withLock {
      $0.journal = "w"
      $0.facts = []
    }
    journal.publish(1...2)
    try journal.deliver(batch(head: journal.head), &catchUp)
    #expect(applied == ["w1", "w2"])
  }

  @Test func aNewEpochWithAReusedNumberIsFetched() throws {
    journal.publish(1...10)
    var catchUp = catchUp()
    try journal.deliver(batch(head: journal.head), &catchUp)
    journal.state.withLock { $0.epoch = 2 }
    let reborn = Invented.place(7, epoch: 2)
    journal.state.withLock { $0.fetches = [] }
    try journal.deliver(batch(head: reborn), &catchUp)
    #expect(journal.state.withLock { $0.fetches } == [.after(Invented.place(10))])
  }

  @Test func anUnreachablePublisherIsAnErrorAndTheNextHeadTriesAgain() throws {
    journal.publish(1...2)
    journal.state.withLock { $0.isReachable = false }
    var catchUp = catchUp(from: .since(Invented.moment))
    #expect(throws: LunaraError("bus.unreachable", "gone")) { try journal.deliver(batch(head: journal.head), &catchUp) }
    journal.state.withLock { $0.isReachable = true }
    try journal.deliver(batch(head: journal.head), &catchUp)
    #expect(journal.state.withLock { $0.fetches } == [.since(Invented.moment), .since(Invented.moment)])
    #expect(applied == names(1...2))
  }

  @Test(arguments: [
    FactPage(facts: [], through: Invented.place(0), head: 5),
    FactPage(facts: [Invented.fact(2), Invented.fact(1)], through: Invented.place(2), head: 5),
    FactPage(facts: [Invented.fact(3)], through: Invented.place(2), head: 5),
    FactPage(facts: [Invented.fact(1, journal: "x")], through: Invented.place(1), head: 5),
  ])
  func aPageThatLeadsNowhereIsAnErrorAndNoEndlessLoop(page: FactPage) {
    var catchUp = catchUp()
    _ = catchUp.handle(.received(batch(head: Invented.place(5))))
    _ = catchUp.handle(.recalled(FactPlace()))
    let actions = catchUp.handle(.fetched(page))
    if case .giveUp(let error)? = actions.first {
      #expect(error.code == "bus.badReplay")
    } else {
      Issue.record("\(actions)")
    }
    #expect(catchUp.isIdle)
  }

  @Test func aReaderOfPrunedFactsReportsOnceHowManyItMissed() throws {
    journal.publish(1...4)
    var catchUp = catchUp()
    try journal.deliver(batch(head: journal.head), &catchUp)
    journal.publish(5...20)
    journal.state.withLock {
      $0.oldest = 12
      $0.poison = "j12"
    }
    for _ in 1...2 {
      #expect(throws: LunaraError.self) { try journal.deliver(batch(head: journal.head), &catchUp) }
    }
    journal.state.withLock { $0.poison = nil }
    try journal.deliver(batch(head: journal.head), &catchUp)
    #expect(applied == names(1...4) + names(12...20))
    let reports = journal.state.withLock { $0.reports }
    #expect(reports.map(\.code) == ["bus.factsLost"])
    #expect(reports.first?.message.contains("playback@kitchen no longer keeps 7 ") == true)
    #expect(reports.first?.message.contains("The reader r") == true)
  }

  @Test func aFirstContactWithAJournalWhosePastIsGoneLosesNothing() throws {
    journal.publish(1...9)
    journal.state.withLock { $0.oldest = 5 }
    var catchUp = catchUp()
    try journal.deliver(batch(head: journal.head), &catchUp)
    #expect(applied == names(5...9))
    #expect(journal.state.withLock { $0.reports } == [])
  }

  @Test func anUnexpectedPageChangesNothing() {
    var catchUp = catchUp()
    for event: FactCatchUp.Event in [
      .applied, .recalled(FactPlace(here: Invented.place(9))), .failed(LunaraError("a.b", "c")),
      .fetched(FactPage(facts: [Invented.fact(1)], through: Invented.place(1), head: 1)),
    ] {
      #expect(catchUp.handle(event).isEmpty)
      #expect(catchUp.position == nil)
    }
    _ = catchUp.handle(.received(batch(head: Invented.place(5))))
    #expect(catchUp.handle(.applied).isEmpty)
    #expect(!catchUp.isIdle)
  }
}

@Suite struct FactCatchUpJudgementTests {
  let place: JournalPosition? = Invented.place(10, epoch: 2)

  @Test func theNextFactIsAppliedAndOlderOnesAreIgnored() {
    #expect(FactCatchUp.judge(fact: Invented.place(11, epoch: 2), at: place) == .apply)
    #expect(FactCatchUp.judge(fact: Invented.place(10, epoch: 2), at: place) == .ignore)
    #expect(FactCatchUp.judge(fact: Invented.place(11, epoch: 1), at: place) == .ignore)
  }

  @Test func aGapANewEpochAndAFirstContactAreFetched() {
    #expect(FactCatchUp.judge(fact: Invented.place(12, epoch: 2), at: place) == .fetch)
    // This number belongs to a fact that was lost in a power cut.
    #expect(FactCatchUp.judge(fact: Invented.place(8, epoch: 3), at: place) == .fetch)
    #expect(FactCatchUp.judge(fact: Invented.place(1), at: nil) == .fetch)
  }

  @Test func aFactOfAnotherJournalDoesNotMoveTheReader() {
    #expect(FactCatchUp.judge(fact: Invented.place(11, epoch: 2, journal: "wiped"), at: place) == .ignore)
  }

  @Test func aHeadAheadOrOfAnotherJournalIsFetched() {
    #expect(FactCatchUp.judge(head: Invented.place(10, epoch: 2), at: place) == .ignore)
    #expect(FactCatchUp.judge(head: Invented.place(11, epoch: 2), at: place) == .fetch)
    #expect(FactCatchUp.judge(head: Invented.place(7, epoch: 3), at: place) == .fetch)
    #expect(FactCatchUp.judge(head: Invented.place(99, epoch: 1), at: place) == .ignore)
    #expect(FactCatchUp.judge(head: Invented.place(1, epoch: 1, journal: "wiped"), at: place) == .fetch)
    #expect(FactCatchUp.judge(head: Invented.place(0), at: nil) == .fetch)
  }

  @Test func theLagIsWhatIsMissing() {
    #expect(FactCatchUp.lag(behind: Invented.place(15, epoch: 2), at: place) == 5)
    #expect(FactCatchUp.lag(behind: Invented.place(3, epoch: 2), at: place) == 0)
    #expect(FactCatchUp.lag(behind: Invented.place(4, epoch: 1, journal: "wiped"), at: place) == 4)
  }

  @Test func absurdNumbersDoNotCrash() {
    let last = Invented.place(.max, epoch: .max)
    #expect(FactCatchUp.judge(fact: Invented.place(.min, epoch: .max), at: last) == .ignore)
    _ = FactCatchUp.lag(behind: Invented.place(.min), at: last)
    _ = FactCatchUp.lag(behind: Invented.place(.max), at: Invented.place(.min))
  }
}
