import Glibc
import Model
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Watching real folders with the kernel's inotify.
@Suite(.timeLimit(.minutes(2)))
struct FolderWatchTests {
  /// A catalogue whose folders are watched; each batch of changes is an element of the stream.
  private struct Watched {
    let catalogue: TestCatalogue
    let watch: FolderWatch
    let batches: AsyncStream<Void>
    private let task: Task<Void, Never>

    init() async throws {
      catalogue = try TestCatalogue()
      let watch = FolderWatch(gathering: ChangeDebouncer(quiet: .milliseconds(20), longest: .milliseconds(500)))
      self.watch = watch
      let (batches, told) = AsyncStream.makeStream(of: Void.self)
      self.batches = batches
      task = Task { await watch.run { told.yield() } }
    }

    func scan(_ root: [UInt8]? = nil) async throws -> ScanResult {
      let roots = [root ?? catalogue.tree.root]
      return await FolderWalk(
        roots, within: FolderBoundary(MusicFolders(roots)), .init(), progress: RefreshProgress()
      ).run(threads: 1).scan
    }

    /// Scans a music folder and watches what was found.
    func follow(_ root: [UInt8]) async throws { _ = watch.follow(try await scan(root), of: [root], took: .zero) }

    func end() async {
      watch.stop()
      await task.value
    }
  }

  @Test func eachKindOfChangeIsNoticed() async throws {
    let watched = try await Watched()
    let tree = watched.catalogue.tree
    try tree.album("A", ["ALBUM=A", "ARTIST=x"])
    var batches = watched.batches.makeAsyncIterator()
    #expect(watched.watch.follow(try await watched.scan(), of: [watched.catalogue.tree.root], took: .zero).isEmpty)
    // Changes from before the watch began are looked for once.
    await batches.next()
    let changes: [() throws -> Void] = [
      { try tree.flac("A/new.flac", ["ALBUM=A"]) }, { try tree.move("A/new.flac", to: "A/other.flac") },
      { try tree.remove("A/other.flac") }, { try tree.write([1], to: "A/cover.jpg") },
      { try tree.write(Array("01.flac\n".utf8), to: "A/list.m3u8") },
      { try tree.write(Array("FILE 01.flac WAVE\n".utf8), to: "A/sheet.cue") },
      { try tree.write(Array("[00:01.00]La\n".utf8), to: "A/01.lrc") },
      { try tree.write(Array("x.flac\n".utf8), to: "A/.ndignore") },
      { try tree.make(folder: tree.path("B")) }, { try tree.link("A/link", to: "/nowhere.flac") },
      { try tree.link("A/link.flac", to: "01.flac") }, { try tree.move("A", to: "C") },
    ]
    for change in changes {
      try change()
      await batches.next()
    }
    await watched.end()
  }

  @Test func aPictureInAFolderOfScansIsAChangeOfTheAlbum() async throws {
    let watched = try await Watched()
    let tree = watched.catalogue.tree
    try tree.album("A", ["ALBUM=A", "ARTIST=x"])
    try tree.make(folder: tree.path("A/Scans"))
    var batches = watched.batches.makeAsyncIterator()
    _ = watched.watch.follow(try await watched.scan(), of: [tree.root], took: .zero)
    await batches.next()
    _ = watched.watch.takeChanges()
    try tree.write([1], to: "A/Scans/front.jpg")
    await batches.next()
    let changed = watched.watch.takeChanges().paths.map(\.path)
    #expect(changed == [tree.path("A"), tree.path("A/Scans")])
    await watched.end()
  }

  @Test func newFoldersAreWatchedFromTheNextScanOn() async throws {
    let watched = try await Watched()
    let tree = watched.catalogue.tree
    try tree.album("A", ["ALBUM=A", "ARTIST=x"])
    var batches = watched.batches.makeAsyncIterator()
    _ = watched.watch.follow(try await watched.scan(), of: [watched.catalogue.tree.root], took: .zero)
    await batches.next()
    try tree.album("B", ["ALBUM=B", "ARTIST=x"])
    await batches.next()
    _ = watched.watch.follow(try await watched.scan(), of: [watched.catalogue.tree.root], took: .zero)
    await batches.next()
    try tree.remove("B/01.flac")
    await batches.next()
    await watched.end()
  }

