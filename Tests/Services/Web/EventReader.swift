import Dispatch
import Glibc
import Model
import Synchronization

/// A browser's end of an event stream, over a plain socket that buffers nothing.
final class EventReader: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "event reader")
  private let unread = Mutex("")

  /// Connects and requests the events after the one with `id`, where one is given.
  ///
  /// - Parameters:
  ///   - cookie: the value of the header.
  ///   - window: the size of the kernel's receive buffer in bytes.
  init(
    port: UInt16, after id: String? = nil, path: String = "/api/v1/events", cookie: String? = nil,
    window: Int32? = nil
  ) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    if var window {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafeBytes(of: &address) { bytes in
      bytes.baseAddress.map { connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), size) } ?? -1
    }
    guard connected == 0 else { throw LunaraError("test.unconnected", "The service cannot be reached.") }
    // A missing answer fails the test instead of blocking it for ever.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let more = (id.map { "Last-Event-ID: \($0)\r\n" } ?? "") + (cookie.map { "Cookie: \($0)\r\n" } ?? "")
    let request = "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\(more)\r\n"
    _ = request.withCString { send(descriptor, $0, strlen($0), 0) }
  }

  /// The headers of the answer, once something was read.
  var head: String { seen.withLock { $0 } }
  private let seen = Mutex("")
  private let hasEnded = Mutex(false)

  /// Reads until a text has come, and returns everything up to the end of its event, or to `through`.
  func next(containing text: String, through ending: String = "\n\n") async throws -> String {
    while true {
      if let found = popText(through: text, ending) { return found }
      guard let more = await read() else { throw LunaraError("test.ended", "The stream ended before \(text).") }
      unread.withLock { $0 += more }
    }
  }

  /// Reads to the end of the stream; returns false where the end did not come in time.
  func isEnded() async -> Bool {
    // The last chunk of a body (RFC 9112, 7.1). The connection may stay open for another request.
    while let text = await read() { if text.hasSuffix("0\r\n\r\n") { return true } }
    return hasEnded.withLock { $0 }
  }

  func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  deinit { _ = Glibc.close(descriptor) }

  private func popText(through text: String, _ ending: String) -> String? {
    unread.withLock { unread in
      if head.isEmpty, let end = unread.range(of: "\r\n\r\n") {
        seen.withLock { $0 = String(unread[..<end.lowerBound]) }
      }
      guard let found = unread.range(of: text) else { return nil }
      let end =
        text.hasSuffix(ending)
        ? found.upperBound : unread[found.upperBound...].range(of: ending)?.upperBound
      guard let end else { return nil }
      defer { unread = String(unread[end...]) }
      return String(unread[..<end])
    }
  }

  private func read() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        // The connection ended, perhaps by a reset; a timeout does not count as its end.
        if count == 0 || (count < 0 && errno != EAGAIN) { hasEnded.withLock { $0 = true } }
        continuation.resume(returning: count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil)
      }
    }
  }
}

extension StringProtocol {
  /// Returns the range of the first occurrence of a text.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
