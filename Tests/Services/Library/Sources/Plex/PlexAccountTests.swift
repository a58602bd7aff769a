import Glibc
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import Records
@testable import Sources

@Suite struct PlexAccountTests {
  private let home = TemporaryDirectory()

  private final class Gate: Sendable {
    private let passes = Mutex((left: 0, waiting: [CheckedContinuation<Void, Never>]()))
    /// Lets one more poll for a code pass.
    func open() {
      passes.withLock { passes in
        if passes.waiting.isEmpty { passes.left += 1 } else { passes.waiting.removeFirst().resume() }
      }
    }
    func pass() async {
      await withCheckedContinuation { continuation in
        passes.withLock { passes in
          if passes.left > 0 {
            passes.left -= 1
            continuation.resume()
          } else {
            passes.waiting.append(continuation)
          }
        }
      }
    }
  }

  private func credentials(_ fixture: FakePlexServer) -> PlexCredentialStore {
    PlexCredentialStore(store: CredentialStore(home: home.path), http: fixture.http, log: .quiet)
  }

  private func account(
    _ fixture: FakePlexServer, _ credentials: PlexCredentialStore? = nil, cloud: String? = nil, gate: Gate? = nil,
    now: @escaping @Sendable () -> Timestamp = { .now() }, waited: @escaping @Sendable (Duration) -> Void = { _ in }
  ) -> PlexAccount {
    PlexAccount(
      credentials: credentials ?? self.credentials(fixture),
      cloudBase: cloud ?? "http://127.0.0.1:\(fixture.standIn.port)", log: .quiet,
      adopt: { listed in listed.enumerated().map { $0.offset == 0 ? "plex" : "plex-\($0.offset + 1)" } }, now: now,
      pause: { wait in
        waited(wait)
        // Without a gate it polls again at once, and lets other tasks run in between.
        if let gate { await gate.pass() } else { await Task.yield() }
      })
  }

  private func ended(_ account: PlexAccount, _ id: String) async throws -> Library.SignInState {
    let isOver = await eventually { await account.state(of: id)?.state != "waiting" }
    #expect(isOver)
    return try #require(await account.state(of: id))
  }

