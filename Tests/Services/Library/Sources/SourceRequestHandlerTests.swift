import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// Setting sources up, signing in anew and signing out, with servers in memory.
@Suite(.timeLimit(.minutes(2)))
struct SourceRequestHandlerTests {
  /// Servers that accept one password; the address decides which machine a server is.
  private final class Servers: Sendable {
    let password = Mutex("right")
    let isAsleep = Mutex(false)

    func kind(_ name: String) -> SourceDescriptor {
      SourceDescriptor(name: name) { record, secret in
        guard secret != nil || name == "plex" else { throw PlexError.signedOut(record.name) }
        var contents = FakeServer.Contents()
        contents.machine = record.address?.split(separator: ":").last.map { String($0) } ?? ""
        contents.album(100, "Of \(contents.machine)")
        if let secret, self.password.withLock({ $0 != secret }) {
          contents.error = PlexError.signedOut(record.name)
        }
        if self.isAsleep.withLock({ $0 }) { contents.error = SourceError.away(record.name, cause: nil) }
        return FakeServer(contents)
      }
    }
  }

  private final class PublishedStates: Sendable {
    private let states = Mutex<[Library.CatalogueState]>([])
    func add(_ state: Library.CatalogueState) { states.withLock { $0.append(state) } }
    func last(_ name: String) -> Library.SourceStatus? {
      states.withLock { $0.last?.sources.first { $0.name == name } }
    }
  }

  /// The library's source handlers on one catalogue, with the states that they publish.
  private final class TestLibrary: Sendable {
    let catalogue: TestCatalogue
    var secrets: SourceSecrets { catalogue.secrets }
    let servers = Servers()
    let finder: ServerFinder
    let handler: SourceRequestHandler
    private let told: PublishedStates

    init(_ catalogue: TestCatalogue) {
      self.catalogue = catalogue
      let told = PublishedStates()
      self.told = told
      var times = Refresher.Times()
      (times.settling, times.patience) = (.milliseconds(1), .milliseconds(20))
      let refresher = Refresher(database: catalogue.database, log: .quiet, times: times, now: { catalogue.time }) {
        told.add($0)
      }
      let registry = SourceRegistry(
        catalogue.source(),
        kinds: SourceKinds([FilesSource.descriptor, servers.kind("plex"), servers.kind("subsonic")]),
        secrets: catalogue.secrets,
        database: catalogue.database, publisher: .to(nil), now: { catalogue.time })
      finder = ServerFinder(registry: registry, database: catalogue.database, log: .quiet)
      handler = SourceRequestHandler(registry: registry, refresher: refresher, servers: finder, log: .quiet)
    }

    func start() async { await handler.refresher.start(await handler.sources()) }
    func stop() async { await handler.refresher.stop() }

    func add(_ kind: String, _ address: String, _ secret: String?) async throws -> String {
      let request = Library.AddSource(type: kind, address: address, user: "ann", secret: secret)
      return try await handler.add(request).name
    }

    func reaches(_ name: String, _ health: String) async -> Bool {
      await eventually(equals: health) { self.told.last(name)?.health }
    }
  }

  @Test func aSourceThatIsAddedAgainTakesTheNewPassword() async throws {
    let fixture = TestLibrary(try TestCatalogue())
    await fixture.start()
    #expect(try await fixture.add("subsonic", "nas", "right") == "subsonic")
    #expect(await fixture.reaches("subsonic", "ready"))
    let before = try #require(await fixture.finder.server("subsonic"))
    fixture.servers.password.withLock { $0 = "new" }
    #expect(await refusal { _ = try await fixture.add("subsonic", "nas", "wrong") } == "library.signedOut")
    #expect(try fixture.secrets.secret(of: "subsonic") == "right")
    #expect(try await fixture.add("subsonic", "nas", "new") == "subsonic")
    #expect(try fixture.secrets.secret(of: "subsonic") == "new")
    #expect(try fixture.secrets.secret(of: "subsonic-2") == nil)
    #expect(await fixture.reaches("subsonic", "ready"))
    // Pictures and plays use the new connection as well.
    let after = try #require(await fixture.finder.server("subsonic"))
    #expect(before as? FakeServer !== after as? FakeServer)
    #expect(try await after.sections().count == 1)
    #expect(try await fixture.catalogue.albums().map(\.title) == ["Of nas"])
    await fixture.stop()
  }

  @Test func aServerOfAnotherKindIsNotRenewed() async throws {
    let fixture = TestLibrary(try TestCatalogue())
    await fixture.start()
    _ = try await fixture.add("subsonic", "nas", "right")
    #expect(await refusal { _ = try await fixture.add("plex", "nas", "right") } == "library.sourceExists")
    #expect(try fixture.secrets.secret(of: "plex") == nil)
    await fixture.stop()
  }

