import Records
import Synchronization
import System

/// The work that is left in a scan. The threads that scan share it, and wait in `next` for more.
///
/// Folders come before files, so that the number of files is known early. A symbolic link to a folder is followed only
/// when no real folder is left, and links one at a time in their order, so that a folder with two paths always gets the
/// same one.
final class ScanQueue: Sendable {
  enum Work: Sendable {
    case folder(Folder)
    case files(FileBatch)
  }

  /// A folder to list.
  struct Folder: Sendable {
    var path: [UInt8]
    /// The rules of the ignore files above it; nil without any.
    var rules: IgnoreRules?
    /// False if its subfolders are left out.
    var isRecursive = true
    /// Its contents, if it was listed already.
    var listing: FolderListing?
  }

  struct FileBatch: Sendable {
    /// The index of the folder in `ScanResult.folders` while the scan runs.
    var folder: Int
    var path: [UInt8]
    var files: [FolderEntry]
  }

  private struct State: Sendable {
    var folders: [Folder]
    var links: [Folder] = []
    var batches: [FileBatch] = []
    /// The number of folders that are being listed.
    var listing = 0
    var isStopped = false
  }

  private let state: Monitor<State>

  init(_ folders: [Folder]) { state = Monitor(State(folders: folders.reversed())) }

  /// Waits for the next piece of work; nil when none is left or the scan was stopped.
  func next() -> Work? {
    let next = state.wait { state -> Work?? in
      if state.isStopped { return .some(nil) }
      if let folder = state.folders.popLast() {
        state.listing += 1
        return .folder(folder)
      }
      if state.listing == 0, !state.links.isEmpty {
        state.listing += 1
        return .folder(state.links.removeFirst())
      }
      if let batch = state.batches.popLast() { return .files(batch) }
      return state.listing == 0 ? .some(nil) : nil
    }
    return next ?? nil
  }

  /// Ends the listing of a folder and adds the work that was found in it.
  func listed(subfolders: [Folder], links: [Folder], batches: [FileBatch]) {
    state.change { state in
      state.listing -= 1
      state.folders += subfolders.reversed()
      if !links.isEmpty {
        state.links += links
        state.links.sort { $0.path.lexicographicallyPrecedes($1.path) }
      }
      state.batches += batches
    }
  }

  /// True if all folders were listed, so that the number of files is known.
  var isListed: Bool { state.change { $0.listing == 0 && $0.folders.isEmpty && $0.links.isEmpty } }

  func stop() { state.change { $0.isStopped = true } }
}

/// Threads for work that blocks, which must not happen on the cooperative pool.
package enum BlockingThreads {
  /// The nice value of threads that scan: on few cores they would else hold up the thread that writes what they found,
  /// which takes as long as they do.
  static let niceOfScans: Int32 = 10

  /// Calls `ended` when `leave` was called as often as there are threads.
  private final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let ended: @Sendable () -> Void

    init(_ count: Int, ended: @escaping @Sendable () -> Void) {
      left = Atomic(count)
      self.ended = ended
    }

    func leave() { if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { ended() } }
  }

  /// Runs work that blocks on a thread of its own, and returns its result.
  package static func value<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    let result = Mutex<Value?>(nil)
    await run(1) {
      let value = body()
      result.withLock { $0 = value }
    }
    return result.withLock { $0 }
  }

  /// Runs work that blocks and may fail on a thread of its own.
  package static func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard let result = await value({ Result { try body() } }) else { throw CancellationError() }
    return try result.get()
  }

  /// Runs `body` on `count` threads at once and returns when all have ended. Where the system gives fewer threads,
  /// fewer run it; where it gives none, the calling thread does.
  ///
  /// - Parameter nice: the nice value of the threads.
  static func run(_ count: Int, nice: Int32 = 0, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let countdown = Countdown(count) { continuation.resume() }
      var started = 0
      do {
        for _ in 0..<count {
          try SystemThread.start("lunara-blocking") {
            if nice > 0 { SystemThread.lowerPriority(toNice: nice) }
            body()
            countdown.leave()
          }
          started += 1
        }
      } catch {
        // The threads that run do the work of those that the system refuses.
        if started == 0 { body() }
      }
      for _ in started..<count { countdown.leave() }
    }
  }
}
