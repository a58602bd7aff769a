import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Folders of music that people add and remove while the library runs.
@Suite(.timeLimit(.minutes(2)))
struct AddedFolderTests {
  /// A library with one folder from its settings, or none, and further folders beside it.
  private final class TestLibrary: Sendable {
    let catalogue: TestCatalogue
    let handler: SourceRequestHandler

    init(_ catalogue: TestCatalogue, settings: Bool = true) {
      self.catalogue = catalogue
      let refresher = Refresher(database: catalogue.database, log: .quiet, now: { catalogue.time }) { _ in }
      let registry = SourceRegistry(
        catalogue.source(settings ? [catalogue.tree.root] : []), kinds: SourceKinds([FilesSource.descriptor]),
        secrets: catalogue.secrets,
        database: catalogue.database, publisher: .to(nil), now: { catalogue.time })
      let finder = ServerFinder(registry: registry, database: catalogue.database, log: .quiet)
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

    func titles() async throws -> [String] { try await catalogue.albums().map(\.title) }

    func sections() async throws -> [Library.SourceDetail.Section] {
      try await handler.registry.list(handler.refresher.statuses()).sources[0].sections
    }
  }

  /// A folder beside the music with one album of three tracks.
  private func folder(_ catalogue: TestCatalogue, _ name: String, _ album: String) throws -> String {
    let path = catalogue.tree.beside(name)
    for number in 1...3 {
      try catalogue.tree.write(
        FLACFile.bytes(
          ["ALBUM=\(album)", "ARTIST=\(album) Band", "TITLE=T\(number)", "TRACKNUMBER=\(number)"], seconds: 9),
        to: Array("\(path)/\(album)/\(number).flac".utf8))
    }
    return path
  }

  private func catalogue() throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("a", ["ALBUM=Own", "ARTIST=A"])
    return catalogue
  }

  @Test func aFolderThatIsAddedIsLookedThroughAndSurvivesARestart() async throws {
    let catalogue = try catalogue()
    let fixture = TestLibrary(catalogue)
    await fixture.start()
    let jazz = try folder(catalogue, "jazz", "Blue")
    let folk = try folder(catalogue, "folk", "Green")
    try await fixture.add(jazz)
    try await fixture.add(folk + "//.")
    #expect(try await fixture.titles() == ["Own", "Blue", "Green"])
    #expect(
      try await fixture.sections().map(\.title) == [LocalPath(bytes: catalogue.tree.root).description, jazz, folk])
    #expect(try await fixture.sections().map(\.tracks) == [3, 3, 3])
    #expect(try await fixture.sections().map(\.isFromSettings) == [true, false, false])
    await fixture.stop()

