import Glibc
import Model

/// A program of the system that is run for a task, such as `tar`.
public struct SystemProgram: Sendable {
  /// The result of a run.
  public struct Ending: Sendable {
    /// The exit status, or minus the number of the signal that ended the program.
    public let status: Int32
    /// The text of the captured outputs, at most 64 KiB, without newlines at the end.
    public let output: String
  }

  /// The name.
  public let name: String
  /// The path of the file.
  public let path: String
  private let folders: String

  /// Finds a program in the folders of `PATH`; nil if it is in none.
  public init?(_ name: String, environment: Environment) {
    folders = environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/bin:/usr/bin:/bin"
    let candidates = folders.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else { return nil }
    self.name = name
    self.path = path
  }

  /// Uses the program of this file; nil if it is not executable.
  public init?(file: String) {
    guard file.contains("/"), access(file, X_OK) == 0 else { return nil }
    self.init(Files.name(of: file), environment: Environment(["PATH": Files.folder(of: file)]))
  }

  /// Runs the program to its end, without capturing standard output. Returns nil if it succeeded, else its error text.
  /// If the task is cancelled, the program is ended.
  ///
  /// - Throws: `cli.cannotStart`, `cli.noPipe`; `CancellationError`.
  public func run(_ words: [String]) throws -> String? {
    let variables = Environment(["LC_ALL": "C.UTF-8", "PATH": folders])
    let ending = try run(words, environment: variables, capturesOutput: false)
    guard ending.status != 0 else { return nil }
    return ending.output.isEmpty ? "\(name) ended with \(ending.status)" : String(ending.output.prefix(400))
  }

  /// Runs the program for at most 10 s and returns the text of both outputs. If it cannot be started, the status is -1
  /// and the output is the reason.
  public func answer(_ words: [String], environment: Environment) -> Ending {
    var variables = environment
    variables["LC_ALL"] = "C.UTF-8"
    do { return try run(words, environment: variables, within: .seconds(10)) } catch {
      let error = LunaraError(error)
      return Ending(status: -1, output: error.cause ?? error.message)
    }
  }

  /// Runs the program to its end, with empty standard input.
  ///
  /// - Parameters:
  ///   - words: the arguments.
  ///   - environment: the environment.
  ///   - capturesOutput: true to return standard output together with standard error.
  ///   - limit: the time after which the program is killed; nil for no limit.
  /// - Throws: `cli.cannotStart`, `cli.noPipe`; `CancellationError` if the task was cancelled, after the program has
  ///   ended.
  public func run(
    _ words: [String], environment: Environment, capturesOutput: Bool = true, within limit: Duration? = nil
  ) throws -> Ending {
    let (output, child) = try start(words, environment, capturesOutput)
    let ends = limit.map { ContinuousClock.now + $0 }
    var said: [UInt8] = []
    var isCancelled = false
    // The program is reaped only after the loop, so its process id stays valid in it.
    reading: while true {
      if let ends, .now > ends {
        child.send(SIGKILL)
        // The loop does not wait for the end of the output, as a process that the program started may hold the pipe
        // open.
        break
      }
      if !isCancelled, Task.isCancelled {
        isCancelled = true
        child.send(SIGTERM)
      }
      var polled = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 100) > 0 else { continue }
      switch output.read() {
      case .bytes(let bytes): said += bytes.prefix(max(0, 65_536 - said.count))
      case .nothingYet: continue
      case .end: break reading
      }
    }
    let status = child.wait()
    if isCancelled { throw CancellationError() }
    var text = String(decoding: said, as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return Ending(status: status, output: text)
  }

  private func start(
    _ words: [String], _ environment: Environment, _ capturesOutput: Bool
  ) throws(LunaraError) -> (output: Descriptor, child: ChildProcess) {
    let ends: (read: Descriptor, write: Descriptor)
    let nothing: Descriptor
    do throws(Errno) {
      ends = try Descriptor.pipe()
      nothing = try Descriptor.null()
    } catch {
      throw LunaraError("cli.noPipe", "Cannot make a pipe.", cause: error)
    }
    do throws(Errno) {
      let child = try ChildProcess(
        path, [name] + words, environment: environment,
        descriptors: [nothing, capturesOutput ? ends.write : nothing, ends.write])
      // Now only the child has the writing end, so the pipe ends with the child.
      ends.write.close()
      return (ends.read, child)
    } catch {
      throw LunaraError("cli.cannotStart", "Cannot start \(path).", cause: error)
    }
  }
}
