import Glibc
import Model
import Testing

@testable import HTTP

@Suite struct FileTests {
  private let client = HTTPClient(userAgent: "test/1")

  /// Answers with a file; 404 where there is none.
  private func answer(with path: LocalPath, _ headers: [(String, String)] = []) -> HTTPServerResponse {
    guard let file = OpenFile(path) else { return HTTPServerResponse(status: 404) }
    return HTTPServerResponse(headers: headers, body: .opened(file))
  }

  /// Serves a file and asks for it.
  private func response(
    _ bytes: [UInt8], _ headers: [(String, String)] = [], method: String = "GET"
  ) async throws -> HTTPResponse {
    let file = try TemporaryFile(bytes)
    return try await withServer { _ in
      answer(with: file.local, [("Content-Type", "audio/flac")])
    } _: { _, base in
      try await client.send(HTTPRequest(.changes, method: method, url: base, headers: headers))
    }
  }

  @Test(arguments: [0, 1, 100_000, 3_000_000]) func aFileArrivesWhole(_ count: Int) async throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let response = try await response(bytes)
    #expect(response.status == 200)
    #expect(response.body == bytes)
    #expect(response.header("Content-Length") == "\(count)")
    #expect(response.header("Content-Type") == "audio/flac")
    #expect(response.header("Accept-Ranges") == "bytes")
  }

  @Test func aPartIsSentAlone() async throws {
    let part = try await response(Array(0..<100), [("Range", "bytes=10-19")])
    #expect(part.status == 206)
    #expect(part.body == Array(10..<20))
    #expect(part.header("Content-Range") == "bytes 10-19/100")
    let none = try await response(Array(0..<100), [("Range", "bytes=100-")])
    #expect(none.status == 416)
    #expect(none.header("Content-Range") == "bytes */100")
    #expect(none.body == [])
  }

  @Test func aHeadSaysTheLength() async throws {
    let head = try await response(Array(0..<100), method: "HEAD")
    #expect(head.header("Content-Length") == "100")
    #expect(head.body == [])
  }

  @Test func anUnchangedFileIsNotSentAgainAndAChangedOneIs() async throws {
    let file = try TemporaryFile(Array(0..<100))
    try await withServer { _ in
      answer(with: file.local)
    } _: { _, base in
      let first = try await client.send(HTTPRequest(.reads, url: base))
      let tag = try #require(first.header("ETag"))
      let date = try #require(first.header("Last-Modified"))
      func status(_ name: String, _ value: String) async throws -> Int {
        try await client.send(HTTPRequest(.reads, url: base, headers: [(name, value)])).status
      }
      #expect(try await status("If-None-Match", tag) == 304)
      #expect(try await status("If-Modified-Since", date) == 304)
      var times = [timespec(tv_sec: 784_111_777, tv_nsec: 5), timespec(tv_sec: 784_111_777, tv_nsec: 5)]
      #expect(utimensat(AT_FDCWD, file.path, &times, 0) == 0)
      #expect(try await status("If-None-Match", tag) == 200)
      let changed = try await client.send(HTTPRequest(.reads, url: base))
      #expect(changed.header("Last-Modified") == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
  }

  @Test func anUnreadableFileIsNotFound() async throws {
    let fifo = "/tmp/lunara-http-fifo-\(UInt32.random(in: 0...UInt32.max))"
    #expect(mkfifo(fifo, 0o600) == 0)
    defer { unlink(fifo) }
    try await withServer {
      answer(with: LocalPath($0.path))
    } _: { _, base in
      for path in ["/no/such/file", "/tmp", "/dev/zero", fifo] {
        let response = try await client.send(HTTPRequest(.reads, url: base + path))
        #expect(response.status == 404, "\(path)")
      }
    }
  }

  @Test func aFileThatIsCutWhileItIsSentIsNeverTakenForWhole() async throws {
    let file = try TemporaryFile([UInt8](repeating: 1, count: 50_000_000))
    var limits = HTTPServer.Limits()
    limits.patience = 1
    try await withServer(limits: limits) { _ in
      answer(with: file.local)
    } _: { server, _ in
      let socket = try RawSocket(port: server.port, window: 4096)
      try await socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try await socket.receive(until: "\r\n\r\n")
      #expect(truncate(file.path, 1000) == 0)
      // The connection ends before the announced length was sent.
      var count = 0
      while let piece = socket.piece() {
        count += piece.count
        if piece.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      }
      #expect(count < 50_000_000)
    }
  }
}
