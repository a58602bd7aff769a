import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import lunara_library

/// The service on a bus with others.
@Suite(.timeLimit(.minutes(2)))
struct LibraryServiceTests {
  /// A library with its node, and a node that asks it.
  private final class TestLibrary: LibraryOnBus, Sendable {
    let bus: TestBus
    let tree: MusicTree
    let database: Database
    let library: Node
    let asking: Node
    let service: LibraryService

    init(_ prepare: (MusicTree) throws -> Void) async throws {
      bus = try TestBus()
      tree = try MusicTree()
      try prepare(tree)
      database = try bus.database("library", migrations: Catalogue.migrations)
      let journal = try await Journal(database)
      library = try await Node.start(.library, in: bus.directory, journal: journal, report: { print("library: \($0)") })
      asking = try await bus.node("web@main")
      service = LibraryService(
        node: library, database: database, journal: journal, folders: [tree.root], home: tree.beside("home"),
        hostID: "here", log: .quiet)
    }

    func start() async throws {
      try tree.make(folder: Array(tree.beside("home").utf8))
      try await service.start()
    }
  }

  private static func music(_ tree: MusicTree) throws {
    try tree.album("blue", ["ALBUM=Blue", "ARTIST=Joni", "DATE=1971"], picture: TestPicture.png(width: 8, height: 8))
    try tree.album("kind", ["ALBUM=Kind of Blue", "ARTIST=Miles", "DATE=1959"])
  }

  @Test func itScansAtTheStartAndAnswers() async throws {
    let fixture = try await TestLibrary(Self.music)
    try await fixture.start()
    let state = try await fixture.state { $0.tracks == 6 && $0.sources.first?.health == "ready" }
    #expect(state.albums == 2 && state.generation == 1)
    #expect(state.sources[0].lastRefreshed != nil && state.sources[0].progress == nil)

    let albums = try await fixture.ask(Library.ListAlbums(sort: .year))
    #expect(albums.items.map(\.title) == ["Blue", "Kind of Blue"])
    #expect(try await fixture.ask(Library.ListArtists()).items.map(\.name) == ["Joni", "Miles"])
    let page = try await fixture.ask(Library.ReadAlbum(id: albums.items[0].id))
    #expect(page.tracks.map(\.number) == [1, 2, 3])
    #expect(try await fixture.ask(Library.Search(words: "blue")).albums.map(\.title) == ["Blue", "Kind of Blue"])
    let id = PlayableID(source: "files", native: albums.items[1].id.native)
    #expect(try await fixture.ask(Library.ListPlayable(ids: [id])).tracks.map(\.host) == ["here", "here", "here"])

    let track = try await fixture.ask(Library.LocateTrack(id: page.tracks[0].id, host: "here"))
    #expect(track == .file(LocalPath(bytes: fixture.tree.path("blue/01.flac"))))
    let art = try #require(page.album.art)
    guard case .file(let picture, _) = try await fixture.ask(Library.LocateArt(id: art, host: "here")) else {
      Issue.record("no file")
      return
    }
    #expect(picture.description.hasPrefix(fixture.tree.beside("home") + "/artwork/files-e"))

    // Another host gets an address of lunara-media, which leads to the same files.
    let media = try await fixture.bus.node("media@main")
    await media.publish(Media.Endpoint(port: 4711))
    let seal = MediaSeal(store: CredentialStore(home: fixture.tree.beside("home")))
    let places = [
      try await fixture.ask(Library.LocateTrack(id: page.tracks[0].id, host: "there")),
      try await fixture.ask(Library.LocateArt(id: art, host: "there")),
    ]
    let files = try places.map { place in
      guard case .url(let url, _, _, _, _) = place, let link = url.split(separator: "?link=").last else {
        throw LunaraError("test.noURL", "\(place) is no address.")
      }
      #expect(url.contains("4711/audio/files:") || url.contains("4711/art/files:"))
      return try seal.link(at: "/audio/x", query: ["link": String(link)], now: .now()).file
    }
    #expect(files == [LocalPath(bytes: fixture.tree.path("blue/01.flac")), picture])
    await fixture.close()
  }

