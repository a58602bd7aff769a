import Bus
import Messages
import Model
import Testing

@testable import lunara

/// The shape of rooms, and how their position moves on.
struct RoomShapeTests {
  @Test func aPlayingRoom() {
    let view = RoomView(
      Sample.room("kitchen", .playing, item: Sample.item("e1", "Last Tram"), offset: 10_000, rate: 1),
      age: Milliseconds(2500), now: Sample.moment)
    let json = "\(view.json)"
    #expect(
      json.hasPrefix(
        #"{"name":"kitchen","state":"playing","away":false,"track":{"id":"files:t-e1","title":"Last Tram""#))
    #expect(
      json.hasSuffix(
        #""positionSeconds":12.5,"durationSeconds":60,"volume":80,"modes":null,"notice":null,"retriesAt":null,"interruption":null,"title":null}"#
      ))
  }

  @Test func anIdleRoom() {
    let view = RoomView(Sample.room("kitchen", .idle), age: .zero, now: Sample.moment)
    #expect(
      "\(view.json)"
        == #"{"name":"kitchen","state":"idle","away":false,"track":null,"positionSeconds":0,"durationSeconds":0,"volume":80,"modes":null,"notice":null,"retriesAt":null,"interruption":null,"title":null}"#
    )
  }

  @Test func anErrorHasItsMessage() {
    let error = LunaraError("playback.noOutput", "No output. Plug one in.")
    let json = "\(RoomView(Sample.room("kitchen", .error(error)), age: .zero, now: Sample.moment).json)"
    #expect(json.contains(#""state":"error""#))
    #expect(
      json.hasSuffix(
        #""volume":80,"modes":null,"notice":null,"retriesAt":null,"interruption":null,"title":null,"message":"No output. Plug one in.","code":"playback.noOutput"}"#
      ))
  }

  @Test func aRoomThatDoesNotAnswerIsAway() {
    let view = RoomView(away: RoomName(from: "den"), LunaraError("bus.timeout", "No answer."))
    #expect("\(view.json)".contains(#""state":"error","away":true,"track":null"#))
  }

  @Test func thePositionNeverPassesTheEnd() {
    let playing = Sample.room("kitchen", .playing, item: Sample.item("e1", "x"), offset: 50_000, rate: 1)
    #expect(RoomView(playing, age: Milliseconds(60_000), now: Sample.moment).position == Milliseconds(60_000))
  }

  @Test func aPausedPositionStands() {
    let paused = Sample.room("kitchen", .paused, item: Sample.item("e1", "x"), offset: 50_000)
    #expect(RoomView(paused, age: Milliseconds(60_000), now: Sample.moment).position == Milliseconds(50_000))
  }

  @Test func aStateOfANewerVersionIsOneOfTheFive() {
    #expect(RoomView(Sample.room("kitchen", .unknown("fading")), age: .zero, now: Sample.moment).state == "buffering")
  }

  @Test func whatARoomDoesByItselfIsShownToProgramsAndPeople() {
    var state = Sample.room("kitchen", .playing, item: Sample.item("e1", "Last Tram"))
    state.modes = Playback.Modes(
      repeats: .all, order: .albums, stopsAfterCurrent: true, sleepsAt: Sample.moment - Milliseconds(-1_800_000),
      isMuted: true, maximumVolume: 60)
    state.notice = LunaraError("playback.outputAway", "The DAC is gone.")
    let view = RoomView(state, age: .zero, now: Sample.moment - Milliseconds(-600_000))
    #expect(
      "\(view.json)".hasSuffix(
        #""modes":{"repeat":"all","order":"albums","stopsAfterCurrent":true,"sleepsAt":"2023-11-14T22:43:20.000000Z","#
          + #""muted":true,"maxVolume":60},"notice":{"code":"playback.outputAway","message":"The DAC is gone.","#
          + #""cause":null},"retriesAt":null,"interruption":null,"title":null}"#))
    #expect(
      view.remarks == [
        "The DAC is gone.", "muted", "at most 60", "albums mixed", "repeats all", "stops after this one",
        "sleeps in 20 min",
      ])
    #expect(RoomView(Sample.room("x", .idle), age: .zero, now: Sample.moment).remarks.isEmpty)
  }

  @Test func anErrorSaysWhenItIsTriedAgainAndAnInterruptionWhy() {
    var state = Sample.room("x", .error(LunaraError("playback.noSound", "No sound.")), item: Sample.item("e", "t"))
    state.retriesAt = Sample.moment - Milliseconds(-8000)
    let view = RoomView(state, age: .zero, now: Sample.moment - Milliseconds(-3000))
    #expect(view.remarks == ["No sound.", "tries again in 5 s"])
    #expect(
      "\(view.json)".contains(#""retriesAt":"2023-11-14T22:13:28.000000Z","interruption":null,"title":null,"message":"#)
    )
    // What was due is no negative time.
    #expect(RoomView(state, age: .zero, now: Sample.moment - Milliseconds(-9000)).remarks.last == "tries again in 0 s")
    var paused = Sample.room("x", .paused, item: Sample.item("e", "t"))
    for (reason, words) in [
      ("sleep", "paused as the machine went to sleep"), ("output", "paused as its output went away"),
    ] {
      paused.interruption = reason
      #expect(RoomView(paused, age: .zero, now: Sample.moment).remarks == [words])
    }
  }
}
