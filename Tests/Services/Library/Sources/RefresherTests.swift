import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// The states that a refresh publishes.
@Suite(.timeLimit(.minutes(2)))
struct RefresherTests {
  private final class PublishedStates: Sendable {
    private let states = Mutex<[Library.CatalogueState]>([])
    var all: [Library.CatalogueState] { states.withLock { $0 } }
    var last: Library.SourceStatus? { all.last?.sources.first }
    func add(_ state: Library.CatalogueState) { states.withLock { $0.append(state) } }
  }

  private func refresher(_ catalogue: TestCatalogue, _ told: PublishedStates) -> Refresher {
    Refresher(database: catalogue.database, log: .quiet) { told.add($0) }
  }

  @Test func itSaysThatItScansAndThenWhatIsThere() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    let told = PublishedStates()
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source()])
    #expect(
      await eventually {
        (told.last?.tracks, told.last?.health)
      } satisfies: {
        $0 == (3, "ready")
      })
    #expect(told.last?.progress == nil)
    let during = told.all.compactMap(\.sources.first).filter { $0.progress != nil }
    #expect(during.allSatisfy { $0.health == "scanning" })
    await refresher.stop()
  }

  @Test func aRefreshThatFailsIsAProblemUntilOneSucceeds() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.database.write { transaction in
      _ = try transaction.execute("CREATE TEMP TRIGGER no BEFORE INSERT ON tracks BEGIN SELECT raise(ABORT, 'no'); END")
    }
    let told = PublishedStates()
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source()])
    #expect(await eventually(equals: "storage.constraint") { told.last?.problems.first?.code })
    #expect(told.last?.problemCount == 1 && told.last?.tracks == 0)
    try await catalogue.expectWholeIndex()
    try await catalogue.database.write { _ = try $0.execute("DROP TRIGGER no") }
    await refresher.request()
    #expect(
      await eventually {
        (told.last?.tracks, told.last?.problemCount)
      } satisfies: {
        $0 == (3, 0)
      })
    await refresher.stop()
  }

  @Test func aWarningOfAFileIsLoggedOnceAndNotAtEachScan() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.write(Array("no audio".utf8), to: "x/broken.flac")
    let folder = TemporaryDirectory()
    let descriptor = Glibc.open("\(folder.path)/log", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let settings = try Settings(environment: ["LUNARA_LOG_FORMAT": "text", "LUNARA_CONFIG": "/dev/null"])
    let told = PublishedStates()
    let refresher = Refresher(
      database: catalogue.database, log: Log(source: "library", settings: settings, descriptor: descriptor)
    ) { told.add($0) }
    await refresher.start([catalogue.source()])
    await refresher.refreshed("files")
    func lines(_ name: String) throws -> Int {
      String(decoding: try Files.read("\(folder.path)/log"), as: UTF8.self).split(separator: "\n")
        .count { $0.contains(name) }
    }
    #expect(told.last?.problemCount == 1)
    #expect(try lines("broken.flac") == 1)
    try catalogue.tree.write(Array("none either".utf8), to: "x/cut.flac")
    await refresher.refreshed("files")
    #expect(told.last?.problemCount == 2)
    #expect(try lines("broken.flac") == 1 && lines("cut.flac") == 1)
    await refresher.stop()
  }

  @Test func afterAStopNoRefreshBegins() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    let told = PublishedStates()
    let refresher = refresher(catalogue, told)
    await refresher.stop()
    await refresher.request()
    #expect(try await catalogue.albums().isEmpty)
    #expect(told.all.isEmpty)
  }
}

/// Several sources that are refreshed concurrently.
@Suite(.timeLimit(.minutes(2)))
struct SeveralSourcesTests {
  private final class PublishedStates: Sendable {
    private let states = Mutex<[Library.CatalogueState]>([])
    func add(_ state: Library.CatalogueState) { states.withLock { $0.append(state) } }
    func ever(_ name: String, _ health: String) -> Bool {
      states.withLock { $0.contains { $0.sources.contains { $0.name == name && $0.health == health } } }
    }
    func last(_ name: String) -> Library.SourceStatus? {
      states.withLock { $0.last?.sources.first { $0.name == name } }
    }
  }

  private func server(_ machine: String = "m") -> FakeServer {
    var contents = FakeServer.Contents()
    contents.machine = machine
    contents.album(100, "Of \(machine)")
    return FakeServer(contents)
  }

  private func refresher(_ catalogue: TestCatalogue, _ told: PublishedStates) -> Refresher {
    var times = Refresher.Times()
    times.settling = .milliseconds(1)
    times.patience = .milliseconds(20)
    return Refresher(database: catalogue.database, log: .quiet, times: times, now: { catalogue.time }) { told.add($0) }
  }