  @Test func aMissingMusicFolderIsNoticedWhenItComesBack() async throws {
    let watched = try await Watched()
    let tree = watched.catalogue.tree
    var batches = watched.batches.makeAsyncIterator()
    // Above the folder nothing is watched, and its link leads nowhere at first.
    let root = Array(tree.beside("link").utf8)
    try #require(symlink("elsewhere/disk", tree.beside("link")) == 0)
    try await watched.follow(root)
    try tree.make(folder: Array(tree.beside("elsewhere/disk").utf8))
    await batches.next()
    // From now on it is watched, and it may go and come as a whole.
    try await watched.follow(root)
    await batches.next()
    try #require(rename(tree.beside("elsewhere/disk"), tree.beside("elsewhere/gone")) == 0)
    await batches.next()
    try await watched.follow(root)
    try #require(rename(tree.beside("elsewhere/gone"), tree.beside("elsewhere/disk")) == 0)
    await batches.next()
    await watched.end()
  }

  @Test(.enabled("Mounting takes root's rights.") { await Mounting.isAllowed })
  func aDiskThatIsMountedIsNoticed() async throws {
    let watched = try await Watched()
    let tree = watched.catalogue.tree
    try tree.album("A", ["ALBUM=A", "ARTIST=x"])
    var batches = watched.batches.makeAsyncIterator()
    try await watched.follow(tree.root)
    await batches.next()
    let disk = LocalPath(bytes: tree.root).description
    try await Mounting.mount(disk)
    await batches.next()
    try await watched.follow(tree.root)
    await batches.next()
    try await Mounting.unmount(disk)
    await batches.next()
    await watched.end()
  }

  @Test func onlyExistingFoldersAreWatchedUpToALimit() throws {
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
    #expect(watch(all, most: 2) == .init(new: ["a", "b"].map(tree.path), left: 2))
    #expect(watch(all) == .init(new: [tree.path("c")], left: 0))
    #expect(watch(all) == .init(new: [], left: 0))
    // Another folder at the same path gets a new watch.
    try tree.remove("b")
    try tree.make(folder: tree.path("b"))
    #expect(watch(all) == .init(new: [tree.path("b")], left: 0))
    // The watch of a moved folder follows it to its new path.
    try tree.move("c", to: "d")
    #expect(watch(["a", "b", "d"]).new == [tree.path("d")])
    #expect((1...20).compactMap { folders.path($0) }.count == 3)
  }

  @Test func manyFoldersKeepTheirPathsOverChanges() throws {
    let tree = try MusicTree()
    let names = (0..<700).map { "artist \($0 / 10)/album \($0)" }
    for name in names { try tree.make(folder: tree.path(name)) }
    let descriptor = inotify_init1(Int32(truncatingIfNeeded: IN_CLOEXEC))
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var folders = WatchedFolders()
    func paths() -> Set<PathKey> { Set((1...3000).compactMap { folders.path($0).map(PathKey.init) }) }
    func keys(_ names: [String]) -> Set<PathKey> { Set(names.map { PathKey(tree.path($0)) }) }
    let all = (0..<70).map { "artist \($0)" } + names
    #expect(folders.watch(all.map(tree.path), with: descriptor).new.count == 770)
    #expect(paths() == keys(all))
    // A scan of one folder ends the watches in it that are not named, and no others.
    let one = ["artist 3", "artist 3/album 30"]
    try tree.remove("artist 3/album 30")
    try tree.make(folder: tree.path("artist 3/album 30"))
    let outcome = folders.watch(one.map(tree.path), visited: [tree.path("artist 3")], with: descriptor)
    #expect(outcome == .init(new: [tree.path("artist 3/album 30")], left: 0))
    let rest = all.filter { !$0.hasPrefix("artist 3/") } + ["artist 3/album 30"]
    #expect(paths() == keys(rest))
    #expect(folders.watch(all.map(tree.path), with: descriptor).new.count == 9)
    #expect(paths() == keys(all))
    #expect(folders.watch([], with: descriptor) == .init())
    #expect(paths().isEmpty)
  }

