import Model
import Testing

@Suite struct PlaybackStateTests {
  static let failure = LunaraError("playback.noDevice", "Plug it in.", cause: "ENODEV")

  @Test(arguments: [
    (PlaybackState.idle, #"{"name":"idle"}"#), (.buffering, #"{"name":"buffering"}"#),
    (.playing, #"{"name":"playing"}"#), (.paused, #"{"name":"paused"}"#),
    (
      .error(failure),
      #"{"error":{"cause":"ENODEV","code":"playback.noDevice","message":"Plug it in."},"name":"error"}"#
    ), (.unknown("levitating"), #"{"name":"levitating"}"#),
  ])
  func aStateAndItsJSON(state: PlaybackState, text: String) throws {
    #expect(try json(state) == text)
    #expect(try decoded(PlaybackState.self, text) == state)
  }

  @Test func anErrorWithoutAReasonStillReads() throws {
    guard case .error(let error) = try decoded(PlaybackState.self, #"{"name":"error"}"#) else {
      Issue.record("no error")
      return
    }
    #expect(error.code == "playback.failed")
  }

  @Test func errorsKeepTheirWordsAndOthersBecomeUnexpected() {
    struct Odd: Error {}
    #expect(LunaraError(Self.failure as any Error) == Self.failure)
    #expect(LunaraError(Odd()).code == "internal.unexpected")
    #expect(LunaraError(Odd()).cause == "Odd()")
    #expect(Self.failure.description == "Plug it in. (ENODEV) [playback.noDevice]")
    #expect(LunaraError("a.b", "c").description == "c [a.b]")
  }
}