  @Test func aSlowSourceHoldsNoOtherUp() async throws {
    let (catalogue, told) = (try TestCatalogue(), PublishedStates())
    let (slow, quick) = (server("slow"), server("quick"))
    slow.duringReading.withLock { $0 = { try await Task.sleep(for: .seconds(1000)) } }
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(slow, "plex"), catalogue.source(quick, "plex-2")])
    #expect(
      await eventually {
        (told.last("plex-2")?.health, told.last("plex")?.health)
      } satisfies: {
        $0 == ("ready", "scanning")
      })
    await refresher.stop()
  }

  @Test(arguments: [false, true]) func aSilentServerHoldsNeitherTheEndNorItsRemovalUp(_ isRemoved: Bool) async throws {
    let (catalogue, told, server) = (try TestCatalogue(), PublishedStates(), server())
    let (reached, reach) = AsyncStream<Void>.makeStream()
    server.beforeIdentify.withLock {
      $0 = {
        reach.yield()
        try await Task.sleep(for: .seconds(1000))
      }
    }
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(server)])
    for await _ in reached { break }
    // A wait without a limit would exceed the time limit of the test.
    if isRemoved { await refresher.remove("plex") }
    await refresher.stop()
    #expect(try await catalogue.albums().isEmpty)
  }

  @Test func acceptingForAllSourcesAcceptsNoOtherServer() async throws {
    let (catalogue, told, server) = (try TestCatalogue(), PublishedStates(), server())
    try await catalogue.refresh(server)
    server.change { $0.machine = "another" }
    let refresher = refresher(catalogue, told)
    await refresher.add(catalogue.source(server))
    await refresher.request(accepting: .all)
    await refresher.refreshed("plex")
    #expect(told.last("plex")?.problems.first?.code == "library.otherServer")
    await refresher.request("plex", accepting: .all)
    #expect(
      await eventually {
        (told.last("plex")?.health, told.last("plex")?.problemCount)
      } satisfies: {
        $0 == ("ready", 0)
      })
    await refresher.stop()
  }

  @Test func whoAsksWhileARefreshRunsWaitsForTheNextOne() async throws {
    let (catalogue, told, server) = (try TestCatalogue(), PublishedStates(), server())
    let (reached, reach) = AsyncStream<Void>.makeStream()
    let (gate, open) = AsyncStream<Void>.makeStream()
    server.duringReading.withLock {
      $0 = {
        reach.yield()
        for await _ in gate {}
      }
    }
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(server)])
    for await _ in reached { break }
    server.change { $0.album(900, "New") }
    let asked = Task { await refresher.refreshed("plex") }
    for _ in 1...100 { await Task.yield() }
    open.finish()
    await asked.value
    #expect(try await catalogue.albums().count == 2)
    await refresher.stop()
  }

  @Test func theEndOfARefreshNamesTheRequestThatItAnswers() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    let journal = try await Journal(catalogue.database)
    let (reached, reach) = AsyncStream<Void>.makeStream()
    let (gate, open) = AsyncStream<Void>.makeStream()
    server.duringReading.withLock {
      $0 = {
        reach.yield()
        for await _ in gate {}
      }
    }
    let source = ServerSource(
      name: "plex", kind: "plex", server: server, database: catalogue.database, publisher: .to(journal),
      now: { catalogue.time })
    let refresher = Refresher(
      database: catalogue.database, journal: journal, log: .quiet, now: { catalogue.time }
    ) { _ in }
    await refresher.start([source])
    for await _ in reached { break }
    // Two requests during a refresh are answered by the one after it.
    let numbers = [await refresher.request("plex"), await refresher.request()].map { $0.map(\.refresh) }
    #expect(numbers[0] == numbers[1] && numbers[0].count == 1)
    server.change { $0.album(900, "New") }
    open.finish()
    await refresher.refreshed("plex")
    server.change { $0.error = SourceError.away("plex", cause: nil) }
    let last = await refresher.request("plex").map(\.refresh)
    await refresher.refreshed("plex")
    await refresher.stop()
    let ends: [String] = try await catalogue.database.read { transaction in
      try transaction.values(
        "SELECT kind || ' ' || json_extract(CAST(payload AS TEXT), '$.refresh') FROM bus_facts WHERE kind LIKE '%sync%'"
      )
    }
    #expect(ends.contains("library.sync-finished \(numbers[0][0])"))
    #expect(ends.contains("library.sync-failed \(last[0])"))
    #expect(Set(ends).count == ends.count)
  }

  @Test func aSourceThatIsReplacedTwiceAtOnceIsReadByOneRefreshAtATime() async throws {
    let (catalogue, told) = (try TestCatalogue(), PublishedStates())
    let servers = [server("a"), server("b"), server("c")]
    let (reached, reach) = AsyncStream<Void>.makeStream()
    let (gate, open) = AsyncStream<Void>.makeStream()
    // The first refresh is slow to stop: its request goes on when it is cancelled.
    let request = Task.detached { for await _ in gate {} }
    servers[0].duringReading.withLock {
      $0 = {
        reach.yield()
        await request.value
      }
    }
    for server in servers { server.change { $0.machine = "m" } }
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(servers[0])])
    for await _ in reached { break }
    async let second: Void = refresher.add(catalogue.source(servers[1]))
    async let third: Void = refresher.add(catalogue.source(servers[2]))
    // The first change waits for the end of that request, the second one for the first.
    #expect(await eventually { await refresher.source("plex") == nil })
    #expect(servers[1].readings.isEmpty && servers[2].readings.isEmpty)
    open.finish()
    _ = await (second, third)
    #expect(
      await eventually {
        (told.last("plex")?.health, told.last("plex")?.tracks)
      } satisfies: {
        $0 == ("ready", 3)
      })
    await refresher.stop()
  }

  @Test func aStartWithEverySourceDownServesWhatIsKnown() async throws {
    let (catalogue, told, server) = (try TestCatalogue(), PublishedStates(), server())
    try await catalogue.refresh(server)
    catalogue.wait(seconds: 13 * 3600)
    server.change { $0.error = SourceError.away("plex", cause: nil) }
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(server)])
    #expect(await eventually(equals: "unreachable") { told.last("plex")?.health })
    #expect(try await catalogue.albums().count == 1)
    #expect(told.last("plex")?.tracks == 3 && told.last("plex")?.problems.first?.code == "library.sourceAway")
    // Once the server is back, it is read without a request.
    server.change { $0.error = nil }
    #expect(
      await eventually {
        (told.last("plex")?.health, told.last("plex")?.problemCount)
      } satisfies: {
        $0 == ("ready", 0)
      })
    await refresher.stop()
  }

  @Test(arguments: [(11, 1), (12, 2)])
  func aStartRefreshesWhatIsOlderThanTwelveHours(_ hours: Int64, _ runs: Int) async throws {
    let (catalogue, told, server) = (try TestCatalogue(), PublishedStates(), server())
    try await catalogue.refresh(server)
    catalogue.wait(seconds: hours * 3600)
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(server)])
    #expect(
      await eventually {
        (told.last("plex")?.health, told.last("plex")?.runs?.count)
      } satisfies: {
        $0 == ("ready", runs)
      })
    await refresher.stop()
  }

  @Test func aRefusedTokenShowsAsSignedOutUntilItIsAccepted() async throws {
    let (catalogue, told, server) = (try TestCatalogue(), PublishedStates(), server())
    server.change { $0.error = PlexError.signedOut("plex") }
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(server)])
    #expect(await eventually(equals: "signed-out") { told.last("plex")?.health })
    await refresher.stop()
  }

  @Test func aSourceWithoutNotificationsStaysReady() async throws {
    let (catalogue, told, server) = (try TestCatalogue(), PublishedStates(), server())
    server.change { $0.changesError = SourceError.away("plex", cause: nil) }
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(server)])
    #expect(await eventually { told.last("plex")?.health == "ready" && told.last("plex")?.runs?.count ?? 0 > 2 })
    #expect(!told.ever("plex", "unreachable"))
    await refresher.stop()
  }

  @Test func aSourceThatTellsOfAChangeIsRefreshed() async throws {
    let (catalogue, told, server) = (try TestCatalogue(), PublishedStates(), server())
    let refresher = refresher(catalogue, told)
    await refresher.start([catalogue.source(server)])
    #expect(await eventually(equals: 3) { told.last("plex")?.tracks })
    server.change { $0.album(900, "New") }
    server.tellOfChange()
    #expect(await eventually(equals: 6) { told.last("plex")?.tracks })
    await refresher.stop()
  }

  @Test func aSourceThatIsRemovedTakesItsMusicAlong() async throws {
    let (catalogue, told) = (try TestCatalogue(), PublishedStates())
    let refresher = refresher(catalogue, told)
    let kind = SourceDescriptor(name: "plex") { record, _ in
      var contents = FakeServer.Contents()
      contents.machine = record.address ?? ""
      contents.album(100, "Of \(record.address ?? "")")
      return FakeServer(contents)
    }
    let registry = SourceRegistry(
      catalogue.source(), kinds: SourceKinds([FilesSource.descriptor, kind]), secrets: catalogue.secrets,
      database: catalogue.database, publisher: .to(nil),
      now: { catalogue.time })
    await refresher.start(try await registry.open())
    for (address, name) in [("one", "plex"), ("two", "plex-2")] {
      let source = try await registry.add(.init(type: "plex", address: address, secret: "s"))
      #expect(source.name == name)
      await refresher.add(source)
    }
    #expect(
      await eventually {
        (told.last("plex")?.tracks, told.last("plex-2")?.tracks)
      } satisfies: {
        $0 == (3, 3)
      })
    await #expect { try await registry.add(.init(type: "plex", address: "one")) } throws: {
      ($0 as? LunaraError)?.code == "library.sourceExists"
    }
    await #expect { try await registry.remove("files") { _ in } } throws: {
      ($0 as? LunaraError)?.code == "library.sourceFromSettings"
    }
    try await registry.remove("plex") { await refresher.remove($0) }
    #expect(try await catalogue.albums().map(\.title) == ["Of two"])
    let list = try await registry.list(refresher.statuses())
    #expect(list.sources.map(\.status.name) == ["files", "plex-2"])
    #expect(list.sources.last?.sections.map(\.tracks) == [3])
    try await catalogue.expectWholeIndex()
    await refresher.stop()
  }
}
