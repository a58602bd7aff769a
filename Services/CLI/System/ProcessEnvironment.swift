import System
import Glibc
import Model

enum ProgramLocation {
  /// The folder of this program, in which the services' programs are as well.
  static func folder() throws -> String {
    do { return Files.folder(of: try Files.resolved("/proc/self/exe")) } catch {
      throw LunaraError(
        "cli.programMissing", "Cannot find out where this program lies. Is /proc mounted?", cause: error)
    }
  }

  /// A path that a person gave, from the root of the file system.
  static func absolute(_ path: String) -> String { Files.absolute(path, in: workingDirectory()) }

  static func workingDirectory() -> String {
    do { return try Files.resolved(".") } catch { return "/" }
  }
}

/// The pipe by which a process learns that `lunara up`, which started it, is gone.
struct SupervisorPipe: Sendable {
  private let number: Int32?

  init(_ environment: Environment) { number = environment["LUNARA_PARENT_FD"].flatMap { Int32($0) } }

  var isOpen: Bool {
    guard let number else { return true }
    // Nothing is ever written: a pipe that can be read has come to its end.
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) <= 0
  }
}
