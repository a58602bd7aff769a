import Bus
import FoundationEssentials
import Glibc
import HTTP
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import lunara_library
@testable import Sources

/// The whole service with a Plex server: signing in, the catalogue, plays, and that tokens stay secret.
@Suite(.timeLimit(.minutes(3)))
struct PlexLibraryTests {
  private final class TestLibrary: LibraryOnBus, Sendable {
    let plex: FakePlexServer
    let bus: TestBus
    let home = TemporaryDirectory()
    let database: Database
    let library: Node
    let asking: Node
    let service: LibraryService
    let log: Int32

    /// With `settings`, the server is set in the settings; otherwise a sign-in is needed.
    init(hasSettings: Bool) async throws {
      plex = try await FakePlexServer()
      bus = try TestBus()
      let base = "http://127.0.0.1:\(plex.standIn.port)"
      var variables = ["LUNARA_LOG": "debug", "LUNARA_PLEX_CLOUD": base]
      if hasSettings {
        variables["LUNARA_PLEX_URL"] = base
        variables["LUNARA_PLEX_TOKEN"] = plex.standIn.announced["token"]?.string
      }
      let settings = try Settings(environment: variables)
      log = Glibc.open("\(home.path)/log", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      let log = Log(source: "library", settings: settings, descriptor: log)
      database = try Database(
        at: "\(home.path)/library.sqlite", migrations: Journal.migrations + Catalogue.migrations)
      let journal = try await Journal(database)
      // The report is what the service logs about its node's errors.
      library = try await Node.start(.library, in: bus.directory, journal: journal, report: { log.warning($0) })
      asking = try await bus.node("web@main")
      let store = CredentialStore(home: home.path)
      let kinds = SourceKinds(
        in: .init(settings: settings, credentials: store, http: plex.http, log: log))
      service = LibraryService(
        node: library, database: database, journal: journal, folders: [], kinds: kinds,
        home: home.path, hostID: "here", log: log)
      try await service.start()
    }
  }

  private static func source(_ state: Library.CatalogueState) -> Library.SourceStatus? {
    state.sources.first { $0.kind == "plex" }
  }

