import Glibc
import Synchronization

/// The work that is left in a scan, shared by the threads that read, which wait here for it.
///
/// Folders come before files, so that the number of files is known early. A symbolic link to a folder is followed only
/// when no real folder is left, and links one at a time in their order, so that a folder reached in two ways always
/// gets the same path.
///
/// `@unchecked Sendable` is safe because (1) all stored variables are touched only between `lock` and `unlock` of the
/// mutex; (2) the mutex and the condition have fixed addresses, are initialised before and destroyed after every use.
final class ScanQueue: @unchecked Sendable {
  /// A piece of work.
  enum Work: Sendable {
    /// List this folder.
    case folder([UInt8])
    /// Read these files of a folder.
    case files(FileBatch)
  }

  /// Some files of one folder.
  struct FileBatch: Sendable {
    /// The folder's place among those found.
    var folder: Int
    var path: [UInt8]
    var files: [FolderListing.Entry]
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var folders: [[UInt8]]
  private var links: [[UInt8]] = []
  private var batches: [FileBatch] = []
  private var listing = 0
  private var isStopped = false

  /// Makes a queue that begins with some folders.
  init(_ folders: [[UInt8]]) {
    self.folders = folders.reversed()
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// The next piece of work; waits for it; nil when there is none left or the scan was stopped.
  func next() -> Work? {
    locked {
      while true {
        if isStopped { return nil }
        if let folder = folders.popLast() {
          listing += 1
          return .folder(folder)
        }
        if listing == 0, !links.isEmpty {
          listing += 1
          return .folder(links.removeFirst())
        }
        if let batch = batches.popLast() { return .files(batch) }
        if listing == 0 { return nil }
        pthread_cond_wait(condition, mutex)
      }
    }
  }

  /// Notes that a folder was listed, and what is to be done in it.
  func listed(subfolders: [[UInt8]], links: [[UInt8]], batches: [FileBatch]) {
    locked {
      listing -= 1
      folders += subfolders.reversed()
      if !links.isEmpty {
        self.links += links
        self.links.sort { $0.lexicographicallyPrecedes($1) }
      }
      self.batches += batches
    }
  }

  /// True if all folders were listed, so that the number of files is known.
  var isListed: Bool { locked { listing == 0 && folders.isEmpty && links.isEmpty } }

  /// Makes all threads end with what they are doing.
  func stop() { locked { isStopped = true } }

  private func locked<T>(_ body: () -> T) -> T {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return body()
  }
}

/// Threads for work that blocks, which must not happen on the cooperative pool.
enum ReaderThreads {
  private final class Crew: Sendable {
    let body: @Sendable () -> Void
    let ended: @Sendable () -> Void
    private let running: Atomic<Int>

    init(_ count: Int, _ body: @escaping @Sendable () -> Void, _ ended: @escaping @Sendable () -> Void) {
      self.body = body
      self.ended = ended
      running = Atomic(count)
    }

    func leave() { if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { ended() } }
  }

  /// Runs what blocks on a thread of its own and gives what it gave.
  static func value<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    let result = Mutex<Value?>(nil)
    await run(1) {
      let value = body()
      result.withLock { $0 = value }
    }
    return result.withLock { $0 }
  }

  /// Runs what blocks and may fail on a thread of its own.
  static func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard let result = await value({ Result { try body() } }) else { throw CancellationError() }
    return try result.get()
  }

  /// Runs `body` on so many threads at once and returns when all have ended. Where the system gives fewer threads,
  /// fewer run it; where it gives none, the calling thread does.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let crew = Crew(count, body) { continuation.resume() }
      var started = 0
      for _ in 0..<count where start(crew) { started += 1 }
      if started == 0 { body() }
      for _ in started..<count { crew.leave() }
    }
  }

  private static func start(_ crew: Crew) -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // Signals are for the main thread; a new thread inherits that these are blocked.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(crew)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let crew = Unmanaged<Crew>.fromOpaque(context).takeRetainedValue()
        crew.body()
        crew.leave()
        return nil
      }, context.toOpaque())
    guard result == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
