import Testing

@testable import Bus

struct CommandVerdictTests {
  @Test func aCommandMeantForThisRunIsCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: 2, epoch: 2) == .run)
  }

  @Test func aCommandWhoseAskerKnowsNoRunIsCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: nil, epoch: 2) == .run)
  }

  @Test func aCommandMeantForAFormerRunIsNotCarriedOut() {
    #expect(CommandVerdict(stored: nil, target: 1, epoch: 2) == .unknown)
  }

  @Test func aStoredAnswerIsGivenAgainWhicheverRunWasMeant() {
    for target: Int64? in [nil, 1, 2] {
      #expect(CommandVerdict(stored: [7], target: target, epoch: 2) == .repeatAnswer([7]))
    }
  }
}
