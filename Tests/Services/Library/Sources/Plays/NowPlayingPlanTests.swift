import Messages
import Model
import Testing

@testable import Records
@testable import Sources

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

  @Test func changesAreReportedAtOnceAndProgressEveryTenSeconds() {
    var plan = NowPlayingPlan()
    #expect(told(plan.update([room(.buffering)], at: start)) == ["kitchen buffering t1 0.0"])
    #expect(told(plan.update([room(.playing)], at: start)) == ["kitchen playing t1 0.0"])
    #expect(plan.update([room(.playing, at: 4)], at: start + .seconds(4)).isEmpty)
    #expect(told(plan.update([room(.playing, at: 10)], at: start + .seconds(10))) == ["kitchen playing t1 10.0"])
    #expect(told(plan.update([room(.paused, at: 11)], at: start + .seconds(11))) == ["kitchen paused t1 11.0"])
    #expect(plan.update([room(.paused, at: 11)], at: start + .seconds(12)).isEmpty)
  }

  @Test func theNextTrackEndsTheOneBefore() {
    var plan = NowPlayingPlan()
    _ = plan.update([room(.playing, at: 90)], at: start)
    #expect(
      told(plan.update([room(.playing, 2, entry: "e2")], at: start + .seconds(9))) == [
        "kitchen stopped t1 99.0", "kitchen playing t2 0.0",
      ])
    // The same track under another entry is another listen.
    #expect(
      told(plan.update([room(.playing, 2, entry: "e3")], at: start + .seconds(500))) == [
        "kitchen stopped t2 100.0", "kitchen playing t2 0.0",
      ])
  }

  @Test(arguments: [PlaybackState.idle, .error(LunaraError("playback.failed", "")), .unknown("dreaming")])
  func aRoomThatPlaysNoMoreHasStopped(_ state: PlaybackState) {
    var plan = NowPlayingPlan()
    _ = plan.update([room(.paused, at: 5)], at: start)
    #expect(told(plan.update([room(state)], at: start + .seconds(60))) == ["kitchen stopped t1 5.0"])
    #expect(plan.update([room(state)], at: start + .seconds(61)).isEmpty)
  }

  @Test func onlyAStopBeforeAnotherTrackContinues() {
    var plan = NowPlayingPlan()
    func continues(_ reports: [NowPlayingPlan.Report]) -> [Bool] { reports.map(\.isContinuing) }
    #expect(continues(plan.update([room(.playing)], at: start)) == [false])
    #expect(continues(plan.update([room(.playing, 2, entry: "e2")], at: start)) == [true, false])
    #expect(continues(plan.update([room(.idle)], at: start)) == [false])
    _ = plan.update([room(.playing, 3, entry: "e3")], at: start)
    #expect(continues(plan.update([], at: start)) == [false])
  }

  @Test func aRoomThatIsGoneHasStopped() {
    var plan = NowPlayingPlan()
    let both = [room(.playing), room(.playing, name: "bedroom")]
    _ = plan.update(both, at: start)
    #expect(
      told(plan.update([room(.playing, isAway: true)], at: start + .seconds(3))).sorted() == [
        "bedroom stopped t1 3.0", "kitchen stopped t1 3.0",
      ])
  }

  @Test func aRoomWithNothingInItIsSilent() {
    var plan = NowPlayingPlan()
    #expect(plan.update([room(.idle, nil), room(.paused, nil, name: "bath")], at: start).isEmpty)
  }
}

@Suite struct NowPlayingQueueTests {
  private func report(_ track: String, _ state: NowPlayingReport.State) -> NowPlayingReport {
    NowPlayingReport(
      native: track, state: state, position: .zero, duration: Milliseconds(100_000), room: RoomName(from: "den"),
      listen: ListenID(rawValue: track))
  }

  /// Returns the reports as texts.
  private func all(_ line: inout NowPlayingQueue, isPrivate: Bool = false) -> [String] {
    var told: [String] = []
    while let report = line.next(isPrivate: isPrivate) { told.append("\(report.native) \(report.state.rawValue)") }
    return told
  }

  @Test func aNewerReportReplacesTheWaitingOne() {
    var (line, told) = (NowPlayingQueue(), [String]())
    for state in [NowPlayingReport.State.buffering, .playing, .paused] { line.add(report("1", state)) }
    told = all(&line)
    #expect(told == ["1 paused"])
    #expect(!line.isOver)
  }

  @Test func theEndOfAReportedTrackIsReportedBeforeTheNextTrack() {
    var (line, told) = (NowPlayingQueue(), [String]())
    line.add(report("1", .playing))
    told = all(&line)
    #expect(told == ["1 playing"])
    line.add(report("1", .stopped))
    for track in ["2", "3"] {
      line.add(report(track, .playing))
      line.add(report(track, .stopped))
    }
    line.add(report("4", .playing))
    told = all(&line)
    #expect(told == ["1 stopped", "4 playing"])
  }

  @Test func aTrackThatWasNotReportedNeedsNoEnd() {
    var (line, told) = (NowPlayingQueue(), [String]())
    line.add(report("1", .playing))
    line.add(report("1", .stopped))
    told = all(&line)
    #expect(told.isEmpty)
    #expect(line.isOver)
  }

  @Test func theSameTrackThatGoesOnHasNotStopped() {
    var (line, told) = (NowPlayingQueue(), [String]())
    line.add(report("1", .playing))
    told = all(&line)
    #expect(told == ["1 playing"])
    line.add(report("1", .stopped))
    line.add(report("1", .paused))
    told = all(&line)
    #expect(told == ["1 paused"])
    line.add(report("1", .stopped))
    told = all(&line)
    #expect(told == ["1 stopped"])
    #expect(line.isOver)
  }

  @Test func whileListeningIsPrivateOnlyEndsAreTold() {
    var (line, told) = (NowPlayingQueue(), [String]())
    line.add(report("1", .playing))
    told = all(&line)
    #expect(told == ["1 playing"])
    line.add(report("1", .stopped))
    line.add(report("2", .playing))
    told = all(&line, isPrivate: true)
    #expect(told == ["1 stopped"])
    #expect(line.isOver)
    told = all(&line)
    #expect(told.isEmpty)
  }
}
