import Model
import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTPStreamTests {
  private let client = HTTPClient(userAgent: "test/1")

  private func open(_ server: RawServer, idle: Duration = .seconds(60)) async throws -> HTTPStream {
    try await client.stream(HTTPRequest(.reads, url: "http://127.0.0.1:\(server.port)/"), idle: idle)
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  @Test func piecesArriveAsTheyComeAndTheEndIsSeen() async throws {
    let turn = Shared(0)
    let server = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send("HTTP/1.1 100 Continue\r\n\r\n" + Self.head)
      for number in 1...20 {
        while turn.value < number { try await Task.sleep(for: .milliseconds(1)) }
        try await socket.send("data: \(number)\n\n")
      }
    }
    // The headers are available before any of the body.
    let stream = try await open(server)
    #expect(stream.status == 200)
    #expect(stream.header("content-type") == "text/event-stream")
    for number in 1...20 {
      turn.value = number
      #expect(try await stream.next() == Array("data: \(number)\n\n".utf8))
    }
    #expect(try await stream.next() == nil)
    #expect(try await stream.next() == nil)
  }

  @Test func anErrorIsAnAnswerAndRedirectionsAreNotFollowed() async throws {
    let refused = try await open(RawServer(answer: "HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno"))
    #expect(refused.status == 401)
    #expect(try await refused.next() == Array("no".utf8))
    #expect(try await refused.next() == nil)
    let moved = try await open(
      RawServer(answer: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"))
    #expect(moved.status == 302)
  }

  @Test func aStreamThatBreaksOffIsAnErrorAfterWhatCame() async throws {
    let stream = try await open(
      RawServer(answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"))
    #expect(try await stream.next() == Array("hello".utf8))
    #expect(await code { _ = try await stream.next() } == "http.brokenAnswer")
    #expect(await code { _ = try await open(RawServer(answer: "")) } == "http.brokenAnswer")
  }

  @Test func aSilentStreamIsGivenUp() async throws {
    let server = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send(Self.head + "x")
      _ = try await socket.receive()
    }
    let stream = try await open(server, idle: .seconds(1))
    #expect(try await stream.next() == Array("x".utf8))
    #expect(await code { _ = try await stream.next() } == "http.timeout")
    let mute = try RawServer { socket in _ = try await socket.receive() }
    #expect(await code { _ = try await open(mute, idle: .seconds(1)) } == "http.timeout")
  }

  @Test func aSlowReaderHoldsTheServerBack() async throws {
    let sent = Shared(0)
    let whole = 20_000_000
    let server = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send("HTTP/1.1 200 OK\r\nContent-Length: \(whole)\r\n\r\n")
      while sent.value < whole, try await socket.send([UInt8](repeating: 120, count: 100_000)) {
        sent.change { $0 += 100_000 }
      }
    }
    let stream = try await open(server)
    // The server sends as much as the kernel's and Lunara's buffers hold, then nothing more.
    var last = -1
    #expect(
      try await eventually {
        try await Task.sleep(for: .milliseconds(100))
        defer { last = sent.value }
        return sent.value > 0 && sent.value == last
      })
    #expect(sent.value < whole)
    var received = 0
    while let piece = try await stream.next() { received += piece.count }
    #expect(received == whole)
  }

  @Test func aCancelledReaderBreaksTheConnectionOff() async throws {
    let isClosed = Shared(false)
    let server = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send(Self.head)
      _ = try await socket.receive()
      isClosed.value = true
    }
    let stream = try await open(server)
    let task = Task { try await stream.next() }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(await eventually { isClosed.value })
  }

  @Test func aStreamThatNobodyHoldsIsBrokenOff() async throws {
    let isClosed = Shared(false)
    let server = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send(Self.head)
      _ = try await socket.receive()
      isClosed.value = true
    }
    do { _ = try await open(server) }
    #expect(await eventually { isClosed.value })
  }

  @Test func whatWaitsCanBeTakenWithoutWaiting() async throws {
    let server = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send(Self.head + "one")
      _ = try await socket.receive()
    }
    let stream = try await open(server)
    var got: [UInt8] = []
    #expect(
      await eventually {
        got += stream.waiting()
        return got == Array("one".utf8)
      })
    #expect(stream.waiting().isEmpty)
  }
}