  @Test func itsStartMakesTheIndexesThatAKilledFirstScanLeftOut() async throws {
    let fixture = try await TestLibrary(Self.music)
    try await fixture.database.write { transaction in
      try DeferredIndexes.drop(transaction)
      // With a folder that was written before the kill, the next scan is no first one.
      try transaction.execute("INSERT INTO folders (path, device) VALUES (?, 1)", Array("/gone".utf8))
    }
    try await fixture.start()
    let (left, made) = try await fixture.database.read { transaction in
      (
        try transaction.value("SELECT count(*) FROM deferred_indexes") as Int?,
        try transaction.value("SELECT count(*) FROM sqlite_schema WHERE name = 'tracks_by_title'") as Int?
      )
    }
    #expect(left == 0 && made == 1)
    await fixture.close()
  }

  @Test func filesCopiedIntoAFolderAppear() async throws {
    let fixture = try await TestLibrary(Self.music)
    try await fixture.start()
    _ = try await fixture.state { $0.tracks == 6 && $0.sources.first?.health == "ready" }
    try fixture.tree.album("court", ["ALBUM=Court and Spark", "ARTIST=Joni"])
    _ = try await fixture.state { $0.tracks == 9 }
    try fixture.tree.remove("court/03.flac")
    _ = try await fixture.state { $0.tracks == 8 }
    await fixture.close()
  }

