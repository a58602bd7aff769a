import Glibc
import Testing

@testable import HTTP

/// A TCP connection for sending invalid or unusual bytes. It never blocks a thread.
final class RawSocket: Sendable {
  private let descriptor: Int32

  /// Takes over a connected socket.
  init(descriptor: Int32) throws {
    try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    self.descriptor = descriptor
  }

  /// Connects to a port of this computer. `window` limits the receive buffer, which makes it a slow reader.
  convenience init(port: UInt16, window: Int32? = nil) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    try #require(descriptor >= 0)
    if var window {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    try self.init(descriptor: descriptor)
  }

  deinit { close(descriptor) }

  /// Sends bytes; returns false where the other end no longer accepts any.
  @discardableResult
  func send(_ bytes: [UInt8]) async throws -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        try await Task.sleep(for: .milliseconds(1))
      } else {
        return false
      }
    }
    return true
  }

  @discardableResult
  func send(_ text: String) async throws -> Bool { try await send(Array(text.utf8)) }

  /// Returns the bytes that have arrived; nil at the end of the connection.
  func piece() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { return Array(buffer[..<count]) }
    return count < 0 && errno == EAGAIN ? [] : nil
  }

  /// Returns all bytes until a text has arrived or the connection ends, within a minute.
  func receive(until end: String? = nil) async throws -> String {
    var bytes: [UInt8] = []
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(60)
    while let piece = piece() {
      bytes += piece
      let text = String(decoding: bytes, as: UTF8.self)
      if let end, text.contains(end) { return text }
      try #require(clock.now < deadline, "the connection stays open with: \(text)")
      if piece.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A server that answers every connection with fixed bytes, whatever the request.
final class RawServer: Sendable {
  let port: UInt16
  private let task: Task<Void, Never>

  init(_ talk: @escaping @Sendable (RawSocket) async throws -> Void) throws {
    let listener = try Listener(address: "127.0.0.1", port: 0)
    port = listener.port
    task = Task {
      await withTaskGroup(of: Void.self) { group in
        while !Task.isCancelled {
          let descriptor = accept(listener.descriptor, nil, nil)
          if descriptor >= 0 {
            group.addTask { do { try await talk(RawSocket(descriptor: descriptor)) } catch {} }
          } else {
            do { try await Task.sleep(for: .milliseconds(1)) } catch { break }
          }
        }
      }
      close(listener.descriptor)
    }
  }

  deinit { task.cancel() }

  /// Answers with a text and closes the connection.
  convenience init(answer: String) throws {
    try self.init { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send(answer)
    }
  }
}
