import CPlatform
import Glibc
import Model

/// A running process of the household with what the supervisor holds of it.
final class Child {
  /// Its process id.
  let pid: pid_t
  /// Becomes readable when it has ended.
  let process: Descriptor
  /// What it writes to standard output and standard error.
  private(set) var log: Descriptor?
  /// Where it says that it is ready.
  private(set) var readiness: Descriptor?
  private var splitter = LineSplitter()

  /// How a process is started.
  struct Launch {
    /// The program's file.
    let path: String
    /// Its words, the first one its name.
    let arguments: [String]
    /// Its environment.
    var environment: Environment
  }

  /// Starts a process in a process group of its own, so that Ctrl-C in the terminal reaches it only through the
  /// supervisor. It inherits four descriptors beside standard input: its log twice, the read end of `parent`, which
  /// ends when the supervisor does, and its readiness pipe.
  init(_ launch: Launch, parent: Descriptor, input: Descriptor) throws {
    let log = try Descriptor.pipe()
    let readiness = try Descriptor.pipe()
    var environment = launch.environment
    environment["LUNARA_PARENT_FD"] = "3"
    environment["LUNARA_READY_FD"] = "4"
    // What systemd says is meant for the supervisor alone.
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] {
      environment[name] = nil
    }
    var pid: pid_t = 0
    let descriptors = [input.number, log.write.number, log.write.number, parent.number, readiness.write.number]
    let error = CStrings.with(launch.arguments) { arguments in
      CStrings.with(environment.lines) { variables in
        lunara_spawn(&pid, launch.path, arguments, variables, descriptors, Int32(descriptors.count))
      }
    }
    guard error == 0 else {
      throw LunaraError(
        "cli.cannotStart", "Cannot start \(launch.path). Is Lunara installed completely?",
        cause: String(cString: strerror(error)))
    }
    let process = lunara_process_descriptor(pid)
    guard process >= 0 else {
      let cause = String(cString: strerror(errno))
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
      throw LunaraError("cli.cannotStart", "Cannot watch over \(launch.path).", cause: cause)
    }
    self.pid = pid
    self.process = Descriptor(owning: process)
    self.log = log.read
    self.readiness = readiness.read
    log.read.setNonBlocking()
    readiness.read.setNonBlocking()
  }

  /// The lines that it has written since the last look; the last unfinished one too once nothing more can come.
  func readLog() -> [[UInt8]] {
    var lines: [[UInt8]] = []
    // Bounded, so that one who writes without end does not keep the others waiting.
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

  /// Whether it has just said that it is ready.
  func readReadiness() -> Bool {
    guard let reading = readiness?.read(upTo: 64), reading != .nothingYet else { return false }
    readiness = nil
    return reading != .end
  }

  /// How it ended; nil while it runs. Only this process is waited for, never any other.
  func reap() -> Ending? {
    var ending: Int32 = 0
    return lunara_reap(pid, 0, &ending) == 1 ? Ending(ending) : nil
  }

  /// Asks it to end.
  func ask() { kill(pid, SIGTERM) }
  /// Ends it and all processes of its group.
  func end() { kill(-pid, SIGKILL) }
}
