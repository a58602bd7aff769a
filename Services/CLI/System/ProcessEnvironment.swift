import System
import Glibc
import Model

/// The folder of this program and of its services.
enum ProgramLocation {
  /// The folder of this program, in which the services' programs are as well.
  static func folder() throws -> String {
    let path = try Self.path()
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// This program's file.
  private static func path() throws -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0 else {
      throw LunaraError(
        "cli.programMissing", "Cannot find out where this program lies. Is /proc mounted?",
        cause: String(cString: strerror(errno)))
    }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The folder that relative paths begin in.
  static func workingDirectory() -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&bytes, bytes.count) != nil else { return "/" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The pipe by which a process learns that `lunara up`, which started it, is gone.
struct SupervisorPipe: Sendable {
  private let number: Int32?

  /// The pipe that `LUNARA_PARENT_FD` names, if any does.
  init(_ environment: Environment) { number = environment["LUNARA_PARENT_FD"].flatMap { Int32($0) } }

  /// True while the supervisor runs, and always if there is none.
  var isOpen: Bool {
    guard let number else { return true }
    // Nothing is ever written: a pipe that can be read has come to its end.
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) <= 0
  }
}
