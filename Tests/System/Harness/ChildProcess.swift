import CPlatform
import Glibc
import Synchronization
import TestSupport

/// A program that a test runs as a process of its own, whose output is kept.
///
/// It is ended by its pid, at the latest when the last reference is released.
final class ChildProcess: Sendable {
  /// The error of a program that could not be started.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let pid: pid_t
  /// The command, for messages.
  let command: String
  private let watch: Watch

  /// Starts `words`, the first of which is the program's path, with exactly this environment.
  ///
  /// - Parameter input: its standard input; nil for none.
  init(_ words: [String], environment: [String: String], input: Int32? = nil) throws {
    command = words.joined(separator: " ")
    guard words[0].hasPrefix("/"), access(words[0], X_OK) == 0 else {
      throw Failure(
        description: "\(words[0]) is missing. `swift build` makes the programs, `make setup` installs tools.")
    }
    let guardian = try Guardian.ofThisRun.get()
    let null = fcntl(try Self.open("/dev/null"), F_DUPFD_CLOEXEC, 10)
    defer { close(null) }
    let (output, errors) = (try Self.pipe(), try Self.pipe())
    defer {
      close(output.write)
      close(errors.write)
    }
    var pid: pid_t = 0
    var argv = words.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    let error = lunara_spawn(&pid, words[0], &argv, &envp, [input ?? null, output.write, errors.write], 3)
    guard error == 0 else {
      close(output.read)
      close(errors.read)
      throw Failure(description: "\(words[0]) cannot be started: \(String(cString: strerror(error)))")
    }
    self.pid = pid
    guardian.begun(pid)
    watch = Watch(pid: pid, output: output.read, errors: errors.read, guardian: guardian)
    watch.start()
  }

  deinit { watch.signal(SIGKILL) }

  /// The standard output so far.
  var output: String { String(decoding: watch.outputBytes, as: UTF8.self) }
  /// The standard error so far.
  var errors: String { String(decoding: watch.errorBytes, as: UTF8.self) }
  /// Its exit status, or minus the signal that ended it; nil while it runs.
  var ending: Int32? { watch.ending }

  /// Sends it a signal; does nothing once it has ended.
  func signal(_ number: Int32) { watch.signal(number) }

  /// Waits for its end; returns nil when `limit` passes first.
  func ended(within limit: Duration = patience) async -> Int32? {
    _ = await eventually(within: limit) { ending != nil }
    return ending
  }

  /// Ends it now and waits until it is gone.
  func kill() async {
    signal(SIGKILL)
    _ = await ended()
  }

  private static func open(_ path: String) throws -> Int32 {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(description: "\(path) cannot be opened") }
    return descriptor
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard lunara_pipe(&ends) == 0 else { throw Failure(description: "no pipe can be made") }
    return (ends[0], ends[1])
  }
}

/// Reads a process's output and waits for its end, on a thread of its own, since both block.
private final class Watch: Sendable {
  private struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var ending: Int32?
  }

  private let state = Mutex(State())
  private let pid: pid_t
  private let descriptors: [Int32]
  private let guardian: Guardian

  init(pid: pid_t, output: Int32, errors: Int32, guardian: Guardian) {
    self.pid = pid
    self.guardian = guardian
    descriptors = [output, errors, lunara_process_descriptor(pid)]
    for descriptor in descriptors.prefix(2) { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  var outputBytes: [UInt8] { state.withLock { $0.output } }
  var errorBytes: [UInt8] { state.withLock { $0.errors } }
  var ending: Int32? { state.withLock { $0.ending } }

  /// The lock keeps the pid from being reused between the check and the signal.
  func signal(_ number: Int32) {
    state.withLock { if $0.ending == nil { _ = Glibc.kill(pid, number) } }
  }

  func start() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Watch>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    pthread_detach(thread)
  }

  private func run() {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var hasEnded = false
    while !hasEnded {
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      for index in 0..<2 where polled[index].revents != 0 {
        if !read(index) { polled[index].fd = -1 }
      }
      if polled[2].revents != 0 { hasEnded = reap() }
    }
    for descriptor in descriptors { close(descriptor) }
  }

  /// Reads what is available; returns false at the end.
  private func read(_ index: Int) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptors[index], &buffer, buffer.count)
      guard count > 0 else { return count < 0 && errno == EAGAIN }
      state.withLock { state in
        if index == 0 { state.output += buffer[..<count] } else { state.errors += buffer[..<count] }
      }
    }
  }

  private func reap() -> Bool {
    // The output is read before the end is reported, so that it is complete by then.
    for index in 0..<2 { _ = read(index) }
    return state.withLock { state in
      var ending: Int32 = 0
      guard lunara_reap(pid, 0, &ending) == 1 else { return false }
      guardian.ended(pid)
      state.ending = ending
      return true
    }
  }
}
