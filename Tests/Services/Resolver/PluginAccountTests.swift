import Digests
import Foundation
import Messages
import Model
import OAuth
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// The accounts of plugins: signing in and out, and what plugins get.
@Suite(.timeLimit(.minutes(2))) struct PluginAccountTests {
  /// A plugin that tells the token of its configuration as a title.
  private static let telling = [
    "search": "async (words, config) => [{ id: 'x', title: String(config.token), artist: 'Ada' }]",
    "resolve": """
    async (artist, title, album, config) => ({ id: 'x', title: String(await config.refreshToken()), artist })
    """,
  ]

  private func told(_ accounts: TestAccounts, _ words: String) async throws -> String? {
    try await accounts.resolver.ask(Resolver.Search(words: words, plugin: "spotify")).tracks.first?.title
  }

  @Test func aSignInProvesItselfAndGivesThePluginItsToken() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("spotify", Self.telling, scopes: ["one", "two"])
    #expect(try await accounts.account("spotify")?.isSignedIn == false)
    #expect(try await told(accounts, "before") == "undefined")

    let begun = try await accounts.begin("spotify")
    #expect(begun["scope"] == "one two" && begun["show_dialog"] == "true" && begun["code_challenge_method"] == "S256")
    #expect(begun["redirect_uri"] == "http://127.0.0.1:8888/callback")
    let redirect = "http://127.0.0.1:8888/callback?code=C%2F1&state=\(try #require(begun["state"]))"
    let plugin = try await accounts.resolver.ask(Resolver.FinishSignIn(plugin: "spotify", redirect: redirect))
    #expect(
      plugin.account?.isSignedIn == true && plugin.account?.name == "Ada" && plugin.account?.clientID == "my client")

    let exchange = try #require(accounts.seen("/api/token").first)
    #expect(exchange["grant_type"] == "authorization_code" && exchange["code"] == "C/1")
    #expect(exchange["client_id"] == "my client" && exchange["redirect_uri"] == begun["redirect_uri"])
    let verifier = try #require(exchange["code_verifier"])
    let challenge = Data(try SHA256.digest(verifier)).base64EncodedString().replacing("+", with: "-")
      .replacing("/", with: "_").replacing("=", with: "")
    #expect(verifier.count == 43 && challenge == begun["code_challenge"])
    #expect(try await told(accounts, "after") == "A1")
    await accounts.close()
  }

  @Test func anAddressThatBelongsToNoWaitingSignInIsRefused() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("spotify", Self.telling)
    let begun = try await accounts.begin("spotify")
    let state = try #require(begun["state"])
    func refusal(_ parameters: String) async -> String? {
      let redirect = "http://127.0.0.1:8888/callback?\(parameters)"
      return await accounts.resolver.refusal(of: Resolver.FinishSignIn(plugin: "spotify", redirect: redirect))?.code
    }
    #expect(await refusal("code=C&state=other") == "resolver.signInFailed")
    #expect(await refusal("code=C") == "resolver.signInFailed")
    #expect(await refusal("error=access_denied&state=\(state)") == "resolver.signInFailed")
    accounts.wait(301)
    #expect(await refusal("code=C&state=\(state)") == "resolver.signInFailed")
    #expect(accounts.seen("/api/token").isEmpty)
    // A code counts once.
    let second = try #require(try await accounts.begin("spotify")["state"])
    #expect(await refusal("code=C&state=\(second)") == nil)
    #expect(await refusal("code=C&state=\(second)") == "resolver.signInFailed")
    await accounts.close()
  }

  @Test func twoCallsWithAnOldTokenRefreshItOnce() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("spotify", Self.telling)
    try await accounts.signIn("spotify")
    accounts.wait(3541)
    async let first = told(accounts, "one")
    async let second = told(accounts, "two")
    #expect(try await [first, second] == ["A2", "A2"])
    let refreshes = accounts.seen("/api/token").dropFirst()
    #expect(refreshes.map { $0["refresh_token"] } == ["R1"] && refreshes.first?["grant_type"] == "refresh_token")
    // The rotated one counts from then on.
    accounts.wait(3541)
    #expect(try await told(accounts, "three") == "A3")
    #expect(accounts.seen("/api/token").last?["refresh_token"] == "R2")
    await accounts.close()
  }

  @Test func aRotatedTokenIsStoredBeforeItIsUsed() async throws {
    let files = Mutex<[String]>([])
    let home = Mutex("")
    let accounts = try await TestAccounts(arrived: { seen in
      guard seen.authorization == "Bearer A2" else { return }
      let path = "\(home.withLock { $0 })/credentials/account-spotify.json"
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      files.withLock { $0.append(text) }
    })
    home.withLock { $0 = accounts.resolver.home.path }
    try await accounts.install("spotify", Self.telling)
    try await accounts.signIn("spotify")
    accounts.plan("/v1/me/player/devices", (200, #"{"devices":[]}"#))
    accounts.wait(4000)
    _ = try await accounts.resolver.ask(Resolver.ListDevices(plugin: "spotify"))
    let found = files.withLock { $0 }
    #expect(found.count == 1 && found.allSatisfy { $0.contains("\"R2\"") && $0.contains("\"A2\"") })
    await accounts.close()
  }

  @Test func aRevokedGrantSignsOutAndAnotherFailureDoesNot() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("spotify", Self.telling)
    try await accounts.signIn("spotify")
    accounts.wait(4000)
    accounts.plan("/api/token", (500, "oh"), (429, "{}"), (400, #"{"error":"invalid_request"}"#))
    for words in ["one", "two", "three"] { #expect(try await told(accounts, words) == "undefined") }
    #expect(try await accounts.account("spotify")?.isSignedIn == true)
    accounts.plan("/api/token", (400, #"{"error":"invalid_grant"}"#))
    #expect(try await told(accounts, "four") == "undefined")
    let account = try #require(try await accounts.account("spotify"))
    #expect(!account.isSignedIn && account.problem?.code == "resolver.signedOut" && account.clientID == "my client")
    #expect(try accounts.stored("spotify").contains("R1") == false)

    try await accounts.signIn("spotify")
    accounts.wait(4000)
    accounts.plan("/api/token", (401, "{}"))
    #expect(try await told(accounts, "five") == "undefined")
    #expect(try await accounts.account("spotify")?.isSignedIn == false)
    await accounts.close()
  }

  @Test func aPluginWhoseTokenWasRefusedGetsAnotherOneAndNotInALoop() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("spotify", Self.telling)
    try await accounts.signIn("spotify")
    func renewed(_ title: String) async throws -> String? {
      let described = DescribedTrack(title: title, artist: "Ada")
      return try await accounts.resolver.ask(Resolver.FindSources(described: described)).sources.first?.title
    }
    #expect(try await renewed("one") == "A2")
    #expect(try await renewed("two") == "A2")
    accounts.wait(11)
    #expect(try await renewed("three") == "A3")
    await accounts.close()
  }

  @Test func signingOutAndRemovingForgetTheTokens() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("spotify", Self.telling)
    try await accounts.signIn("spotify")
    #expect(try accounts.stored("spotify").contains("R1"))
    let plugin = try await accounts.resolver.ask(Resolver.SignOut(plugin: "spotify"))
    #expect(plugin.account?.isSignedIn == false && plugin.account?.clientID == "my client")
    #expect(try !accounts.stored("spotify").contains("R1"))
    #expect(try await told(accounts, "out") == "undefined")
    try await accounts.signIn("spotify")
    _ = try await accounts.resolver.ask(Resolver.RemovePlugin(id: "spotify"))
    #expect(throws: (any Error).self) { try accounts.stored("spotify") }
    await accounts.close()
  }

  @Test func onlyPluginsWithAKnownServiceHaveAnAccount() async throws {
    let accounts = try await TestAccounts()
    try await accounts.install("deezer", Self.telling)
    #expect(try await accounts.account("deezer") == nil)
    let refusal = await accounts.resolver.refusal(of: Resolver.BeginSignIn(plugin: "deezer", clientID: "x"))
    #expect(refusal?.code == "resolver.noAccount")
    try await accounts.install("soundcloud", Self.telling)
    let needed = await accounts.resolver.refusal(of: Resolver.BeginSignIn(plugin: "soundcloud", clientID: "x"))
    #expect(needed?.code == "resolver.clientNeeded")
    // The secret goes to the token's address only, and is never shown.
    let begun = try await accounts.begin("soundcloud")
    #expect(begun["redirect_uri"] == "http://127.0.0.1:8888/callback/soundcloud" && !begun.values.contains("hush"))
    try await accounts.signIn("soundcloud")
    #expect(accounts.seen("/oauth/token").first?["client_secret"] == "hush")
    let listed = try await accounts.resolver.ask(Resolver.ListPlugins())
    let text = String(decoding: try MessageCoding.encode(listed), as: UTF8.self)
    #expect(!text.contains("hush") && !text.contains("A1") && !text.contains("R1"))
    await accounts.close()
  }
}
