import Testing

@testable import lunara_library

@Suite struct PlexChoiceTests {
  @Test func theNearestAddressIsChosenWithoutWaitingForOthers() {
    var choice = PlexChoice(kinds: [.relay, .local, .remote])
    choice.tried(1, isThere: true)
    #expect(choice.chosen == 1)
  }

  @Test func aNearerAddressIsWaitedForBriefly() {
    var choice = PlexChoice(kinds: [.local, .plain, .remote, .relay])
    choice.tried(3, isThere: true)
    #expect(choice.best == 3 && !choice.isOver)
    choice.tried(2, isThere: true)
    #expect(choice.best == 2 && !choice.isOver)
    choice.graceIsOver()
    #expect(choice.chosen == 2)
    choice.tried(0, isThere: true)
    #expect(choice.chosen == 2)
  }

  @Test func afterAllNearerAddressesFailTheBestIsChosen() {
    var choice = PlexChoice(kinds: [.local, .plain, .remote, .relay])
    choice.tried(2, isThere: true)
    choice.tried(0, isThere: false)
    #expect(choice.best == 2 && !choice.isOver)
    choice.tried(1, isThere: false)
    #expect(choice.chosen == 2)
  }

  @Test func withoutAnAnswerNoAddressIsChosen() {
    var choice = PlexChoice(kinds: [.local, .relay])
    choice.graceIsOver()
    choice.tried(0, isThere: false)
    #expect(choice.best == nil && !choice.isOver)
    choice.tried(1, isThere: false)
    #expect(choice.best == nil && choice.isOver)
    #expect(PlexChoice(kinds: []).isOver)
  }
}
