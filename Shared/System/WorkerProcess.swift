import CPlatform
import Glibc
public import Model
import Synchronization

/// A running program of this project that does work for another of its programs, and is connected to it by a pair of
/// sockets. Such a program reads what strangers have made, and confines itself (`ConfinementProfile`).
///
/// Its standard input is its socket, its standard output leads nowhere, and its standard error is that of this process.
/// Its owner ends it with `kill` and `wait`, or with `end`.
public final class WorkerProcess: Sendable {
  /// The end of a process.
  public struct Ending: Hashable, Sendable, CustomStringConvertible {
    /// The exit status, or minus the number of the signal that ended the process.
    public var status: Int32
    /// True if the owner has killed it.
    public var wasKilledByOwner: Bool

    /// True if neither the owner nor the process itself has ended it: the kernel does so where memory lacks, and the
    /// service manager at a shutdown. Such an end says nothing about the work of the process.
    public var wasKilledByOthers: Bool {
      !wasKilledByOwner && [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(-status)
    }

    /// The ending as words for a cause, for example `was ended by the signal Killed`.
    public var description: String {
      guard status < 0 else { return "ended with the status \(status)" }
      return "was ended by the signal \(strsignal(-status).map { String(cString: $0) } ?? "\(-status)")"
    }
  }

  private struct State {
    var isKilled = false
    var ending: Ending?
  }

  /// The time in which a process that has closed its socket, or was killed, is gone, unless it waits for a disk.
  private static let endingTime = Milliseconds(1000)

  /// This process's end of the connection.
  public let socket: MessageSocket
  private let process: ChildProcess
  /// Stands for the process. Unlike the process id, it never stands for another one once this one was reaped.
  private let handle: Descriptor
  private let state = Mutex(State())

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: the program's file.
  ///   - arguments: its arguments.
  /// - Throws: the errors of socketpair(2), posix_spawn(3) and pidfd_open(2).
  public init(_ program: String, arguments: [String] = []) throws(Errno) {
    let (ours, theirs) = try MessageSocket.pair()
    let (nothing, log) = (try Descriptor.null(), try Descriptor.duplicate(STDERR_FILENO))
    process = try ChildProcess(
      program, [program] + arguments, environment: Self.environment, descriptors: [theirs.descriptor, nothing, log])
    do { handle = try process.endDescriptor() } catch {
      // Nobody else reaps it, so its id is still its own.
      process.send(SIGKILL)
      process.wait()
      throw error
    }
    socket = ours
  }

  /// Returns the file of a program that lies in the folder of this one.
  public static func program(_ name: String) -> String {
    // The start says that there is no such program where this one's path is unknown.
    do { return "\(Files.folder(of: try Files.resolved("/proc/self/exe")))/\(name)" } catch { return name }
  }

  /// Kills the process if it still runs. Any thread may call it at any time, also when the process was reaped.
  public func kill() {
    // One that has ended already was not killed by its owner.
    guard !hasEnded(within: .zero) else { return }
    state.withLock { $0.isKilled = true }
    lunara_signal_process(handle.number, SIGKILL)
  }

  /// Waits until the process is gone, and returns how it has ended; nil if it is still there after `limit`. A killed
  /// process may be there for long: it ends only when the disk from which it reads answers.
  public func wait(within limit: Milliseconds) -> Ending? {
    let end = MonotonicClock.milliseconds() + limit
    while true {
      let left = max(.zero, end - MonotonicClock.milliseconds())
      if hasEnded(within: left), let ending = reap() { return ending }
      guard left > .zero else { return nil }
      // It has ended, but another process, such as a debugger, takes note of that first.
      poll(nil, 0, 5)
    }
  }

  /// Ends a process that has closed its end of the connection, or was killed. Returns nil if it is still there after a
  /// while, because it waits for a disk; it then has to be waited for again.
  public func end() -> Ending? {
    if let ending = wait(within: Self.endingTime) { return ending }
    kill()
    return wait(within: Self.endingTime)
  }

  private func hasEnded(within limit: Milliseconds) -> Bool {
    var polled = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, Int32(clamping: limit.rawValue)) > 0
  }

  private func reap() -> Ending? {
    state.withLock { state in
      if let ending = state.ending { return ending }
      state.ending = process.reap().map { Ending(status: $0, wasKilledByOwner: state.isKilled) }
      return state.ending
    }
  }

  /// The environment of a worker: of this process's only the variable that finds libraries.
  private static var environment: Environment {
    var environment = Environment(["LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "2", "SWIFT_BACKTRACE": "enable=no"])
    if let value = getenv("LD_LIBRARY_PATH") { environment["LD_LIBRARY_PATH"] = String(cString: value) }
    return environment
  }
}
