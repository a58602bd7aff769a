import CPlatform
import Glibc
import Messages
import Model

/// A running `lunara-artwork`, talked to by a pair of sockets. Its owner ends it.
final class WorkerProcess: Sendable {
  private let pid: pid_t
  private let socket: Int32

  /// Starts one. `told` is called for each line it says, and `ended` once when it has ended, both on a thread of its
  /// own.
  ///
  /// - Throws: `library.noArtworkWorker`.
  init(
    program: String, told: @escaping @Sendable (Artwork.Outcome) -> Void, ended: @escaping @Sendable () -> Void
  ) throws(LunaraError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw Self.failure(program, errno)
    }
    // What a child is given has to have a number of 10 or more.
    let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
    let log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10)
    defer { for descriptor in [ends[1], theirs, log] where descriptor >= 0 { close(descriptor) } }
    var pid: pid_t = 0
    let error =
      theirs < 0 || log < 0
      ? errno
      : Self.withWords([program]) { words in
        Self.withWords(Self.environment) { variables in
          lunara_spawn(&pid, program, words, variables, [theirs, theirs, log], 3)
        }
      }
    guard error == 0 else {
      close(ends[0])
      throw Self.failure(program, error)
    }
    self.pid = pid
    socket = ends[0]
    let (reading, child) = (socket, pid)
    Task {
      await BlockingThreads.run(1) {
        Self.read(reading, told)
        // It may have closed its end and go on all the same.
        kill(child, SIGKILL)
        var ending: Int32 = 0
        lunara_reap(child, 1, &ending)
      }
      ended()
    }
  }

  /// To be called after `ended`, when nothing is sent any more.
  func closed() { close(socket) }

  /// Gives it a job; where it has ended the job is lost, and `ended` comes.
  func send(_ job: Artwork.Job) throws {
    let line = try MessageCoding.encode(job) + [10]
    var done = 0
    while done < line.count {
      let count = line.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress.map { $0 + done }, line.count - done, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      done += count
    }
  }

  /// Lets it end when it is done.
  func release() { shutdown(socket, Int32(SHUT_WR)) }

  /// Ends it at once.
  func end() { kill(pid, SIGKILL) }

  /// Reads lines until there are no more.
  private static func read(_ socket: Int32, _ told: (Artwork.Outcome) -> Void) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = Glibc.read(socket, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest += buffer[..<count]
      while let end = rest.firstIndex(of: 10) {
        // What it says in another form says that something has gone wrong in it.
        do { told(try MessageCoding.decode(Artwork.Outcome.self, from: rest[..<end])) } catch { return }
        rest.removeSubrange(...end)
      }
    }
  }

  /// Of this process's environment only what finds libraries.
  private static var environment: [String] {
    var found = ["LC_ALL=C.UTF-8", "MALLOC_ARENA_MAX=2"]
    for name in ["LD_LIBRARY_PATH", "SWIFT_BACKTRACE"] {
      if let value = getenv(name) { found.append("\(name)=\(String(cString: value))") }
    }
    return found
  }

  private static func withWords<Result>(
    _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }

  private static func failure(_ program: String, _ number: Int32) -> LunaraError {
    LunaraError(
      "library.noArtworkWorker",
      "\(program) cannot be started, so there are no thumbnails. Is Lunara installed completely?",
      cause: String(cString: strerror(number)))
  }
}
