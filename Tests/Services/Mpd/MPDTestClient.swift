import Glibc
import Model
import System
import TestSupport

/// A client over a plain socket, which sends any bytes and reads what arrives.
final class MPDTestClient {
  private let socket: Descriptor
  private var bytes: [UInt8] = []
  /// True once the server has closed the connection.
  private(set) var isClosed = false

  /// Connects to a port of this machine. It blocks no thread: the server, which has to accept, may need the same one.
  init(port: UInt16) async throws {
    let number = Glibc.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    socket = Descriptor(owning: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    address.sin_port = port.bigEndian
    let isBegun = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 || errno == EINPROGRESS
      }
    }
    var polled = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    let isAnswered = await eventually { poll(&polled, 1, 0) > 0 }
    guard isBegun, isAnswered, Int32(polled.revents) & (POLLERR | POLLHUP) == 0 else {
      throw LunaraError("test.noConnection", "Nothing listens at port \(port).")
    }
  }

  /// Sends bytes as far as the server takes them; returns the number that it took.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { max(0, Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))) }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends a command and returns the lines of its answer, with the last one.
  func ask(_ command: String) async -> [String] {
    send(command + "\n")
    return await answer()
  }

  /// Waits for a whole answer; returns what there is when the server closes.
  func answer() async -> [String] {
    var lines: [String] = []
    _ = await eventually {
      receive()
      while let end = bytes.firstIndex(of: 10) {
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeFirst(end + 1)
        lines.append(line)
        if line.hasPrefix("OK") || line.hasPrefix("ACK ") { return true }
      }
      return isClosed
    }
    return lines
  }

  /// Returns true when the server closes the connection.
  func closes() async -> Bool {
    await eventually {
      receive()
      return isClosed
    }
  }

  /// Reads what has arrived.
  func receive() {
    while true {
      switch socket.read() {
      case .bytes(let more): bytes += more
      case .nothingYet: return
      case .end:
        isClosed = true
        return
      }
    }
  }

  func close() { socket.close() }
}
