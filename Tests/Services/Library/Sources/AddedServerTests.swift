import HTTP
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Adding servers and signing in there anew, with the kinds that there are: what is refused, why, and what stays.
@Suite(.timeLimit(.minutes(2)))
struct AddedServerTests {
  /// The list of sources on a catalogue, which connects to servers over HTTP.
  private struct Household {
    let catalogue: TestCatalogue
    let registry: SourceRegistry
    let home = TemporaryDirectory()

    init() throws {
      let settings = try Settings(environment: ["LUNARA_CONFIG": "/dev/null"])
      catalogue = try TestCatalogue()
      let kinds = SourceKinds(
        in: .init(
          settings: settings, credentials: CredentialStore(home: home.path), http: HTTPClient(userAgent: "test/1"),
          log: .quiet))
      registry = SourceRegistry(
        catalogue.source(), kinds: kinds, secrets: catalogue.secrets, database: catalogue.database,
        publisher: .to(nil), now: { Timestamp(seconds: 1_800_000_000) })
    }

    func error(_ request: Library.AddSource) async -> LunaraError? {
      do { _ = try await registry.add(request) } catch { return LunaraError(error) }
      return nil
    }

    func record(_ name: String) async throws -> SourceRecord? {
      try await registry.records().first { $0.name == name }
    }
  }

  private static let kinds = ["plex", "subsonic"]

  private func request(_ kind: String, _ address: String) -> Library.AddSource {
    Library.AddSource(type: kind, address: address, user: kind == "subsonic" ? "ann" : nil, secret: "s3")
  }

  @Test(arguments: kinds) func whereNobodyListensThatIsSaidWithTheAddress(_ kind: String) async throws {
    let household = try Household()
    let error = try #require(await household.error(request(kind, "http://127.0.0.1:1")))
    #expect(error.code == "library.sourceAway")
    #expect(error.message.contains("127.0.0.1:1 does not answer. Check the address and its port"), "\(error)")
    #expect(try await household.record(kind) == nil)
  }

  @Test(arguments: kinds, [200, 401, 403, 404])
  func whatIsNoSuchServerRefusesNoPassword(_ kind: String, _ status: Int) async throws {
    let household = try Household()
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in
      HTTPServerResponse(status: status, text: "<html>Router</html>")
    }
    let error = try #require(await household.error(request(kind, "http://127.0.0.1:\(server.port)")))
    #expect(error.code == "library.wrongServerKind" && error.message.contains("127.0.0.1:\(server.port)"), "\(error)")
    #expect(error.message.contains("Check the address") && !error.message.contains("password"))
    await server.stop()
  }

  @Test(arguments: kinds) func aProxyWhoseServerIsAwayIsNoOtherServer(_ kind: String) async throws {
    let household = try Household()
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(status: 502) }
    let error = await household.error(request(kind, "http://127.0.0.1:\(server.port)"))
    #expect(error?.code == "library.sourceAway")
    await server.stop()
  }

  @Test(arguments: kinds) func aCertificateThatIsNotTrustedIsNamed(_ kind: String) async throws {
    let household = try Household()
    let (certificate, key) = ("\(household.home.path)/cert.pem", "\(household.home.path)/key.pem")
    let made = try await TestProgram.run([
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
    ])
    try #require(made.status == 0, "\(made.output)")
    let server = try HTTPServer(
      address: "127.0.0.1", port: 0, identity: TLSCertificate(certificate: certificate, key: key)
    ) { _ in HTTPServerResponse(text: "{}") }
    let error = await household.error(request(kind, "https://localhost:\(server.port)"))
    #expect(error?.code == "library.serverUntrusted" && error?.message.contains("certificate of localhost") == true)
    await server.stop()
  }

  @Test func aWrongPlexTokenIsRefusedAtOnceAndReplacesNothing() async throws {
    let (household, plex) = (try Household(), try await FakePlexServer())
    let address = "http://127.0.0.1:\(plex.standIn.port)"
    let token = try #require(plex.standIn.announced["token"]?.string)
    var request = Library.AddSource(type: "plex", address: address, secret: "wrong")
    let refused = try #require(await household.error(request))
    #expect(refused.code == "library.signedOut" && refused.message.contains("refuses the token"), "\(refused)")
    #expect(try await household.record("plex") == nil)
    request.secret = token
    _ = try await household.registry.add(request)
    let known = try await household.record("plex")
    (request.address, request.secret) = ("\(address)/", "wrong")
    #expect(await household.error(request)?.code == "library.signedOut")
    #expect(try household.catalogue.secrets.secret(of: "plex") == token)
    #expect(try await household.record("plex") == known && known?.machine != nil)
  }

  @Test func aWrongSubsonicPasswordIsRefusedAtOnceAndReplacesNothing() async throws {
    let (household, server) = (try Household(), try await FakeSubsonicServer())
    let user = server.standIn.announced["user"]?.string
    let password = try #require(server.standIn.announced["password"]?.string)
    var request = Library.AddSource(type: "subsonic", address: server.base, user: user, secret: "wrong")
    let refused = try #require(await household.error(request))
    #expect(refused.code == "library.signedOut" && refused.message.contains("refuses the user name or the password"))
    #expect(try await household.record("subsonic") == nil)
    request.secret = password
    _ = try await household.registry.add(request)
    let known = try await household.record("subsonic")
    request.secret = "wrong"
    #expect(await household.error(request)?.code == "library.signedOut")
    #expect(try household.catalogue.secrets.secret(of: "subsonic") == password)
    #expect(try await household.record("subsonic") == known)
    // A password alone is that of the user who is known there.
    (request.user, request.secret) = (nil, password)
    _ = try await household.registry.add(request)
    #expect(try await household.record("subsonic")?.account == user)
  }

  @Test func settingsOfAKnownServerAreChangedWithoutItsPassword() async throws {
    let (household, server) = (try Household(), try await FakeSubsonicServer())
    let password = try #require(server.standIn.announced["password"]?.string)
    let user = server.standIn.announced["user"]?.string
    let settings = [Library.ChosenSetting(key: "forwardsPlays", value: "true")]
    var request = Library.AddSource(type: "subsonic", address: server.base, settings: settings)
    // A server that is not known needs a password, and nobody has refused one.
    let missing = try #require(await household.error(request))
    #expect(missing.code == "library.signedOut" && missing.message.hasPrefix("No password or key is known"))
    _ = try await household.registry.add(
      Library.AddSource(type: "subsonic", address: server.base, user: user, secret: password))
    // The address may be spelled in another way, and the server is not asked.
    try await server.order("log/clear")
    for address in [server.base, "\(server.base)/rest/", String(server.base.dropFirst("http://".count))] {
      request.address = address
      let source = try #require(try await household.registry.add(request) as? ServerSource)
      #expect(source.name == "subsonic" && (source.server as? SubsonicServer)?.forwardsPlays == true)
    }
    #expect(try await server.asked().isEmpty)
    #expect(try household.catalogue.secrets.secret(of: "subsonic") == password)
    #expect(try await household.record("subsonic")?.account == user)
    // Another user needs a password, and without a setting there is nothing to change.
    request.user = "ben"
    #expect(await household.error(request)?.code == "library.sourceExists")
    (request.user, request.settings) = (nil, nil)
    #expect(await household.error(request)?.code == "library.sourceExists")
  }
}
