import Glibc
import Model
import Storage
import Synchronization
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Changes that the kernel does not report, on file systems of other machines and of programs.
@Suite(.timeLimit(.minutes(2)))
struct FolderTimesTests {
  @Test(arguments: [
    ("ext4", "rw", true), ("nfs4", "rw,vers=4.2", true), ("cifs", "rw,vers=3.1.1,serverino", true),
    ("cifs", "rw,vers=3.1.1", false), ("vfat", "rw", false), ("exfat", "rw", false), ("fuseblk", "rw", false),
    ("fuse.sshfs", "rw", false), ("fuse.rclone", "rw", false), ("fuse", "rw", false), ("fuse.mergerfs", "rw", true),
  ])
  func theTypeOfAFileSystemSaysWhetherItsNumbersLast(_ type: String, _ options: String, _ isLasting: Bool) throws {
    let table = MountTable(Array("22 1 0:52 / /nas rw shared:1 - \(type) nas:/music \(options)\n".utf8))
    #expect(InodeNumbers { table }.last(on: 52) == isLasting)
  }

  /// The numbers of files do not last there, so they have none.
  @Test func untaggedMusicAndListsKeepTheirNumbersInTheCatalogueWhenTheyMoveOnAShare() async throws {
    let share = try Share("fuse.sshfs", every: .seconds(3600))
    let (catalogue, tree) = (share.catalogue, share.catalogue.tree)
    try tree.flac("a/one.flac", [])
    try tree.flac("a/other.flac", ["TITLE=Other"], seconds: 200)
    try tree.write(Array("one.flac\n".utf8), to: "a/list.m3u")
    _ = try await share.source.refresh(accepting: .wholeScan, progress: RefreshProgress())
    func numbers() async throws -> [Int64] {
      try await catalogue.database.read { transaction in
        try transaction.values("SELECT track FROM files WHERE track IS NOT NULL ORDER BY size, track")
          + (try transaction.values("SELECT playlist FROM list_files"))
      }
    }
    let before = try await numbers()
    #expect(before.count == 3)
    try tree.move("a/one.flac", to: "b/two.flac")
    try tree.move("a/list.m3u", to: "b/other.m3u")
    _ = try await share.source.refresh(accepting: .all, progress: RefreshProgress())
    #expect(try await numbers() == before)
    await share.end()
  }

  /// systemd mounts a share when a folder in it is opened.
  @Test func aShareThatIsMountedDuringAScanIsKnown() {
    let (before, after) = (MountTable([]), MountTable(Array("22 1 0:52 / /nas rw - fuse.sshfs nas:/music rw\n".utf8)))
    let tables = Mutex([before, after])
    let numbers = InodeNumbers { tables.withLock { $0.removeFirst() } }
    #expect(numbers.last(on: 51))
    #expect(!numbers.last(on: 52))
    #expect(numbers.last(on: 51))
  }

