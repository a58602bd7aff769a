import Bus
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// The reading of a server, and what is left where it is interrupted.
@Suite(.timeLimit(.minutes(2)))
struct ServerSourceTests {
  private struct Cut: Error {}

  private func server(_ albums: Int = 3) -> FakeServer {
    var contents = FakeServer.Contents()
    for number in 1...albums { contents.album(number * 100, "Album \(number)") }
    return FakeServer(contents)
  }

  private func staged(_ catalogue: TestCatalogue) async throws -> Int {
    try await catalogue.database.read { try $0.row("SELECT count(*) FROM staged") { try $0.value(0) } } ?? 0
  }

  @Test func aReadingThatFailsInTheMiddleLeavesTheOldCatalogue() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    let before = try await catalogue.shown()
    server.change { $0.album(900, "New") }
    server.duringReading.withLock { $0 = { throw Cut() } }
    await #expect(throws: Cut.self) { try await catalogue.refresh(server) }
    #expect(try await catalogue.shown() == before)
    #expect(try await staged(catalogue) > 0)
    // The rows left by the failed reading are cleared, and the next reading is complete.
    server.duringReading.withLock { $0 = nil }
    #expect(try await catalogue.refresh(server) == [3, 0, 9, 0])
    #expect(try await staged(catalogue) == 0)
  }

  @Test func aStopWhileTheServerIsSilentEndsAtOnceAndChangesNothing() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    let before = try await catalogue.shown()
    server.change { $0.album(900, "New") }
    let (reached, reach) = AsyncStream<Void>.makeStream()
    server.duringReading.withLock {
      $0 = {
        reach.yield()
        try await Task.sleep(for: .seconds(1000))
      }
    }
    let progress = RefreshProgress()
    let source = catalogue.source(server)
    let refresh = Task { try await source.refresh(accepting: [], progress: progress) }
    for await _ in reached { break }
    progress.stop()
    #expect(try await refresh.value == nil)
    #expect(try await catalogue.shown() == before)
  }

  @Test func aCancelledTaskChangesNothing() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    let (reached, reach) = AsyncStream<Void>.makeStream()
    server.duringReading.withLock {
      $0 = {
        reach.yield()
        try await Task.sleep(for: .seconds(1000))
      }
    }
    let source = catalogue.source(server)
    let refresh = Task { try await source.refresh(accepting: [], progress: RefreshProgress()) }
    for await _ in reached { break }
    refresh.cancel()
    #expect(try await refresh.value == nil)
    #expect(try await catalogue.albums().isEmpty)
  }

  @Test func rowsLeftInTheStagingTableAreCleared() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    // The rows of a process that ended between the reading and the transaction.
    let staging = StagingTable(database: catalogue.database, source: "plex")
    try await staging.add([ServerAlbum(native: "777", title: "Ghost", artist: "Nobody")], of: .album)
    #expect(try await catalogue.refresh(server) == [0, 0, 9, 0])
    server.change { $0.album(900, "New") }
    try await catalogue.refresh(server)
    #expect(try await catalogue.albums().map(\.title).sorted() == ["Album 1", "Album 2", "Album 3", "New"])
  }

  @Test func aFailureWithinTheTransactionLeavesTheOldCatalogue() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    let before = try await catalogue.shown()
    server.change { $0.album(900, "New") }
    try await catalogue.database.write { transaction in
      _ = try transaction.execute(
        "CREATE TEMP TRIGGER no BEFORE UPDATE ON catalogue BEGIN SELECT raise(ABORT, 'no'); END")
    }
    await #expect { try await catalogue.refresh(server) } throws: { ($0 as? LunaraError)?.code == "storage.constraint" }
    #expect(try await catalogue.shown() == before)
    try await catalogue.database.write { _ = try $0.execute("DROP TRIGGER no") }
    #expect(try await catalogue.refresh(server) == [3, 0, 9, 0])
  }

  @Test func theFactsAndTheCatalogueComeTogether() async throws {
    let catalogue = try TestCatalogue()
    let journal = try await Journal(catalogue.database)
    let server = server()
    let source = ServerSource(
      name: "plex", kind: "plex", server: server, database: catalogue.database, publisher: .to(journal),
      now: { catalogue.time })
    func refresh() async throws {
      _ = try await source.refresh(accepting: .all, progress: RefreshProgress())
    }
    try await refresh()
    server.change { contents in
      contents.remove(100)
      contents.albums[0].title = "Renamed"
    }
    try await refresh()
    let state = try await catalogue.state()
    #expect(state.generation == 2 && state.albums == 2)
    let kinds = try await catalogue.database.read { transaction in
      try transaction.rows("SELECT kind FROM bus_facts ORDER BY seq") { try $0.value(0) as String }
    }
    #expect(kinds == Array(repeating: ["library.catalogue-changed", "library.sync-finished"], count: 2).flatMap { $0 })
  }

  @Test func aServerThatRefusesTheTokenLeavesAllAsItWas() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { $0.error = PlexError.signedOut("plex") }
    await #expect { try await catalogue.refresh(server) } throws: { ($0 as? LunaraError)?.code == "library.signedOut" }
    #expect(try await catalogue.albums().count == 3)
  }
}
