import Glibc

/// A running program of this project that does work for another of its programs, and is connected to it by a pair of
/// sockets. Such a program reads what strangers have made, and confines itself (`ConfinementProfile`).
///
/// Its standard input is its socket, its standard output leads nowhere, and its standard error is that of this process.
/// Its owner ends it with `end`.
public final class WorkerProcess: Sendable {
  /// This process's end of the connection.
  public let socket: MessageSocket
  private let process: ChildProcess

  /// Starts a program.
  ///
  /// - Parameter program: the program's file.
  /// - Throws: the errors of socketpair(2) and posix_spawn(3).
  public init(_ program: String) throws(Errno) {
    let (ours, theirs) = try MessageSocket.pair()
    let (nothing, log) = (try Descriptor.null(), try Descriptor.duplicate(STDERR_FILENO))
    process = try ChildProcess(
      program, [program], environment: Self.environment, descriptors: [theirs.descriptor, nothing, log])
    socket = ours
  }

  /// Returns the file of a program that lies in the folder of this one.
  public static func program(_ name: String) -> String {
    // The start says that there is no such program where this one's path is unknown.
    do { return "\(Files.folder(of: try Files.resolved("/proc/self/exe")))/\(name)" } catch { return name }
  }

  /// Ends the process if it still runs.
  public func kill() { process.send(SIGKILL) }

  /// Ends the process if it still runs, and blocks until it is gone. Returns how it ended, as words for a cause: its
  /// exit status, or the signal that ended it. Must be called once.
  @discardableResult
  public func end() -> String {
    let status = process.reap() ?? killed()
    return status < 0 ? "was ended by the signal \(Self.name(of: -status))" : "ended with the status \(status)"
  }

  private func killed() -> Int32 {
    kill()
    return process.wait()
  }

  private static func name(of signal: Int32) -> String { strsignal(signal).map { String(cString: $0) } ?? "\(signal)" }

  /// The environment of a worker: of this process's only the variable that finds libraries.
  private static var environment: Environment {
    var environment = Environment(["LC_ALL": "C.UTF-8", "MALLOC_ARENA_MAX": "2", "SWIFT_BACKTRACE": "enable=no"])
    if let value = getenv("LD_LIBRARY_PATH") { environment["LD_LIBRARY_PATH"] = String(cString: value) }
    return environment
  }
}