  private func signIn(_ fixture: TestLibrary) async throws {
    let signIn = try await fixture.ask(Library.BeginSignIn(service: "plex"))
    try await fixture.plex.order("claim", #"{"code":"\#(signIn.code)"}"#)
    let ended = try await eventually { try await fixture.ask(Library.ReadSignIn(id: signIn.id)).state != "waiting" }
    #expect(ended)
    let state = try await fixture.ask(Library.ReadSignIn(id: signIn.id))
    #expect(state == Library.SignInState(state: "done", account: "Listener", sources: ["plex"]))
  }

  @Test func aSignInBringsTheMusicAndASignOutKeepsIt() async throws {
    let fixture = try await TestLibrary(hasSettings: false)
    try await signIn(fixture)
    let state = try await fixture.state { Self.source($0).map { $0.health == "ready" && $0.tracks > 0 } ?? false }
    let tracks = state.tracks
    let albums = try await fixture.ask(Library.ListAlbums(sort: .name)).items
    #expect(albums.contains { $0.title == "Salt and Lantern" })
    _ = try await fixture.ask(Library.SignOut(service: "plex"))
    _ = try await fixture.ask(Library.Sync(source: "plex"))
    let out = try await fixture.state { Self.source($0)?.health == "signed-out" }
    #expect(out.tracks == tracks)
    #expect(Self.source(out)?.problems.first?.code == "library.signedOut")
    // Signing in again continues with the same source.
    try await signIn(fixture)
    _ = try await fixture.state { Self.source($0)?.health == "ready" }
    await fixture.close()
  }

  @Test func aTypedServerTakesALaterSignInAndASignOut() async throws {
    let fixture = try await TestLibrary(hasSettings: false)
    let base = "http://127.0.0.1:\(fixture.plex.standIn.port)"
    let added = try await fixture.ask(Library.AddSource(type: "plex", address: base))
    #expect(added.name == "plex")
    _ = try await fixture.state { Self.source($0)?.health == "signed-out" }
    try await signIn(fixture)
    _ = try await fixture.state { Self.source($0).map { $0.health == "ready" && $0.tracks > 0 } ?? false }
    _ = try await fixture.ask(Library.SignOut(service: "plex"))
    _ = try await fixture.state { Self.source($0)?.health == "signed-out" }
    await fixture.close()
  }

  @Test func aServerCanBeNamedBySettings() async throws {
    let fixture = try await TestLibrary(hasSettings: true)
    let state = try await fixture.state { Self.source($0).map { $0.health == "ready" && $0.tracks > 0 } ?? false }
    #expect(Self.source(state)?.name == "plex")
    await fixture.close()
  }

  @Test func coversOfCollectionsAndPlaylistsAreFetched() async throws {
    let fixture = try await TestLibrary(hasSettings: true)
    _ = try await fixture.state { Self.source($0).map { $0.health == "ready" && $0.tracks > 0 } ?? false }
    let collections = try await fixture.ask(Library.ListCollections()).items
    let playlists = try await fixture.ask(Library.ListPlaylists()).items
    for art in [collections.compactMap(\.art).first, playlists.compactMap(\.art).first] {
      let location = try await fixture.ask(Library.LocateArt(id: try #require(art), host: "here"))
      guard case .file(let file, _) = location else {
        Issue.record("no file of \(String(describing: art))")
        continue
      }
      #expect(access(file.description, R_OK) == 0)
    }
    await fixture.close()
  }

  @Test func playsAndRoomsReachTheServerAndTokensNothingElse() async throws {
    let fixture = try await TestLibrary(hasSettings: true)
    _ = try await fixture.state { Self.source($0).map { $0.health == "ready" && $0.tracks > 0 } ?? false }
    let album = try #require(try await fixture.ask(Library.ListAlbums()).items.first { $0.title == "Two Rivers" })
    let track = try #require(try await fixture.ask(Library.ReadAlbum(id: album.id)).tracks.first)
    let key = try await fixture.plex.key(track.title)
    let item = QueueItem(entry: EntryID(rawValue: "e1"), track: track, origin: .init(node: "web@main"))
    // The scrobbler reports that listening is not private.
    let notes = try fixture.bus.database("scrobble")
    let journal = try await Journal(notes)
    let scrobbler = try await Node.start(
      #require(NodeID("scrobble@main")), in: fixture.bus.directory, journal: journal, report: { print($0) })
    await scrobbler.publish(Scrobble.OutboxState(counted: 0, pending: 0, failed: 0))
    // A room plays the track.
    let room = try await fixture.bus.node("playback@kitchen")
    await room.publish(
      Playback.RoomState(
        room: RoomName(from: "kitchen"), state: .playing, item: item,
        position: Position(offset: .zero, rate: 1, takenAt: .now()), duration: track.duration, volume: 50,
        queueRevision: 1))
    try await received(fixture, "timeline", key)
    // The listen counts.
    let counted = Scrobble.ListenCounted(
      subject: Playback.ListenSubject(
        listen: ListenID(rawValue: "l1"), room: RoomName(from: "kitchen"), item: item, startedAt: .now()),
      heard: track.duration)
    try await notes.write { try journal.append(counted, in: $0) }
    try await received(fixture, "scrobble", key)
    #expect(try await fixture.plex.server.playCount(of: key) == 1)
    // The server no longer accepts the token: the music stays, and no message contains the token.
    try await fixture.plex.order("token", #"{"token":"another"}"#)
    _ = try await fixture.ask(Library.Sync(source: "plex"))
    _ = try await fixture.state { Self.source($0)?.health == "signed-out" }
    let list = try await fixture.ask(Library.ListSources())
    #expect(list.sources.contains { $0.status.kind == "plex" })
    await scrobbler.close()
    await room.close()
    await fixture.close()
    let token = try #require(fixture.plex.standIn.announced["token"]?.string)
    let said = try MessageCoding.encode(list)
    #expect(!contains(said, token))
    for file in ["log", "library.sqlite", "library.sqlite-wal"] {
      let path = "\(fixture.home.path)/\(file)"
      guard access(path, R_OK) == 0 else { continue }
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      #expect(!contains(bytes, token), "the token is in \(file)")
    }
    let log = Array(try Data(contentsOf: URL(filePath: "\(fixture.home.path)/log")))
    #expect(contains(log, "library.signedOut"), "nothing was logged, so nothing was shown")
  }

  private func received(_ fixture: TestLibrary, _ what: String, _ key: String) async throws {
    let isThere = try await eventually {
      try await fixture.plex.order("received").elements
    } satisfies: {
      $0.contains { $0["what"]?.string == what && $0["key"]?.string == key }
    }
    #expect(isThere, "no \(what) came")
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let text = Array(text.utf8)
    guard bytes.count >= text.count else { return false }
    return (0...bytes.count - text.count).contains { bytes[$0..<$0 + text.count].elementsEqual(text) }
  }
}
