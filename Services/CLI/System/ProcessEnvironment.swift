import System
import Glibc
import Model

enum ProgramLocation {
  /// Returns the folder of this program, which also has the services' programs. Throws `cli.programMissing`.
  static func folder() throws -> String {
    do { return Files.folder(of: try Files.resolved("/proc/self/exe")) } catch {
      throw LunaraError(
        "cli.programMissing", "Cannot find out where this program lies. Is /proc mounted?", cause: error)
    }
  }

  /// Returns a path that a person gave as an absolute one.
  static func absolute(_ path: String) -> String { Files.absolute(path, in: workingDirectory()) }

  static func workingDirectory() -> String {
    do { return try Files.resolved(".") } catch { return "/" }
  }
}

/// The pipe that is closed when `lunara up`, which started this process, has ended.
struct SupervisorPipe: Sendable {
  private let number: Int32?

  init(_ environment: Environment) { number = environment["LUNARA_PARENT_FD"].flatMap { Int32($0) } }

  var isOpen: Bool {
    guard let number else { return true }
    // Nobody writes to the pipe, so it becomes readable only at its end.
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) <= 0
  }
}
