import Glibc
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import Media
@testable import Records
@testable import Sources

/// The bound of the memory for pictures that wait for the worker.
@Suite(.timeLimit(.minutes(2)))
struct PictureMemoryTests {
  private final class Log: Sendable {
    let begun = Mutex<[Int]>([])
    let isShrunk = Mutex(false)
  }

  @Test func whoNeedsMoreThanIsLeftWaitsUntilItIsGivenBack() async throws {
    let memory = PictureMemory(limit: 10)
    let log = Log()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        group.addTask {
          try await memory.with(6, for: .init(origin: "\(number)", isUrgent: true)) { part in
            log.begun.withLock { $0.append(number) }
            guard number == 1 else { return }
            #expect(await eventually { log.isShrunk.withLock { $0 } })
            part.shrink(to: 4)
            // The others are done while this one still has its four bytes.
            #expect(await eventually(equals: 3) { log.begun.withLock { $0.count } })
          }
        }
        #expect(await eventually { log.begun.withLock { !$0.isEmpty } })
      }
      #expect(await eventually(equals: 2) { memory.waitingCount })
      #expect(log.begun.withLock { $0 } == [1])
      log.isShrunk.withLock { $0 = true }
      try await group.waitForAll()
    }
  }

  /// Takes memory until `open` is true, and notes the number of the task once it has it.
  private func hold(
    _ bytes: Int, of memory: PictureMemory, _ origin: String, isUrgent: Bool = true, _ number: Int, _ log: Log
  ) async throws {
    try await memory.with(bytes, for: .init(origin: origin, isUrgent: isUrgent)) { _ in
      log.begun.withLock { $0.append(number) }
      #expect(await eventually { log.isShrunk.withLock { $0 } })
    }
  }

  @Test func anOriginThatHoldsItsMemoryLeavesSomeForOthers() async throws {
    let (memory, log) = (PictureMemory(limit: 4), Log())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...5 { group.addTask { try await hold(1, of: memory, "silent", 1, log) } }
      #expect(await eventually(equals: [1, 1, 1]) { log.begun.withLock { $0 } })
      group.addTask { try await hold(1, of: memory, "healthy", 2, log) }
      #expect(await eventually(equals: [1, 1, 1, 2]) { log.begun.withLock { $0 } })
      log.isShrunk.withLock { $0 = true }
      try await group.waitForAll()
      #expect(log.begun.withLock { $0.count } == 6)
    }
  }

  @Test func picturesForWhichSomebodyWaitsComeFirst() async throws {
    let (memory, log) = (PictureMemory(limit: 2), Log())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...2 {
        group.addTask { try await hold(1, of: memory, "x", isUrgent: false, number, log) }
        // The second one waits, as those for which nobody waits get half of the memory.
        #expect(
          await eventually {
            (log.begun.withLock { $0 }, memory.waitingCount)
          } satisfies: {
            $0 == ([1], number - 1)
          })
      }
      group.addTask { try await hold(1, of: memory, "y", 3, log) }
      #expect(await eventually(equals: [1, 3]) { log.begun.withLock { $0 } })
      log.isShrunk.withLock { $0 = true }
      try await group.waitForAll()
    }
  }

  @Test func whoIsCancelledNoLongerWaitsForMemory() async throws {
    let (memory, log) = (PictureMemory(limit: 1), Log())
    let isOver = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await hold(1, of: memory, "x", 1, log) }
      #expect(await eventually(equals: [1]) { log.begun.withLock { $0 } })
      let waiting = Task {
        defer { isOver.set() }
        try await hold(1, of: memory, "y", 2, log)
      }
      #expect(await eventually(equals: 1) { memory.waitingCount })
      waiting.cancel()
      #expect(await eventually { isOver.isSet })
      #expect(log.begun.withLock { $0 } == [1])
      log.isShrunk.withLock { $0 = true }
      try await group.waitForAll()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }

  @Test func embeddedCoversOnASilentDiskHoldUpNoPictureOfAServer() async throws {
    let catalogue = try TestCatalogue()
    let cover = TestPicture.png(width: 40, height: 40)
    for name in 1...5 { try catalogue.tree.album("\(name)", ["ALBUM=\(name)", "ARTIST=A"], picture: cover) }
    try await catalogue.refresh()
    // A reader opens the pipe before it answers, and waits there until somebody opens the other end.
    let gate = catalogue.tree.beside("release")
    try #require(mkfifo(gate, 0o600) == 0)
    let silent = try TagReaders.fake(
      """
      (folder / f'asked-{os.getpid()}').touch()
        os.close(os.open(folder / 'release', os.O_RDONLY))
        library.send(refused)
      """, patience: Milliseconds(100_000), in: catalogue.tree)
    let store = ArtStore(
      database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: 1 << 24),
      files: PictureFiles(boundary: FolderBoundary(MusicFolders([catalogue.tree.root])), tagReaders: silent)
    ) { _, _, _ in cover }
    let arts = try await catalogue.albums().compactMap(\.art)
    #expect(arts.count == 5)
    let isMade = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for art in arts {
        group.addTask { await #expect(throws: LunaraError.self) { try await store.locate(art, size: 300) } }
      }
      #expect(
        try await eventually(atLeast: 3) {
          try Files.names(in: catalogue.tree.beside("")).count { $0.hasPrefix("asked-") }
        })
      group.addTask {
        _ = try await store.locate(ArtID(source: "plex", native: "x"), size: 300)
        isMade.set()
      }
      #expect(await eventually { isMade.isSet })
      // Opened for both, it does not wait for a reader itself, and later readers do not wait either.
      let opened = try Descriptor(opening: gate, O_RDWR)
      try await group.waitForAll()
      opened.close()
    }
    await store.stop()
  }

  @Test func noPictureIsFetchedForWhichThereIsNoMemory() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh()
    let fetched = Mutex(0)
    let memory = PictureMemory(limit: Artwork.byteLimit)
    // The worker starts and never answers.
    let program = catalogue.tree.beside("worker")
    try TestProgram.install("#!/bin/sh\nexec /bin/sleep 1000", at: program)
    let store = ArtStore(
      database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: 1 << 24),
      files: catalogue.pictures, worker: ArtworkWorker(program: program),
      memory: memory
    ) { _, _, _ in
      fetched.withLock { $0 += 1 }
      return [UInt8](repeating: 0, count: 1 << 20)
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask {
          do { _ = try await store.locate(ArtID(source: "plex", native: "\(number)"), size: 300) } catch {
            // The worker was stopped.
          }
        }
      }
      #expect(await eventually { fetched.withLock { $0 == 1 } && memory.waitingCount == 3 })
      await store.stop()
    }
  }
}
