import HTTP
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import Records
@testable import Sources

@Suite(.timeLimit(.minutes(2)))
struct SubsonicSettingsTests {
  @Test func byDefaultNoPlaysAreSentAndNoPasswordIsExposed() throws {
    let none = try SourceSettings(nil)
    #expect(!none.isOn("forwardsPlays") && !none.isOn("exposesPassword"))
    let all = try SourceSettings(#"{"exposesPassword":true,"forwardsPlays":true,"later":1}"#)
    #expect(all.isOn("forwardsPlays") && all.isOn("exposesPassword"))
    #expect(throws: (any Error).self) { try SourceSettings("{") }
  }

  @Test func whatAPersonDecidesStaysUntilTheyDecideAnew() throws {
    var request = Library.AddSource(type: "subsonic", address: "http://nas")
    func merged(_ json: String?) throws -> String? {
      try SourceSettings.merged(json, with: request, of: SubsonicServer.sourceKind)
    }
    #expect(try merged(nil) == nil)
    request.exposesPassword = true
    let first = try merged(nil)
    #expect(first == #"{"exposesPassword":true}"#)
    (request.exposesPassword, request.forwardsPlays) = (nil, true)
    let second = try SourceSettings(try merged(first))
    #expect(second.isOn("exposesPassword") && second.isOn("forwardsPlays"))
    request.forwardsPlays = false
    #expect(try merged(first) == #"{"exposesPassword":true,"forwardsPlays":false}"#)
    // The page and the CLI send settings as keys and values, as the description lists them; unknown keys are ignored.
    (request.forwardsPlays, request.settings) = (
      nil, [("forwardsPlays", "true"), ("other", "x"), ("secret", "s3")].map { .init(key: $0.0, value: $0.1) }
    )
    #expect(try merged(nil) == #"{"forwardsPlays":true}"#)
  }

  @Test func variablesSetOneUp() throws {
    let settings = try Settings(environment: [
      "LUNARA_SUBSONIC_URL": "http://nas:4533", "LUNARA_SUBSONIC_USER": "ann", "LUNARA_SUBSONIC_PASSWORD": "s3",
      "LUNARA_CONFIG": "/dev/null",
    ])
    #expect(
      SourceDescriptor(SubsonicServer.sourceKind, settings: settings).setup
        == SourceDescriptor.Setup(address: "http://nas:4533", account: "ann", secret: "s3"))
    #expect(SourceDescriptor(SubsonicServer.sourceKind).setup == nil)
  }

  @Test func aSourceIsConnectedByItsRecord() async throws {
    let fixture = try await FakeSubsonicServer()
    let home = TemporaryDirectory()
    let kinds = SourceKinds(
      in: .init(
        settings: try Settings(environment: ["LUNARA_CONFIG": "/dev/null"]),
        credentials: CredentialStore(home: home.path), http: fixture.http, log: .quiet))
    let connect = try #require(kinds[SubsonicServer.kind]?.connect)
    var record = SourceRecord(name: "subsonic", kind: "subsonic", address: fixture.base, account: "tester")
    let password = fixture.standIn.announced["password"]?.string
    let identity = try await connect(record, password).identify()
    #expect(identity.machine == fixture.base && identity.name.hasPrefix("lunara-stand-in at 127.0.0.1"))
    record.account = nil
    _ = try await connect(record, fixture.standIn.announced["apiKey"]?.string).identify()
    #expect(try await code { _ = try connect(record, nil) } == "library.signedOut")
    record.address = "no address"
    #expect(try await code { _ = try connect(record, "x") } == "library.badAddress")
  }
}

struct SubsonicSignInTests {
  private let secret = SubsonicSecret.password(user: "joe", password: "sesame")

  @Test func theTokenIsTheDigestOfPasswordAndSalt() throws {
    let parts = try SubsonicSignIn.parts(secret, .token, salt: "c19b2d")
    #expect(parts.map(\.0) == ["u", "t", "s"])
    #expect(parts.map(\.1) == ["joe", "26719a1196d2a940705a59634eb18eab", "c19b2d"])
  }

  @Test func thePlainPasswordIsHexEncoded() throws {
    let parts = try SubsonicSignIn.parts(secret, .password, salt: "salt")
    #expect(parts.map(\.1) == ["joe", "enc:736573616d65"])
  }

  @Test func aKeyGoesWithoutAUser() throws {
    let parts = try SubsonicSignIn.parts(.apiKey("k"), .apiKey, salt: "salt")
    #expect(parts.map(\.0) == ["apiKey"] && parts.map(\.1) == ["k"])
  }

  @Test func thePlainPasswordComesLastAndOnlyWhereAllowed() {
    #expect(SubsonicSignIn.proofs(for: secret, mayExposePassword: true) == [.token, .password])
    #expect(SubsonicSignIn.proofs(for: secret, mayExposePassword: false) == [.token])
    #expect(SubsonicSignIn.proofs(for: .apiKey("k"), mayExposePassword: true) == [.apiKey])
  }

  @Test(arguments: [(10, true), (41, true), (42, true), (40, false), (44, false), (50, false), (0, false)])
  func onlyAnUnsupportedSignInMethodLeadsToTheNext(_ code: Int, _ isUnknown: Bool) {
    #expect(SubsonicSignIn.isUnknownWay(code) == isUnknown)
  }

  @Test(arguments: [
    ("nas:4533", "http://nas:4533", false),
    ("https://music.example.org/navidrome/", "https://music.example.org/navidrome", true),
    ("http://127.0.0.1:4040/rest/", "http://127.0.0.1:4040", true), ("localhost:4040", "http://localhost:4040", true),
    ("http://[::1]:4040", "http://[::1]:4040", true),
    ("http://127.0.0.1.example.org", "http://127.0.0.1.example.org", false),
    ("http://192.168.1.2:4040", "http://192.168.1.2:4040", false),
    ("http://nas.localhost", "http://nas.localhost", false),
    ("http://127-0-0-1.abc.plex.direct", "http://127-0-0-1.abc.plex.direct", false),
    (" http://localhost.evil ", "http://localhost.evil", false),
  ])
  func addressesAreTakenAsTyped(_ text: String, _ base: String, _ isSafe: Bool) throws {
    let address = try SubsonicAddress(text)
    #expect(address.base == base && address.isSafe == isSafe)
  }

  @Test(arguments: ["", "http://", "ftp://nas", "http://nas/?u=1", "http://joe:secret@nas", "a b"])
  func invalidAddressesAreRefused(_ text: String) {
    #expect(throws: LunaraError.self) { try SubsonicAddress(text) }
  }

  @Test func versionsAreComparedAsNumbers() {
    var way = SubsonicClient.Profile(proof: .token)
    for (version, isNew) in [
      ("1.10.2", false), ("1.9.0", false), ("1.12.0", true), ("1.16.1", true), ("2.0", true), ("", false),
    ] {
      way.serverVersion = version
      #expect(way.supports(atLeast: 12) == isNew, "\(version)")
    }
  }
}
