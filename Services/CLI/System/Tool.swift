import CPlatform
import Glibc
import Model

/// A program of the system that is run for a piece of work, such as `tar`.
struct Tool: Sendable {
  /// How a run ended.
  struct Ending: Sendable {
    /// The exit status; minus the signal that ended it.
    let status: Int32
    /// What it wrote to the outputs that were listened to, without newlines at the end; at most 64 KiB of it.
    let output: String
  }

  /// Its name.
  let name: String
  /// Its file.
  let path: String
  private let folders: String

  /// Looks for a program in the folders of `PATH`; nil where it is in none.
  init?(_ name: String, environment: Environment) {
    folders = environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/bin:/usr/bin:/bin"
    let candidates = folders.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else { return nil }
    (self.name, self.path) = (name, path)
  }

  /// Takes a program by its file; nil where it cannot be run.
  init?(file: String) {
    guard let slash = file.lastIndex(of: "/"), access(file, X_OK) == 0 else { return nil }
    self.init(String(file[file.index(after: slash)...]), environment: Environment(["PATH": String(file[..<slash])]))
  }

  /// Has it do its work; nil where it did, else what it complained of. What it prints is not read.
  ///
  /// Where the task is cancelled it is ended.
  ///
  /// - Throws: `cli.cannotStart`, `cli.noPipe`; `CancellationError`.
  func run(_ words: [String]) throws -> String? {
    let variables = Environment(["LC_ALL": "C.UTF-8", "PATH": folders])
    let ending = try ending(of: words, variables, isHeard: false)
    guard ending.status != 0 else { return nil }
    return ending.output.isEmpty ? "\(name) ended with \(ending.status)" : String(ending.output.prefix(400))
  }

  /// What it says to a question within 10 s, on both its outputs. Where it cannot be started the status is -1.
  func answer(_ words: [String], _ environment: Environment) -> Ending {
    var variables = environment
    variables["LC_ALL"] = "C.UTF-8"
    do { return try ending(of: words, variables, within: .seconds(10)) } catch {
      let error = LunaraError(error)
      return Ending(status: -1, output: error.cause ?? error.message)
    }
  }

  /// Runs it to its end, without anything to read.
  ///
  /// - Parameters:
  ///   - variables: the environment it gets.
  ///   - isHeard: whether standard output is listened to, beside standard error.
  ///   - limit: when it is killed.
  /// - Throws: `cli.cannotStart`, `cli.noPipe`; `CancellationError` where the task was cancelled, after it ended.
  func ending(
    of words: [String], _ variables: Environment, isHeard: Bool = true, within limit: Duration? = nil
  ) throws -> Ending {
    let output = try Descriptor.pipe()
    let nothing = try Descriptor.null()
    let descriptors = [nothing.number, isHeard ? output.write.number : nothing.number, output.write.number]
    var pid: pid_t = 0
    let error = CStrings.with([name] + words) { arguments in
      CStrings.with(variables.lines) { lunara_spawn(&pid, path, arguments, $0, descriptors, Int32(descriptors.count)) }
    }
    guard error == 0 else {
      throw LunaraError("cli.cannotStart", "Cannot start \(path).", cause: String(cString: strerror(error)))
    }
    output.write.close()
    let ends = limit.map { ContinuousClock.now + $0 }
    var said: [UInt8] = []
    var isCancelled = false
    // It is not reaped before the loop ends, so the number is its own.
    reading: while true {
      if let ends, .now > ends {
        kill(pid, SIGKILL)
        // What it started itself may hold the pipe open.
        break
      }
      if !isCancelled, Task.isCancelled {
        isCancelled = true
        kill(pid, SIGTERM)
      }
      var polled = pollfd(fd: output.read.number, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 100) > 0 else { continue }
      switch output.read.read() {
      case .bytes(let bytes): said += bytes.prefix(max(0, 65_536 - said.count))
      case .nothingYet: continue
      case .end: break reading
      }
    }
    var status: Int32 = 0
    _ = lunara_reap(pid, 1, &status)
    if isCancelled { throw CancellationError() }
    var text = String(decoding: said, as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return Ending(status: status, output: text)
  }
}
