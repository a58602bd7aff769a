import Messages
import Model
import Testing

@testable import lunara_nowplaying

struct PlayerPropertiesTests {
  private func properties(
    _ state: Playback.RoomState, _ queue: Playback.QueueState? = nil, isHidden: Bool = false
  ) -> PlayerProperties { PlayerProperties(state: state, queue: queue, isHidden: isHidden) }

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
    #expect(properties(state, queueState(current: 1, count: 3)).canGoNext)
    #expect(!properties(state, queueState(current: 1, count: 2)).canGoNext)
    #expect(properties(state).canGoNext)
    // A queue that does not contain the item yet does not tell whether it is the last.
    #expect(properties(roomState(.playing, item: item(7)), queueState(current: 1, count: 2)).canGoNext)
    var repeating = state
    repeating.modes = Playback.Modes(repeats: .all)
    #expect(properties(repeating, queueState(current: 1, count: 2)).canGoNext)
  }

  @Test func withNothingCurrentThereIsNothingToGoToOrSeekIn() {
    let player = properties(roomState(.idle, item: nil), queueState(current: nil, count: 3))
    #expect(!player.canGoNext && !player.canGoPrevious && !player.canSeek)
    #expect(player.canPlay)
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

  /// The tag says 200 seconds.
  @Test(
    arguments: [(200_100, 200_000), (199_001, 200_000), (201_000, 201_000), (500, 500), (0, 200_000)]
      as [(Int64, Int64)])
  func aLengthThatIsMoreExactByLessThanASecondIsNoChange(decoded: Int64, shown: Int64) {
    let state = roomState(.playing, item: item(1), duration: Milliseconds(decoded))
    #expect(properties(state).length == Milliseconds(shown))
  }

  @Test func aLengthThatNoTagToldIsTheDecoders() {
    var untagged = item(1)
    untagged.track.duration = .zero
    #expect(properties(roomState(.playing, item: untagged, duration: Milliseconds(500))).length == Milliseconds(500))
    #expect(properties(roomState(.playing, item: untagged)).length == nil)
    let hostile = roomState(.playing, item: untagged, duration: Milliseconds(.min))
    #expect(properties(hostile).length == nil)
  }

  @Test func onlyWhatDiffersHasChanged() {
    let before = properties(roomState(.playing, item: item(0)), queueState(current: 0, count: 2))
    #expect(before.changes(since: before) == [])
    let paused = properties(roomState(.paused, item: item(0)), queueState(current: 0, count: 2))
    #expect(paused.changes(since: before) == ["PlaybackStatus"])
    let last = properties(roomState(.playing, item: item(1)), queueState(current: 1, count: 2))
    #expect(last.changes(since: before) == ["Metadata", "CanGoNext"])
    let moved = properties(roomState(.playing, item: item(0), at: Milliseconds(9000)), queueState(current: 0, count: 2))
    #expect(moved.changes(since: before) == [])
  }

  @Test(arguments: [
    (Playback.Repeat.off, "None"), (.one, "Track"), (.all, "Playlist"), (.unknown, "None"),
  ])
  func whatFollowsTheEndIsTheLoopStatus(repeats: Playback.Repeat, status: String) {
    var state = roomState(.playing, item: item(1))
    state.modes = Playback.Modes(repeats: repeats)
    #expect(properties(state).value(of: "LoopStatus") == .string(status))
  }

  @Test(arguments: [(Playback.Order.queued, false), (.tracks, true), (.albums, true), (.unknown, false)])
  func aMixedQueueIsShuffled(order: Playback.Order, isShuffled: Bool) {
    var state = roomState(.playing, item: item(1))
    state.modes = Playback.Modes(order: order)
    #expect(properties(state).value(of: "Shuffle") == .bool(isShuffled))
  }

  @Test func aHiddenTrackIsNotShownAndCanBePausedWhileItSounds() {
    let playing = properties(roomState(.playing, item: item(1)), queueState(current: 1, count: 3), isHidden: true)
    #expect(playing.metadata == MPRISMetadata.fields(of: nil, length: nil))
    #expect(playing.status == .playing && playing.canPlay && !playing.canSeek && playing.length == nil)
    #expect(properties(roomState(.paused, item: item(1)), isHidden: true).status == .stopped)
  }

  @Test func positionAndControlAreNeverAnnounced() {
    #expect(!PlayerProperties.signalled.contains("Position"))
    #expect(!PlayerProperties.signalled.contains("CanControl"))
  }
}
