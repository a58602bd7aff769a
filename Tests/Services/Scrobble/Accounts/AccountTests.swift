import Messages
import Model
import TestSupport
import Testing

@testable import lunara_scrobble

/// Accounts from the sign-in to the last scrobble, over a bus and with stand-ins for the services.
@Suite(.timeLimit(.minutes(1)))
struct AccountTests {
  /// Signs in as a person does: opens the link and allows the access there.
  private func signIn(_ household: TestScrobbler, _ server: FakeScrobbleServer) async throws -> String {
    let begun = try await household.ask(Scrobble.BeginSignIn(service: "lastfm"))
    #expect(begun.link.hasPrefix("\(server.address)/api/auth/?api_key=\(try server.announced("key"))&token="))
    #expect(try await household.ask(Scrobble.ReadSignIn(id: begun.id)).state == "waiting")
    try await server.order("allow")
    #expect(try await eventually(equals: "done") { try await household.ask(Scrobble.ReadSignIn(id: begun.id)).state })
    return try #require(try await household.ask(Scrobble.ReadSignIn(id: begun.id)).account)
  }

  @Test func whatIsHeardAfterASignInIsScrobbledAndWhatWasBeforeIsNot() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(lastFM: server)
    try await household.report([Playback.ListenHeard(subject: subject("l0"), heard: Milliseconds(120_000))])
    #expect(try await household.shows([("l0", 120_000)]))
    #expect(try await signIn(household, server) == "tester@127.0.0.1:\(server.standIn.port)")
    try await household.report([Playback.ListenHeard(subject: subject("l1", 1), heard: Milliseconds(120_000))])
    #expect(try await eventually(equals: ["Track 1"]) { try await server.titles() })
    #expect(
      try await eventually(equals: "sent") {
        try await household.ask(Scrobble.ListScrobbles()).items.map(\.destinations).first?.first?.state
      })
    await scrobbler.stop()
    // The session survives the restart.
    let again = try await household.scrobbler(lastFM: server)
    try await household.report([Playback.ListenHeard(subject: subject("l2", 2), heard: Milliseconds(120_000))])
    #expect(try await eventually(equals: ["Track 1", "Track 2"]) { try await server.titles() })
    await again.stop()
    await household.close()
  }

  @Test func aSessionThatIsRevokedKeepsWhatIsHeardForTheNextSignIn() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(lastFM: server)
    _ = try await signIn(household, server)
    try await server.order("revoke")
    try await household.report([Playback.ListenHeard(subject: subject("l1", 1), heard: Milliseconds(120_000))])
    #expect(try await eventually(equals: "signed-out") { try await household.account()?.state })
    let error = try #require(try await household.account()?.error)
    // The message names the server at which the person had signed in.
    #expect(error.code == "scrobble.signedOut" && error.message.contains("login lastfm --url \(server.address)/2.0/`"))
    #expect(try await household.ask(Scrobble.ListScrobbles()).items.first?.destinations.first?.state == "paused")
    try await household.report([Playback.ListenHeard(subject: subject("l2", 2), heard: Milliseconds(120_000))])
    _ = try await signIn(household, server)
    #expect(try await eventually(equals: ["Track 1", "Track 2"]) { try await server.titles() })
    #expect(try await household.account()?.state == "ready")
    await scrobbler.stop()
    await household.close()
  }

  @Test func aTokenThatIsTooOldIsReplacedAndItsLinkShown() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(lastFM: server)
    let begun = try await household.ask(Scrobble.BeginSignIn(service: "lastfm"))
    try await server.order("token/expire")
    #expect(
      try await eventually {
        let link = try await household.ask(Scrobble.ReadSignIn(id: begun.id)).link
        return link != nil && link != begun.link
      })
    try await server.order("allow")
    #expect(try await eventually(equals: "done") { try await household.ask(Scrobble.ReadSignIn(id: begun.id)).state })
    await scrobbler.stop()
    await household.close()
  }

  @Test func aServerWithoutAPageTakesAPassword() async throws {
    let server = try await FakeScrobbleServer("lastfm")
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(lastFM: server)
    let error = await #expect(throws: LunaraError.self) {
      try await household.ask(Scrobble.AddAccount(service: "lastfm", user: "tester", secret: "wrong"))
    }
    #expect(error?.code == "scrobble.badSignIn")
    let added = try await household.ask(
      Scrobble.AddAccount(service: "lastfm", user: "tester", secret: try server.announced("password")))
    #expect(added.account.hasPrefix("tester@"))
    await scrobbler.stop()
    await household.close()
  }

  @Test func accountsOfSeveralServicesGetTheSameAndEachIsSwitchedByItself() async throws {
    let (first, second) = (try await FakeScrobbleServer("lastfm"), try await FakeScrobbleServer("listenbrainz"))
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(lastFM: first, listenBrainz: second)
    _ = try await signIn(household, first)
    let added = try await household.ask(
      Scrobble.AddAccount(service: "listenbrainz", secret: try second.announced("token")))
    #expect(added.account.hasPrefix("tester@127.0.0.1"))
    try await household.report([Playback.ListenHeard(subject: subject("l1", 1), heard: Milliseconds(120_000))])
    #expect(try await eventually(equals: ["Track 1"]) { try await first.titles() })
    #expect(try await eventually(equals: ["Track 1"]) { try await second.titles() })
    _ = try await household.ask(Scrobble.SwitchAccount(service: "lastfm", isOn: false))
    try await household.report([Playback.ListenHeard(subject: subject("l2", 2), heard: Milliseconds(120_000))])
    #expect(try await eventually(equals: ["Track 1", "Track 2"]) { try await second.titles() })
    _ = try await household.ask(Scrobble.SwitchAccount(isOn: true))
    try await household.report([Playback.ListenHeard(subject: subject("l3", 3), heard: Milliseconds(120_000))])
    #expect(try await eventually(equals: ["Track 1", "Track 3"]) { try await first.titles() })
    let error = await #expect(throws: LunaraError.self) {
      try await household.ask(Scrobble.SwitchAccount(service: "lastfm", account: "nobody", isOn: true))
    }
    #expect(error?.code == "scrobble.unknownAccount")
    await scrobbler.stop()
    await household.close()
  }

  @Test func theAccountOfAVariableGetsWhatIsHeardBeforeItsServiceHasAnswered() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    try await server.order("fault", #"{"path":"validate-token","fault":"500","times":1000}"#)
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(listenBrainz: server, token: try server.announced("token"))
    try await household.report([Playback.ListenHeard(subject: subject("l1", 1), heard: Milliseconds(120_000))])
    #expect(try await eventually(equals: ["Track 1"]) { try await server.titles() })
    #expect(try await household.account()?.account == "settings")
    let error = await #expect(throws: LunaraError.self) {
      try await household.ask(Scrobble.SignOut(service: "listenbrainz"))
    }
    #expect(error?.code == "scrobble.fromSettings")
    await scrobbler.stop()
    try await server.order("faults/clear")
    let again = try await household.scrobbler(listenBrainz: server, token: try server.announced("token"))
    #expect(try await eventually(equals: true) { try await household.account()?.account.hasPrefix("tester@") })
    #expect(try await household.ask(Scrobble.ListAccounts()).accounts.count == 1)
    await again.stop()
    await household.close()
  }

  @Test func aVariableThatIsNoAddressStopsNobody() async throws {
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(listenBrainzAddress: "nonsense", token: "t")
    try await household.report([Playback.ListenHeard(subject: subject("l1", 1), heard: Milliseconds(120_000))])
    #expect(try await household.shows([("l1", 120_000)]))
    #expect(try await household.ask(Scrobble.ListAccounts()).accounts.isEmpty)
    await scrobbler.stop()
    await household.close()
  }

  @Test func whoSignsOutIsForgottenAndWhatWaitsIsKept() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(listenBrainz: server)
    let add = Scrobble.AddAccount(service: "listenbrainz", secret: try server.announced("token"))
    _ = try await household.ask(add)
    try await server.order("fault", #"{"path":"submit","fault":"500","times":1000}"#)
    try await household.report([Playback.ListenHeard(subject: subject("l1", 1), heard: Milliseconds(120_000))])
    #expect(try await eventually(equals: 1) { try await household.account()?.pending })
    #expect(try await household.ask(Scrobble.SignOut(service: "listenbrainz")).accounts.map(\.state) == ["signed-out"])
    try await household.report([Playback.ListenHeard(subject: subject("l2", 2), heard: Milliseconds(120_000))])
    #expect(try await household.shows([("l2", 120_000), ("l1", 120_000)]))
    #expect(try await household.account()?.pending == 1)
    try await server.order("faults/clear")
    _ = try await household.ask(add)
    #expect(try await eventually(equals: ["Track 1"]) { try await server.titles() })
    #expect(try await eventually(equals: 0) { try await household.account()?.pending })
    // An account without waiting scrobbles disappears after a sign-out.
    #expect(try await household.ask(Scrobble.SignOut(service: "listenbrainz")).accounts.count == 1)
    #expect(try await household.account() == nil)
    await scrobbler.stop()
    await household.close()
  }

  @Test func whatIsHeardNowIsToldAtOnceAndNotWhilePrivate() async throws {
    let server = try await FakeScrobbleServer("listenbrainz")
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(listenBrainz: server)
    _ = try await household.ask(Scrobble.AddAccount(service: "listenbrainz", secret: try server.announced("token")))
    func now() async throws -> String? {
      try await server.order("summary")["now"]?["track_metadata"]?["track_name"]?.string
    }
    await household.play(subject("l1", 1), state: .buffering)
    await household.play(subject("l1", 1))
    #expect(try await eventually(equals: "Track 1") { try await now() })
    #expect(try await household.ask(Scrobble.SetPrivate(for: Milliseconds(3_600_000))).until != nil)
    await household.play(subject("l2", 2))
    try await household.report([Playback.ListenHeard(subject: current("l2", 2), heard: Milliseconds(120_000))])
    #expect(
      try await eventually(equals: "private") {
        try await household.ask(Scrobble.ListScrobbles()).items.first?.withheld
      })
    #expect(try await household.ask(Scrobble.SetPrivate(for: nil)).until == nil)
    await household.play(subject("l3", 3))
    #expect(try await eventually(equals: "Track 3") { try await now() })
    #expect(try await server.titles().isEmpty)
    await scrobbler.stop()
    await household.close()
  }

  @Test func noSecretIsInTheDatabaseOrInAnAnswer() async throws {
    let (first, second) = (try await FakeScrobbleServer("lastfm"), try await FakeScrobbleServer("listenbrainz"))
    let household = try await TestScrobbler()
    let scrobbler = try await household.scrobbler(lastFM: first, listenBrainz: second)
    _ = try await signIn(household, first)
    let token = try second.announced("token")
    _ = try await household.ask(Scrobble.AddAccount(service: "listenbrainz", secret: token))
    try await first.order("revoke")
    try await second.order("token")
    try await household.report([Playback.ListenHeard(subject: subject("l1", 1), heard: Milliseconds(120_000))])
    #expect(
      try await eventually {
        try await household.ask(Scrobble.ListAccounts()).accounts
      } satisfies: {
        $0.allSatisfy { $0.state == "signed-out" }
      })
    let answers =
      "\(try await household.ask(Scrobble.ListAccounts()))\(try await household.ask(Scrobble.ListScrobbles()))"
    await scrobbler.stop()
    let kept = String(decoding: try household.bytes(of: "scrobble.sqlite"), as: UTF8.self)
    #expect(kept.contains("Track 1"))
    for secret in [token, try first.announced("session"), try first.announced("key")] {
      #expect(!answers.contains(secret) && !kept.contains(secret))
    }
    await household.close()
  }

  /// A listen that begins now.
  private func current(_ listen: String, _ number: Int) -> Playback.ListenSubject {
    var subject = subject(listen, number)
    subject.startedAt = .now()
    return subject
  }
}
