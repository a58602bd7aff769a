import Model
import Synchronization
import Testing

@testable import Bus

/// A journal and a reader's store in memory.
private final class Stage: Sendable {
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

  /// Does what a pursuit asks for, until it is idle.
  func take(_ batch: FactReaderLoop.Backlog.Batch, _ pursuit: inout FactCatchUp) throws {
    var event: FactCatchUp.Event? = .came(batch)
    while let happened = event {
      event = nil
      for action in pursuit.handle(happened) {
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
          #expect(pursuit.isIdle)
          throw error.error
        } catch {
          event = .failed(LunaraError(error))
        }
      }
    }
    #expect(pursuit.isIdle)
  }
}

private struct GivenUp: Error { var error: LunaraError }

@Suite struct FactPursuitTests {
  private let stage = Stage()

  private func batch(_ facts: [ReceivedFact] = [], head: JournalPosition? = nil, isCut: Bool = false)
    -> FactReaderLoop.Backlog.Batch
  {
    FactReaderLoop.Backlog.Batch(facts: facts, isCut: isCut, head: head)
  }

  private func pursuit(from start: ReplayStart = .oldest) -> FactCatchUp {
    FactCatchUp(of: Invented.kitchen, as: "The reader r", from: start)
  }

  private var applied: [String] { stage.state.withLock { $0.applied } }
  private func names(_ seqs: ClosedRange<Int64>, _ journal: String = "j") -> [String] { seqs.map { "\(journal)\($0)" } }

  @Test func aFirstContactReadsTheWholeJournalPageByPageThenLiveFacts() throws {
    stage.publish(1...10)
    var pursuit = pursuit()
    try stage.take(batch(head: stage.head), &pursuit)
    try stage.take(batch([Invented.fact(11), Invented.fact(12)]), &pursuit)
    #expect(applied == names(1...12))
    #expect(pursuit.reader.position == Invented.place(12))
  }

  @Test func aGapIsFetchedAndWhatWasFetchedIsNotAppliedAgain() throws {
    stage.publish(1...3)
    var pursuit = pursuit()
    try stage.take(batch(head: stage.head), &pursuit)
    stage.publish(4...9)
    try stage.take(batch([4, 5, 8, 9].map { Invented.fact($0) }), &pursuit)
    #expect(applied == names(1...9))
    try stage.take(batch([8, 9].map { Invented.fact($0) }, head: stage.head), &pursuit)
    #expect(applied == names(1...9))
  }

  @Test func aBatchThatWasCutIsCompletedFromTheDesk() throws {
    stage.publish(1...2)
    var pursuit = pursuit()
    try stage.take(batch(head: stage.head), &pursuit)
    stage.publish(3...6)
    try stage.take(batch([Invented.fact(3)], isCut: true), &pursuit)
    #expect(applied == names(1...6))
  }

  @Test func oneFactThatCannotBeAppliedHoldsUpNothingBeforeItAndEverythingBehindIt() throws {
    stage.publish(1...6)
    stage.state.withLock {
      $0.poison = "j5"
      $0.pageLength = 6
    }
    var pursuit = pursuit()
    for _ in 1...3 {
      #expect(throws: LunaraError("test.poison", "j5")) { try stage.take(batch(head: stage.head), &pursuit) }
      #expect(applied == names(1...4))
      #expect(pursuit.reader.position == Invented.place(4))
    }
    stage.state.withLock { $0.poison = nil }
    try stage.take(batch(head: stage.head), &pursuit)
    #expect(applied == names(1...6))
  }

  @Test func anErrorHalfWayRepeatsNothing() throws {
    stage.publish(1...9)
    stage.state.withLock { $0.poison = "j8" }
    var pursuit = pursuit()
    #expect(throws: LunaraError.self) { try stage.take(batch(head: stage.head), &pursuit) }
    stage.state.withLock { $0.poison = nil }
    try stage.take(batch(head: stage.head), &pursuit)
    #expect(applied == names(1...9))
  }

  @Test func aStoredCursorIsResumedAndAWipedJournalIsReadFromItsOldest() throws {
    stage.publish(1...4)
    stage.state.withLock { $0.cursors["j"] = Invented.place(3) }
    var pursuit = pursuit()
    try stage.take(batch(head: stage.head), &pursuit)
    #expect(applied == ["j4"])
    stage.state.withLock {
      $0.journal = "w"
      $0.facts = []
    }
    stage.publish(1...2)
    // The last live fact of the old journal may come before its end is known.
    try stage.take(batch([Invented.fact(5)], head: stage.head), &pursuit)
    #expect(applied == ["j4", "j5", "w1", "w2"])
    #expect(stage.state.withLock { $0.fetches.last } == .after(Invented.place(5)))
    try stage.take(batch([Invented.fact(6)]), &pursuit)
    #expect(applied == ["j4", "j5", "w1", "w2"])
    #expect(stage.state.withLock { $0.cursors.mapValues(\.seq) } == ["j": 5, "w": 2])
  }