  @Test func aTableGivesEachPathByItsNumber() {
    let paths = ["/a/b", "/a b", "/", "/a", "/a/b/c d/e", "/a/bc", "/x/y", "/\u{1}"].enumerated().map {
      (number: Int32($0.offset + 3) * 7, path: Array($0.element.utf8))
    }
    let table = PathTable(paths)
    #expect(table.count == paths.count)
    for (number, path) in paths {
      #expect(table.path(number) == path)
      #expect(table.has(number) && !table.has(number + 1) && table.path(number - 1) == nil)
    }
    #expect(PathTable().path(0) == nil)
  }

  /// A change elsewhere, which leads to a scan of the changed folders alone, ends no warning.
  @Test func warningsOfDeletionsStayUntilTheyAreOver() async throws {
    let watched = try await Watched()
    let (catalogue, tree) = (watched.catalogue, watched.catalogue.tree)
    let other = Array(tree.beside("other").utf8)
    try tree.make(folder: other)
    for number in 1...8 {
      try tree.album(number == 1 ? "a" : "rest/\(number)", ["ALBUM=\(number)", "ARTIST=\(number)"], tracks: 1)
    }
    var source = catalogue.source([tree.root, other])
    source.watch = watched.watch
    var batches = watched.batches.makeAsyncIterator()
    func refresh() async throws { _ = try await source.refresh(accepting: [], progress: RefreshProgress()) }
    /// Refreshes after each batch of changes until the problems are these.
    func awaitProblems(_ codes: [String]) async throws {
      repeat {
        await batches.next()
        try await refresh()
      } while try await catalogue.problems() != codes
    }
    func addElsewhere(_ name: String) async throws {
      let bytes = FLACFile.bytes(["ALBUM=O", "ARTIST=O", "TITLE=\(name)"], seconds: 9)
      try tree.write(bytes, to: FilePath.join(other, Array(name.utf8)))
      repeat {
        await batches.next()
        try await refresh()
      } while try await !catalogue.tracks().contains { $0.title == name }
    }
    try await refresh()
    try await addElsewhere("1.flac")
    try tree.move("rest", to: "../away")
    try await awaitProblems(["library.deletionsHeld"])
    try await addElsewhere("2.flac")
    #expect(try await catalogue.problems() == ["library.deletionsHeld"])
    try tree.move("a", to: "../a")
    try await awaitProblems(["library.folderEmpty"])
    try await addElsewhere("3.flac")
    #expect(try await catalogue.problems() == ["library.folderEmpty"])
    try tree.move("../a", to: "a")
    try tree.move("../away", to: "rest")
    try await awaitProblems([])
    #expect(try await catalogue.albums().count == 9)
    await watched.end()
  }

  @Test func aRefreshFollowsAChange() async throws {
    let watched = try await Watched()
    let catalogue = watched.catalogue
    try catalogue.tree.album("A", ["ALBUM=A", "ARTIST=x"])
    var source = catalogue.source()
    source.watch = watched.watch
    var batches = watched.batches.makeAsyncIterator()
    _ = try await source.refresh(accepting: [], progress: RefreshProgress())
    await batches.next()
    try catalogue.tree.album("B", ["ALBUM=B", "ARTIST=x"])
    // The first batch may come before all files were written.
    repeat {
      await batches.next()
      _ = try await source.refresh(accepting: [], progress: RefreshProgress())
    } while try await catalogue.tracks().count < 6
    await watched.end()
  }
}

/// Mounts an empty disk in memory.
private enum Mounting {
  static var isAllowed: Bool {
    get async {
      guard geteuid() == 0, let folder = try? MusicTree() else { return false }
      let path = LocalPath(bytes: folder.root).description
      guard (try? await mount(path)) != nil else { return false }
      return (try? await unmount(path)) != nil
    }
  }

