import Glibc
import Model
import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTPClientTests {
  private let client = HTTPClient(userAgent: "test/1")

  private func send(to server: RawServer, limit: Int = 1_000_000, timeout: Duration = .seconds(60)) async throws
    -> HTTPResponse
  {
    try await client.send(
      HTTPRequest(.reads, url: "http://127.0.0.1:\(server.port)/", timeout: timeout, responseLimit: limit))
  }

  private func failure(_ server: RawServer, limit: Int = 1_000_000, timeout: Duration = .seconds(60)) async -> String? {
    await code { _ = try await send(to: server, limit: limit, timeout: timeout) }
  }

  @Test func anAnswerOfAnyStatusIsAnAnswer() async throws {
    let server = try RawServer(
      answer: "HTTP/1.1 503 Later\r\nX-A: 1\r\nx-a: 2\r\nX-Empty:\r\nContent-Length: 2\r\n\r\nno")
    let response = try await send(to: server)
    #expect(response.status == 503)
    #expect(response.headers.map(\.0) == ["X-A", "x-a", "X-Empty", "Content-Length"])
    #expect(response.header("X-A") == "1")
    #expect(response.header("x-empty") == "")
    #expect(response.body == Array("no".utf8))
  }

  @Test func interimAnswersAreNotTheAnswer() async throws {
    let server = try RawServer(
      answer: "HTTP/1.1 103 Early\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let response = try await send(to: server)
    #expect(response.status == 200)
    #expect(response.header("X-Early") == nil)
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "garbage\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
  ])
  func aCutOrBrokenAnswerIsAnError(_ answer: String) async throws {
    let code = await failure(try RawServer(answer: answer))
    #expect(code == "http.brokenAnswer" || (answer == "garbage\r\n\r\n" && code == "http.badAddress"))
  }

  @Test func aCompressedAnswerIsMeasuredUnpacked() async throws {
    let packed = try #require(Gzip.pack([UInt8](repeating: 32, count: 4_000_000)))
    #expect(packed.count < 10_000)
    try await withServer { _ in
      HTTPServerResponse(headers: [("Content-Encoding", "gzip")], body: .bytes(packed))
    } _: { _, base in
      let whole = try await client.send(HTTPRequest(.reads, url: base, responseLimit: 4_000_000))
      #expect(whole.body.count == 4_000_000)
      #expect(
        await code { _ = try await client.send(HTTPRequest(.reads, url: base, responseLimit: 3_999_999)) }
          == "http.tooLarge")
    }
  }

  @Test func anAnswerBeyondTheLimitIsBrokenOff() async throws {
    let said = try RawServer(
      answer: "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + String(repeating: "x", count: 101))
    #expect(await failure(said, limit: 100) == "http.tooLarge")
    #expect(try await send(to: said, limit: 101).body.count == 101)
    let endless = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send("HTTP/1.1 200 OK\r\n\r\n")
      while try await socket.send([UInt8](repeating: 120, count: 1000)) {}
    }
    #expect(await failure(endless, limit: 100_000) == "http.tooLarge")
    let headers = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      try await socket.send("HTTP/1.1 200 OK\r\n")
      while try await socket.send("X: " + String(repeating: "x", count: 1000) + "\r\n") {}
    }
    #expect(await failure(headers) == "http.tooLarge")
  }

  @Test func aServerThatDoesNotAnswerIsGivenUpInTime() async throws {
    let server = try RawServer { socket in _ = try await socket.receive(until: "never") }
    #expect(await failure(server, timeout: .milliseconds(200)) == "http.timeout")
  }

  @Test func aCancelledTaskBreaksTheConnectionOff() async throws {
    let isConnected = Shared(false)
    let isClosed = Shared(false)
    let server = try RawServer { socket in
      _ = try await socket.receive(until: "\r\n\r\n")
      isConnected.value = true
      _ = try await socket.receive()
      isClosed.value = true
    }
    let task = Task { try await send(to: server) }
    #expect(await eventually { isConnected.value })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await eventually { isClosed.value })
  }

  @Test func aTaskThatWasCancelledBeforeSendsNothing() async throws {
    let isConnected = Shared(false)
    let server = try RawServer { _ in isConnected.value = true }
    let gate = Gate()
    let task = Task {
      await gate.wait()
      _ = try await send(to: server)
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!isConnected.value)
  }

  @Test func redirectionsAreFollowedToTheirLimit() async throws {
    try await withServer { request in
      guard let left = Int(request.path.dropFirst()), left > 0 else { return HTTPServerResponse(text: "there") }
      return HTTPServerResponse(status: 302, headers: [("Location", "/\(left - 1)")])
    } _: { _, base in
      let end = try await client.send(HTTPRequest(.reads, url: "\(base)/5"))
      #expect(end.body == Array("there".utf8))
      #expect(
        await code { _ = try await client.send(HTTPRequest(.reads, url: "\(base)/6")) } == "http.tooManyRedirects")
      #expect(try await client.send(HTTPRequest(.reads, url: "\(base)/0", redirectLimit: 0)).status == 200)
    }
  }

  @Test func aServerThatGotNoSignInByARedirectionIsNamedWhereItRefuses() async throws {
    for status in [401, 403, 404] {
      try await withServer { _ in
        HTTPServerResponse(status: status)
      } _: { (_, other) async throws -> Void in
        try await withServer { _ in
          HTTPServerResponse(status: 302, headers: [("Location", "\(other)/x")])
        } _: { (_, base) async throws -> Void in
          let request = HTTPRequest(.reads, url: "\(base)/x", headers: [("X-Plex-Token", "secret")])
          if status == 404 {
            #expect(try await client.send(request).status == 404)
          } else {
            let error = await #expect(throws: LunaraError.self) { _ = try await client.send(request) }
            #expect(error?.code == "http.redirectRefused")
            #expect(error?.message.contains(other.dropFirst("http://".count)) == true)
            #expect(
              await code { _ = try await client.stream(request, idle: .seconds(9), followsRedirections: true) }
                == "http.redirectRefused")
          }
          // Without a sign-in it is the answer.
          #expect(try await client.send(HTTPRequest(.reads, url: "\(base)/x")).status == status)
        }
      }
    }
  }

  @Test(arguments: ["", "a", "file:///etc/passwd", "ftp://127.0.0.1/", "http://", "http://a b/"])
  func addressesThatAreNotOfTheWebAreRefused(_ url: String) async {
    #expect(await code { _ = try await client.send(HTTPRequest(.reads, url: url)) } == "http.badAddress")
  }

  @Test func requestsThatWouldBeTwoAreRefused() async {
    let split = HTTPRequest(.reads, url: "http://127.0.0.1:1/", headers: [("X", "a\r\nY: b")])
    #expect(await code { _ = try await client.send(split) } == "http.badRequest")
    let method = HTTPRequest(.reads, method: "GET / HTTP/1.1\r\n", url: "http://127.0.0.1:1/")
    #expect(await code { _ = try await client.send(method) } == "http.badRequest")
  }

  @Test func errorsNameTheServerAndNoSecret() async throws {
    let error = await #expect(throws: LunaraError.self) {
      _ = try await client.send(HTTPRequest(.reads, url: "http://127.0.0.1:1/path?token=secret"))
    }
    #expect(error?.code == "http.unreachable")
    #expect(error?.message.contains("127.0.0.1:1") == true)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func itsThreadEndsWhenThereIsNothingToDoAndStartsAgain() async throws {
    let client = HTTPClient(userAgent: "test/1", linger: .milliseconds(20))
    #expect(!client.isBusy)
    try await withServer { _ in
      HTTPServerResponse()
    } _: { _, base in
      for _ in 0..<3 {
        let response = try await client.send(HTTPRequest(.reads, url: base))
        #expect(response.status == 200)
        #expect(await eventually { !client.isBusy })
      }
    }
  }

  @Test func requestsThatMeetTheEndOfTheThreadAreAnswered() async throws {
    let client = HTTPClient(userAgent: "test/1", linger: .zero)
    try await withServer { _ in
      HTTPServerResponse()
    } _: { _, base in
      let answered = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            var count = 0
            for _ in 0..<25 where try await client.send(HTTPRequest(.reads, url: base)).status == 200 { count += 1 }
            return count
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(answered == 200)
    }
  }
}
