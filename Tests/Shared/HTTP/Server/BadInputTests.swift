import Model
import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct BadInputTests {
  private let client = HTTPClient(userAgent: "test/1")

  /// Sends bytes and returns the answer until the server closes the connection; then checks that the server still
  /// works.
  private func answer(to bytes: [UInt8], closing: Bool = false) async throws -> String {
    let calls = Shared(0)
    var limits = HTTPServer.Limits()
    limits.patience = 1
    return try await withServer(limits: limits) { request in
      if request.path != "/well" { calls.change { $0 += 1 } }
      return HTTPServerResponse(text: "well")
    } _: { server, base in
      let text: String
      do {
        let socket = try RawSocket(port: server.port)
        try await socket.send(bytes)
        text = closing ? "" : try await socket.receive()
      }
      #expect(try await client.send(HTTPRequest(.reads, url: "\(base)/well")).body == Array("well".utf8))
      #expect(calls.value == 0)
      #expect(await eventually(equals: 0) { server.openRequests })
      return text
    }
  }

  private func answer(to text: String) async throws -> String { try await answer(to: Array(text.utf8)) }

  @Test(arguments: [
    "\r\n\r\n\r\n", "hello\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  ])
  func garbageNeverReachesTheHandler(_ text: String) async throws {
    let answer = try await answer(to: text)
    #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"))
  }

  /// Each of these could be read as one request here, and as two by a proxy in front of this server.
  @Test(arguments: [
    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 5\r\nContent-Length: 5\r\n",
    "Content-Length: 5, 5\r\n", "Content-Length: +5\r\n", "Content-Length: 0x5\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: identity\r\n",
    "Transfer-Encoding: gzip, chunked\r\n", "content-length: 5\r\nTRANSFER-ENCODING: chunked\r\n",
  ])
  func aBodyWhoseEndIsInDoubtIsRefusedAndTheConnectionEnds(_ headers: String) async throws {
    let body = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    let answer = try await answer(to: "POST / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\(body)")
    #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
    #expect(answer.firstRange(of: "HTTP/1.1 2") == nil, "\(answer)")
  }

  @Test func randomBytesNeverReachTheHandler() async throws {
    // The seed makes a failure repeatable.
    var generator = SplitMix64(state: 7)
    for _ in 0..<5 {
      let bytes = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      _ = try await answer(to: bytes)
    }
  }

  @Test func oversizeHeadersAreRefused() async throws {
    let long = String(repeating: "x", count: 100_000)
    #expect(try await answer(to: "GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n").hasPrefix("HTTP/1.1 431"))
    #expect(try await answer(to: "GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 414"))
    let many = (0..<5000).map { "X-\($0): \($0)\r\n" }.joined()
    #expect(try await answer(to: "GET / HTTP/1.1\r\nHost: a\r\n\(many)\r\n").hasPrefix("HTTP/1.1 431"))
  }

  @Test(arguments: ["/%00", "/%zz", "/%ff", "*", "http://other/x"])
  func malformedAddressesAreRefused(_ target: String) async throws {
    #expect(try await answer(to: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 400"))
  }

  @Test func anEnormousBodyIsRefusedBeforeItComes() async throws {
    let answer = try await answer(
      to: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\nExpect: 100-continue\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 413"))
  }

  @Test(arguments: [
    "", "G", "GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe",
  ])
  func aHalfRequestIsGivenUp(_ text: String) async throws {
    // First the client closes the connection, then it stays silent until the server's timeout.
    _ = try await answer(to: Array(text.utf8), closing: true)
    _ = try await answer(to: text)
  }

  @Test func aClientThatGoesWhileItsAnswerIsMadeHarmsNobody() async throws {
    let gate = Gate()
    try await withServer { request in
      if request.path == "/slow" { await gate.wait() }
      return HTTPServerResponse(text: "well")
    } _: { server, base in
      for _ in 0..<20 {
        let socket = try RawSocket(port: server.port)
        try await socket.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
      }
      #expect(await eventually(equals: 20) { gate.waiting })
      gate.open()
      #expect(try await client.send(HTTPRequest(.reads, url: base)).status == 200)
      #expect(await eventually(equals: 0) { server.openRequests })
    }
  }

  @Test func connectionsBeyondTheLimitWaitTheirTurn() async throws {
    var limits = HTTPServer.Limits()
    limits.connections = 4
    try await withServer(limits: limits) { _ in
      HTTPServerResponse(text: "well")
    } _: { server, base in
      var silent: [RawSocket] = []
      for _ in 0..<4 { silent.append(try RawSocket(port: server.port)) }
      async let status = client.send(HTTPRequest(.reads, url: base)).status
      silent.removeLast()
      #expect(try await status == 200)
      withExtendedLifetime(silent) {}
    }
  }
}
