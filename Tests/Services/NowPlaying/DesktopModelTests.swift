import Messages
import Model
import Testing

@testable import Bus
@testable import lunara_nowplaying

struct DesktopModelTests {
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
    var model = DesktopModel(host: "h1")
    model.update(
      [
        observed(roomState(.playing, item: item(1))),
        observed(roomState(.playing, item: item(1)), in: "bath", away: true),
      ], at: 0)
    #expect(Set(model.snapshots.keys) == [room("den")])
    model.update([] as [Observed<Playback.RoomState>], at: 0)
    #expect(model.snapshots.isEmpty)
  }

  @Test func thePositionCountsFromWhenItWasTakenNotFromWhenItWasSaid() {
    var model = DesktopModel(host: "h1")
    let state = roomState(.playing, item: item(1), at: Milliseconds(10_000))
    model.update(
      [observed(state, age: Milliseconds(2000), saidAt: Timestamp(seconds: 1_700_000_005))], at: 100 * second)
    let anchor = model.snapshots[room("den")]?.anchor
    #expect(anchor?.position(at: 100 * second, upTo: nil) == 17 * second)
    #expect(anchor?.position(at: 103 * second, upTo: nil) == 20 * second)
  }

  @Test func aStateThatWaitedIsOlderByThatTime() {
    let moment = ContinuousClock.now
    var state = observed(roomState(.playing, item: item(1)), age: Milliseconds(1000))
    state.readAt = moment
    let later = state.aged(to: moment + .seconds(2))
    #expect(later.age == Milliseconds(3000) && later.aged(to: moment + .seconds(3)).age == Milliseconds(4000))
    #expect(state.aged(to: moment - .seconds(2)).age == Milliseconds(1000))
  }

  @Test func aClockThatWasSetBackMovesNothing() {
    var model = DesktopModel(host: "h1")
    let state = roomState(.playing, item: item(1), at: Milliseconds(10_000))
    model.update([observed(state, saidAt: Timestamp(seconds: 1_600_000_000))], at: 0)
    #expect(model.snapshots[room("den")]?.anchor.position(at: 0, upTo: nil) == 10 * second)
  }

  @Test(arguments: [PlaybackState.buffering, .paused])
  func aRoomThatLooksUpATrackShowsTheOneBeforeUntilItIsFound(state: PlaybackState) {
    var model = DesktopModel(host: "h1")
    func snapshot() -> PlayerSnapshot? { model.snapshots[room("den")] }
    model.update([observed(roomState(.playing, item: item(2)))], at: 0)
    for moment in [5, 6] {
      model.update([observed(roomState(state, item: nil, volume: 30))], at: Int64(moment) * second)
      #expect(snapshot()?.item == item(2) && snapshot()?.properties.trackPath == TrackPath.of(item(2).entry))
      #expect(snapshot()?.properties.status == (state == .paused ? .paused : .playing))
      #expect(snapshot()?.anchor == PositionAnchor(offset: 5 * second, at: Int64(moment) * second))
      #expect(snapshot()?.properties.volume == 30 && model.wanted.covers == [cover])
    }
    model.update([observed(roomState(state, item: item(1)))], at: 7 * second)
    #expect(snapshot()?.item == item(1))
    model.update([observed(roomState(.idle, item: nil))], at: 8 * second)
    #expect(snapshot()?.item == nil && snapshot()?.properties.status == .stopped)
    // Without an earlier track there is nothing to show.
    model.update([observed(roomState(state, item: nil))], at: 9 * second)
    #expect(snapshot()?.item == nil && snapshot()?.properties.status == .stopped)
  }

  @Test func theQueueTellsWhatComesNext() {
    var model = DesktopModel(host: "h1")
    model.update([observed(roomState(.playing, item: item(2)))], at: 0)
    model.update([observed(queueState(current: 2, count: 3))])
    #expect(model.snapshots[room("den")]?.properties.canGoNext == false)
    model.update([observed(queueState(current: 2, count: 4))])
    #expect(model.snapshots[room("den")]?.properties.canGoNext == true)
  }

  @Test func theCurrentAndTheNextTrackAreWantedAndNoOthers() {
    var model = DesktopModel(host: "h1")
    model.update([observed(roomState(.playing, item: item(1)))], at: 0)
    #expect(model.wanted.tracks == [RatedTrack(track(1))] && model.wanted.covers == [cover])
    model.update([observed(queueState(current: 1, count: 9))])
    #expect(model.wanted.tracks == [RatedTrack(track(1)), RatedTrack(track(2))])
    model.update([observed(roomState(.idle, item: nil))], at: 0)
    #expect(model.wanted.tracks.isEmpty && model.wanted.covers.isEmpty)
  }

  @Test func aTrackIsCompleteWhenItsCoverAndDetailsAreThereOrGivenUp() throws {
    var model = DesktopModel(host: "h1")
    model.update([observed(roomState(.playing, item: item(1)))], at: 0)
    let search = try #require(model.covers.update(wanted: model.wanted.covers).started.first)
    let details = try #require(model.details.update(wanted: model.wanted.tracks).started.first)
    func snapshot() throws -> PlayerSnapshot { try #require(model.snapshots[room("den")]) }
    #expect(try !snapshot().isComplete && snapshot().cover == nil)
    _ = model.covers.store(LocalPath("/c.jpg"), for: search)
    #expect(try !snapshot().isComplete && snapshot().cover == "file:///c.jpg")
    _ = model.details.store(nil, for: details)
    #expect(try snapshot().isComplete)
    let entry = DBusEntry(key: "mpris:artUrl", value: .string("file:///c.jpg"))
    #expect(try snapshot().properties.metadata.contains(entry))
  }

  @Test func theDetailsOfATrackAreReadAgainAfterItWasRated() throws {
    var model = DesktopModel(host: "h1")
    model.update([observed(roomState(.playing, item: item(1)))], at: 0)
    let first = try #require(model.details.update(wanted: model.wanted.tracks).started.first)
    _ = model.details.store(TrackDetails(uses: 1), for: first)
    var rated = item(1)
    rated.track.rating = Rating(rawValue: 8)
    model.update([observed(roomState(.playing, item: rated))], at: 0)
    let entry = DBusEntry(key: "xesam:userRating", value: .double(0.8))
    #expect(model.snapshots[room("den")]?.properties.metadata.contains(entry) == true)
    #expect(model.details.update(wanted: model.wanted.tracks).started.map(\.key) == [RatedTrack(rated.track)])
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
    var model = DesktopModel(host: "h1")
    model.update([observed(roomState(.playing, item: item(1), at: Milliseconds(5000)))], at: 0)
    model.update([observed(queueState(current: 1, count: 3))])
    model.update([catalogue(1, "signed-out")])
    let snapshot = try #require(model.snapshots[room("den")])
    #expect(snapshot.item == nil && snapshot.properties.trackPath == TrackPath.none)
    #expect(snapshot.properties.status == .playing && snapshot.anchor == PositionAnchor())
    #expect(model.wanted.covers.isEmpty && model.wanted.tracks.isEmpty)
    model.update([catalogue(1, "ready")])
    #expect(model.snapshots[room("den")]?.item == item(1))
  }

  @Test func whatWasNotFoundIsSearchedForAgainAfterARefresh() throws {
    var model = DesktopModel(host: "h1")
    model.update([observed(roomState(.playing, item: item(1)))], at: 0)
    model.update([catalogue(1, "ready")])
    let search = try #require(model.covers.update(wanted: [cover]).started.first)
    _ = model.covers.store(nil, for: search)
    let before = model.covers.update(wanted: [cover]).started.count
    model.update([catalogue(2, "ready")])
    let after = model.covers.update(wanted: [cover]).started.count
    #expect(before == 0 && after == 1)
  }

  @Test func whatWasNotFoundIsSearchedForAgainWhenTheLibraryIsBack() throws {
    var model = DesktopModel(host: "h1")
    model.update([observed(roomState(.playing, item: item(1)))], at: 0)
    model.update([catalogue(1, "ready")])
    func begun() -> Int { model.covers.update(wanted: [cover]).started.count }
    let search = try #require(model.covers.update(wanted: [cover]).started.first)
    _ = model.covers.store(nil, for: search)
    model.update([catalogue(1, "ready")])
    #expect(begun() == 0)
    var away = catalogue(1, "ready")
    away.away = true
    model.update([away])
    #expect(begun() == 0)
    model.update([catalogue(1, "ready")])
    #expect(begun() == 1)
  }

  @Test func aSnapshotTellsWhetherItsRoomIsBuffering() {
    var model = DesktopModel(host: "h1")
    for state in [PlaybackState.buffering, .playing] {
      model.update([observed(roomState(state, item: item(1)))], at: 0)
      #expect(model.snapshots[room("den")]?.isBuffering == (state == .buffering))
    }
  }
}