  private func signedIn(_ fixture: FakePlexServer, _ credentials: PlexCredentialStore) async throws -> PlexAccount {
    let account = account(fixture, credentials)
    let signIn = try await account.begin(now: .now())
    try await fixture.order("claim", #"{"code":"\#(signIn.code)"}"#)
    _ = try await ended(account, signIn.id)
    return account
  }

  private func machine(_ fixture: FakePlexServer) throws -> String {
    try #require(fixture.standIn.announced["machineIdentifier"]?.string)
  }

  @Test func aCodeThatIsTypedSignsIn() async throws {
    let fixture = try await FakePlexServer()
    let credentials = credentials(fixture)
    let account = account(fixture, credentials)
    let signIn = try await account.begin(now: Timestamp(seconds: 1_800_000_000))
    #expect(signIn.code.count == 4)
    #expect(signIn.page == "https://plex.tv/link")
    #expect(signIn.link.hasPrefix("https://app.plex.tv/auth#?clientID="))
    #expect(signIn.expiresAt > Timestamp(seconds: 1_800_000_000))
    #expect(await account.state(of: signIn.id)?.state == "waiting")
    try await fixture.order("claim", #"{"code":"\#(signIn.code)"}"#)
    let state = try await ended(account, signIn.id)
    #expect(state == Library.SignInState(state: "done", account: "Listener", sources: ["plex"]))
    let server = try #require(try credentials.server(machine(fixture)))
    #expect(try await server.sections().count == 3)
    #expect(await account.state(of: "other") == nil)
  }

  @Test func theLinkSignsInAsWell() async throws {
    let fixture = try await FakePlexServer()
    let account = account(fixture)
    let signIn = try await account.begin(now: .now())
    let code = try #require(signIn.link.split(separator: "&").first { $0.hasPrefix("code=") }?.dropFirst(5))
    #expect(code.count == 25)
    try await fixture.order("claim", #"{"code":"\#(code)"}"#)
    #expect(try await ended(account, signIn.id).state == "done")
  }

  @Test func aCodeThatNobodyTypesExpires() async throws {
    let fixture = try await FakePlexServer()
    let account = account(fixture)
    let signIn = try await account.begin(now: .now())
    try await fixture.order("pins/expire")
    #expect(try await ended(account, signIn.id).state == "expired")
    #expect(try await account.name() == nil)
  }

  @Test func aSignInDoesNotOutliveItsCodeWhileThePlexCloudIsAway() async throws {
    let fixture = try await FakePlexServer()
    let gate = Gate()
    let start = Timestamp.now()
    let now = Mutex(start)
    let account = account(fixture, gate: gate, now: { now.withLock { $0 } })
    let signIn = try await account.begin(now: start)
    try await fixture.order("fault", #"{"path":"/api/v2/pins/","fault":"503","times":1000}"#)
    gate.open()
    gate.open()
    now.withLock { $0 = signIn.expiresAt }
    gate.open()
    #expect(await account.state(of: signIn.id)?.state == "waiting")
    now.withLock { $0 = Timestamp(seconds: signIn.expiresAt.seconds + 61) }
    for _ in 0..<5 { gate.open() }
    #expect(try await ended(account, signIn.id).state == "expired")
  }

  @Test func aCodeThatIsSaidToBeValidForEverIsNot() {
    let pin = PlexCloud.Pin(id: "1", code: "ABCD", lifetime: .max)
    let now = Timestamp(seconds: 1_800_000_000)
    let signIn = PlexSignIn(short: pin, strong: pin, identifier: "i", now: now)
    #expect(signIn.answer.expiresAt == Timestamp(seconds: now.seconds + 86_400))
  }

  @Test func plexIsAskedLessOftenWhileItLimitsRequests() async throws {
    let fixture = try await FakePlexServer()
    let waits = Mutex<[Duration]>([])
    let account = account(fixture, waited: { wait in waits.withLock { $0.append(wait) } })
    try await fixture.order("fault", #"{"path":"/api/v2/pins/","fault":"429","times":3}"#)
    let signIn = try await account.begin(now: .now())
    #expect(await eventually(above: 3) { waits.withLock { $0.count } })
    #expect(waits.withLock { Array($0.prefix(4)) } == [2, 4, 8, 1].map { .seconds($0) })
    #expect(await account.state(of: signIn.id)?.state == "waiting")
    await account.stop()
  }

  @Test func aWaitIsNeverShorterThanPlexAsksFor() {
    let pin = PlexCloud.Pin(id: "1", code: "ABCD", lifetime: 900)
    let now = Timestamp(seconds: 1_800_000_000)
    var signIn = PlexSignIn(short: pin, strong: pin, identifier: "i", now: now)
    func wait(_ limit: Duration? = nil, isAnswered: Bool = false) -> Duration {
      signIn.wait(isAnswered: isAnswered, limit: limit, now: now)
    }
    #expect(wait(.seconds(90)) == .seconds(90))
    for _ in 0..<100 { _ = wait() }
    #expect(wait() == .seconds(30))
    #expect(wait(isAnswered: true) == .seconds(1))
  }

  @Test func aSignInEndsWithItsCodeHoweverLongPlexWantsToBeLeftAlone() {
    let pin = PlexCloud.Pin(id: "1", code: "ABCD", lifetime: 900)
    let start = Timestamp(seconds: 1_800_000_000)
    var signIn = PlexSignIn(short: pin, strong: pin, identifier: "i", now: start)
    let wait = signIn.wait(isAnswered: false, limit: .seconds(86_400), now: start)
    #expect(wait == .milliseconds(960_001))
    #expect(signIn.timeLeft(at: Timestamp(seconds: start.seconds + 960)) == .zero)
    #expect(signIn.timeLeft(at: Timestamp(microseconds: start.microseconds + 960_001_000)) < .zero)
  }

  @Test func aLostConnectionBeforeTheCodeIsTypedDoesNotEndTheSignIn() async throws {
    let fixture = try await FakePlexServer()
    let gate = Gate()
    let account = account(fixture, gate: gate)
    try await fixture.order("fault", #"{"path":"/api/v2/pins/","fault":"503","times":3}"#)
    let signIn = try await account.begin(now: .now())
    for _ in 0..<5 { gate.open() }
    try await fixture.order("claim", #"{"code":"\#(signIn.code)"}"#)
    for _ in 0..<5 { gate.open() }
    #expect(try await ended(account, signIn.id).state == "done")
  }

  @Test(arguments: ["/api/v2/user", "/api/v2/resources"])
  func aLostConnectionAfterTheCodeIsTypedDoesNotEndTheSignIn(_ path: String) async throws {
    let fixture = try await FakePlexServer()
    let account = account(fixture)
    try await fixture.order("fault", #"{"path":"\#(path)","fault":"503","times":2}"#)
    let signIn = try await account.begin(now: .now())
    try await fixture.order("claim", #"{"code":"\#(signIn.code)"}"#)
    #expect(try await ended(account, signIn.id).state == "done")
  }

  @Test func withThePlexCloudAwayOneCannotBeginButAllElseGoesOn() async throws {
    let fixture = try await FakePlexServer()
    _ = try await signedIn(fixture, credentials(fixture))
    // The next run of the library, without access to plex.tv.
    let credentials = credentials(fixture)
    let away = account(fixture, credentials, cloud: "http://127.0.0.1:1")
    #expect(await refusal { _ = try await away.begin(now: .now()) } == "library.signInUnavailable")
    await away.verify()
    #expect(try await away.name() == "Listener")
    let server = try #require(try credentials.server(machine(fixture)))
    #expect(try await server.sections().count == 3)
  }

  @Test(arguments: [("401", nil), ("500", "Listener"), ("429", "Listener"), ("html", "Listener")])
  func onlyARefusalDiscardsTheToken(_ fault: String, _ name: String?) async throws {
    let fixture = try await FakePlexServer()
    let credentials = credentials(fixture)
    let account = try await signedIn(fixture, credentials)
    try await fixture.order("fault", #"{"path":"/api/v2/user","fault":"\#(fault)","times":1}"#)
    await account.verify()
    #expect(try await account.name() == name)
    // Each server decides for itself whether it accepts the token.
    let server = try #require(try credentials.server(machine(fixture)))
    #expect(try await server.sections().count == 3)
  }

  @Test func aSignOutForgetsTokensAndASignInRevivesServersThatAreInUse() async throws {
    let fixture = try await FakePlexServer()
    let credentials = credentials(fixture)
    let account = try await signedIn(fixture, credentials)
    let identifier = try credentials.device().identifier
    let server = try #require(try credentials.server(machine(fixture)))
    try await account.signOut()
    #expect(await refusal { _ = try await server.sections() } == "library.signedOut")
    #expect(await refusal { try await account.signOut() } == "library.signedOut")
    let again = try await account.begin(now: .now())
    try await fixture.order("claim", #"{"code":"\#(again.code)"}"#)
    #expect(try await ended(account, again.id).state == "done")
    #expect(try await server.sections().count == 3)
    // The account still lists the same device.
    #expect(try credentials.device().identifier == identifier)
  }

  @Test func aServerAtATypedAddressGoesWithTheAccount() async throws {
    let fixture = try await FakePlexServer()
    let credentials = credentials(fixture)
    let base = "http://127.0.0.1:\(fixture.standIn.port)"
    let typed = try credentials.server(at: base, token: nil, machine: machine(fixture))
    let own = try credentials.server(at: base, token: #require(fixture.standIn.announced["token"]?.string))
    #expect(await refusal { _ = try await typed.sections() } == "library.signedOut")
    let account = try await signedIn(fixture, credentials)
    #expect(try await typed.sections().count == 3)
    try await account.signOut()
    #expect(await refusal { _ = try await typed.sections() } == "library.signedOut")
    #expect(try await own.sections().count == 3)
  }

  @Test func anotherMachineAtTheAddressIsNotTakenForTheServer() async throws {
    let fixture = try await FakePlexServer()
    let base = "http://127.0.0.1:\(fixture.standIn.port)"
    let connection = PlexConnection(
      http: fixture.http, name: "Nas", machine: "another", places: [.init(url: base, kind: .local)], lastGood: base)
    #expect(await refusal { _ = try await connection.base() } == "library.sourceAway")
  }

  @Test func theNearestAddressIsFoundAmongDeadOnesAndKept() async throws {
    let fixture = try await FakePlexServer()
    let base = "http://127.0.0.1:\(fixture.standIn.port)"
    let kept = Mutex<String?>(nil)
    let keep: @Sendable (String) async -> Void = { address in kept.withLock { $0 = address } }
    let connection = PlexConnection(
      http: fixture.http, name: "Nas", machine: try machine(fixture),
      places: [
        .init(url: "https://127-0-0-1.0.plex.invalid:1", kind: .local), .init(url: "http://127.0.0.1:1", kind: .local),
        .init(url: "http://localhost:\(fixture.standIn.port)", kind: .relay), .init(url: base, kind: .remote),
      ], lastGood: "http://127.0.0.1:1", keep: keep)
    #expect(try await connection.base() == base)
    #expect(kept.withLock { $0 } == base)
    // The address is kept until it fails; then plex.tv is asked again.
    await connection.failed(base, LunaraError("http.unreachable", ""))
    #expect(try await connection.base() == base)
  }

  @Test func whereNoKnownAddressAnswersTheCloudIsAskedForNewOnes() async throws {
    let fixture = try await FakePlexServer()
    let base = "http://127.0.0.1:\(fixture.standIn.port)"
    let connection = PlexConnection(
      http: fixture.http, name: "Nas", machine: try machine(fixture),
      places: [.init(url: "http://127.0.0.1:1", kind: .local)],
      lastGood: nil, renew: { [.init(url: base, kind: .local)] })
    #expect(try await connection.base() == base)
  }

  @Test func tokensAreInTheirFileAndNowhereElse() async throws {
    let fixture = try await FakePlexServer()
    let credentials = credentials(fixture)
    _ = try await signedIn(fixture, credentials)
    let server = try #require(try credentials.server(machine(fixture)))
    let token = try #require(fixture.standIn.announced["token"]?.string)
    var said = ""
    dump(server, to: &said)
    said += "\(server) \(server.client) \(server.client.token) \(String(reflecting: server.client))"
    try await fixture.order("token", #"{"token":"other"}"#)
    for work in [
      { _ = try await server.sections() }, { try await server.rate(.track("1"), nil) },
      { _ = try await server.stream(part: "/library/parts/1/1/file.wav", native: "1") },
      { _ = try await server.picture("/library/metadata/1/thumb/1", size: 300) }, { try await server.awaitChange() },
    ] as [@Sendable () async throws -> Void] {
      do { try await work() } catch { said += "\(error) \(String(reflecting: error))" }
    }
    #expect(said.contains("library.signedOut"))
    #expect(!said.contains(token))
    var state = stat()
    #expect(stat("\(home.path)/credentials/plex-account.json", &state) == 0)
    #expect(state.st_mode & 0o777 == 0o600)
  }
}
