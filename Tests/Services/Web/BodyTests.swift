import Messages
import Model
import Testing

@testable import lunara_web

@Suite struct BodyTests {
  private func play(_ json: String) throws -> Router.Play {
    try PlayBody.read(Array(json.utf8)).intent { 7 }
  }

  private func command(_ json: String) throws -> Playback.Transport.Action {
    try TransportBody.read(Array(json.utf8)).command()
  }

  @Test func anIntentIsReadWithItsDefaults() throws {
    let intent = try play(#"{"ids":["files:a1"]}"#)
    #expect(intent.ids.map(\.description) == ["files:a1"])
    #expect(intent.room == nil)
    #expect(intent.mode == .now)
    #expect(intent.startAt == 0)
    #expect(!intent.shuffle)
    #expect(intent.seed == nil)
  }

  @Test func anIntentIsReadWithAllItsParts() throws {
    let intent = try play(
      #"{"ids":["files:a1","files:t:2"],"room":"kitchen","mode":"next","startAt":3,"shuffle":true,"more":1}"#)
    #expect(intent.ids.map(\.native) == ["a1", "t:2"])
    #expect(intent.room == RoomName("kitchen"))
    #expect(intent.mode == .next)
    #expect(intent.startAt == 3)
    #expect(intent.seed == 7)
  }

  @Test(
    arguments: [
      "", "[]", "{}", #"{"ids":[]}"#, #"{"ids":["a1"]}"#, #"{"ids":"files:a1"}"#, #"{"ids":["files:a1"],"startAt":-1}"#,
      #"{"ids":["files:a1"],"mode":"soon"}"#, #"{"ids":["files:a1"],"room":"The Kitchen"}"#, "\u{FFFD}",
    ])
  func anIntentThatIsNotUnderstoodIsRefused(json: String) { #expect(code { _ = try play(json) } == "web.badBody") }

  @Test func everyActionIsUnderstood() throws {
    #expect(try command(#"{"action":"resume"}"#) == .resume)
    #expect(try command(#"{"action":"pause"}"#) == .pause)
    #expect(try command(#"{"action":"toggle"}"#) == .toggle)
    #expect(try command(#"{"action":"next"}"#) == .next)
    #expect(try command(#"{"action":"previous"}"#) == .previous)
    #expect(try command(#"{"action":"stop"}"#) == .stop)
    #expect(try command(#"{"action":"seek","seconds":12.5}"#) == .seek(to: Milliseconds(12_500)))
    #expect(try command(#"{"action":"skip","seconds":-15}"#) == .skip(by: Milliseconds(-15_000)))
    #expect(try command(#"{"action":"volume","percent":40}"#) == .volume(40))
    #expect(try command(#"{"action":"jump","index":3}"#) == .jump(to: 3))
  }

  @Test(
    arguments: [
      #"{}"#, #"{"action":"explode"}"#, #"{"action":"seek"}"#, #"{"action":"seek","seconds":-1}"#,
      #"{"action":"seek","seconds":1e300}"#, #"{"action":"volume","percent":101}"#, #"{"action":"volume"}"#,
      #"{"action":"jump","index":-1}"#, #"{"action":"seek","seconds":"12"}"#,
    ])
  func anActionThatIsNotUnderstoodIsRefused(json: String) { #expect(code { _ = try command(json) } == "web.badBody") }
}
