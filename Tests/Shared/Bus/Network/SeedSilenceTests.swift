import Model
import Testing

@testable import Bus

@Suite struct SeedSilenceTests {
  private let start = ContinuousClock.now

  private func complaint(
    of silence: inout SeedSilence, after seconds: Int, isAnswered: Bool = false, seeds: [String] = ["attic"]
  ) -> LunaraError? {
    silence.complaint(isAnswered: isAnswered, seeds: seeds, at: start + .seconds(seconds))
  }

  @Test func waitsBeforeItComplains() {
    var silence = SeedSilence(at: start)
    let early = complaint(of: &silence, after: 9)
    #expect(early == nil)
    let due = complaint(of: &silence, after: 10)
    #expect(due?.code == "bus.seedsSilent")
  }

  @Test func complainsOnce() {
    var silence = SeedSilence(at: start)
    let first = complaint(of: &silence, after: 10)
    let second = complaint(of: &silence, after: 11)
    #expect(first != nil)
    #expect(second == nil)
  }

  @Test func saysNothingWhereSomebodyAnsweredOrNobodyWasNamed() {
    var answered = SeedSilence(at: start)
    let then = complaint(of: &answered, after: 1, isAnswered: true)
    let later = complaint(of: &answered, after: 20)
    #expect(then == nil)
    #expect(later == nil)
    var alone = SeedSilence(at: start)
    let none = complaint(of: &alone, after: 20, seeds: [])
    #expect(none == nil)
  }

  @Test func suspectsTheKeyWhereTheConnectionIsTaken() {
    var silence = SeedSilence(at: start)
    silence.unanswered(at: "tcp://attic:7701")
    let said = complaint(of: &silence, after: 10)?.message ?? ""
    #expect(said.contains("tcp://attic:7701"))
    #expect(said.contains("same key"))
  }
}
