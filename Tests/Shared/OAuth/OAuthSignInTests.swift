import Model
import Testing

@testable import OAuth

/// Signing in by OAuth with a proof key.
struct OAuthSignInTests {
  private let begun = Timestamp(seconds: 1_800_000_000)
  private var signIn: OAuthSignIn {
    OAuthSignIn(client: .init(id: "my client"), verifier: "v", state: "the+state", begunAt: begun)
  }
  private let server = {
    var server = OAuthServer(
      title: "Spotify", authorizeAddress: "https://accounts.example/authorize",
      tokenAddress: "https://accounts.example/token", scopes: ["one", "two"]
    ) { LunaraError("test.\($0.kind)", $0.message, cause: $0.cause) }
    server.parameters = [("show_dialog", "true")]
    return server
  }()

  private func message(_ redirect: String, after seconds: Int64 = 60) -> String {
    do {
      return try signIn.code(from: redirect, at: Timestamp(seconds: begun.seconds + seconds), server)
    } catch { return LunaraError(error).message }
  }

  /// RFC 7636, appendix B.
  @Test func theChallengeIsThatOfTheStandard() throws {
    #expect(
      try OAuthSignIn.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    let bytes: [UInt8] = [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
      91, 88, 5, 88, 83, 132, 141, 121,
    ]
    #expect(OAuthSignIn.base64URL(bytes) == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
  }

  @Test func eachSignInHasSecretsOfItsOwn() {
    let client = OAuthClient(id: "c")
    let (first, second) = (OAuthSignIn(client: client, at: begun), OAuthSignIn(client: client, at: begun))
    #expect(first.verifier.count == 43 && first.verifier != second.verifier && first.state != second.state)
  }

  @Test func theAddressAsksForAllThatIsNeededAndHidesTheSecrets() throws {
    let client = OAuthClient(id: "my client", secret: "hidden")
    var address = try OAuthSignIn(client: client, verifier: "secret", state: "s t", begunAt: begun).address(at: server)
    #expect(
      address.hasPrefix(
        "https://accounts.example/authorize?response_type=code&client_id=my%20client&scope=one%20two&redirect_uri="))
    #expect(address.contains("&redirect_uri=http%3A%2F%2F127.0.0.1%3A8888%2Fcallback&state=s%20t&"))
    #expect(address.contains("code_challenge_method=S256&code_challenge=") && address.contains("show_dialog=true"))
    #expect(!address.contains("secret") && !address.contains("hidden"))
    var plain = server
    plain.scopes = []
    address = try signIn.address(at: plain)
    #expect(!address.contains("scope"))
  }

  @Test func theCodeIsReadFromTheAddressAndChecked() {
    let beginning = "http://127.0.0.1:8888/callback?"
    #expect(message("  \(beginning)code=a%2Fb&state=the%2Bstate#_") == "a/b")
    #expect(message("\(beginning)code=a&state=other").contains("not the address of this sign-in"))
    #expect(message("\(beginning)code=a").contains("not the address of this sign-in"))
    #expect(message("nonsense").contains("not the address of this sign-in"))
    #expect(message("\(beginning)code=a&state=the%2Bstate", after: 300) == "a")
    #expect(message("\(beginning)code=a&state=the%2Bstate", after: 301).contains("5 minutes"))
    #expect(message("\(beginning)code=a&state=the%2Bstate", after: -5).contains("5 minutes"))
    #expect(message("\(beginning)error=access_denied&state=the%2Bstate").contains("allow it"))
    #expect(message("\(beginning)error=invalid_client&state=the%2Bstate").contains("client id"))
    #expect(message("\(beginning)state=the%2Bstate").contains("no code"))
  }

  @Test func anAddressOfAnotherPlaceIsNotThatOfTheSignIn() {
    let query = "?code=a&state=the%2Bstate"
    for place in ["http://127.0.0.1:8888/callback", "HTTP://127.0.0.1:8888/callback", "127.0.0.1:8888/callback"] {
      #expect(message(place + query) == "a", "\(place)")
    }
    for place in [
      "http://evil.example/callback", "http://127.0.0.1:8889/callback", "https://127.0.0.1:8888/callback",
      "http://127.0.0.1:8888/", "http://127.0.0.1:8888/callback/soundcloud", "http://127.0.0.1:8888/callback/../x",
      "http://user@127.0.0.1:8888/callback", "http://127.0.0.1:8888.evil.example/callback", "",
    ] {
      #expect(message(place + query).contains("not the address of this sign-in"), "\(place)")
    }
  }

  @Test func aFormHasEachValueEscaped() {
    #expect(OAuthSignIn.form([("a", "b&c=d"), ("e f", "ü+/")]) == "a=b%26c%3Dd&e%20f=%C3%BC%2B%2F")
  }
}
