import Glibc

/// The pipe by which a process learns that `lunara up`, which started it, is gone.
struct SupervisorPipe: Sendable {
  private let number: Int32?

  /// The pipe that `LUNARA_PARENT_FD` names, if any does.
  init(_ environment: Environment) { number = environment["LUNARA_PARENT_FD"].flatMap { Int32($0) } }

  /// Whether the supervisor is there; always, where there is none.
  var isOpen: Bool {
    guard let number else { return true }
    // Nothing is ever written: a pipe that can be read has come to its end.
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) <= 0
  }
}
