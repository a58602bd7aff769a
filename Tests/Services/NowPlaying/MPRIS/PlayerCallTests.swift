import Messages
import Model
import Testing

@testable import lunara_nowplaying

struct PlayerCallTests {
  private let playing = PlayerProperties(
    state: roomState(.playing, item: item(1)), queue: queueState(current: 1, count: 3))
  private let paused = PlayerProperties(
    state: roomState(.paused, item: item(1)), queue: queueState(current: 1, count: 3))
  private let atTheEnd = PlayerProperties(
    state: roomState(.idle, item: nil), queue: queueState(current: nil, count: 3))
  private let empty = PlayerProperties(
    state: roomState(.idle, item: nil), queue: queueState(current: nil, count: 0))

  @Test func transportCallsReachTheRoom() {
    #expect(PlayerCall.next.outcome(for: playing) == .perform(.transport(.next)))
    #expect(PlayerCall.previous.outcome(for: playing) == .perform(.transport(.previous)))
    #expect(PlayerCall.pause.outcome(for: playing) == .perform(.transport(.pause)))
    #expect(PlayerCall.stop.outcome(for: playing) == .perform(.transport(.stop)))
    #expect(PlayerCall.playPause.outcome(for: playing) == .perform(.transport(.toggle)))
    #expect(PlayerCall.play.outcome(for: paused) == .perform(.transport(.resume)))
  }

  @Test func aCommandIsSentEvenIfTheLastKnownStateMatchesIt() {
    #expect(PlayerCall.play.outcome(for: playing) == .perform(.transport(.resume)))
    #expect(PlayerCall.pause.outcome(for: paused) == .perform(.transport(.pause)))
  }

  @Test func whereNothingIsCurrentThereIsNothingToStopOrToPassOver() {
    #expect(PlayerCall.pause.outcome(for: atTheEnd) == .ignore)
    #expect(PlayerCall.stop.outcome(for: atTheEnd) == .ignore)
    #expect(PlayerCall.next.outcome(for: atTheEnd) == .ignore)
  }

  @Test func whereNothingIsCurrentTheRoomItselfSaysWhatToBeginWith() {
    #expect(PlayerCall.play.outcome(for: atTheEnd) == .perform(.transport(.resume)))
    #expect(PlayerCall.playPause.outcome(for: atTheEnd) == .perform(.transport(.toggle)))
  }

  @Test func playPauseWithAnEmptyQueueIsAnErrorAndPlayIsNone() {
    #expect(PlayerCall.play.outcome(for: empty) == .ignore)
    guard case .refuse(DBusErrorName.failed, _) = PlayerCall.playPause.outcome(for: empty) else {
      Issue.record("PlayPause was not refused")
      return
    }
  }

  @Test(arguments: [(Int64(15_000_000), Int64(15_000)), (-3_000_000, -3000), (1999, 1), (.min, Int64.min / 1000)])
  func seekIsAnOffset(microseconds: Int64, milliseconds: Int64) {
    #expect(
      PlayerCall.seek(by: microseconds).outcome(for: playing)
        == .perform(.transport(.skip(by: Milliseconds(milliseconds)))))
  }

  @Test func aSeekByZeroDoesNothing() {
    #expect(PlayerCall.seek(by: 0).outcome(for: playing) == .ignore)
    #expect(PlayerCall.seek(by: 5_000_000).outcome(for: atTheEnd) == .ignore)
  }

  @Test func aPositionWithinTheCurrentTrackIsSoughtTo() {
    for position in [0, 100_000_000, 200_000_000] as [Int64] {
      #expect(
        PlayerCall.setPosition(track: "/org/lunara/entry/e1", to: position).outcome(for: playing)
          == .perform(.transport(.seek(to: Milliseconds(position / 1000), of: EntryID(rawValue: "e1")))))
    }
  }

  @Test(
    arguments: [
      ("/org/lunara/entry/e2", 5), (TrackPath.none, 5), ("/org/lunara/entry/e1", -1),
      ("/org/lunara/entry/e1", 200_000_001),
    ] as [(String, Int64)])
  func aStalePositionOrOneOutsideTheTrackIsIgnored(track: String, position: Int64) {
    #expect(PlayerCall.setPosition(track: track, to: position).outcome(for: playing) == .ignore)
  }

  @Test(arguments: [(0.5, 50), (-1, 0), (1.7, 100), (.infinity, 100), (0.004, 0), (0.005, 1)] as [(Double, Int)])
  func volumeIsHeldWithinItsRange(volume: Double, percent: Int) {
    #expect(PlayerCall.setVolume(volume).outcome(for: playing) == .perform(.transport(.volume(percent))))
  }

  @Test func aVolumeThatIsNoNumberIsRefused() {
    guard case .refuse(DBusErrorName.invalidArguments, _) = PlayerCall.setVolume(.nan).outcome(for: playing) else {
      Issue.record("The volume was not refused")
      return
    }
  }

  @Test func aRateOfZeroPausesAndOthersDoNothing() {
    #expect(PlayerCall.setRate(0).outcome(for: playing) == .perform(.transport(.pause)))
    for rate in [1, 2, -1, .nan, .infinity] { #expect(PlayerCall.setRate(rate).outcome(for: playing) == .ignore) }
  }

  @Test func shuffleIsMixedOnceAndUndone() {
    var mixed = playing
    mixed.isShuffled = true
    #expect(PlayerCall.setShuffle(true).outcome(for: playing) == .perform(.shuffle(true)))
    #expect(PlayerCall.setShuffle(false).outcome(for: mixed) == .perform(.shuffle(false)))
    #expect(PlayerCall.setShuffle(true).outcome(for: mixed) == .ignore)
    // A command that waits before this one may undo the shuffle.
    #expect(PlayerCall.setShuffle(true).outcome(for: mixed, isFirst: false) == .perform(.shuffle(true)))
  }

  @Test(arguments: [("None", Playback.Repeat.off), ("Track", .one), ("Playlist", .all)])
  func aLoopStatusSetsWhatFollowsTheEnd(name: String, repeats: Playback.Repeat) {
    #expect(PlayerCall.setLoop(name).outcome(for: playing) == .perform(.transport(.repeats(repeats))))
  }

  @Test(arguments: ["", "none", "All", "Track "]) func anotherLoopStatusIsRefused(name: String) {
    guard case .refuse(DBusErrorName.invalidArguments, _) = PlayerCall.setLoop(name).outcome(for: playing) else {
      Issue.record("\(name) was not refused")
      return
    }
  }
}
