import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// Folders of music that people add and remove while the library runs.
@Suite(.timeLimit(.minutes(2)))
struct AddedFolderTests {
  /// A library with one folder of its settings, or none, and folders beside it.
  private final class House: Sendable {
    let shelf: Shelf
    let handler: SourceRequestHandler

    init(_ shelf: Shelf, settings: Bool = true) {
      self.shelf = shelf
      let refresher = Refresher(database: shelf.database, log: .quiet, now: { shelf.time }) { _ in }
      let registry = SourceRegistry(
        shelf.source(settings ? [shelf.tree.root] : []), kinds: SourceKinds([FilesSource.descriptor]),
        secrets: SecretsInMemory(),
        database: shelf.database, journal: nil, now: { shelf.time })
      let finder = ServerFinder(registry: registry, database: shelf.database, log: .quiet)
      handler = SourceRequestHandler(registry: registry, refresher: refresher, servers: finder, log: .quiet)
    }

    func start() async { await handler.refresher.start(await handler.sources()) }
    func stop() async { await handler.refresher.stop() }

    func add(_ folder: String) async throws {
      _ = try await handler.add(Library.AddSource(type: "files", address: folder))
      await handler.refresher.refreshed("files")
    }

    func remove(_ name: String) async throws {
      try await handler.remove(name)
      await handler.refresher.refreshed("files")
    }

    func titles() async throws -> [String] { try await shelf.albums().map(\.title) }

    func sections() async throws -> [Library.SourceDetail.Section] {
      try await handler.registry.list(handler.refresher.statuses()).sources[0].sections
    }
  }

