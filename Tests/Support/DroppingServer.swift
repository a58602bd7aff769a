import Glibc
import Synchronization

/// A server on a real socket that keeps its connections, and closes one without a byte of an answer where a test says
/// so: as after a request that was carried out and whose answer was lost.
public final class DroppingServer: Sendable {
  /// A request as it arrived.
  public struct Request: Hashable, Sendable {
    /// The method.
    public var method: String
    /// The path with the query.
    public var target: String
    /// The body; empty for none.
    public var body: String

    /// The path without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }
  }

  /// The error of a socket that could not be made.
  public struct Failure: Error {}

  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
  }

  /// The base address, of 127.0.0.1.
  public let address: String
  private let log: Log
  private let work: Task<Void, Never>

  /// All requests so far.
  public var requests: [Request] { log.requests.withLock { $0 } }

  /// - Parameter answer: returns the body of an answer of success; nil closes the connection without one.
  public init(_ answer: @escaping @Sendable (Request) -> String?) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound, fcntl(listener, F_SETFL, O_NONBLOCK) == 0 else { throw Failure() }
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    let log = Log()
    self.log = log
    work = Task {
      await withTaskGroup(of: Void.self) { group in
        while !Task.isCancelled {
          let descriptor = accept(listener, nil, nil)
          guard descriptor >= 0 else {
            do { try await Task.sleep(for: .milliseconds(1)) } catch { break }
            continue
          }
          _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
          group.addTask {
            do { try await Self.serve(descriptor, log, answer) } catch {}
            close(descriptor)
          }
        }
        group.cancelAll()
      }
      close(listener)
    }
  }

  deinit { work.cancel() }

  /// Starts a server that loses the answers to some requests, and waits until a client has a connection to it that is
  /// kept and would be used for the next request.
  ///
  /// - Parameters:
  ///   - isLost: returns true for a request whose answer is lost.
  ///   - answer: returns the body of any other answer.
  ///   - read: sends a reading of this address through the client, and returns the status of the answer.
  public static func losing(
    _ isLost: @escaping @Sendable (Request) -> Bool, answer: @escaping @Sendable (Request) -> String = { _ in "{}" },
    after read: (_ url: String) async throws -> Int
  ) async throws -> DroppingServer {
    let server = try DroppingServer { isLost($0) ? nil : answer($0) }
    guard try await read(server.address + "/before") == 200 else { throw Failure() }
    return server
  }

  /// Answers the requests of a connection until an answer is dropped or the client ends it.
  private static func serve(_ descriptor: Int32, _ log: Log, _ answer: (Request) -> String?) async throws {
    var waiting: [UInt8] = []
    while let request = try await next(descriptor, &waiting) {
      log.requests.withLock { $0.append(request) }
      guard let body = answer(request) else { return }
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Plex-Protocol: 1.0\r\n"
      var rest = Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count > 0 { rest = rest.dropFirst(count) } else { try await Task.sleep(for: .milliseconds(1)) }
      }
    }
  }

  /// Reads the next request; nil at the end of the connection.
  private static func next(_ descriptor: Int32, _ waiting: inout [UInt8]) async throws -> Request? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let text = String(decoding: waiting, as: UTF8.self)
      if let end = text.firstRange(of: "\r\n\r\n") {
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let length =
          lines.lazy.filter { $0.lowercased().hasPrefix("content-length:") }
          .compactMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }.first ?? 0
        let start = text.utf8.distance(from: text.startIndex, to: end.upperBound)
        if waiting.count >= start + length {
          let body = String(decoding: waiting[start..<start + length], as: UTF8.self)
          waiting.removeFirst(start + length)
          let words = lines.first?.split(separator: " ") ?? []
          guard words.count == 3 else { return nil }
          return Request(method: String(words[0]), target: String(words[1]), body: body)
        }
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        waiting += buffer[..<count]
      } else if count < 0, errno == EAGAIN {
        try await Task.sleep(for: .milliseconds(1))
      } else {
        return nil
      }
    }
  }
}
