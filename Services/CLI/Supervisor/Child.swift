import System
import Glibc
import Model

final class Child {
  let process: ChildProcess
  /// The descriptor that becomes readable when the process has ended.
  let end: Descriptor
  private(set) var log: Descriptor?
  private(set) var readiness: Descriptor?
  private var splitter = LineSplitter()

  struct Launch {
    let path: String
    let arguments: [String]
    var environment: Environment
  }

  /// Starts a process in a process group of its own, so that Ctrl-C in the terminal reaches it only through the
  /// supervisor. Besides standard input it inherits the log pipe as standard output and error, the read end of the pipe
  /// `parent` (3), which reports end of file when the supervisor is gone, and the write end of its readiness pipe (4).
  init(_ launch: Launch, parent: Descriptor, input: Descriptor) throws {
    let log = try Descriptor.pipe()
    let readiness = try Descriptor.pipe()
    var environment = launch.environment
    environment["LUNARA_PARENT_FD"] = "3"
    environment["LUNARA_READY_FD"] = "4"
    // Only the supervisor itself takes part in systemd's notification and socket activation.
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] {
      environment[name] = nil
    }
    do throws(Errno) {
      process = try ChildProcess(
        launch.path, launch.arguments, environment: environment,
        descriptors: [input, log.write, log.write, parent, readiness.write])
    } catch {
      throw LunaraError("cli.cannotStart", "Cannot start \(launch.path). Is Lunara installed completely?", cause: error)
    }
    do throws(Errno) { end = try process.endDescriptor() } catch {
      process.send(SIGKILL)
      process.wait()
      throw LunaraError("cli.cannotStart", "Cannot watch over \(launch.path).", cause: error)
    }
    self.log = log.read
    self.readiness = readiness.read
    log.read.setNonBlocking()
    readiness.read.setNonBlocking()
  }

  /// Returns the complete lines since the last call; at the end of the pipe the unfinished last line as well.
  func readLog() -> [[UInt8]] {
    var lines: [[UInt8]] = []
    // The number of reads is bounded, so that a child that writes without end does not delay the others.
    for _ in 0..<16 {
      switch log?.read() {
      case .bytes(let bytes): lines += splitter.add(bytes)
      case .nothingYet: return lines
      case .end, nil:
        log = nil
        if let last = splitter.end() { lines.append(last) }
        return lines
      }
    }
    return lines
  }

  func readReadiness() -> Bool {
    guard let reading = readiness?.read(upTo: 64), reading != .nothingYet else { return false }
    readiness = nil
    return reading != .end
  }

  /// Returns the end of the process, or nil while it runs. Waits for this process only.
  func reap() -> Ending? { process.reap().map { Ending($0) } }

  func terminate() { process.send(SIGTERM) }
  func killGroup() { process.killGroup() }
}

enum Ending: Hashable, Sendable {
  case exited(Int32)
  case killed(Int32)

  init(_ reaped: Int32) { self = reaped < 0 ? .killed(-reaped) : .exited(reaped) }
}

extension Ending: CustomStringConvertible {
  var description: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by \(Self.names[signal] ?? "signal \(signal)")"
    }
  }

  private static let names = [
    SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGILL: "SIGILL",
    SIGTRAP: "SIGTRAP", SIGBUS: "SIGBUS", SIGINT: "SIGINT", SIGHUP: "SIGHUP", SIGPIPE: "SIGPIPE", SIGFPE: "SIGFPE",
  ]
}

struct LineSplitter {
  private var rest: [UInt8] = []
  private let longest: Int

  /// Creates a splitter that cuts lines at `longest` bytes, so that a line without end needs no unbounded memory.
  init(longest: Int = 16_384) { self.longest = longest }

  /// Returns the lines that end in `bytes`, without their line feeds.
  mutating func add(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      let isEnd = byte == UInt8(ascii: "\n")
      if !isEnd { rest.append(byte) }
      if isEnd || rest.count == longest {
        lines.append(rest)
        rest = []
      }
    }
    return lines
  }

  mutating func end() -> [UInt8]? {
    defer { rest = [] }
    return rest.isEmpty ? nil : rest
  }
}
