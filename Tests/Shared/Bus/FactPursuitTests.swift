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
      var from: Int64 = 1
      if case .after(let place) = start, place.journal == state.journal { from = place.seq + 1 }
      let facts = Array(state.facts.filter { $0.seq >= from }.prefix(state.pageLength))
      let head = state.facts.last?.seq ?? 0
      let through =
        facts.last.flatMap(\.envelope.position) ?? Invented.place(head, epoch: state.epoch, journal: state.journal)
      return FactPage(facts: facts, through: through, head: head)
    }
  }

  func pursuit(from start: ReplayStart = .oldest) -> FactPursuit {
    FactPursuit(of: Invented.kitchen, into: StageSink(stage: self, start: start)) { try self.page($0) }
  }
}

private struct StageSink: FactSink {
  let stage: Stage
  let start: ReplayStart

  func position(in node: NodeID, journal: String) async throws -> JournalPosition? {
    stage.state.withLock { $0.cursors[journal] }
  }

  func apply(_ facts: [ReceivedFact], through position: JournalPosition, of node: NodeID) async throws {
    try stage.state.withLock { state in
      let names = facts.map { "\($0.envelope.journal ?? "")\($0.seq)" }
      if let poison = state.poison, names.contains(poison) { throw LunaraError("test.poison", poison) }
      state.applied += names
      state.cursors[position.journal] = position
    }
  }
}

@Suite struct FactPursuitTests {
  private let stage = Stage()

  private func batch(_ facts: [ReceivedFact] = [], head: JournalPosition? = nil, isCut: Bool = false)
    -> FactBacklog.Batch
  {
    FactBacklog.Batch(facts: facts, isCut: isCut, head: head)
  }

  private var applied: [String] { stage.state.withLock { $0.applied } }
  private func names(_ seqs: ClosedRange<Int64>, _ journal: String = "j") -> [String] { seqs.map { "\(journal)\($0)" } }

  @Test func aFirstContactReadsTheWholeJournalPageByPageThenLiveFacts() async throws {
    stage.publish(1...10)
    var pursuit = stage.pursuit()
    try await pursuit.takeIn(batch(head: stage.head))
    try await pursuit.takeIn(batch([Invented.fact(11), Invented.fact(12)]))
    #expect(applied == names(1...12))
    #expect(pursuit.reader.position == Invented.place(12))
  }

  @Test func aGapIsFetchedAndWhatWasFetchedIsNotAppliedAgain() async throws {
    stage.publish(1...3)
    var pursuit = stage.pursuit()
    try await pursuit.takeIn(batch(head: stage.head))
    stage.publish(4...9)
    try await pursuit.takeIn(batch([4, 5, 8, 9].map { Invented.fact($0) }))
    #expect(applied == names(1...9))
    try await pursuit.takeIn(batch([8, 9].map { Invented.fact($0) }, head: stage.head))
    #expect(applied == names(1...9))
  }

  @Test func aBatchThatWasCutIsCompletedFromTheDesk() async throws {
    stage.publish(1...2)
    var pursuit = stage.pursuit()
    try await pursuit.takeIn(batch(head: stage.head))
    stage.publish(3...6)
    try await pursuit.takeIn(batch([Invented.fact(3)], isCut: true))
    #expect(applied == names(1...6))
  }

  @Test func oneFactThatCannotBeAppliedHoldsUpNothingBeforeItAndEverythingBehindIt() async throws {
    stage.publish(1...6)
    stage.state.withLock {
      $0.poison = "j5"
      $0.pageLength = 6
    }
    var pursuit = stage.pursuit()
    for _ in 1...3 {
      await #expect(throws: LunaraError("test.poison", "j5")) { try await pursuit.takeIn(batch(head: stage.head)) }
      #expect(applied == names(1...4))
      #expect(pursuit.reader.position == Invented.place(4))
    }
    stage.state.withLock { $0.poison = nil }
    try await pursuit.takeIn(batch(head: stage.head))
    #expect(applied == names(1...6))
  }

