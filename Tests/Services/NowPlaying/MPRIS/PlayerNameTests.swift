import Model
import Testing

@testable import lunara_nowplaying

struct PlayerNameTests {
  @Test func aRoomsDashesBecomeUnderscores() {
    #expect(PlayerName.of(room("living-room"), process: 7) == "org.mpris.MediaPlayer2.lunara.living_room")
  }

  @Test func aPartThatBeginsWithADigitIsMadeValid() {
    #expect(PlayerName.of(room("2nd-floor"), process: 7) == "org.mpris.MediaPlayer2.lunara._2nd_floor")
  }

  @Test func aTakenNameGetsAnInstanceSuffix() {
    #expect(PlayerName.of(room("den"), attempt: 1, process: 7) == "org.mpris.MediaPlayer2.lunara.den.instance7")
    #expect(PlayerName.of(room("den"), attempt: 2, process: 7) == "org.mpris.MediaPlayer2.lunara.den.instance7_2")
  }

  @Test func ourErrorsHaveValidDBusNames() {
    #expect(DBusErrorName.of(LunaraError("bus.timeout", "")) == "org.lunara.Error.bus.timeout")
    #expect(DBusErrorName.of(LunaraError("odd-code.2x", "")) == "org.lunara.Error.odd_code._2x")
  }
}
