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
      age: Milliseconds(2500))
    let json = "\(view.json)"
    #expect(
      json.hasPrefix(
        #"{"name":"kitchen","state":"playing","away":false,"track":{"id":"files:t-e1","title":"Last Tram""#))
    #expect(json.hasSuffix(#""positionSeconds":12.5,"durationSeconds":60,"volume":80}"#))
  }

  @Test func anIdleRoom() {
    let view = RoomView(Sample.room("kitchen", .idle), age: .zero)
    #expect(
      "\(view.json)"
        == #"{"name":"kitchen","state":"idle","away":false,"track":null,"positionSeconds":0,"durationSeconds":0,"volume":80}"#
    )
  }

  @Test func anErrorHasItsMessage() {
    let error = LunaraError("playback.noOutput", "No output. Plug one in.")
    let json = "\(RoomView(Sample.room("kitchen", .error(error)), age: .zero).json)"
    #expect(json.contains(#""state":"error""#))
    #expect(json.hasSuffix(#""volume":80,"message":"No output. Plug one in.","code":"playback.noOutput"}"#))
  }

  @Test func aRoomThatDoesNotAnswerIsAway() {
    let view = RoomView(away: RoomName(from: "den"), LunaraError("bus.timeout", "No answer."))
    #expect("\(view.json)".contains(#""state":"error","away":true,"track":null"#))
  }

  @Test func thePositionNeverPassesTheEnd() {
    let playing = Sample.room("kitchen", .playing, item: Sample.item("e1", "x"), offset: 50_000, rate: 1)
    #expect(RoomView(playing, age: Milliseconds(60_000)).position == Milliseconds(60_000))
  }

  @Test func aPausedPositionStands() {
    let paused = Sample.room("kitchen", .paused, item: Sample.item("e1", "x"), offset: 50_000)
    #expect(RoomView(paused, age: Milliseconds(60_000)).position == Milliseconds(50_000))
  }

  @Test func aStateOfANewerVersionIsOneOfTheFive() {
    #expect(RoomView(Sample.room("kitchen", .unknown("fading")), age: .zero).state == "buffering")
  }
}
