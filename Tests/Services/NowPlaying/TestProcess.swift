import Glibc
import Synchronization

/// A program that a test runs, with its output as lines. It is ended by its pid, at the latest when it is released.
final class TestProcess: Sendable {
  let pid: pid_t
  /// The lines it prints on standard output and standard error.
  let lines: AsyncStream<String>

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    var inherited: [String: String] = [:]
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"] {
      if let value = getenv(name) { inherited[name] = String(cString: value) }
    }
    let variables = inherited.merging(environment) { $1 }.map { "\($0)=\($1)" }
    let (pid, output) = try Self.oneAtATime.withLock { _ in try Self.spawn(arguments, variables) }
    self.pid = pid
    lines = Self.read(output)
  }

  /// Between the creation of a pipe and the moment it is marked close-on-exec no other program may start, or it would
  /// inherit the pipe and keep it open.
  private static let oneAtATime = Mutex(())

  private static func spawn(_ arguments: [String], _ variables: [String]) throws -> (pid: pid_t, output: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(what: "no pipe") }
    let (output, input) = (ends[0], ends[1])
    defer { close(input) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 1)
    posix_spawn_file_actions_adddup2(&actions, input, 2)
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = variables.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, arguments[0], &actions, nil, &argv, &envp)
    guard result == 0 else {
      close(output)
      throw Failure(what: "\(arguments[0]) cannot be run: \(String(cString: strerror(result)))")
    }
    return (pid, output)
  }

  deinit {
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }

  /// Asks the program to end and waits for the end of its output.
  func stop(_ signal: Int32 = SIGTERM) async {
    kill(pid, signal)
    for await _ in lines {}
  }

  /// Returns the whole output of a program, without the last line break.
  static func output(of arguments: [String], environment: [String: String] = [:]) async throws -> String {
    let child = try TestProcess(arguments, environment: environment)
    var lines: [String] = []
    for await line in child.lines { lines.append(line) }
    return lines.joined(separator: "\n")
  }

  struct Failure: Error { var what: String }

  /// Reads lines on a thread of its own, since reading blocks.
  private static func read(_ descriptor: Int32) -> AsyncStream<String> {
    final class Reader {
      let file: UnsafeMutablePointer<FILE>
      let continuation: AsyncStream<String>.Continuation
      init(_ file: UnsafeMutablePointer<FILE>, _ continuation: AsyncStream<String>.Continuation) {
        self.file = file
        self.continuation = continuation
      }
    }
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    guard let file = fdopen(descriptor, "r") else {
      continuation.finish()
      return stream
    }
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let reader = Unmanaged<Reader>.fromOpaque(argument).takeRetainedValue()
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        while getline(&line, &capacity, reader.file) > 0, let text = line {
          reader.continuation.yield(String(cString: text).trimmed)
        }
        free(line)
        fclose(reader.file)
        reader.continuation.finish()
        return nil
      }, Unmanaged.passRetained(Reader(file, continuation)).toOpaque())
    pthread_detach(thread)
    return stream
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
