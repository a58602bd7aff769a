import Bus
import Messages
import Model
import Storage
import Sync
import Synchronization
import System
import TestSupport
import Testing

@testable import ProviderRuns
@testable import Providers

/// The nodes of the process, which end when nobody holds them.
private final class Processes: Sendable {
  let nodes = Mutex<[Node]>([])
}

/// The library and the process that talks to providers, on a bus with real sockets. The provider is one in memory.
@Suite(.timeLimit(.minutes(5)))
struct ProviderProcessTests {
  private let bus: TestBus
  private let home = TemporaryDirectory()
  private let library: Node
  private let processes = Processes()
  private var house: ProviderHouse

  init() async throws {
    bus = try TestBus()
    library = try await bus.node("library@main")
    house = try await ProviderHouse()
    let remote = remote(starting: .seconds(45))
    (house.services, house.folder) = ([remote], remote.process.folder)
  }

  private func remote(starting time: Duration) -> RemoteProviderService {
    var process = ProviderProcess(node: library, folder: ProvidersFolder(home: home.path))
    process.startTime = time
    process.now = { [catalogue = house.catalogue] in catalogue.time }
    return RemoteProviderService(kind: FakeProviderService(provider: house.provider).kind, process: process)
  }

  /// Starts the process; closing its node ends it.
  @discardableResult
  private func startProcess() async throws -> Node {
    let node = try await bus.node("providers@main")
    await ProvidersService(services: [FakeProviderService(provider: house.provider)]) { _ in }.start(on: node)
    processes.nodes.withLock { $0.append(node) }
    return node
  }

  private func connect() async throws -> any ListProvider {
    try await remote(starting: .seconds(45)).connect(try await house.record().link).provider
  }

  private func code(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch { return LunaraError(error).code }
  }