  @Test func refusalsNameTheirReason() async throws {
    let fixture = try await TestLibrary(Self.music)
    try await fixture.start()
    _ = try await fixture.state { $0.tracks == 6 }
    let track = TrackID(source: "files", native: "t1")
    try fixture.tree.remove("blue/01.flac")
    func code<R: Request>(_ request: R) async -> String? {
      do { _ = try await fixture.ask(request) } catch { return LunaraError(error).code }
      return nil
    }
    #expect(await code(Library.LocateTrack(id: track, host: "here")) == "library.fileMissing")
    #expect(await code(Library.LocateTrack(id: track, host: "elsewhere")) == "library.fileMissing")
    #expect(
      await code(Library.LocateTrack(id: TrackID(source: "files", native: "t99"), host: "here")) == "library.unknownID")
    #expect(await code(Library.ReadAlbum(id: AlbumID(source: "x", native: "y"))) == "library.unknownID")
    #expect(await code(Library.ListAlbums(after: "zzz")) == "library.badCursor")
    #expect(await code(Library.Sync(source: "plex")) == "library.unknownSource")
    await fixture.close()
  }

  @Test func aSyncIsToldByAFactAndByTheState() async throws {
    let fixture = try await TestLibrary(Self.music)
    try await fixture.start()
    _ = try await fixture.state { $0.tracks == 6 && $0.sources.first?.health == "ready" }
    let facts = AsyncStream.makeStream(of: Library.SyncFinished.self)
    await fixture.asking.follow("library", from: .oldest) { fact in
      do {
        if let finished = try fact.decode(Library.SyncFinished.self) { facts.continuation.yield(finished) }
      } catch {
        Issue.record(error)
      }
    }
    try fixture.tree.album("new", ["ALBUM=New", "ARTIST=Z"], tracks: 2)
    _ = try await fixture.ask(Library.Sync())
    #expect(try await fixture.state { $0.generation == 2 }.tracks == 8)
    var newCounts: [Int] = []
    for await finished in facts.stream {
      #expect(finished.source == "files")
      newCounts.append(finished.counts.new)
      if newCounts.count == 2 { break }
    }
    #expect(newCounts == [6, 2])
    await fixture.close()
  }

  @Test func filesThatLookUnchangedAreReadAgainOnlyWhereAPersonAsks() async throws {
    let fixture = try await TestLibrary { tree in
      try tree.album("one", ["ALBUM=One", "ARTIST=A"], tracks: 2)
      try tree.album("two", ["ALBUM=Two", "ARTIST=A"], tracks: 3)
    }
    try await fixture.start()
    _ = try await fixture.state { $0.tracks == 5 && $0.sources.first?.health == "ready" }
    let facts = AsyncStream.makeStream(of: Library.SyncFinished.self)
    await fixture.asking.follow("library", from: .since(.now())) { fact in
      do {
        if let finished = try fact.decode(Library.SyncFinished.self) { facts.continuation.yield(finished) }
      } catch {
        Issue.record(error)
      }
    }
    let folder = LocalPath(bytes: fixture.tree.path("two"))
    var unchanged: [Int] = []
    var ends = facts.stream.makeAsyncIterator()
    for request in [
      Library.Sync(), Library.Sync(isReadAgain: true, folder: folder), Library.Sync(isReadAgain: true), Library.Sync(),
    ] {
      _ = try await fixture.ask(request)
      let counts = try #require(await ends.next()).counts
      unchanged.append(counts.unchanged)
    }
    // A file that is read again counts as changed.
    #expect(unchanged == [5, 2, 0, 5])
    await #expect { try await fixture.ask(Library.Sync(isReadAgain: true, folder: LocalPath("/nowhere"))) } throws: {
      LunaraError($0).code == "library.unknownFolder"
    }
    await fixture.close()
  }

  @Test func heldDeletionsAreAcceptedByASync() async throws {
    let fixture = try await TestLibrary { tree in
      for number in 0..<6 { try tree.album("\(number)", ["ALBUM=\(number)", "ARTIST=A"], tracks: 1) }
    }
    try await fixture.start()
    _ = try await fixture.state { $0.tracks == 6 && $0.sources.first?.health == "ready" }
    for number in 0..<5 { try fixture.tree.remove("\(number)") }
    _ = try await fixture.ask(Library.Sync())
    let held = try await fixture.state { $0.sources.first?.problemCount == 1 }
    #expect(held.tracks == 6 && held.sources[0].problems[0].code == "library.deletionsHeld")
    _ = try await fixture.ask(Library.Sync(acceptDeletions: true))
    let after = try await fixture.state { $0.tracks == 1 }
    #expect(after.sources[0].problemCount == 0)
    await fixture.close()
  }

  @Test func listensThatCountedAreKept() async throws {
    let fixture = try await TestLibrary(Self.music)
    // These listens counted before the library started.
    let database = try fixture.bus.database("scrobble")
    let journal = try await Journal(database)
    let scrobble = try await Node.start(.scrobble, in: fixture.bus.directory, journal: journal)
    let track = Track(
      id: TrackID(source: "files", native: "t2"), albumID: AlbumID(source: "files", native: "a1"), title: "T",
      artist: "A", albumArtist: "A", album: "B", genres: [], duration: Milliseconds(200_000))
    let counted = try (1...3).map { try PlaysTests.counted(track, listen: "l\($0)") }
    try await database.write { transaction in for fact in counted { try journal.append(fact, in: transaction) } }
    try await fixture.start()
    _ = try await fixture.state { $0.tracks == 6 }
    let store = fixture.database
    let arrived = try await eventually(equals: 3) {
      try await store.read { try $0.row("SELECT count(*) FROM listens") { try $0.value(0) as Int } }
    }
    #expect(arrived)
    await scrobble.close()
    await fixture.close()
    await database.close()
  }

  @Test func withoutMusicItSaysWhatToDo() async throws {
    let fixture = try await TestLibrary { _ in }
    try await fixture.start()
    // The source is empty at once; the reason is known after the first scan.
    let state = try await fixture.state {
      $0.sources.first?.health == "empty" && $0.sources.first?.problems.isEmpty == false
    }
    #expect(state.sources[0].problems.map(\.code) == ["library.folderEmpty"])
    #expect(state.albums == 0)
    #expect(try await fixture.ask(Library.ListAlbums()).items.isEmpty)
    await fixture.close()
  }
}