    let next = TestLibrary(catalogue)
    await next.start()
    await next.handler.refresher.refreshed("files")
    #expect(try await next.titles() == ["Own", "Blue", "Green"])
    #expect(try await catalogue.problems().isEmpty)
    await next.stop()
  }

  @Test func removingAFolderDeletesItsMusicHoweverMuch() async throws {
    let catalogue = try catalogue()
    let fixture = TestLibrary(catalogue)
    await fixture.start()
    let jazz = try folder(catalogue, "jazz", "Blue")
    for number in 1...6 { _ = try folder(catalogue, "jazz", "Blue \(number)") }
    try await fixture.add(jazz)
    let rated = try #require(try await catalogue.tracks(of: catalogue.album("Blue")).first)
    #expect(try await catalogue.albums().count == 8)
    try await fixture.remove(jazz)
    #expect(try await fixture.titles() == ["Own"])
    #expect(try await catalogue.problems().isEmpty)
    #expect(try await fixture.sections().count == 1)
    try await catalogue.expectWholeIndex()
    // The files are untouched, and come back with the folder under their former numbers.
    try await fixture.add(jazz)
    #expect(try await catalogue.albums().count == 8)
    #expect(try await catalogue.tracks(of: catalogue.album("Blue")).first?.id == rated.id)
    await fixture.stop()
  }

  @Test func aFolderWithinAnotherIsNotAddedTwice() async throws {
    let catalogue = try catalogue()
    let fixture = TestLibrary(catalogue)
    await fixture.start()
    let jazz = try folder(catalogue, "all/jazz", "Blue")
    let all = catalogue.tree.beside("all")
    try await fixture.add(jazz)
    for again in [jazz, jazz + "/", jazz + "/Blue", LocalPath(bytes: catalogue.tree.path("a")).description] {
      #expect(await refusal { try await fixture.add(again) } == "library.sourceExists", "\(again)")
    }
    // By another way it is the same.
    try catalogue.tree.link("../link", to: jazz)
    #expect(await refusal { try await fixture.add(catalogue.tree.beside("link")) } == "library.sourceExists")

    // One around it takes it in; what was added before stays where the outer one is removed.
    _ = try folder(catalogue, "all/folk", "Green")
    try await fixture.add(all)
    #expect(try await fixture.titles() == ["Own", "Blue", "Green"])
    #expect(try await catalogue.tracks().count == 9)
    try await fixture.remove(all)
    #expect(try await fixture.titles() == ["Own", "Blue"])
    try await fixture.remove(jazz)
    #expect(try await fixture.titles() == ["Own"])
    try await catalogue.expectWholeIndex()
    await fixture.stop()
  }

  @Test func aMissingFolderIsReported() async throws {
    let catalogue = try catalogue()
    let fixture = TestLibrary(catalogue)
    await fixture.start()
    #expect(await refusal { try await fixture.add(catalogue.tree.beside("nowhere")) } == "library.folderMissing")
    #expect(
      await refusal { try await fixture.add(LocalPath(bytes: catalogue.tree.path("a/01.flac")).description) }
        == "library.folderMissing")
    #expect(await refusal { try await fixture.add("music") } == "library.badAddress")
    let jazz = try folder(catalogue, "jazz", "Blue")
    try await fixture.add(jazz)
    try catalogue.tree.remove(Array(jazz.utf8))
    await fixture.handler.refresher.refreshed("files")
    #expect(try await catalogue.problems() == ["library.folderMissing"])
    #expect(try await fixture.titles() == ["Own", "Blue"])
    // It can be removed all the same.
    try await fixture.remove(jazz)
    #expect(try await fixture.titles() == ["Own"])
    #expect(try await catalogue.problems().isEmpty)
    await fixture.stop()
  }

  @Test func foldersOfTheSettingsStay() async throws {
    let catalogue = try catalogue()
    let fixture = TestLibrary(catalogue)
    await fixture.start()
    try await fixture.add(try folder(catalogue, "jazz", "Blue"))
    let own = LocalPath(bytes: catalogue.tree.root).description
    #expect(await refusal { try await fixture.remove(own) } == "library.sourceFromSettings")
    #expect(await refusal { try await fixture.remove("files") } == "library.sourceFromSettings")
    #expect(await refusal { try await fixture.remove("/nowhere") } == "library.unknownSource")
    await fixture.handler.refresher.refreshed("files")
    #expect(try await fixture.titles() == ["Own", "Blue"])
    await fixture.stop()
  }

  @Test func withoutFoldersOfTheSettingsAllAreRemovedAtOnce() async throws {
    let catalogue = try TestCatalogue()
    let fixture = TestLibrary(catalogue, settings: false)
    await fixture.start()
    #expect(await refusal { try await fixture.remove("files") } == "library.noFolders")
    try await fixture.add(try folder(catalogue, "jazz", "Blue"))
    try await fixture.add(try folder(catalogue, "folk", "Green"))
    #expect(try await fixture.titles() == ["Blue", "Green"])
    try await fixture.remove("files")
    #expect(try await fixture.titles().isEmpty)
    #expect(try await catalogue.problems() == ["library.noFolders"])
    try await catalogue.expectWholeIndex()
    await fixture.stop()
  }

  @Test func anAddedFolderIsWatched() async throws {
    let catalogue = try catalogue()
    let watch = FolderWatch(gathering: ChangeDebouncer(quiet: .milliseconds(20), longest: .milliseconds(200)))
    var source = catalogue.source()
    source.watch = watch
    let refresher = Refresher(database: catalogue.database, log: .quiet, now: { catalogue.time }) { _ in }
    let registry = SourceRegistry(
      source, kinds: SourceKinds([FilesSource.descriptor]), secrets: catalogue.secrets, database: catalogue.database,
      publisher: .to(nil), now: { catalogue.time })
    let finder = ServerFinder(registry: registry, database: catalogue.database, log: .quiet)
    let handler = SourceRequestHandler(registry: registry, refresher: refresher, servers: finder, log: .quiet)
    let watching = Task { await watch.run { Task { await refresher.request("files") } } }
    await refresher.start(await handler.sources())
    _ = try await handler.add(.init(type: "files", address: try folder(catalogue, "jazz", "Blue")))
    await refresher.refreshed("files")
    _ = try folder(catalogue, "jazz", "Late")
    #expect(await eventually(equals: true) { (try? await catalogue.albums().map(\.title).contains("Late")) })
    watch.stop()
    await watching.value
    await refresher.stop()
  }
}