  @Test func aLongListComesWholeAndIsReplacedWhole() async throws {
    try await startProcess()
    let titles = (0..<12_000).map { "a title of a track, number \($0)" }
    house.provider.make("L1", "Long", titles)
    let provider = try await connect()
    let reading = try #require(try await provider.reading(of: "L1"))
    #expect(reading.entries.map(\.described.title) == titles && reading.snapshot == "0")
    let natives = reading.entries.map(\.native)
    #expect(
      await code { try await provider.apply(.replace(natives, expecting: natives.dropLast()), to: "L1") }
        == "library.providerChanged")
    try await provider.apply(.replace(natives.reversed(), expecting: natives), to: "L1")
    #expect(house.provider.titles(of: "L1") == titles.reversed())
    try await provider.apply(.replace([natives[0]], expecting: natives.reversed()), to: "L1")
    #expect(house.provider.titles(of: "L1") == [titles[0]])
  }

  @Test(arguments: [(total: 3, second: 1), (total: 4, second: 1), (total: 3, second: 2)])
  func aReadingThatIsNotWholeIsNotUsed(total: Int, second: Int) async throws {
    let node = try await bus.node("providers@main")
    processes.nodes.withLock { $0.append(node) }
    let entries = ["a", "b", "c"].map {
      RemoteEntry(native: "id \($0)", described: DescribedTrack(title: $0, artist: "Ada"))
    }
    await node.serve(Providers.Connect.self) { _, _ in Providers.Connected(run: "r1") }
    await node.serve(Providers.Read.self) { request, _ in
      let isFirst = request.question == .entries
      var page = Providers.Reading(entries: isFirst ? Array(entries.prefix(2)) : Array(entries.suffix(1)))
      (page.reading, page.pages, page.total) = (isFirst ? 1 : second, 2, total)
      return page
    }
    let provider = try await connect()
    let found = await code {
      let reading = try await provider.reading(of: "L1")
      #expect(reading?.entries == entries)
    }
    #expect(found == (total == 3 && second == 1 ? nil : "library.providerAway"))
  }

  @Test func nobodyButTheLibraryIsAnswered() async throws {
    try await startProcess()
    let other = try await bus.node("web@main")
    let refusal = await code {
      _ = try await other.request(Providers.Forget(name: "x"), to: .providers, within: .seconds(45))
    }
    #expect(refusal == "library.providersForLibraryOnly")
    await other.close()
  }

  @Test func eachCallReachesTheProviderAndItsAnswerTheLibrary() async throws {
    try await startProcess()
    let provider = try await connect()
    house.provider.make("L1", "List", ["a", "b", "c"])
    #expect(try await provider.lists()?.map(\.info.title) == ["List"])
    #expect(try await provider.capabilities(of: "liked").insertion == .atEnd)
    for step: RemoteStep in [
      .removeTracks(["id b"]), .insert(["id d"], at: 0), .insert(["id e"], at: nil),
      .move(from: 0, to: 2, native: "id d", place: nil), .removeAt(0, expecting: ["id a"]),
    ] { try await provider.apply(step, to: "L1") }
    #expect(house.provider.titles(of: "L1") == ["c", "d", "e"])
    #expect(await code { try await provider.apply(.removeEntries(["x"]), to: "L1") } == "library.providerRefused")
    try await provider.add(["id Ada", "id Bob"], to: .artists)
    try await provider.remove(["id Ada"], from: .artists)
    #expect(try await provider.items(of: .artists)?.map(\.item.artist) == ["Bob"])
    house.provider.edit { $0.lacks = ["Nowhere"] }
    #expect(try await provider.track(FakeProvider.described("Song")) == "id Song")
    #expect(try await provider.track(FakeProvider.described("Nowhere")) == nil)
    #expect(try await provider.item(SyncItem(artist: "Ada"), of: .artists) == "id Ada")
    let made = try await provider.create(title: "New", summary: "s")
    try await provider.describe(made, title: "Newer", summary: "")
    #expect(house.provider.edit { $0.lists[made]?.info.title } == "Newer")
    try await provider.delete(made)
    #expect(house.provider.titles(of: made) == nil)
    house.provider.edit { $0.isUnsteady = true }
    #expect(try await provider.reading(of: "L1") == nil)
  }

  @Test func aChangeWhoseProcessEndsIsMadeOnceAndItsEffectIsNotKnown() async throws {
    let process = try await startProcess()
    let (provider, gate) = (try await connect(), Gate())
    house.provider.hold(gate)
    async let outcome = code { _ = try await provider.create(title: "New", summary: "") }
    #expect(await eventually(equals: 1) { gate.waiting })
    await process.close()
    try await startProcess()
    #expect(await outcome == "library.providerUnclear")
    #expect(house.provider.calls.count { $0 == "create New" } == 1)
    #expect(await code { _ = try await provider.lists() } == "library.providerAway")
    gate.open()
    #expect(try await connect().lists()?.map(\.info.title) == ["New"])
  }

  @Test func aRunBeginsAfterTheCallsOfTheFormerOneHaveEnded() async throws {
    try await startProcess()
    let (former, gate) = (try await connect(), Gate())
    house.provider.hold(gate)
    async let made = code { _ = try await former.create(title: "New", summary: "") }
    #expect(await eventually(equals: 1) { gate.waiting })
    async let lists = connect().lists()
    // Another provider is not held up.
    let other = try await remote(starting: .seconds(45)).connect(
      .init(name: "other", type: "fake", pacing: ProviderPacing(linkedAt: .now())))
    #expect(try await other.provider.lists()?.count == 1)
    #expect(gate.waiting == 1)
    gate.open()
    #expect(try await lists?.count == 1)
    #expect(await made == nil)
    #expect(await code { _ = try await former.lists() } == "library.providerAway")
  }

  @Test func theFolderIsThereWhileAProviderIsLinked() async throws {
    try await house.catalogue.database.write { try ProviderStore.remove("fake", $0) }
    let folder = "\(home.path)/providers"
    var house = house
    house.services = [remote(starting: .milliseconds(50))]
    let request = Library.LinkProvider(type: "fake", token: "right")
    #expect(await code { _ = try await house.requests.link(request) } == "library.providersNotRunning")
    #expect(!Files.exists(folder))
    try await startProcess()
    house.services = self.house.services
    #expect(
      await code { _ = try await house.requests.link(.init(type: "fake", token: "wrong")) } == "library.signedOut")
    #expect(!Files.exists(folder))
    #expect(try await house.requests.link(.init(type: "fake")).open == "https://fake.test/sign-in")
    let linked = try #require(try await house.requests.link(request).provider)
    #expect(linked.account == "anna" && Files.exists(folder))
    try Files.removeTree(folder)
    await house.runner.start()
    #expect(Files.exists(folder))
    await house.runner.stop()
    _ = try await house.requests.unlink(linked.name)
    #expect(!Files.exists(folder) && house.provider.calls.contains("forget fake"))
  }

  @Test func aRunThatLosesItsProcessIsMadeAgainTenMinutesLater() async throws {
    let process = try await startProcess()
    house.provider.make("L1", "Theirs", ["a"])
    try await house.run()
    #expect(try await house.titles("Theirs") == ["a"])
    let gate = Gate()
    house.provider.hold(gate)
    try await house.make("Ours", ["b"])
    async let report = house.run()
    #expect(await eventually(equals: 1) { gate.waiting })
    await process.close()
    try await startProcess()
    gate.open()
    #expect(try await report.lines.contains { $0.text.contains("It is not known if Fake made a change.") })
    #expect(try await house.record().state.pacing.wait(at: house.catalogue.time) <= ProviderPacing.secondReadingDelay)
    try await house.run()
    #expect(house.provider.edit { $0.lists.values.count { $0.info.title == "Ours" } } == 1)
    #expect(house.provider.edit { $0.lists["made1"]?.entries.map(\.described.title) } == ["b"])
  }
}