  /// A folder beside the music with one album of three tracks.
  private func folder(_ shelf: Shelf, _ name: String, _ album: String) throws -> String {
    let path = shelf.tree.beside(name)
    for number in 1...3 {
      try shelf.tree.write(
        FLACFile.bytes(
          ["ALBUM=\(album)", "ARTIST=\(album) Band", "TITLE=T\(number)", "TRACKNUMBER=\(number)"], seconds: 9),
        to: Array("\(path)/\(album)/\(number).flac".utf8))
    }
    return path
  }

  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    try shelf.tree.album("a", ["ALBUM=Own", "ARTIST=A"])
    return shelf
  }

  @Test func aFolderThatIsAddedIsLookedThroughAndSurvivesARestart() async throws {
    let shelf = try shelf()
    let house = House(shelf)
    await house.start()
    let jazz = try folder(shelf, "jazz", "Blue")
    let folk = try folder(shelf, "folk", "Green")
    try await house.add(jazz)
    try await house.add(folk + "//.")
    #expect(try await house.titles() == ["Own", "Blue", "Green"])
    #expect(try await house.sections().map(\.title) == [LocalPath(bytes: shelf.tree.root).description, jazz, folk])
    #expect(try await house.sections().map(\.tracks) == [3, 3, 3])
    #expect(try await house.sections().map(\.isFromSettings) == [true, false, false])
    await house.stop()

    let next = House(shelf)
    await next.start()
    await next.handler.refresher.refreshed("files")
    #expect(try await next.titles() == ["Own", "Blue", "Green"])
    #expect(try await shelf.problems().isEmpty)
    await next.stop()
  }

  @Test func aFolderThatIsRemovedTakesItsMusicAlongHoweverMuchItIs() async throws {
    let shelf = try shelf()
    let house = House(shelf)
    await house.start()
    let jazz = try folder(shelf, "jazz", "Blue")
    for number in 1...6 { _ = try folder(shelf, "jazz", "Blue \(number)") }
    try await house.add(jazz)
    let rated = try #require(try await shelf.tracks(of: shelf.album("Blue")).first)
    #expect(try await shelf.albums().count == 8)
    try await house.remove(jazz)
    #expect(try await house.titles() == ["Own"])
    #expect(try await shelf.problems().isEmpty)
    #expect(try await house.sections().count == 1)
    try await shelf.expectWholeIndex()
    // The files are untouched, and come back with the folder under new numbers.
    try await house.add(jazz)
    #expect(try await shelf.albums().count == 8)
    #expect(try await shelf.tracks(of: shelf.album("Blue")).first?.id != rated.id)
    await house.stop()
  }

  @Test func aFolderWithinAnotherIsNotAddedTwice() async throws {
    let shelf = try shelf()
    let house = House(shelf)
    await house.start()
    let jazz = try folder(shelf, "all/jazz", "Blue")
    let all = shelf.tree.beside("all")
    try await house.add(jazz)
    for again in [jazz, jazz + "/", jazz + "/Blue", LocalPath(bytes: shelf.tree.path("a")).description] {
      #expect(await refusal { try await house.add(again) } == "library.sourceExists", "\(again)")
    }
    // By another way it is the same.
    try shelf.tree.link("../link", to: jazz)
    #expect(await refusal { try await house.add(shelf.tree.beside("link")) } == "library.sourceExists")

    // One around it takes it in; what was added before stays where the outer one is removed.
    _ = try folder(shelf, "all/folk", "Green")
    try await house.add(all)
    #expect(try await house.titles() == ["Own", "Blue", "Green"])
    #expect(try await shelf.tracks().count == 9)
    try await house.remove(all)
    #expect(try await house.titles() == ["Own", "Blue"])
    try await house.remove(jazz)
    #expect(try await house.titles() == ["Own"])
    try await shelf.expectWholeIndex()
    await house.stop()
  }

  @Test func aFolderThatIsMissingIsTold() async throws {
    let shelf = try shelf()
    let house = House(shelf)
    await house.start()
    #expect(await refusal { try await house.add(shelf.tree.beside("nowhere")) } == "library.folderMissing")
    #expect(
      await refusal { try await house.add(LocalPath(bytes: shelf.tree.path("a/01.flac")).description) }
        == "library.folderMissing")
    #expect(await refusal { try await house.add("music") } == "library.badAddress")
    let jazz = try folder(shelf, "jazz", "Blue")
    try await house.add(jazz)
    try shelf.tree.remove(Array(jazz.utf8))
    await house.handler.refresher.refreshed("files")
    #expect(try await shelf.problems() == ["library.folderMissing"])
    #expect(try await house.titles() == ["Own", "Blue"])
    // It can be removed all the same.
    try await house.remove(jazz)
    #expect(try await house.titles() == ["Own"])
    #expect(try await shelf.problems().isEmpty)
    await house.stop()
  }

  @Test func foldersOfTheSettingsStay() async throws {
    let shelf = try shelf()
    let house = House(shelf)
    await house.start()
    try await house.add(try folder(shelf, "jazz", "Blue"))
    let own = LocalPath(bytes: shelf.tree.root).description
    #expect(await refusal { try await house.remove(own) } == "library.sourceFromSettings")
    #expect(await refusal { try await house.remove("files") } == "library.sourceFromSettings")
    #expect(await refusal { try await house.remove("/nowhere") } == "library.unknownSource")
    await house.handler.refresher.refreshed("files")
    #expect(try await house.titles() == ["Own", "Blue"])
    await house.stop()
  }

  @Test func withoutFoldersOfTheSettingsAllAreRemovedAtOnce() async throws {
    let shelf = try Shelf()
    let house = House(shelf, settings: false)
    await house.start()
    #expect(await refusal { try await house.remove("files") } == "library.noFolders")
    try await house.add(try folder(shelf, "jazz", "Blue"))
    try await house.add(try folder(shelf, "folk", "Green"))
    #expect(try await house.titles() == ["Blue", "Green"])
    try await house.remove("files")
    #expect(try await house.titles().isEmpty)
    #expect(try await shelf.problems() == ["library.noFolders"])
    try await shelf.expectWholeIndex()
    await house.stop()
  }

  @Test func anAddedFolderIsWatched() async throws {
    let shelf = try shelf()
    let watch = FolderWatch(gathering: ChangeDebouncer(quiet: .milliseconds(20), longest: .milliseconds(200)))
    var source = shelf.source()
    source.watch = watch
    let refresher = Refresher(database: shelf.database, log: .quiet, now: { shelf.time }) { _ in }
    let registry = SourceRegistry(
      source, kinds: SourceKinds([FilesSource.descriptor]), secrets: SecretsInMemory(), database: shelf.database,
      journal: nil, now: { shelf.time })
    let finder = ServerFinder(registry: registry, database: shelf.database, log: .quiet)
    let handler = SourceRequestHandler(registry: registry, refresher: refresher, servers: finder, log: .quiet)
    let watching = Task { await watch.run { Task { await refresher.request("files") } } }
    await refresher.start(await handler.sources())
    _ = try await handler.add(.init(type: "files", address: try folder(shelf, "jazz", "Blue")))
    await refresher.refreshed("files")
    _ = try folder(shelf, "jazz", "Late")
    #expect(await eventually { (try? await shelf.albums().map(\.title).contains("Late")) == true })
    watch.stop()
    await watching.value
    await refresher.stop()
  }
}
