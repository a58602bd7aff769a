import Messages
import Model
import Testing

@testable import lunara_nowplaying

struct PlayerPropertiesTests {
  private func properties(
    _ state: Playback.RoomState, _ queue: Playback.QueueState? = nil, art: String? = nil
  ) -> PlayerProperties { PlayerProperties(state: state, queue: queue, art: art) }

  @Test(arguments: [
    (PlaybackState.playing, PlayerProperties.Status.playing), (.buffering, .playing), (.paused, .paused),
    (.idle, .stopped), (.error(LunaraError("playback.failed", "No sound.")), .stopped),
  ])
  func aRoomsStateShowsAsOneOfThreeStatuses(state: PlaybackState, status: PlayerProperties.Status) {
    #expect(properties(roomState(state, item: item(1))).status == status)
  }

  @Test func aStateOfANewerVersionIsJudgedByItsRate() {
    var state = roomState(.unknown("crossfading"), item: item(1))
    #expect(properties(state).status == .paused)
    state.position.rate = 1
    #expect(properties(state).status == .playing)
    state.item = nil
    #expect(properties(state).status == .stopped)
  }

  @Test func aRoomThatHasNotSaidWhatItPlaysIsStopped() {
    #expect(properties(roomState(.buffering, item: nil)).status == .stopped)
  }

  @Test func theLastItemHasNoNextAndAnUnknownQueueMayHave() {
    let state = roomState(.playing, item: item(1))
    #expect(properties(state, queueState(current: 0, count: 2)).canGoNext)
    #expect(!properties(state, queueState(current: 1, count: 2)).canGoNext)
    #expect(properties(state).canGoNext)
    var repeating = state
    repeating.modes = Playback.Modes(repeats: .all)
    #expect(properties(repeating, queueState(current: 1, count: 2)).canGoNext)
  }

  @Test func withNothingCurrentThereIsNothingToGoToOrSeekIn() {
    let player = properties(roomState(.idle, item: nil), queueState(current: nil, count: 3))
    #expect(!player.canGoNext && !player.canGoPrevious && !player.canSeek)
    #expect(player.canPlay && player.canPause)
    #expect(!properties(roomState(.idle, item: nil), queueState(current: nil, count: 0)).canPlay)
  }

  @Test func theLengthThePlayerFoundGoesBeforeTheTaggedOne() {
    #expect(
      properties(roomState(.playing, item: item(1), duration: Milliseconds(199_000))).length == Milliseconds(199_000))
    #expect(properties(roomState(.playing, item: item(1), duration: .zero)).length == Milliseconds(200_000))
  }

  @Test func volumeIsAFraction() {
    #expect(properties(roomState(.paused, item: nil, volume: 35)).value(of: "Volume") == .double(0.35))
  }

  @Test func onlyWhatDiffersHasChanged() {
    let before = properties(roomState(.playing, item: item(1)), queueState(current: 0, count: 2))
    #expect(before.changes(since: before) == [])
    let paused = properties(roomState(.paused, item: item(1)), queueState(current: 0, count: 2))
    #expect(paused.changes(since: before) == ["PlaybackStatus"])
    let last = properties(roomState(.playing, item: item(2)), queueState(current: 1, count: 2))
    #expect(last.changes(since: before) == ["Metadata", "CanGoNext"])
    let moved = properties(roomState(.playing, item: item(1), at: Milliseconds(9000)), queueState(current: 0, count: 2))
    #expect(moved.changes(since: before) == [])
  }

  @Test func positionAndControlAreNeverAnnounced() {
    #expect(!PlayerProperties.announced.contains("Position"))
    #expect(!PlayerProperties.announced.contains("CanControl"))
  }
}