  @Test func anErrorHalfWayRepeatsNothing() async throws {
    stage.publish(1...9)
    stage.state.withLock { $0.poison = "j8" }
    var pursuit = stage.pursuit()
    await #expect(throws: LunaraError.self) { try await pursuit.takeIn(batch(head: stage.head)) }
    stage.state.withLock { $0.poison = nil }
    try await pursuit.takeIn(batch(head: stage.head))
    #expect(applied == names(1...9))
  }

  @Test func aStoredCursorIsResumedAndAWipedJournalIsReadFromItsOldest() async throws {
    stage.publish(1...4)
    stage.state.withLock { $0.cursors["j"] = Invented.place(3) }
    var pursuit = stage.pursuit()
    try await pursuit.takeIn(batch(head: stage.head))
    #expect(applied == ["j4"])
    stage.state.withLock {
      $0.journal = "w"
      $0.facts = []
    }
    stage.publish(1...2)
    // The last live fact of the old journal may come before its end is known.
    try await pursuit.takeIn(batch([Invented.fact(5)], head: stage.head))
    #expect(applied == ["j4", "j5", "w1", "w2"])
    try await pursuit.takeIn(batch([Invented.fact(6)]))
    #expect(applied == ["j4", "j5", "w1", "w2"])
    #expect(stage.state.withLock { $0.cursors.mapValues(\.seq) } == ["j": 5, "w": 2])
  }

  @Test func aReaderThatBeginsAtTheHeadMissesNothingBehindTheHeadItWasTold() async throws {
    stage.publish(1...5)
    var pursuit = stage.pursuit(from: .head)
    let told = stage.head
    stage.publish(6...7)
    try await pursuit.takeIn(batch([Invented.fact(7)], head: told))
    #expect(applied == ["j6", "j7"])
  }

  @Test func aReaderThatBeganAtTheHeadReadsAWipedJournalWhole() async throws {
    stage.publish(1...5)
    var pursuit = stage.pursuit(from: .head)
    try await pursuit.takeIn(batch(head: stage.head))
    stage.state.withLock {
      $0.journal = "w"
      $0.facts = []
    }
    stage.publish(1...2)
    try await pursuit.takeIn(batch(head: stage.head))
    #expect(applied == ["w1", "w2"])
  }

  @Test func aNewEpochWithAReusedNumberIsFetched() async throws {
    stage.publish(1...10)
    var pursuit = stage.pursuit()
    try await pursuit.takeIn(batch(head: stage.head))
    stage.state.withLock { $0.epoch = 2 }
    let reborn = Invented.place(7, epoch: 2)
    stage.state.withLock { $0.fetches = [] }
    try await pursuit.takeIn(batch(head: reborn))
    #expect(stage.state.withLock { $0.fetches } == [.after(Invented.place(10))])
  }

  @Test func anUnreachableDeskIsAnErrorAndTheNextHeadTriesAgain() async throws {
    stage.publish(1...2)
    stage.state.withLock { $0.isReachable = false }
    var pursuit = stage.pursuit(from: .since(Invented.moment))
    await #expect(throws: LunaraError("bus.unreachable", "gone")) { try await pursuit.takeIn(batch(head: stage.head)) }
    stage.state.withLock { $0.isReachable = true }
    try await pursuit.takeIn(batch(head: stage.head))
    #expect(stage.state.withLock { $0.fetches } == [.since(Invented.moment), .since(Invented.moment)])
    #expect(applied == names(1...2))
  }

  @Test func anEmptyPageThatClaimsMoreIsAnErrorAndNoEndlessLoop() async throws {
    var pursuit = FactPursuit(of: Invented.kitchen, into: StageSink(stage: stage, start: .oldest)) { _ in
      FactPage(facts: [], through: Invented.place(0), head: 5)
    }
    await #expect { try await pursuit.takeIn(batch(head: Invented.place(5))) } throws: {
      ($0 as? LunaraError)?.code == "bus.badReplay"
    }
  }
}
