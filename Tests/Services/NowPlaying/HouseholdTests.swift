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
    var household = Household(host: "h1")
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
    var household = Household(host: "h1")
    let state = roomState(.playing, item: item(1), at: Milliseconds(10_000))
    household.observe(
      [observed(state, age: Milliseconds(2000), saidAt: Timestamp(seconds: 1_700_000_005))], at: 100 * second)
    let anchor = household.scenes[room("den")]?.anchor
    #expect(anchor?.position(at: 100 * second, upTo: nil) == 17 * second)
    #expect(anchor?.position(at: 103 * second, upTo: nil) == 20 * second)
  }

  @Test func whatLayWaitingHasBecomeOlder() {
    let moment = ContinuousClock.now
    var state = observed(roomState(.playing, item: item(1)), age: Milliseconds(1000))
    state.readAt = moment
    let later = state.aged(to: moment + .seconds(2))
    #expect(later.age == Milliseconds(3000) && later.aged(to: moment + .seconds(3)).age == Milliseconds(4000))
    #expect(state.aged(to: moment - .seconds(2)).age == Milliseconds(1000))
  }

  @Test func aClockThatWasSetBackMovesNothing() {
    var household = Household(host: "h1")
    let state = roomState(.playing, item: item(1), at: Milliseconds(10_000))
    household.observe([observed(state, saidAt: Timestamp(seconds: 1_600_000_000))], at: 0)
    #expect(household.scenes[room("den")]?.anchor.position(at: 0, upTo: nil) == 10 * second)
  }

  @Test(arguments: [PlaybackState.buffering, .paused])
  func aRoomThatLooksUpATrackShowsTheOneBeforeUntilItIsFound(state: PlaybackState) {
    var household = Household(host: "h1")
    func scene() -> RoomScene? { household.scenes[room("den")] }
    household.observe([observed(roomState(.playing, item: item(2)))], at: 0)
    for moment in [5, 6] {
      household.observe([observed(roomState(state, item: nil, volume: 30))], at: Int64(moment) * second)
      #expect(scene()?.item == item(2) && scene()?.properties.trackPath == TrackPath.of(item(2).entry))
      #expect(scene()?.properties.status == (state == .paused ? .paused : .playing))
      #expect(scene()?.anchor == PositionAnchor(offset: 5 * second, at: Int64(moment) * second))
      #expect(scene()?.properties.volume == 30 && household.wanted.covers == [cover])
    }
    household.observe([observed(roomState(state, item: item(1)))], at: 7 * second)
    #expect(scene()?.item == item(1))
    household.observe([observed(roomState(.idle, item: nil))], at: 8 * second)
    #expect(scene()?.item == nil && scene()?.properties.status == .stopped)
    // Where nothing was before there is nothing to show yet.
    household.observe([observed(roomState(state, item: nil))], at: 9 * second)
    #expect(scene()?.item == nil && scene()?.properties.status == .stopped)
  }

  @Test func theQueueTellsWhatComesNext() {
    var household = Household(host: "h1")
    household.observe([observed(roomState(.playing, item: item(2)))], at: 0)
    household.observe([observed(queueState(current: 2, count: 3))])
    #expect(household.scenes[room("den")]?.properties.canGoNext == false)
    household.observe([observed(queueState(current: 2, count: 4))])
    #expect(household.scenes[room("den")]?.properties.canGoNext == true)
  }

  @Test func theCurrentAndTheNextTrackAreWantedAndNoOthers() {
    var household = Household(host: "h1")
    household.observe([observed(roomState(.playing, item: item(1)))], at: 0)
    #expect(household.wanted.tracks == [track(1).id] && household.wanted.covers == [cover])
    household.observe([observed(queueState(current: 1, count: 9))])
    #expect(household.wanted.tracks == [track(1).id, track(2).id])
    household.observe([observed(roomState(.idle, item: nil))], at: 0)
    #expect(household.wanted.tracks.isEmpty && household.wanted.covers.isEmpty)
  }

  @Test func aTrackIsCompleteWhenItsCoverAndDetailsAreThereOrGivenUp() throws {
    var household = Household(host: "h1")
    household.observe([observed(roomState(.playing, item: item(1)))], at: 0)
    let search = try #require(household.covers.want(household.wanted.covers).begin.first)
    let details = try #require(household.details.want(household.wanted.tracks).begin.first)
    func scene() throws -> RoomScene { try #require(household.scenes[room("den")]) }
    #expect(try !scene().isComplete && scene().cover == nil)
    _ = household.covers.found(LocalPath("/c.jpg"), by: search)
    #expect(try !scene().isComplete && scene().cover == "file:///c.jpg")
    _ = household.details.found(nil, by: details)
    #expect(try scene().isComplete)
    let entry = DBusEntry(key: "mpris:artUrl", value: .string("file:///c.jpg"))
    #expect(try scene().properties.metadata.contains(entry))
  }

  private func catalogue(_ generation: Int64, _ health: String) -> Observed<Library.CatalogueState> {
    let source = Library.SourceStatus(
      name: "files", kind: "plex", health: health, lastRefreshed: nil, albums: 1, tracks: 1, problemCount: 0,
      problems: [])
    let state = Library.CatalogueState(generation: generation, albums: 1, tracks: 1, sources: [source])
    return Observed(
      node: .library, value: state, age: .zero, saidAt: Timestamp(seconds: 1_700_000_000), away: false)
  }

  @Test func whatCameFromAnAccountThatIsSignedOutIsNotShown() throws {
    var household = Household(host: "h1")
    household.observe([observed(roomState(.playing, item: item(1), at: Milliseconds(5000)))], at: 0)
    household.observe([observed(queueState(current: 1, count: 3))])
    household.observe([catalogue(1, "signed-out")])
    let scene = try #require(household.scenes[room("den")])
    #expect(scene.item == nil && scene.properties.trackPath == TrackPath.none && scene.tracks.items.isEmpty)
    #expect(scene.properties.status == .playing && scene.anchor == PositionAnchor())
    #expect(household.wanted.covers.isEmpty && household.wanted.tracks.isEmpty)
    household.observe([catalogue(1, "ready")])
    #expect(household.scenes[room("den")]?.item == item(1))
  }

  @Test func whatWasNotFoundIsSearchedForAgainAfterARefresh() throws {
    var household = Household(host: "h1")
    household.observe([observed(roomState(.playing, item: item(1)))], at: 0)
    household.observe([catalogue(1, "ready")])
    let search = try #require(household.covers.want([cover]).begin.first)
    _ = household.covers.found(nil, by: search)
    let before = household.covers.want([cover]).begin.count
    household.observe([catalogue(2, "ready")])
    let after = household.covers.want([cover]).begin.count
    #expect(before == 0 && after == 1)
  }

  @Test func whatWasNotFoundIsSearchedForAgainWhenTheLibraryIsBack() throws {
    var household = Household(host: "h1")
    household.observe([observed(roomState(.playing, item: item(1)))], at: 0)
    household.observe([catalogue(1, "ready")])
    func begun() -> Int { household.covers.want([cover]).begin.count }
    let search = try #require(household.covers.want([cover]).begin.first)
    _ = household.covers.found(nil, by: search)
    household.observe([catalogue(1, "ready")])
    #expect(begun() == 0)
    var away = catalogue(1, "ready")
    away.away = true
    household.observe([away])
    #expect(begun() == 0)
    household.observe([catalogue(1, "ready")])
    #expect(begun() == 1)
  }

  @Test func aTrackWhoseSoundIsOnItsWayMayTurnOutLonger() {
    var household = Household(host: "h1")
    for state in [PlaybackState.buffering, .playing] {
      household.observe([observed(roomState(state, item: item(1)))], at: 0)
      #expect(household.scenes[room("den")]?.isOpening == (state == .buffering))
    }
  }
}
