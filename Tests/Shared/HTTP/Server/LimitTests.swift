import Model
import TestSupport
import Testing

@testable import HTTP

/// The limits on a client's use of a server: time, connections, memory.
@Suite(.timeLimit(.minutes(2)))
struct LimitTests {
  private let client = HTTPClient(userAgent: "test/1")

  @Test(arguments: ["", "GET / HTTP/1.1\r\nX-", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"])
  func whoSendsByteByByteIsCutOff(_ start: String) async throws {
    var limits = HTTPServer.Limits()
    (limits.patience, limits.deadline, limits.watch) = (600, .milliseconds(100), .milliseconds(20))
    try await withServer(limits: limits) { _ in
      HTTPServerResponse(text: "well")
    } _: { server, base in
      let socket = try RawSocket(port: server.port)
      try await socket.send(start)
      // The client is never silent, and never finishes its request.
      while try await socket.send("x"), socket.piece() != nil { try await Task.sleep(for: .milliseconds(5)) }
      #expect(await eventually(equals: 0) { server.openRequests })
      #expect(try await client.send(HTTPRequest(.reads, url: base)).status == 200)
    }
  }

  @Test func whoWaitsForItsAnswerIsNotCutOff() async throws {
    var limits = HTTPServer.Limits()
    (limits.deadline, limits.watch) = (.milliseconds(20), .milliseconds(5))
    let gate = Gate()
    try await withServer(limits: limits) { request in
      if request.path == "/slow" { await gate.wait() }
      return HTTPServerResponse(text: "well")
    } _: { server, base in
      async let answer = client.send(HTTPRequest(.changes, method: "POST", url: "\(base)/slow", body: [1]))
      #expect(await eventually(equals: 1) { gate.waiting })
      // Another client is cut off meanwhile, so the check for timeouts has run.
      let socket = try RawSocket(port: server.port)
      try await socket.send("GET /")
      _ = try await socket.receive()
      gate.open()
      #expect(try await answer.status == 200)
    }
  }

  @Test func anAddressHasSoManyConnectionsInUseAndNoMore() async throws {
    var limits = HTTPServer.Limits()
    limits.clientConnections = 2
    let (gate, asked) = (Gate(), Shared(0))
    try await withServer(limits: limits) { _ in
      asked.change { $0 += 1 }
      await gate.wait()
      return HTTPServerResponse(text: "well")
    } _: { server, base in
      do {
        let sockets = [try RawSocket(port: server.port), try RawSocket(port: server.port)]
        for socket in sockets { try await socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(await eventually(equals: 2) { asked.value })
        #expect(try await RawSocket(port: server.port).receive().isEmpty)
        gate.open()
        for socket in sockets {
          #expect(try await socket.receive(until: "well").hasPrefix("HTTP/1.1 200"))
        }
      }
      let isFree = await eventually(equals: nil) {
        await code { _ = try await client.send(HTTPRequest(.reads, url: base)) }
      }
      #expect(isFree)
    }
  }

  @Test func anIdleConnectionGivesWayToANewOneOfItsAddress() async throws {
    var limits = HTTPServer.Limits()
    (limits.clientConnections, limits.patience) = (20, 600)
    try await withServer(limits: limits) { _ in
      HTTPServerResponse(text: "well")
    } _: { server, base in
      var idle: [RawSocket] = []
      for _ in 0..<200 { idle.append(try RawSocket(port: server.port)) }
      #expect(try await client.send(HTTPRequest(.reads, url: base)).status == 200)
      withExtendedLifetime(idle) {}
    }
  }

  @Test func aKnownClientFindsAPlaceThatStrangersCannotTake() async throws {
    var limits = HTTPServer.Limits()
    let isKnown = Shared(false)
    (limits.connections, limits.reserved, limits.isKnown) = (4, 2, { _ in isKnown.value })
    let (gate, asked) = (Gate(), Shared(0))
    try await withServer(limits: limits) { request in
      asked.change { $0 += 1 }
      if request.path == "/wait" { await gate.wait() }
      return HTTPServerResponse(text: "well")
    } _: { server, base in
      let strangers = [try RawSocket(port: server.port), try RawSocket(port: server.port)]
      for socket in strangers { try await socket.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n") }
      #expect(await eventually(equals: 2) { asked.value })
      #expect(try await RawSocket(port: server.port).receive().isEmpty)
      isKnown.value = true
      #expect(try await client.send(HTTPRequest(.reads, url: base)).status == 200)
      gate.open()
      for socket in strangers { _ = try await socket.receive(until: "well") }
    }
  }

  @Test func aBodyIsTakenAsFarAsIsSaidForItsRequest() async throws {
    var limits = HTTPServer.Limits()
    limits.body = { $0.path == "/small" ? 10 : 1000 }
    try await withServer(limits: limits) {
      HTTPServerResponse(text: "\($0.body.count)")
    } _: { _, base in
      func status(_ path: String, _ count: Int) async throws -> Int {
        let body = [UInt8](repeating: 1, count: count)
        return try await client.send(HTTPRequest(.changes, method: "POST", url: base + path, body: body)).status
      }
      var statuses: [Int] = []
      for (path, count) in [("/small", 10), ("/small", 11), ("/large", 1000), ("/large", 1001)] {
        statuses.append(try await status(path, count))
      }
      #expect(statuses == [200, 413, 200, 413])
    }
  }

  @Test func allBodiesTogetherHaveALimit() async throws {
    var limits = HTTPServer.Limits()
    limits.bodies = 1000
    let gate = Gate()
    try await withServer(limits: limits) { request in
      if request.path == "/slow" { await gate.wait() }
      return HTTPServerResponse(text: "\(request.body.count)")
    } _: { _, base in
      func post(_ path: String) async throws -> HTTPResponse {
        let body = [UInt8](repeating: 1, count: 600)
        return try await client.send(HTTPRequest(.changes, method: "POST", url: base + path, body: body))
      }
      async let first = post("/slow")
      #expect(await eventually(equals: 1) { gate.waiting })
      let second = try await post("/second")
      gate.open()
      let rest = [try await first, try await post("/third")]
      #expect(second.status == 503 && rest.map(\.status) == [200, 200])
      #expect(rest[0].body == Array("600".utf8))
    }
  }

  @Test func theProducerOfAStreamThatIsNotSentIsTold() async throws {
    let ended = Shared(0)
    try await withServer { _ in
      HTTPServerResponse(
        body: .stream(
          AsyncStream {
            [1]
          } onCancel: {
            ended.change { $0 += 1 }
          }))
    } _: { _, base in
      let answer = try await client.send(HTTPRequest(.reads, method: "HEAD", url: base))
      #expect(answer.status == 200)
      #expect(await eventually(equals: 1) { ended.value })
    }
  }
}
