import Glibc
import Synchronization

/// A program that a test needs beside itself, such as a bus or a sound server. It prints to a file, and ends with this
/// value at the latest, by its pid.
public final class TestProgram: Sendable {
  /// Its process.
  public let pid: Int32
  private let isOver = Mutex(false)

  /// The error of a program that did not start.
  public struct Failure: Error, CustomStringConvertible {
    /// A sentence that says what happened.
    public let description: String
  }

  /// Starts it with only the environment that a program needs to be found.
  ///
  /// - Parameters:
  ///   - words: the program, as the search path finds it, and its arguments.
  ///   - environment: further variables.
  ///   - output: the file for its output.
  public init(_ words: [String], environment: [String: String] = [:], output: String) throws {
    var variables: [String: String] = [:]
    for name in ["PATH", "LD_LIBRARY_PATH", "TMPDIR"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    variables.merge(environment) { $1 }
    var argv: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let (child, result) = spawned { posix_spawnp($0, words[0], &actions, $1, &argv, &envp) }
    guard result == 0 else { throw Failure(description: "\(words[0]): \(String(cString: strerror(result)))") }
    pid = child
  }

  deinit { end() }

  /// Kills it and waits for its end.
  public func end() {
    isOver.withLock { isOver in
      guard !isOver else { return }
      isOver = true
      kill(pid, SIGKILL)
      while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }
  }

  /// Runs a program to its end on a thread of its own.
  ///
  /// - Returns: its output without the last line break, and its exit status.
  @discardableResult
  public static func run(_ words: [String], environment: [String: String] = [:]) async throws -> (
    output: String, status: Int32
  ) {
    let folder = TemporaryDirectory()
    let program = try TestProgram(words, environment: environment, output: "\(folder.path)/output")
    var status: Int32 = 0
    while program.isOver.withLock({ isOver in
      isOver = waitpid(program.pid, &status, WNOHANG) != 0
      return !isOver
    }) { try await Task.sleep(for: .milliseconds(2)) }
    var text = contents(of: "\(folder.path)/output")
    if text.hasSuffix("\n") { text.removeLast() }
    return (text, status == 0 ? 0 : (status >> 8) & 0xff == 0 ? -1 : (status >> 8) & 0xff)
  }

  /// Writes a program into a file, by another process. A process that this one forks meanwhile would hold a file that
  /// this one writes open, and the kernel runs no program to which somebody can still write (ETXTBSY).
  ///
  /// - Parameters:
  ///   - text: its lines, of which the first names the interpreter.
  ///   - path: the file, which is replaced.
  public static func install(_ text: String, at path: String) throws {
    try install(path, #"rm -f "$2" && printf '%s\n' "$1" > "$2" && chmod 755 "$2""#, text)
  }

  /// Copies a program, in the same way.
  public static func install(copyOf program: String, at path: String) throws {
    try install(path, #"cp "$1" "$2""#, program)
  }

  private static func install(_ path: String, _ lines: String, _ argument: String) throws {
    let shell = try TestProgram(["sh", "-c", lines, "sh", argument, path], output: "/dev/null")
    var status: Int32 = 0
    shell.isOver.withLock { isOver in
      while waitpid(shell.pid, &status, 0) < 0, errno == EINTR {}
      isOver = true
    }
    guard status == 0 else { throw Failure(description: "\(path) was not written.") }
  }

  /// Returns the contents of a file; nothing where there is no file.
  public static func contents(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
