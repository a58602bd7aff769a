import Glibc
import Messages
import Model
import Records
import Synchronization
import System
import TestSupport
import Testing

@testable import Sources

/// Which folders do not answer, as the threads that wait for them show.
@Suite(.timeLimit(.minutes(2)))
struct SilentFoldersTests {
  private static let music = Array("/music".utf8)
  private static let share = Array("/music/share".utf8)
  private static let other = Array("/other".utf8)

  /// A request that is answered when it is told to be.
  private final class Wait: Sendable {
    private let state = Monitor(false)
    private let thread: Task<Void, Never>

    init(_ folder: [UInt8], by requests: FolderRequests) {
      thread = Task { [state] in
        await BlockingThreads.run(1) { _ = requests.visit(folder) { _ in state.wait { $0 ? true : nil } } }
      }
    }

    func answer() async {
      state.change { $0 = true }
      await thread.value
    }
  }

  private static func isSilent(_ folders: SilentFolders, _ places: [[UInt8]]) async -> Bool {
    await eventually(equals: Set(places.map(PathKey.init))) { Set(folders.silent.keys) }
  }

  @Test func aFolderThatDoesNotAnswerIsSilentUntilItDoes() async {
    let folders = SilentFolders(patience: .milliseconds(150))
    let told = Atomic(0)
    folders.onChange { told.add(1, ordering: .relaxed) }
    let requests = folders.requests(in: [Self.music])
    let wait = Wait(Self.music + Array("/A".utf8), by: requests)
    #expect(await Self.isSilent(folders, [Self.music]))
    #expect(await eventually { requests.isAbandoned })
    #expect(await eventually(equals: 1) { told.load(ordering: .relaxed) })
    await wait.answer()
    #expect(folders.silent.isEmpty && told.load(ordering: .relaxed) == 2)
    requests.close()
  }

  @Test func aSlowFolderIsNotSilent() async {
    let folders = SilentFolders(patience: .seconds(2))
    let requests = folders.requests(in: [Self.music])
    await BlockingThreads.run(1) {
      requests.visit(Self.music) { visit in
        for _ in 0..<60 {
          usleep(50_000)
          visit.answered()
        }
      }
    }
    #expect(!requests.isAbandoned && folders.silent.isEmpty)
    requests.close()
  }

  @Test func aShareInAMusicFolderIsSilentByItself() async {
    let folders = SilentFolders(patience: .milliseconds(150))
    let requests = folders.requests(in: [Self.music, Self.share])
    let wait = Wait(Self.share + Array("/A".utf8), by: requests)
    #expect(await Self.isSilent(folders, [Self.share]))
    let next = folders.requests(in: [Self.music, Self.share])
    #expect(next.isSilent(Self.share) && next.isSilent(Self.share + Array("/B".utf8)))
    #expect(!next.isSilent(Self.music) && !next.isSilent(Self.music + Array("/shares".utf8)))
    await wait.answer()
    next.close()
    requests.close()
  }

  @Test func aScanThatLeavesTheFolderOutGoesOn() async {
    let folders = SilentFolders(patience: .milliseconds(150))
    let first = folders.requests(in: [Self.music])
    let wait = Wait(Self.music, by: first)
    #expect(await eventually { first.isAbandoned })
    let second = folders.requests(in: [Self.music, Self.other])
    #expect(!second.isAbandoned)
    let elsewhere = Wait(Self.other, by: second)
    #expect(await Self.isSilent(folders, [Self.music, Self.other]))
    // Only the place that was not left out ends the second one.
    #expect(await eventually { second.isAbandoned } && second.isSilent(Self.music))
    await elsewhere.answer()
    #expect(Set(folders.silent.keys) == [PathKey(Self.music)])
    await wait.answer()
    #expect(folders.silent.isEmpty)
    first.close()
    second.close()
  }

  @Test func otherMountsAreTriedAgain() async {
    let folders = SilentFolders(patience: .milliseconds(150))
    let requests = folders.requests(in: [Self.music])
    let wait = Wait(Self.music, by: requests)
    #expect(await Self.isSilent(folders, [Self.music]))
    folders.forget()
    #expect(folders.silent.isEmpty)
    // The thread that still waits is one of a mount that is gone.
    let next = folders.requests(in: [Self.music, Self.other])
    let elsewhere = Wait(Self.other, by: next)
    #expect(await Self.isSilent(folders, [Self.other]))
    await elsewhere.answer()
    await wait.answer()
    next.close()
    requests.close()
  }

  @Test func changesInAFolderThatDoesNotAnswerAreLeftToAScanOfAll() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("A", ["ALBUM=A", "ARTIST=x"])
    try catalogue.tree.album("B", ["ALBUM=B", "ARTIST=x"])
    let folders = SilentFolders(patience: .milliseconds(150))
    let source = catalogue.source(silent: folders)
    _ = try await source.refresh(accepting: .wholeScan, progress: RefreshProgress())
    let share = catalogue.tree.path("A")
    let first = folders.requests(in: [catalogue.tree.root, share])
    let wait = Wait(share, by: first)
    #expect(await Self.isSilent(folders, [share]))
    let requests = folders.requests(in: [catalogue.tree.root, share])
    for folder in ["A", "A/x", ""] {
      let changes = ChangedFolders([catalogue.tree.path(folder)])
      #expect(try await source.refresh(only: changes, progress: RefreshProgress(), by: requests) == nil)
    }
    let other = ChangedFolders([catalogue.tree.path("B")])
    #expect(try await source.refresh(only: other, progress: RefreshProgress(), by: requests)?.deleted == 0)
    #expect(try await catalogue.tracks().count == 6)
    await wait.answer()
    requests.close()
    first.close()
  }

  @Test func noThreadIsWaitedForAfterTheAbandonment() async {
    let abandonment = Abandonment()
    let state = Monitor(false)
    Task {
      try await Task.sleep(for: .milliseconds(50))
      abandonment.abandon()
    }
    let value = await BlockingThreads.value(until: abandonment) { state.wait { $0 ? 1 : nil } }
    #expect(value == nil)
    state.change { $0 = true }
    // Nor is it where the waiting ended before.
    await BlockingThreads.run(1, until: abandonment) { state.wait { $0 ? nil : () } }
    state.change { $0 = false }
  }
}
