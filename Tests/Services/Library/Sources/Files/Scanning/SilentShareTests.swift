import Messages
import Model
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Music on a share that stops answering, beside music on this machine.
@Suite(.serialized, .timeLimit(.minutes(3)), .enabled(if: FuseShare.isPossible, FuseShare.need))
struct SilentShareTests {
  /// A catalogue of a share and of a folder on this machine. A folder is silent after two seconds.
  private struct Household {
    let share: FuseShare
    let catalogue: TestCatalogue
    let source: FilesSource
    let watch: FolderWatch
    let changed: AsyncStream<Void>
    private let running: Task<Void, Never>

    init() async throws {
      share = try await FuseShare()
      catalogue = try TestCatalogue()
      let watch = FolderWatch(
        lookingEvery: .milliseconds(50), gathering: ChangeDebouncer(quiet: .milliseconds(20), longest: .seconds(1)),
        silent: SilentFolders(patience: .seconds(2)))
      var source = catalogue.source([share.root, catalogue.tree.root], silent: watch.silent)
      source.watch = watch
      (self.watch, self.source) = (watch, source)
      let (changed, told) = AsyncStream.makeStream(of: Void.self)
      self.changed = changed
      running = Task { await watch.run { told.yield() } }
    }

    /// Refreshes; returns the numbers of new and deleted tracks.
    func refresh(_ accepting: AcceptedChanges = .wholeScan) async throws -> [Int] {
      let counts = try #require(try await source.refresh(accepting: accepting, progress: RefreshProgress()))
      return [counts.new, counts.deleted]
    }

    func end() async {
      share.goOn()
      watch.stop()
      await running.value
    }
  }

  private func tags(_ album: String) -> [String] { ["ALBUM=\(album)", "ARTIST=\(album)"] }

  @Test func theOtherFoldersAreReadWhileItHangsAndItIsReadWhenItAnswers() async throws {
    let household = try await Household()
    let (catalogue, share) = (household.catalogue, household.share)
    try share.tree.album("Ash", tags("Ash"))
    try catalogue.tree.album("Local", tags("Local"))
    #expect(try await household.refresh() == [6, 0])
    share.hang()
    try catalogue.tree.album("New", tags("New"))
    try share.tree.album("Birch", tags("Birch"))
    #expect(try await household.refresh() == [3, 0])
    #expect(try await catalogue.albums().map(\.title) == ["Ash", "Local", "New"])
    #expect(try await catalogue.problems() == ["library.folderSilent"])
    let message = try await catalogue.status().problems.first?.message
    #expect(message?.contains(LocalPath(bytes: share.root).description) == true)
    // Deletions that a person accepts are not those of a folder that does not answer.
    #expect(try await household.refresh(.all) == [0, 0])
    var batches = household.changed.makeAsyncIterator()
    share.goOn()
    while try await (catalogue.problems(), catalogue.tracks().count) != ([], 12) {
      await batches.next()
      _ = try await household.refresh([])
    }
    await household.end()
  }

  @Test func aFirstScanListsTheOtherFolders() async throws {
    let household = try await Household()
    try household.share.tree.album("Ash", tags("Ash"))
    try household.catalogue.tree.album("Local", tags("Local"))
    household.share.hang()
    #expect(try await household.refresh() == [3, 0])
    #expect(try await household.catalogue.problems() == ["library.folderSilent"])
    household.share.goOn()
    #expect(await eventually { household.source.silent.silent.isEmpty })
    #expect(try await household.refresh() == [3, 0])
    #expect(try await household.catalogue.problems() == [])
    await household.end()
  }

  @Test func aLookNoticesThatItHangs() async throws {
    let household = try await Household()
    try household.share.tree.album("Ash", tags("Ash"))
    try household.catalogue.tree.album("Local", tags("Local"))
    _ = try await household.refresh()
    var batches = household.changed.makeAsyncIterator()
    household.share.hang()
    while try await household.catalogue.problems() != ["library.folderSilent"] {
      await batches.next()
      _ = try await household.refresh([])
    }
    household.share.goOn()
    while try await household.catalogue.problems() != [] {
      await batches.next()
      _ = try await household.refresh([])
    }
    await household.end()
  }

  @Test func aRefreshThatIsCancelledDoesNotWaitForIt() async throws {
    let household = try await Household()
    try household.share.tree.album("Ash", tags("Ash"))
    _ = try await household.refresh()
    household.share.hang()
    let patient = household.catalogue.source([household.share.root], silent: SilentFolders())
    let progress = RefreshProgress()
    let refresh = Task { try await patient.refresh(accepting: .wholeScan, progress: progress) }
    try await Task.sleep(for: .milliseconds(200))
    progress.stop()
    refresh.cancel()
    #expect(try await refresh.value == nil)
    await household.end()
  }

  @Test func oneThatComesAndGoesLosesNothing() async throws {
    let household = try await Household()
    for name in ["Ash", "Birch", "Cedar"] { try household.share.tree.album(name, tags(name)) }
    try household.catalogue.tree.album("Local", tags("Local"))
    _ = try await household.refresh()
    for _ in 0..<3 {
      household.share.hang()
      #expect(try await household.refresh() == [0, 0])
      household.share.goOn()
      #expect(await eventually { household.source.silent.silent.isEmpty })
      #expect(try await household.refresh() == [0, 0])
      #expect(try await household.catalogue.problems() == [])
    }
    #expect(try await household.catalogue.tracks().count == 12)
    await household.end()
  }
}
