import Glibc
import Model
import TestSupport
import Testing

@testable import lunara_library

/// The real kernel and real folders.
@Suite(.timeLimit(.minutes(2)))
struct FolderWatchTests {
  /// A catalogue whose folders are watched, with each heap of changes as an element.
  private struct Watched {
    let catalogue: TestCatalogue
    let watch: FolderWatch
    let heaps: AsyncStream<Void>
    private let task: Task<Void, Never>

    init() async throws {
      catalogue = try TestCatalogue()
      let watch = FolderWatch(gathering: ChangeDebouncer(quiet: .milliseconds(20), longest: .milliseconds(500)))
      self.watch = watch
      let (heaps, told) = AsyncStream.makeStream(of: Void.self)
      self.heaps = heaps
      task = Task { await watch.run { told.yield() } }
    }

    func scan() async -> ScanResult {
      await FolderScan(roots: [catalogue.tree.root], known: KnownFiles(), progress: RefreshProgress()).run(threads: 1)
    }

    func end() async {
      watch.stop()
      await task.value
    }
  }

  @Test func eachKindOfChangeIsTold() async throws {
    let watched = try await Watched()
    let tree = watched.catalogue.tree
    try tree.album("A", ["ALBUM=A", "ARTIST=x"])
    var heaps = watched.heaps.makeAsyncIterator()
    #expect(watched.watch.follow(await watched.scan(), took: .zero).isEmpty)
    // What came before the folders were watched is looked for once.
    await heaps.next()
    let changes: [() throws -> Void] = [
      { try tree.flac("A/new.flac", ["ALBUM=A"]) }, { try tree.move("A/new.flac", to: "A/other.flac") },
      { try tree.remove("A/other.flac") }, { try tree.write([1], to: "A/cover.jpg") },
      { try tree.make(folder: tree.path("B")) }, { try tree.link("A/link", to: "/nowhere.flac") },
      { try tree.link("A/link.flac", to: "01.flac") }, { try tree.move("A", to: "C") },
    ]
    for change in changes {
      try change()
      await heaps.next()
    }
    await watched.end()
  }

  @Test func newFoldersAreWatchedFromTheNextScanOn() async throws {
    let watched = try await Watched()
    let tree = watched.catalogue.tree
    try tree.album("A", ["ALBUM=A", "ARTIST=x"])
    var heaps = watched.heaps.makeAsyncIterator()
    _ = watched.watch.follow(await watched.scan(), took: .zero)
    await heaps.next()
    try tree.album("B", ["ALBUM=B", "ARTIST=x"])
    await heaps.next()
    _ = watched.watch.follow(await watched.scan(), took: .zero)
    await heaps.next()
    try tree.remove("B/01.flac")
    await heaps.next()
    await watched.end()
  }

  @Test func onlyWhatIsThereIsWatchedAndOnlySoMuch() throws {
    let tree = try MusicTree()
    for name in ["a", "b", "c"] { try tree.make(folder: tree.path(name)) }
    let descriptor = inotify_init1(Int32(truncatingIfNeeded: IN_CLOEXEC))
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var folders = WatchedFolders()
    func watch(_ names: [String], most: Int = 100) -> WatchedFolders.Outcome {
      folders.watch(names.map(tree.path), with: descriptor, most: most)
    }
    let all = ["a", "b", "c", "gone"]
    #expect(watch(all, most: 2) == .init(isNew: true, left: 2))
    #expect(watch(all) == .init(isNew: true, left: 0))
    #expect(watch(all) == .init(isNew: false, left: 0))
    // Another folder at the same path is watched anew.
    try tree.remove("b")
    try tree.make(folder: tree.path("b"))
    #expect(watch(all) == .init(isNew: true, left: 0))
    // One that was moved leads to its new path.
    try tree.move("c", to: "d")
    #expect(watch(["a", "b", "d"]).isNew)
    #expect((1...20).compactMap { folders.path($0) }.count == 3)
  }

  @Test func aRefreshFollowsAChange() async throws {
    let watched = try await Watched()
    let catalogue = watched.catalogue
    try catalogue.tree.album("A", ["ALBUM=A", "ARTIST=x"])
    var source = catalogue.source()
    source.watch = watched.watch
    var heaps = watched.heaps.makeAsyncIterator()
    _ = try await source.refresh(accepting: [], progress: RefreshProgress())
    await heaps.next()
    try catalogue.tree.album("B", ["ALBUM=B", "ARTIST=x"])
    // The first heap may come before all files were written.
    repeat {
      await heaps.next()
      _ = try await source.refresh(accepting: [], progress: RefreshProgress())
    } while try await catalogue.tracks().count < 6
    await watched.end()
  }
}