  @Test func aSourceIsSignedOutByItsName() async throws {
    let fixture = TestLibrary(try TestCatalogue())
    await fixture.start()
    _ = try await fixture.add("subsonic", "nas", "right")
    #expect(await fixture.reaches("subsonic", "ready"))
    #expect(try await fixture.handler.signOut(of: "subsonic"))
    #expect(try fixture.secrets.secret(of: "subsonic") == nil)
    #expect(await fixture.reaches("subsonic", "signed-out"))
    #expect(await fixture.finder.server("subsonic") == nil)
    #expect(try await fixture.catalogue.albums().map(\.title) == ["Of nas"])
    #expect(try await fixture.handler.signOut(of: "subsonic") == false)
    #expect(await refusal { _ = try await fixture.handler.signOut(of: "other") } == "library.unknownSource")
    await fixture.stop()
  }

  @Test func aSourceWhoseSecretIsLostIsSignedOutUntilItIsGivenAgain() async throws {
    let catalogue = try TestCatalogue()
    let first = TestLibrary(catalogue)
    await first.start()
    _ = try await first.add("subsonic", "nas", "right")
    #expect(await first.reaches("subsonic", "ready"))
    await first.stop()
    try catalogue.secrets.keep(nil, of: "subsonic")
    // The next run finds no stored secret.
    let fixture = TestLibrary(catalogue)
    await fixture.start()
    #expect(await fixture.reaches("subsonic", "signed-out"))
    #expect(try await fixture.add("subsonic", "nas", "right") == "subsonic")
    #expect(await fixture.reaches("subsonic", "ready"))
    await fixture.stop()
  }

  @Test func anAddressOfTheSettingsThatMayCarryASecretIsKeptNowhere() async throws {
    let (catalogue, http) = (try TestCatalogue(), HTTPClient(userAgent: "test/1"))
    let home = TemporaryDirectory()
    let settings = try Settings(environment: ["LUNARA_PLEX_URL": "http://ann:s3@nas:32400"])
    let kinds = SourceKinds(
      in: .init(settings: settings, credentials: CredentialStore(home: home.path), http: http, log: .quiet))
    let registry = SourceRegistry(
      catalogue.source(), kinds: kinds, secrets: catalogue.secrets,
      database: catalogue.database, publisher: .to(nil), now: { catalogue.time })
    let source = try #require(try await registry.open().first { $0.name == "plex" })
    #expect((source as? UnavailableSource)?.error.code == "library.badAddress")
    #expect(try await registry.records().allSatisfy { $0.address == nil })
    let request = Library.AddSource(type: "plex", address: "http://nas:32400/?X-Plex-Token=s3")
    #expect(await refusal { _ = try await registry.add(request) } == "library.badAddress")
  }

  @Test func aServerThatIsAsleepAtTheSignInIsSetUpAllTheSame() async throws {
    let fixture = TestLibrary(try TestCatalogue())
    await fixture.start()
    fixture.servers.isAsleep.withLock { $0 = true }
    let server = AccountServer(machine: "m1", address: PlexServer.address(of: "m1"))
    #expect(try await fixture.handler.adopt([server], of: "plex") == ["plex"])
    #expect(try await fixture.handler.registry.records().contains { $0.name == "plex" && $0.machine == "m1" })
    await fixture.stop()
  }

  @Test func aLargeSourceIsTakenOutPieceByPiece() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    for number in 1...450 { contents.album(number * 100, "Album \(number)", tracks: 1) }
    try await catalogue.refresh(FakeServer(contents), "plex")
    try catalogue.tree.album("a", ["ALBUM=Own", "ARTIST=A"])
    try await catalogue.refresh()
    let generation = try await catalogue.state().generation
    let fixture = TestLibrary(catalogue)
    await fixture.start()
    let record = SourceRecord(name: "plex", kind: "plex", address: "nas", machine: "machine-1")
    try await catalogue.database.write { try Catalogue.keep(record, $0) }
    try await fixture.handler.remove("plex")
    #expect(try await catalogue.albums().map(\.title) == ["Own"])
    #expect(try await catalogue.state().generation == generation + 1)
    #expect(try await catalogue.state().sources.map(\.name) == ["files"])
    try await catalogue.expectWholeIndex()
    await fixture.stop()
  }

  @Test func aRemovalThatWasBegunIsGoneOnWithAtTheStart() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "Blue")
    try await catalogue.refresh(FakeServer(contents), "plex")
    try await catalogue.database.write { try Catalogue.beginRemoval(of: "plex", $0) }
    try catalogue.secrets.keep("right", of: "plex")
    let fixture = TestLibrary(catalogue)
    await fixture.start()
    #expect(try await catalogue.albums().isEmpty)
    #expect(try await catalogue.state().sources.map(\.name) == ["files"])
    #expect(try catalogue.secrets.secret(of: "plex") == nil)
    await fixture.stop()
  }
}
