import Glibc
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_library

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
          try await memory.with(6) { part in
            log.begun.withLock { $0.append(number) }
            guard number == 1 else { return }
            #expect(await eventually { log.isShrunk.withLock { $0 } })
            part.shrink(to: 4)
            // The others are done while this one still has its four bytes.
            #expect(await eventually { log.begun.withLock { $0.count == 3 } })
          }
        }
        #expect(await eventually { log.begun.withLock { !$0.isEmpty } })
      }
      try await Task.sleep(for: .milliseconds(50))
      #expect(log.begun.withLock { $0 } == [1])
      log.isShrunk.withLock { $0 = true }
      try await group.waitForAll()
    }
  }

  @Test func noPictureIsFetchedForWhichThereIsNoMemory() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh()
    let fetched = Mutex(0)
    // The worker starts and never answers.
    let program = catalogue.tree.beside("worker")
    try catalogue.tree.write(Array("#!/bin/sh\nexec /bin/sleep 1000\n".utf8), to: Array(program.utf8))
    try #require(chmod(program, 0o700) == 0)
    let store = ArtStore(
      database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: 1 << 24),
      files: catalogue.pictures, worker: ArtworkWorker(program: program),
      memory: PictureMemory(limit: Artwork.byteLimit)
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
      #expect(await eventually { fetched.withLock { $0 == 1 } })
      for _ in 0..<10 { usleep(10_000) }
      #expect(fetched.withLock { $0 } == 1)
      await store.stop()
    }
  }
}
