import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A client of the web page: HTTP/1.1 over a plain socket, so that a test can send any header and read a stream as it
/// arrives.
struct Browser {
  let port: UInt16

  /// The server's answer.
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    func json() throws -> JSON { try JSON(text: String(decoding: body, as: UTF8.self)) }
  }

  /// A connection whose answer may still arrive.
  final class Connection {
    private let descriptor: Int32
    private(set) var received: [UInt8] = []

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }

    /// Reads the bytes that have arrived; returns false once the server has closed the connection.
    func readMore() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return count < 0 && errno == EAGAIN }
        received += buffer[..<count]
      }
    }

    /// The text so far, with the headers.
    var text: String { String(decoding: received, as: UTF8.self) }
  }

  func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
    try await answer(to: try send("GET", path, headers: headers))
  }

  func post(_ path: String, json: String, headers: [String: String] = [:]) async throws -> Answer {
    let headers = ["Content-Type": "application/json"].merging(headers) { $1 }
    return try await answer(to: try send("POST", path, headers: headers, body: json))
  }

  /// Opens a stream of server-sent events.
  func events() throws -> Connection { try send("GET", "/api/v1/events", headers: ["Accept": "text/event-stream"]) }

  private func send(_ method: String, _ path: String, headers: [String: String], body: String = "") throws -> Connection
  {
    let all = ["Host": "127.0.0.1:\(port)", "Connection": "close", "Content-Length": "\(body.utf8.count)"]
      .merging(headers) { $1 }
    let text = "\(method) \(path) HTTP/1.1\r\n" + all.map { "\($0): \($1)\r\n" }.joined() + "\r\n" + body
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let connection = Connection(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    address.sin_port = port.bigEndian
    let isConnected = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected, Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count
    else { throw ChildProcess.Failure(description: "the page on port \(port) does not answer") }
    return connection
  }

  private func answer(to connection: Connection) async throws -> Answer {
    try await soon("an answer from the page") { !connection.readMore() }
    let received = connection.received
    guard let end = (0..<max(0, received.count - 3)).first(where: { Array(received[$0..<$0 + 4]) == [13, 10, 13, 10] })
    else { throw ChildProcess.Failure(description: "no HTTP: \(connection.text)") }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
    }
    let status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
    return Answer(status: status, headers: headers, body: Array(received[(end + 4)...]))
  }
}
