@testable import HTTP
import Model
import TestSupport
import Testing

@Suite struct StreamTests {
  /// A stream whose end is visible to the producer.
  private struct Source: Sendable {
    let stream: AsyncStream<[UInt8]>
    let continuation: AsyncStream<[UInt8]>.Continuation
    let isEnded = Shared(false)

    init() {
      (stream, continuation) = AsyncStream.makeStream()
      continuation.onTermination = { [isEnded] _ in isEnded.value = true }
    }

    var response: HTTPServerResponse {
      HTTPServerResponse(headers: [("Content-Type", "text/event-stream")], body: .stream(stream))
    }

    func yield(_ text: String) { continuation.yield(Array(text.utf8)) }
  }

  private var quickWatch: HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    limits.watch = .milliseconds(10)
    return limits
  }

  private func open(_ server: HTTPServer, window: Int32? = nil) async throws -> RawSocket {
    let socket = try RawSocket(port: server.port, window: window)
    try await socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    return socket
  }

  @Test func eventsArriveAsTheyComeAndTheEndIsSeen() async throws {
    let source = Source()
    try await withServer { _ in
      source.response
    } _: { server, _ in
      let socket = try await open(server)
      let head = try await socket.receive(until: "\r\n\r\n")
      #expect(head.contains("text/event-stream"))
      for number in 1...50 {
        source.yield("data: \(number)\n\n")
        _ = try await socket.receive(until: "data: \(number)\n\n")
      }
      source.continuation.finish()
      #expect(try await socket.receive(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
      #expect(source.isEnded.value)
    }
  }

  @Test(arguments: [nil, 300_000] as [UInt64?])
  func aRelayedBodyThatEndsEarlyBreaksOff(_ length: UInt64?) async throws {
    struct Cut: Error {}
    let pieces = Shared([[UInt8]](repeating: [UInt8](repeating: 120, count: 1000), count: 300))
    let fails = Shared(false)
    try await withServer { _ in
      let rest = Shared(pieces.value)
      return HTTPServerResponse(
        body: .relayed(length: length) {
          if rest.value.isEmpty, fails.value { throw Cut() }
          var next: [UInt8]?
          rest.change { if !$0.isEmpty { next = $0.removeFirst() } }
          return next
        })
    } _: { _, base in
      let client = HTTPClient(userAgent: "test/1")
      let whole = try await client.send(HTTPRequest(.reads, url: base))
      #expect(whole.body.count == 300_000)
      #expect(whole.header("Content-Length") == length.map { "\($0)" })
      let head = try await client.send(HTTPRequest(.reads, method: "HEAD", url: base))
      #expect(head.header("Content-Length") == length.map { "\($0)" })
      fails.value = true
      pieces.change { $0.removeLast() }
      #expect(await code { _ = try await client.send(HTTPRequest(.reads, url: base)) } == "http.brokenAnswer")
      fails.value = false
      if length != nil {
        #expect(await code { _ = try await client.send(HTTPRequest(.reads, url: base)) } == "http.brokenAnswer")
      }
    }
  }

  @Test func aClientThatGoesEndsTheStream() async throws {
    let source = Source()
    try await withServer(limits: quickWatch) { _ in
      source.response
    } _: { server, _ in
      do {
        let socket = try await open(server)
        source.yield("data: 1\n\n")
        _ = try await socket.receive(until: "data: 1")
        #expect(!source.isEnded.value)
      }
      // The server sends nothing more, and notices all the same that the client has gone.
      #expect(await eventually { source.isEnded.value })
      #expect(await eventually(equals: 0) { server.openRequests })
    }
  }

  @Test func aClientThatGoesWhileBytesWaitEndsTheStream() async throws {
    let source = Source()
    try await withServer(limits: quickWatch) { _ in
      source.response
    } _: { server, _ in
      do {
        let socket = try await open(server, window: 4096)
        _ = try await socket.receive(until: "\r\n\r\n")
        for _ in 0..<1000 { source.continuation.yield([UInt8](repeating: 120, count: 10_000)) }
      }
      #expect(await eventually { source.isEnded.value })
    }
  }

  @Test func aSlowClientHoldsTheProducerBack() async throws {
    let produced = Shared(0)
    let chunk = [UInt8](repeating: 120, count: 10_000)
    let stream = AsyncStream<[UInt8]> {
      produced.change { $0 += chunk.count }
      return chunk
    }
    try await withServer { _ in
      HTTPServerResponse(body: .stream(stream))
    } _: { server, _ in
      let socket = try await open(server, window: 4096)
      _ = try await socket.receive(until: "\r\n\r\n")
      // The server sends as much as the kernel's and Lunara's buffers hold, then nothing more.
      var last = -1
      #expect(
        try await eventually {
          try await Task.sleep(for: .milliseconds(50))
          defer { last = produced.value }
          return produced.value == last
        })
      #expect(produced.value < 8_000_000)
      // The producer continues when the client reads.
      var received = 0
      while received < 10_000_000 {
        let piece = try #require(socket.piece())
        received += piece.count
        if piece.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
      }
    }
  }

  @Test func aClientThatTakesNothingOfWhatTheKernelKeepsIsDropped() async throws {
    let source = Source()
    var limits = quickWatch
    limits.patience = 3600
    limits.sendTimeout = 500
    try await withServer(limits: limits) { _ in
      source.response
    } _: { server, _ in
      let socket = try await open(server, window: 4096)
      _ = try await socket.receive(until: "\r\n\r\n")
      // Few enough bytes that the kernel's buffers take all of them.
      for _ in 0..<5 { source.continuation.yield([UInt8](repeating: 120, count: 10_000)) }
      #expect(await eventually { source.isEnded.value })
      withExtendedLifetime(socket) {}
    }
  }

  @Test func aClientThatTakesNothingIsDropped() async throws {
    let source = Source()
    var limits = quickWatch
    limits.patience = 1
    try await withServer(limits: limits) { _ in
      source.response
    } _: { server, _ in
      let socket = try await open(server, window: 4096)
      _ = try await socket.receive(until: "\r\n\r\n")
      for _ in 0..<1000 { source.continuation.yield([UInt8](repeating: 120, count: 10_000)) }
      #expect(await eventually { source.isEnded.value })
      withExtendedLifetime(socket) {}
    }
  }

  @Test func aQuietStreamOutlivesTheTimeForSilentConnections() async throws {
    let source = Source()
    var limits = quickWatch
    limits.patience = 1
    try await withServer(limits: limits) { _ in
      source.response
    } _: { server, _ in
      let socket = try await open(server)
      _ = try await socket.receive(until: "\r\n\r\n")
      // A connection that is silent for less time than the stream is quiet ends first.
      let silent = try RawSocket(port: server.port)
      #expect(await eventually(equals: nil) { silent.piece() })
      source.yield("data: late\n\n")
      _ = try await socket.receive(until: "data: late")
      #expect(!source.isEnded.value)
    }
  }

  @Test func manyStreamsAreOpenAtOnce() async throws {
    let sources = (0..<100).map { _ in Source() }
    let next = Shared(0)
    try await withServer { _ in
      let number = Shared(0)
      next.change {
        number.value = $0
        $0 += 1
      }
      return sources[number.value].response
    } _: { server, _ in
      var sockets: [RawSocket] = []
      for _ in sources { sockets.append(try await open(server)) }
      for socket in sockets { _ = try await socket.receive(until: "\r\n\r\n") }
      for source in sources { source.yield("data: x\n\n") }
      for socket in sockets { _ = try await socket.receive(until: "data: x") }
    }
    #expect(await eventually(equals: 0) { sources.count { !$0.isEnded.value } })
  }

  @Test func anEndlessStreamOfNothingCostsNoTime() async throws {
    let source = Source()
    try await withServer { _ in
      source.response
    } _: { server, _ in
      let socket = try await open(server)
      _ = try await socket.receive(until: "\r\n\r\n")
      for _ in 0..<100 { source.continuation.yield([]) }
      source.yield("x")
      _ = try await socket.receive(until: "x")
    }
  }
}

@Suite struct SendBufferTests {
  private func move(out buffer: inout SendBuffer, _ room: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: room)
    let count = bytes.withUnsafeMutableBytes { buffer.move(into: $0) }
    return Array(bytes[..<count])
  }

  @Test(arguments: [1, 2, 3, 7, 100]) func bytesLeaveInTheirOrderWhateverTheRoom(_ room: Int) {
    var buffer = SendBuffer()
    for chunk in [[1, 2, 3], [], [4], [5, 6, 7, 8, 9, 10]] as [[UInt8]] { buffer.append(chunk) }
    var left: [UInt8] = []
    while buffer.count > 0 { left += move(out: &buffer, room) }
    #expect(left == Array(1...10))
    #expect(move(out: &buffer, room) == [])
  }

  @Test func aProducerWaitsUntilHalfHasLeft() {
    var buffer = SendBuffer()
    buffer.append([UInt8](repeating: 0, count: SendBuffer.limit - 1))
    #expect(!buffer.isFull)
    buffer.append([0])
    #expect(buffer.isFull)
    #expect(!buffer.hasRoom)
    _ = move(out: &buffer, SendBuffer.limit / 2)
    #expect(buffer.hasRoom)
  }
}