  static func mount(_ folder: String) async throws {
    let answer = try await TestProgram.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder])
    try #require(answer.status == 0, "\(answer.output)")
  }

  static func unmount(_ folder: String) async throws {
    let answer = try await TestProgram.run(["umount", "--lazy", folder])
    try #require(answer.status == 0, "\(answer.output)")
  }
}

struct MountTableTests {
  private let table = MountTable(
    Array(
      """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      40 22 8:17 / /media/My\\040Disk rw,nosuid shared:2 - ext4 /dev/sdb1 rw
      41 40 0:50 /sub /media/My\\040Disk/net rw - nfs4 nas:/music rw
      42 22 0:51 / /srv/\\134x\\09 rw - tmpfs tmpfs rw
      broken line
      """.utf8))

  @Test func foldersAreReadAsTheKernelWritesThem() {
    let folders = table.mounts.map { String(decoding: $0.folder, as: UTF8.self) }
    #expect(folders == ["/", "/media/My Disk", "/media/My Disk/net", "/srv/\\x\\09"])
    #expect(table.mounts.map(\.device) == ["8:1", "8:17", "0:50", "0:51"])
  }

  @Test func aFolderIsOfTheKindOfTheNearestMountAboveIt() {
    func kind(_ path: String) -> FileSystemKind { table.kind(of: Array(path.utf8)) }
    #expect(kind("/media/My Disk/net/a.flac") == .remote && kind("/media/My Disk/net") == .remote)
    #expect(kind("/media/My Disk/network/a.flac") == .local && kind("/home") == .local && kind("a") == .local)
    let automount = "43 22 0:52 / /nas rw - autofs nas rw\n44 43 0:53 / /nas rw - fuse.sshfs nas rw\n"
    #expect(MountTable(Array(automount.utf8)).kind(of: Array("/nas/a".utf8)) == .remote)
  }

  @Test func mountsAboveAndWithinAFolderConcernIt() {
    func numbers(_ folders: String...) -> [Int] {
      table.around(folders.map { Array($0.utf8) }).map(\.number).sorted()
    }
    #expect(numbers("/media/My Disk/Music") == [22, 40] && numbers("/media") == [22, 40, 41])
    #expect(numbers("/media/My Disk/net") == [22, 40, 41] && numbers("/home") == [22] && numbers() == [])
  }
}

struct ChangeGatheringTests {
  private func isDue(_ gathering: inout ChangeDebouncer, _ now: Duration) -> Bool { gathering.isDue(at: now) }

  @Test func nothingIsDueWithoutAChange() {
    var gathering = ChangeDebouncer()
    #expect(gathering.due == nil)
    #expect(!isDue(&gathering, .seconds(1000)))
  }

  @Test func manyChangesCauseOneRefreshOnceTheyEnd() {
    var gathering = ChangeDebouncer()
    for tenth in 0...30 { gathering.changed(at: .milliseconds(100 * tenth)) }
    #expect(gathering.due == .seconds(5))
    #expect(!isDue(&gathering, .milliseconds(4999)))
    #expect(isDue(&gathering, .seconds(5)))
    #expect(gathering.due == nil)
    #expect(!isDue(&gathering, .seconds(50)))
  }

  @Test func changesThatDoNotEndAreRefreshedAfterALimit() {
    var gathering = ChangeDebouncer()
    for second in 0...14 { gathering.changed(at: .seconds(second)) }
    #expect(gathering.due == .seconds(15))
    #expect(isDue(&gathering, .seconds(15)))
    gathering.changed(at: .seconds(16))
    #expect(gathering.due == .seconds(18))
  }

  @Test func slowRefreshesComeLessOften() {
    var gathering = ChangeDebouncer()
    gathering.refreshTime = .seconds(3)
    for second in 0...59 { gathering.changed(at: .seconds(second)) }
    #expect(gathering.due == .seconds(60))
    // A single change is not delayed by an earlier burst.
    #expect(isDue(&gathering, .seconds(60)))
    gathering.changed(at: .seconds(100))
    #expect(gathering.due == .seconds(102))
  }
}
