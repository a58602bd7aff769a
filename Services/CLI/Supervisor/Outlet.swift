import Glibc

/// Writes to a terminal, pipe or file without ever waiting for it: while a terminal is held with Ctrl-S the household
/// goes on, and what does not fit any more is counted instead of kept.
final class Outlet {
  /// The descriptor that is written to.
  let number: Int32
  private var pending: [UInt8] = []
  private var dropped = 0
  private var isClosed = false
  private let capacity: Int

  /// An outlet that keeps at most `capacity` bytes.
  init(_ number: Int32, capacity: Int = 262_144) {
    self.number = number
    self.capacity = capacity
  }

  /// Whether it waits until the descriptor can be written.
  var hasPending: Bool { !pending.isEmpty }

  /// Adds a line.
  func add(_ line: [UInt8]) {
    guard !isClosed else { return }
    guard pending.count + line.count < capacity else {
      dropped += 1
      return
    }
    if dropped > 0 {
      pending += Array("… \(dropped) lines were left out …\n".utf8)
      dropped = 0
    }
    pending += line
    pending.append(UInt8(ascii: "\n"))
  }

  /// Writes a part; to be called when poll says that the descriptor can be written. A pipe that can be written at all
  /// takes 4096 bytes without waiting (pipe(7), PIPE_BUF).
  func writeSome() {
    let count = pending.withUnsafeBytes { Glibc.write(number, $0.baseAddress, min(4096, $0.count)) }
    if count > 0 {
      pending.removeFirst(count)
    } else if count < 0, errno != EINTR, errno != EAGAIN {
      // Nobody reads any more; the household lives on without a log.
      isClosed = true
      pending = []
    }
  }

  /// Writes what is left, waiting at most `patience` milliseconds for each part.
  func finish(patience: Int32) {
    var polled = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    while hasPending, poll(&polled, 1, patience) > 0 { writeSome() }
  }
}
