import Messages
import Model
import Testing

@testable import lunara_scrobble

struct LastFMSignInTests {
  private let start = Timestamp(seconds: 1_700_000_000)

  private func signIn() throws -> LastFMSignIn {
    LastFMSignIn(
      at: try ServerAddress(nil, of: LastFMService.self), page: nil, key: "k&y", token: Secret("t 1"), now: start)
  }

  private func later(_ seconds: Int64) -> Timestamp { Timestamp(seconds: start.seconds + seconds) }

  @Test func theLinkHoldsKeyAndToken() throws {
    let told = try signIn().started
    #expect(told.link == "https://www.last.fm/api/auth/?api_key=k%26y&token=t%201")
    #expect(told.expiresAt == later(3600))
  }

  @Test(arguments: [14, 8, 11, 16, 29]) func itIsAskedAgainWhileNobodyHasAllowedIt(code: Int) throws {
    var signIn = try signIn()
    #expect(signIn.refuse(code, "", at: later(10)) == .askAgain)
    #expect(signIn.state.state == "waiting")
  }

  @Test(arguments: [4, 15]) func aTokenThatIsNoLongerGoodIsReplacedAFewTimes(code: Int) throws {
    var signIn = try signIn()
    for number in 2...5 {
      #expect(signIn.refuse(code, "", at: later(10)) == .getToken)
      signIn.begin(with: Secret("t\(number)"), at: later(10))
      #expect(signIn.state.link?.hasSuffix("token=t\(number)") == true)
    }
    #expect(signIn.refuse(code, "no", at: later(10)) == .end)
    #expect(signIn.state.error?.code == "scrobble.refused")
    // It ends when it was said to, whatever token it has by then.
    #expect(signIn.started.expiresAt == later(3600))
  }

  @Test func aKeyThatIsRefusedEndsIt() throws {
    var signIn = try signIn()
    #expect(signIn.refuse(10, "Invalid API Key", at: later(10)) == .end)
    #expect(signIn.state.error?.cause == "Invalid API Key")
  }

  @Test func itEndsWithItsHour() throws {
    var signIn = try signIn()
    #expect(signIn.refuse(14, "", at: later(3599)) == .askAgain)
    #expect(signIn.noteNoAnswer(at: later(3599)) == .askAgain)
    #expect(signIn.noteNoAnswer(at: later(3600)) == .end)
    #expect(signIn.state.state == "expired")
  }
}