  @Test func aLateHeadOfAWipedJournalRepeatsNothingOfTheNewOne() throws {
    stage.publish(1...4)
    var pursuit = pursuit()
    let old = stage.head
    try stage.take(batch(head: old), &pursuit)
    stage.state.withLock {
      $0.journal = "w"
      $0.facts = []
    }
    stage.publish(1...3)
    // The desk is that of the new run already, while heartbeats of the old one still come.
    try stage.take(batch([Invented.fact(6)]), &pursuit)
    try stage.take(batch(head: old), &pursuit)
    try stage.take(batch(head: stage.head), &pursuit)
    #expect(applied == names(1...4) + names(1...3, "w"))
  }

  @Test func aReaderThatBeginsAtTheHeadMissesNothingBehindTheHeadItWasTold() throws {
    stage.publish(1...5)
    var pursuit = pursuit(from: .head)
    let told = stage.head
    stage.publish(6...7)
    try stage.take(batch([Invented.fact(7)], head: told), &pursuit)
    #expect(applied == ["j6", "j7"])
  }

  @Test func aReaderThatBeganAtTheHeadReadsAWipedJournalWhole() throws {
    stage.publish(1...5)
    var pursuit = pursuit(from: .head)
    try stage.take(batch(head: stage.head), &pursuit)
    stage.state.withLock {
      $0.journal = "w"
      $0.facts = []
    }
    stage.publish(1...2)
    try stage.take(batch(head: stage.head), &pursuit)
    #expect(applied == ["w1", "w2"])
  }

  @Test func aNewEpochWithAReusedNumberIsFetched() throws {
    stage.publish(1...10)
    var pursuit = pursuit()
    try stage.take(batch(head: stage.head), &pursuit)
    stage.state.withLock { $0.epoch = 2 }
    let reborn = Invented.place(7, epoch: 2)
    stage.state.withLock { $0.fetches = [] }
    try stage.take(batch(head: reborn), &pursuit)
    #expect(stage.state.withLock { $0.fetches } == [.after(Invented.place(10))])
  }

  @Test func anUnreachableDeskIsAnErrorAndTheNextHeadTriesAgain() throws {
    stage.publish(1...2)
    stage.state.withLock { $0.isReachable = false }
    var pursuit = pursuit(from: .since(Invented.moment))
    #expect(throws: LunaraError("bus.unreachable", "gone")) { try stage.take(batch(head: stage.head), &pursuit) }
    stage.state.withLock { $0.isReachable = true }
    try stage.take(batch(head: stage.head), &pursuit)
    #expect(stage.state.withLock { $0.fetches } == [.since(Invented.moment), .since(Invented.moment)])
    #expect(applied == names(1...2))
  }

  @Test(arguments: [
    FactPage(facts: [], through: Invented.place(0), head: 5),
    FactPage(facts: [Invented.fact(2), Invented.fact(1)], through: Invented.place(2), head: 5),
    FactPage(facts: [Invented.fact(3)], through: Invented.place(2), head: 5),
    FactPage(facts: [Invented.fact(1, journal: "x")], through: Invented.place(1), head: 5),
  ])
  func aPageThatLeadsNowhereIsAnErrorAndNoEndlessLoop(page: FactPage) {
    var pursuit = pursuit()
    _ = pursuit.handle(.came(batch(head: Invented.place(5))))
    _ = pursuit.handle(.recalled(FactPlace()))
    let actions = pursuit.handle(.fetched(page))
    if case .giveUp(let error)? = actions.first {
      #expect(error.code == "bus.badReplay")
    } else {
      Issue.record("\(actions)")
    }
    #expect(pursuit.isIdle)
  }

  @Test func aReaderThatFellOffTheEndSaysOnceHowManyItMissedAndGoesOn() throws {
    stage.publish(1...4)
    var pursuit = pursuit()
    try stage.take(batch(head: stage.head), &pursuit)
    stage.publish(5...20)
    stage.state.withLock {
      $0.oldest = 12
      $0.poison = "j12"
    }
    for _ in 1...2 {
      #expect(throws: LunaraError.self) { try stage.take(batch(head: stage.head), &pursuit) }
    }
    stage.state.withLock { $0.poison = nil }
    try stage.take(batch(head: stage.head), &pursuit)
    #expect(applied == names(1...4) + names(12...20))
    let reports = stage.state.withLock { $0.reports }
    #expect(reports.map(\.code) == ["bus.factsLost"])
    #expect(reports.first?.message.contains("playback@kitchen no longer keeps 7 ") == true)
    #expect(reports.first?.message.contains("The reader r") == true)
  }

  @Test func aFirstContactWithAJournalWhosePastIsGoneLosesNothing() throws {
    stage.publish(1...9)
    stage.state.withLock { $0.oldest = 5 }
    var pursuit = pursuit()
    try stage.take(batch(head: stage.head), &pursuit)
    #expect(applied == names(5...9))
    #expect(stage.state.withLock { $0.reports } == [])
  }

  @Test func whatNobodyAskedForChangesNothing() {
    var pursuit = pursuit()
    for event: FactCatchUp.Event in [
      .applied, .recalled(FactPlace(here: Invented.place(9))), .failed(LunaraError("a.b", "c")),
      .fetched(FactPage(facts: [Invented.fact(1)], through: Invented.place(1), head: 1)),
    ] {
      #expect(pursuit.handle(event).isEmpty)
      #expect(pursuit.reader.position == nil)
    }
    _ = pursuit.handle(.came(batch(head: Invented.place(5))))
    #expect(pursuit.handle(.applied).isEmpty)
    #expect(!pursuit.isIdle)
  }
}
