import Bus
import Client
import Messages
import Model
import TestSupport
import Testing

/// The position of a room advances with the time, and its JSON is the same for commands and the page.
struct RoomStatusTests {
  private let now = ContinuousClock.now
  private let kitchen = RoomName(from: "kitchen")
  private let playing = Sample.room("kitchen", .playing, item: Sample.item("e1", "Last Tram"), offset: 10_000, rate: 1)

  /// Returns a state as the bus delivers it at `now` or later.
  private func observed(
    _ value: Playback.RoomState, age: Int64 = 0, sinceTaken: Int64 = 0, away: Bool = false, heard: Duration = .zero
  ) -> Observed<Playback.RoomState> {
    Observed(
      node: .playback(value.room), value: value, age: Milliseconds(age), readAt: now + heard,
      saidAt: value.position.takenAt - Milliseconds(-sinceTaken), away: away)
  }

  @Test func aPositionIsOlderByTheTimeSinceItWasTakenAndSaid() {
    // Only the differences between the room's own times count, so its clock may be wrong.
    let observed = observed(playing, age: 2000, sinceTaken: 3000)
    #expect(RoomStatus(observed, at: now).position == Milliseconds(15_000))
    #expect(RoomStatus(observed, at: now + .seconds(4)).position == Milliseconds(19_000))
    #expect(playing.position(saidAt: observed.saidAt, age: Milliseconds(2000)) == Milliseconds(15_000))
  }

  @Test func aPositionNeverPassesTheEnd() {
    #expect(RoomStatus(observed(playing, age: 600_000), at: now).position == Milliseconds(60_000))
  }

  @Test func aPausedPositionDoesNotAdvance() {
    let paused = Sample.room("kitchen", .paused, item: Sample.item("e1", "x"), offset: 50_000)
    #expect(RoomStatus(observed(paused, age: 900), at: now + .seconds(60)).position == Milliseconds(50_000))
  }

  @Test func aRoomThatIsAwayStandsWhereItWasLastHeard() throws {
    var rooms = ObservedRooms()
    let change1 = rooms.update([observed(playing)], at: now)
    #expect(change1)
    let change2 = rooms.update([observed(playing, age: 4000, away: true, heard: .seconds(4))], at: now + .seconds(4))
    #expect(change2)
    let change3 = rooms.update(
      [observed(playing, age: 60_000, away: true, heard: .seconds(60))], at: now + .seconds(60))
    #expect(!change3)
    let away = try #require(rooms.status(of: kitchen, at: now + .seconds(90)))
    #expect(away.position == Milliseconds(14_000) && away.rate == 0 && away.isAway)
    #expect(rooms.choice == RoomChoice(live: [], away: [kitchen], isHouseholdUp: true))
    let change4 = rooms.update([observed(playing, age: 30_000, heard: .seconds(30))], at: now + .seconds(30))
    #expect(change4)
    #expect(rooms.status(of: kitchen, at: now + .seconds(30))?.position == Milliseconds(40_000))
  }

  @Test func onlyWhatAPersonWouldSeeIsADifference() {
    var rooms = ObservedRooms()
    let change5 = rooms.update([observed(playing)], at: now)
    #expect(change5)
    let change6 = rooms.update([observed(playing, age: 4000, heard: .seconds(4))], at: now + .seconds(4))
    #expect(!change6)
    let change7 = rooms.update([observed(playing, age: 5000, away: true, heard: .seconds(5))], at: now + .seconds(5))
    #expect(change7)
    let change8 = rooms.update([], at: now + .seconds(6))
    #expect(change8)
    #expect(rooms.statuses().isEmpty)
  }

  @Test func aRetryComesNearerByTheTimeSinceItWasSaid() {
    var state = Sample.room("kitchen", .error(LunaraError("playback.noSound", "No sound.")))
    state.retriesAt = state.position.takenAt - Milliseconds(-16_000)
    let observed = observed(state, age: 2000)
    #expect(RoomStatus(observed, at: now).retriesIn == Milliseconds(14_000))
    #expect(RoomStatus(observed, at: now + .seconds(4)).retriesIn == Milliseconds(10_000))
    #expect(RoomStatus(observed, at: now + .seconds(40)).retriesIn == .zero)
  }

  @Test func theShapeOfARoomThatPlays() {
    let json = "\(RoomStatus(observed(playing, age: 2500), at: now).json)"
    #expect(
      json.hasPrefix(
        #"{"name":"kitchen","state":"playing","away":false,"track":{"id":"files:t-e1","title":"Last Tram""#))
    #expect(
      json.hasSuffix(
        #""positionSeconds":12.5,"durationSeconds":60,"volume":80,"modes":null,"notice":null,"retriesInSeconds":null,"#
          + #""sleepsInSeconds":null,"interruption":null,"title":null,"entry":"e1","rate":1,"queueRevision":3,"#
          + #""bufferedSeconds":null,"usedSecondsAgo":2.5,"plugin":null,"preview":null}"#))
  }

  @Test func theTimeSinceARoomWasUsedFollowsFromItsOwnClock() {
    let paused = Sample.room("kitchen", .paused, item: Sample.item("e1", "x"), offset: 50_000)
    let status = RoomStatus(observed(paused, age: 1000, sinceTaken: 60_000), at: now + .seconds(2))
    #expect(status.use == RoomUse(isPlaying: false, sinceUsed: Milliseconds(63_000)))
  }

  @Test func theShapeOfAnIdleRoom() {
    var room = Sample.room("kitchen", .idle)
    room.position.takenAt = Timestamp(seconds: 0)
    let status = RoomStatus(answered: room)
    #expect(
      String(decoding: status.json.bytes(.leftOut), as: UTF8.self)
        == #"{"name":"kitchen","state":"idle","away":false,"track":null,"positionSeconds":0,"durationSeconds":null,"#
        + #""volume":80,"title":null,"entry":null,"rate":0,"queueRevision":3}"#)
  }

  @Test func anErrorHasItsMessageAndCode() {
    let error = LunaraError("playback.noOutput", "No output. Plug one in.")
    let json = "\(RoomStatus(answered: Sample.room("kitchen", .error(error))).json)"
    #expect(json.contains(#""state":"error""#))
    #expect(json.hasSuffix(#""message":"No output. Plug one in.","code":"playback.noOutput"}"#))
  }

  @Test func theModesOfARoom() {
    var state = playing
    state.modes = Playback.Modes(
      repeats: .all, order: .albums, stopsAfterCurrent: true, sleepsAt: Sample.moment - Milliseconds(-60_000),
      isMuted: true, maximumVolume: 60)
    state.notice = LunaraError("playback.outputAway", "The DAC is gone.")
    state.interruption = "output"
    let text = String(
      decoding: RoomStatus(answered: state, now: Sample.moment).json.bytes(.leftOut), as: UTF8.self)
    #expect(
      text.contains(
        #""modes":{"repeat":"all","order":"albums","stopsAfterCurrent":true,"muted":true,"maxVolume":60},"#
          + #""notice":{"code":"playback.outputAway","message":"The DAC is gone."},"sleepsInSeconds":60,"#
          + #""interruption":"output""#))
  }

  @Test func aRoomThatDoesNotAnswerIsAway() {
    let status = RoomStatus(unreachable: kitchen, LunaraError("bus.timeout", "No answer."))
    #expect("\(status.json)".contains(#""state":"error","away":true,"track":null"#))
  }

  @Test func aStateOfANewerVersionIsOneOfTheFive() {
    #expect(RoomStatus(answered: Sample.room("kitchen", .unknown("fading"))).state == "buffering")
  }
}