  @Test func aMusicFolderThatIsALinkToAShareIsOne() throws {
    let tree = try MusicTree()
    let share = LocalPath(bytes: tree.path("share")).description
    let table = MountTable(Array("22 1 0:52 / \(share) rw shared:1 - nfs4 nas:/music rw\n".utf8))
    try tree.link("direct", to: "\(share)/music")
    try tree.link("relative", to: "../\(String(decoding: FilePath.name(tree.root), as: UTF8.self))/./share")
    #expect(table.kind(of: tree.path("direct")) == .local)
    for name in ["direct", "relative", "share"] { #expect(table.kindFollowingLink(at: tree.path(name)) == .remote) }
    #expect(table.kindFollowingLink(at: tree.path("other")) == .local)
  }

  @Test(arguments: [
    ("nfs", FileSystemKind.remote), ("nfs4", .remote), ("cifs", .remote), ("smb3", .remote), ("9p", .remote),
    ("virtiofs", .remote), ("vboxsf", .remote), ("davfs", .remote), ("fuse.sshfs", .remote), ("fuse.rclone", .remote),
    ("fuse.davfs", .remote), ("fuse.gvfsd-fuse", .remote), ("fuse.s3fs", .remote), ("fuse", .served),
    ("fuse.bindfs", .served), ("fuse.mergerfs", .served), ("fuse.unknown", .served), ("fuseblk", .local),
    ("ext4", .local), ("btrfs", .local), ("exfat", .local), ("ntfs3", .local), ("overlay", .local), ("autofs", .local),
  ])
  func theTypeOfAFileSystemSaysHowItsChangesBecomeKnown(_ type: String, _ kind: FileSystemKind) {
    #expect(FileSystemKind(type: type) == kind)
  }

  /// A catalogue in a folder of which the table of mounts says that it has this type.
  private struct Share {
    let catalogue: TestCatalogue
    let watch: FolderWatch
    let source: FilesSource
    let changed: AsyncStream<Void>
    private let running: Task<Void, Never>

    init(_ type: String, every: Duration = .milliseconds(20)) throws {
      catalogue = try TestCatalogue()
      let table = try MountTable(showing: catalogue.tree.root, as: type)
      let watch = FolderWatch(
        lookingEvery: every, gathering: ChangeDebouncer(quiet: .milliseconds(20), longest: .milliseconds(500))
      ) { table }
      self.watch = watch
      var source = catalogue.source()
      source.watch = watch
      self.source = source
      let (changed, told) = AsyncStream.makeStream(of: Void.self)
      self.changed = changed
      running = Task { await watch.run { told.yield() } }
    }

    func end() async {
      watch.stop()
      await running.value
    }
  }

  /// rclone gives the top folder the time of the mount, whatever comes and goes in it.
  @Test func namesAreComparedWhereFoldersKeepTheirTimes() async throws {
    let share = try Share("fuse.rclone")
    let tree = share.catalogue.tree
    func comes(_ name: String) throws {
      try tree.album(name, ["ALBUM=\(name)", "ARTIST=\(name)"])
      try tree.set(modified: 1_700_000_000, of: "")
    }
    try comes("Ash")
    _ = try await share.source.refresh(accepting: .wholeScan, progress: RefreshProgress())
    var batches = share.changed.makeAsyncIterator()
    try comes("Birch")
    while try await share.catalogue.albums().map(\.title) != ["Ash", "Birch"] {
      await batches.next()
      _ = try await share.source.refresh(accepting: [], progress: RefreshProgress())
    }
    try tree.remove("Ash")
    try tree.set(modified: 1_700_000_000, of: "")
    while try await share.catalogue.albums().map(\.title) != ["Birch"] {
      await batches.next()
      _ = try await share.source.refresh(accepting: [], progress: RefreshProgress())
    }
    await share.end()
  }

  @Test(arguments: ["nfs4", "fuse.sshfs", "fuse.bindfs"])
  func whatAnotherMachineChangesIsSeenWithoutAReport(_ type: String) async throws {
    let share = try Share(type)
    let (catalogue, tree) = (share.catalogue, share.catalogue.tree)
    try tree.album("Ash/Ash", ["ALBUM=Ash", "ARTIST=Ash"])
    try tree.album("Birch/Birch", ["ALBUM=Birch", "ARTIST=Birch"])
    _ = try await share.source.refresh(accepting: .wholeScan, progress: RefreshProgress())
    #expect(try await catalogue.problems() == (type == "fuse.bindfs" ? [] : ["library.notWatched"]))
    var batches = share.changed.makeAsyncIterator()
    func awaitAlbums(_ titles: [String], tracks: Int) async throws {
      while try await (catalogue.albums().map(\.title), catalogue.tracks().count) != (titles, tracks) {
        await batches.next()
        _ = try await share.source.refresh(accepting: [], progress: RefreshProgress())
      }
    }
    try tree.album("Cedar/Cedar", ["ALBUM=Cedar", "ARTIST=Cedar"])
    try await awaitAlbums(["Ash", "Birch", "Cedar"], tracks: 9)
    try tree.album("Cedar/Cedar/CD2", ["ALBUM=Cedar", "ARTIST=Cedar", "DISCNUMBER=2"], tracks: 1)
    try await awaitAlbums(["Ash", "Birch", "Cedar"], tracks: 10)
    try tree.move("Ash/Ash/01.flac", to: "Birch/Birch/09.flac")
    try await awaitAlbums(["Ash", "Birch", "Cedar"], tracks: 10)
    try tree.remove("Birch")
    try await awaitAlbums(["Ash", "Cedar"], tracks: 6)
    await share.end()
  }

  @Test func aFolderOnAnotherMachineIsNotWatchedByTheKernel() async throws {
    let share = try Share("nfs4", every: .seconds(3600))
    try share.catalogue.tree.album("Ash", ["ALBUM=Ash", "ARTIST=Ash"])
    _ = try await share.source.refresh(accepting: .wholeScan, progress: RefreshProgress())
    try share.catalogue.tree.album("Birch", ["ALBUM=Birch", "ARTIST=Birch"])
    #expect(share.watch.takeChanges() == ChangedFolders())
    await share.end()
  }

  /// Returns the times that a scan sees, of folders that changed long ago.
  private func times(_ tree: MusicTree, _ folders: [String]) async throws -> FolderTimes {
    for folder in folders { try tree.set(modified: 1_600_000_000, of: folder) }
    let device = try FileStatus(LocalPath(bytes: tree.root), followingLinks: true).device
    let scan = await FolderWalk(
      [tree.root], within: FolderBoundary(MusicFolders([tree.root])), .init(),
      timed: [Int64(bitPattern: device)], progress: RefreshProgress()
    ).run(threads: 1).scan
    #expect(scan.times.count == folders.count)
    return FolderTimes(scan.times)
  }

  private func found(_ times: FolderTimes, _ tree: MusicTree) -> [String] {
    times.changes(in: [tree.root], by: .patient(in: [tree.root])) { false }.folders.map { path, withSubfolders in
      String(decoding: path.bytes.dropFirst(tree.root.count), as: UTF8.self) + (withSubfolders ? "/…" : "")
    }.sorted()
  }

  @Test func changedNewAndMissingFoldersAreTold() async throws {
    let tree = try MusicTree()
    for name in ["A/x", "B"] { try tree.album(name, ["ALBUM=\(name)", "ARTIST=x"], tracks: 1) }
    let folders = ["A/x", "A", "B", "."]
    var times = try await times(tree, folders)
    #expect(found(times, tree) == [])
    try tree.flac("A/x/02.flac", ["ALBUM=A"])
    #expect(found(times, tree) == ["/A/x"])
    // A rewritten file does not change its folder.
    times = try await self.times(tree, folders)
    try tree.flac("A/x/02.flac", ["ALBUM=Another"])
    #expect(found(times, tree) == [])
    try tree.album("A/new/deep", ["ALBUM=New"])
    #expect(found(times, tree) == ["/A", "/A/new/…"])
    try tree.remove("A")
    try tree.make(folder: tree.path(".hidden"))
    #expect(found(times, tree) == ["", "/A/x/…", "/A/…"])
  }

  @Test func aFolderThatChangedJustBeforeTheScanIsLookedAtOnceMore() async throws {
    let tree = try MusicTree()
    try tree.album("A", ["ALBUM=A"], tracks: 1)
    var times = try await times(tree, ["A", "."])
    try tree.set(modified: 1_900_000_000, of: "A")
    #expect(found(times, tree) == ["/A"])
    // A clock of the share that is ahead counts as such a change.
    let now = Timestamp(seconds: 1_700_000_000)
    let device = try #require(times.folders.values.first?.device)
    let ages: [(Int64, Bool)] = [(1_699_999_997, true), (1_699_999_998, false), (1_700_000_100, false)]
    for (seconds, isSettled) in ages {
      let time = FolderTime(device: device, modified: seconds * 1_000_000_000, at: now)
      #expect(time.isSettled == isSettled)
      try tree.set(modified: Int(seconds), of: "A")
      times = FolderTimes([PathKey(tree.path("A")): time])
      #expect(found(times, tree) == (isSettled ? [] : ["/A"]))
    }
  }

  @Test func aDiskThatIsAwayChangesNothing() async throws {
    let tree = try MusicTree()
    try tree.album("A", ["ALBUM=A"], tracks: 1)
    let times = try await times(tree, ["A", "."])
    let other = FolderTimes(
      times.folders.mapValues { FolderTime(device: $0.device + 1, modified: 1, at: Timestamp(seconds: 9)) })
    #expect(found(other, tree) == [])
    try tree.remove(tree.root)
    #expect(found(times, tree) == [])
  }

  @Test func aPartialScanReplacesWhatItVisited() async throws {
    let tree = try MusicTree()
    for name in ["A", "B/x", "C"] { try tree.album(name, ["ALBUM=\(name)"], tracks: 1) }
    var times = try await times(tree, ["A", "B/x", "B", "C", "."])
    var (scan, changes) = (ScanResult(), ChangedFolders())
    changes.insert(tree.path("B"), withSubfolders: true)
    changes.insert(tree.path("A"))
    let time = FolderTime(device: 1, modified: 2, at: Timestamp(seconds: 9))
    scan.times = [PathKey(tree.path("A")): time]
    scan.leftOut.remove(tree.path("C"))
    times.update(scan, of: changes)
    #expect(Set(times.folders.keys) == Set(["A", "."].map { PathKey(MusicFolders.plain(tree.path($0))) }))
    #expect(times.folders[PathKey(tree.path("A"))] == time)
  }

  @Test func looksBecomeRarerWhileNothingChanges() {
    var pace = FolderTimesPace(every: .seconds(10))
    #expect(pace.pause(after: .seconds(1), hasChanges: false) == .seconds(10))
    // A look takes a tenth of the time at most.
    #expect(pace.pause(after: .seconds(5), hasChanges: false) == .seconds(45))
    for _ in 0..<10 { _ = pace.pause(after: .zero, hasChanges: false) }
    #expect(pace.pause(after: .zero, hasChanges: false) == .seconds(20))
    for _ in 0..<100 { _ = pace.pause(after: .zero, hasChanges: false) }
    #expect(pace.pause(after: .zero, hasChanges: false) == .seconds(40))
    #expect(pace.pause(after: .zero, hasChanges: true) == .seconds(10))
  }
}
