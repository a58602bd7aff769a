import Messages
import Model
import Testing

@testable import Bus
@testable import lunara_nowplaying

struct HouseholdTests {
  private let second: Int64 = 1_000_000
  private let cover = ArtID(source: "files", native: "c1")

  private func observed<S: State>(
    _ value: S, in name: String = "den", age: Milliseconds = .zero,
    saidAt: Timestamp = Timestamp(seconds: 1_700_000_000),
    away: Bool = false
  ) -> Observed<S> {
    Observed(node: .playback(room(name)), value: value, age: age, saidAt: saidAt, away: away)
  }

  @Test func aRoomThatIsAwayIsNotShown() {
    var household = Household()
    household.observe(
      [
        observed(roomState(.playing, item: item(1))),
        observed(roomState(.playing, item: item(1)), in: "bath", away: true),
      ], at: 0)
    #expect(Set(household.scenes.keys) == [room("den")])
    household.observe([] as [Observed<Playback.RoomState>], at: 0)
    #expect(household.scenes.isEmpty)
  }

  @Test func thePositionCountsFromWhenItWasTakenNotFromWhenItWasSaid() {
    var household = Household()
    let state = roomState(.playing, item: item(1), at: Milliseconds(10_000))
    household.observe(
      [observed(state, age: Milliseconds(2000), saidAt: Timestamp(seconds: 1_700_000_005))], at: 100 * second)
    let anchor = household.scenes[room("den")]?.anchor
    #expect(anchor?.position(at: 100 * second, upTo: nil) == 17 * second)
    #expect(anchor?.position(at: 103 * second, upTo: nil) == 20 * second)
  }

  @Test func aClockThatWasSetBackMovesNothing() {
    var household = Household()
    let state = roomState(.playing, item: item(1), at: Milliseconds(10_000))
    household.observe([observed(state, saidAt: Timestamp(seconds: 1_600_000_000))], at: 0)
    #expect(household.scenes[room("den")]?.anchor.position(at: 0, upTo: nil) == 10 * second)
  }

  @Test func theQueueTellsWhatComesNext() {
    var household = Household()
    household.observe([observed(roomState(.playing, item: item(1)))], at: 0)
    household.observe([observed(queueState(current: 2, count: 3))])
    #expect(household.scenes[room("den")]?.properties.canGoNext == false)
    household.observe([observed(queueState(current: nil, count: 3))])
    household.observe([observed(roomState(.idle, item: nil))], at: 0)
    #expect(household.scenes[room("den")]?.properties.startIndex == 2)
  }

  @Test func aCoverIsShownOnceFoundAndForgottenWhenNoRoomShowsIt() throws {
    var household = Household()
    household.observe([observed(roomState(.playing, item: item(1)))], at: 0)
    #expect(household.wantedCovers == [EntryID(rawValue: "e1"): cover])
    household.found(cover, at: "file:///c.jpg")
    let entry = DBusEntry(key: "mpris:artUrl", value: .string("file:///c.jpg"))
    #expect(try #require(household.scenes[room("den")]).properties.metadata.contains(entry))
    household.observe([observed(roomState(.idle, item: nil))], at: 0)
    household.observe([observed(roomState(.playing, item: item(1)))], at: 0)
    #expect(try !#require(household.scenes[room("den")]).properties.metadata.contains(entry))
  }

  @Test func aCoverThatComesTooLateIsDropped() throws {
    var household = Household()
    household.observe([observed(roomState(.idle, item: nil))], at: 0)
    household.found(cover, at: "file:///c.jpg")
    household.observe([observed(roomState(.playing, item: item(1)))], at: 0)
    #expect(try #require(household.scenes[room("den")]).properties.metadata.allSatisfy { $0.key != "mpris:artUrl" })
  }
}
