import Model
import Testing

@testable import lunara_web

@Suite struct ErrorStatusTests {
  @Test(
    arguments: [
      ("web.badID", 400), ("web.badParameter", 400), ("web.badBody", 400), ("client.roomNeeded", 400),
      ("web.hostRefused", 403), ("web.crossOrigin", 403), ("web.notFound", 404), ("client.roomUnknown", 404),
      ("web.noPicture", 404), ("web.methodNotAllowed", 405), ("web.notJSON", 415), ("bus.unreachable", 503),
      ("bus.busy", 503), ("bus.timeout", 504), ("bus.badPayload", 502), ("bus.outcomeUnknown", 502),
      ("library.unknownID", 404), ("library.fileMissing", 404), ("playback.refused", 409),
      ("router.nothingToPlay", 409), ("client.roomUnknown", 404), ("client.roomNeeded", 400), ("client.roomAway", 503),
      ("storage.full", 500), ("http.unreachable", 502), ("http.timeout", 504), ("http.tooLarge", 502),
      ("http.badAddress", 400), ("library.unknownSource", 404), ("library.unknownSignIn", 404),
      ("scrobble.unknownAccount", 404), ("scrobble.unknownListen", 404), ("scrobble.badCursor", 400),
      ("scrobble.badFilter", 400), ("scrobble.badImport", 400), ("playback.badSetting", 400),
      ("library.badAddress", 400), ("library.badPicture", 404), ("library.outsideFolders", 403),
      ("bus.unknownRequest", 502), ("web.busy", 503),
      ("web.malformed", 400), ("web.tooLarge", 413), ("web.stopping", 503),
      ("library.sourceAway", 503), ("library.wrongServerKind", 502), ("library.serverUntrusted", 502),
      ("scrobble.refused", 409), ("internal.unexpected", 500),
    ])
  func everyKindOfErrorHasTheStatusThatFits(code: String, status: Int) {
    #expect(LunaraError(code, "Something.").httpStatus == status)
  }
}
