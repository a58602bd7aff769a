import Testing

@testable import Bus

struct CommandVerdictTests {
  private let run = NodeRun(epoch: 2, journal: "j")

  @Test func aCommandMeantForThisRunIsCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: run, run: run) == .run)
  }

  @Test func aCommandWhoseAskerKnowsNoRunIsCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: nil, run: run) == .run)
  }

  @Test func aCommandMeantForAFormerRunIsNotCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: NodeRun(epoch: 1, journal: "j"), run: run) == .unknown)
  }

  @Test func aStoredAnswerIsGivenAgainWhicheverRunWasMeant() {
    for target in [nil, NodeRun(epoch: 1, journal: "j"), run] {
      #expect(CommandVerdict(stored: [7], target: target, run: run) == .repeatAnswer([7]))
    }
  }

  @Test func aCommandMeantForARunBeforeTheJournalWasWipedIsNotCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: NodeRun(epoch: 2, journal: "old"), run: run) == .unknown)
    #expect(CommandVerdict(stored: nil, target: NodeRun(epoch: 2), run: run) == .run, "an older asker says no journal")
  }
}
