import Messages
import Model
import Testing

@testable import lunara_library

@Suite struct NowPlayingPlanTests {
  private let start = ContinuousClock.now

  private func room(
    _ state: PlaybackState, _ track: Int? = 1, entry: String = "e1", at seconds: Double = 0, isAway: Bool = false,
    name: String = "kitchen"
  ) -> NowPlayingPlan.Room {
    NowPlayingPlan.Room(
      room: RoomName(from: name), state: state, track: track.map { TrackID(source: "plex", native: "t\($0)") },
      entry: track.map { _ in EntryID(rawValue: entry) }, position: Milliseconds(seconds: seconds),
      duration: Milliseconds(seconds: 100), isAway: isAway)
  }

  private func told(_ reports: [NowPlayingPlan.Report]) -> [String] {
    reports.map { "\($0.room) \($0.state.rawValue) \($0.track.native) \($0.position.seconds)" }
  }

  @Test func everyChangeIsToldAndWhatGoesOnEveryTenSeconds() {
    var reporting = NowPlayingPlan()
    #expect(told(reporting.take([room(.buffering)], at: start)) == ["kitchen buffering t1 0.0"])
    #expect(told(reporting.take([room(.playing)], at: start)) == ["kitchen playing t1 0.0"])
    #expect(reporting.take([room(.playing, at: 4)], at: start + .seconds(4)).isEmpty)
    #expect(told(reporting.take([room(.playing, at: 10)], at: start + .seconds(10))) == ["kitchen playing t1 10.0"])
    #expect(told(reporting.take([room(.paused, at: 11)], at: start + .seconds(11))) == ["kitchen paused t1 11.0"])
    #expect(reporting.take([room(.paused, at: 11)], at: start + .seconds(12)).isEmpty)
  }

  @Test func theNextTrackEndsTheOneBefore() {
    var reporting = NowPlayingPlan()
    _ = reporting.take([room(.playing, at: 90)], at: start)
    #expect(
      told(reporting.take([room(.playing, 2, entry: "e2")], at: start + .seconds(9))) == [
        "kitchen stopped t1 99.0", "kitchen playing t2 0.0",
      ])
    // The same track once more is another hearing.
    #expect(
      told(reporting.take([room(.playing, 2, entry: "e3")], at: start + .seconds(500))) == [
        "kitchen stopped t2 100.0", "kitchen playing t2 0.0",
      ])
  }

  @Test(arguments: [PlaybackState.idle, .error(LunaraError("playback.failed", "")), .unknown("dreaming")])
  func aRoomThatPlaysNoMoreHasStopped(_ state: PlaybackState) {
    var reporting = NowPlayingPlan()
    _ = reporting.take([room(.paused, at: 5)], at: start)
    #expect(told(reporting.take([room(state)], at: start + .seconds(60))) == ["kitchen stopped t1 5.0"])
    #expect(reporting.take([room(state)], at: start + .seconds(61)).isEmpty)
  }

  @Test func aRoomThatIsGoneHasStopped() {
    var reporting = NowPlayingPlan()
    let both = [room(.playing), room(.playing, name: "bedroom")]
    _ = reporting.take(both, at: start)
    #expect(
      told(reporting.take([room(.playing, isAway: true)], at: start + .seconds(3))).sorted() == [
        "bedroom stopped t1 3.0", "kitchen stopped t1 3.0",
      ])
  }

  @Test func aRoomWithNothingInItIsSilent() {
    var reporting = NowPlayingPlan()
    #expect(reporting.take([room(.idle, nil), room(.paused, nil, name: "bath")], at: start).isEmpty)
  }
}
