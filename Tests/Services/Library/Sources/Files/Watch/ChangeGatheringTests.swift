import Testing

@testable import lunara_library

struct ChangeGatheringTests {
  private func take(_ gathering: inout ChangeDebouncer, _ now: Duration) -> Bool { gathering.take(at: now) }

  @Test func nothingIsDueWithoutAChange() {
    var gathering = ChangeDebouncer()
    #expect(gathering.due == nil)
    #expect(!take(&gathering, .seconds(1000)))
  }

  @Test func aHeapOfChangesIsOneRefreshOnceItIsQuiet() {
    var gathering = ChangeDebouncer()
    for tenth in 0...30 { gathering.changed(at: .milliseconds(100 * tenth)) }
    #expect(gathering.due == .seconds(5))
    #expect(!take(&gathering, .milliseconds(4999)))
    #expect(take(&gathering, .seconds(5)))
    #expect(gathering.due == nil)
    #expect(!take(&gathering, .seconds(50)))
  }

  @Test func changesWithoutAnEndAreNotWaitedForForever() {
    var gathering = ChangeDebouncer()
    for second in 0...14 { gathering.changed(at: .seconds(second)) }
    #expect(gathering.due == .seconds(15))
    #expect(take(&gathering, .seconds(15)))
    gathering.changed(at: .seconds(16))
    #expect(gathering.due == .seconds(18))
  }

  @Test func slowRefreshesComeLessOften() {
    var gathering = ChangeDebouncer()
    gathering.refreshTime = .seconds(3)
    for second in 0...59 { gathering.changed(at: .seconds(second)) }
    #expect(gathering.due == .seconds(60))
    // A single change is not held up by that.
    #expect(take(&gathering, .seconds(60)))
    gathering.changed(at: .seconds(100))
    #expect(gathering.due == .seconds(102))
  }
}
