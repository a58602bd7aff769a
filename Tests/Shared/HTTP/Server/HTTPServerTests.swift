@testable import HTTP
import Model
import TestSupport
import Testing

@Suite struct HTTPServerTests {
  private let client = HTTPClient(userAgent: "test/1")

  @Test func theHandlerGetsTheWholeRequest() async throws {
    let seen = Shared<HTTPServerRequest?>(nil)
    try await withServer { request in
      seen.value = request
      return HTTPServerResponse(status: 201, headers: [("X-Answer", "yes")], body: .bytes(request.body.reversed()))
    } _: { _, base in
      let response = try await client.send(
        HTTPRequest(
          .changes, method: "PUT", url: "\(base)/a%20b?c=d+e&f", headers: [("X-Question", "ü?"), ("X-Empty", "")],
          body: [1, 2, 3]))
      #expect(response.status == 201)
      #expect(response.header("x-answer") == "yes")
      #expect(response.body == [3, 2, 1])
    }
    let request = try #require(seen.value)
    #expect(request.method == "PUT")
    #expect(request.path == "/a b")
    #expect(request.query == ["c": "d e", "f": ""])
    #expect(request.header("x-question") == "ü?")
    #expect(request.header("X-Empty") == "")
    #expect(request.header("user-agent") == "test/1")
    #expect(request.header("content-type") == nil)
    #expect(request.remoteAddress == "127.0.0.1")
  }

  @Test(arguments: [0, 1, 40_000, 1024 * 1024]) func bodiesUpToTheLimitArriveWhole(_ count: Int) async throws {
    try await withServer {
      HTTPServerResponse(body: .bytes($0.body))
    } _: { _, base in
      let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let response = try await client.send(HTTPRequest(.changes, method: "POST", url: base, body: body))
      #expect(response.body == body)
    }
  }

  @Test func aLargerBodyIsRefusedWithoutTheHandler() async throws {
    let calls = Shared(0)
    try await withServer { _ in
      calls.change { $0 += 1 }
      return HTTPServerResponse()
    } _: { server, base in
      let body = [UInt8](repeating: 0, count: 1024 * 1024 + 1)
      #expect(try await client.send(HTTPRequest(.changes, method: "POST", url: base, body: body)).status == 413)
      // The same body without an announced length.
      let socket = try RawSocket(port: server.port)
      try await socket.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<33 { try await socket.send("8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n") }
      try await socket.send("0\r\n\r\n")
      #expect(try await socket.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 413"))
    }
    #expect(calls.value == 0)
  }

  @Test func aHeadHasTheLengthButNoBody() async throws {
    let stream = AsyncStream<[UInt8]> { $0.yield([1]) }
    let responses: [String: HTTPServerResponse.Body] = ["/bytes": .bytes([1, 2, 3]), "/stream": .stream(stream)]
    try await withServer {
      HTTPServerResponse(body: responses[$0.path] ?? .bytes([]))
    } _: { _, base in
      let bytes = try await client.send(HTTPRequest(.reads, method: "HEAD", url: "\(base)/bytes"))
      #expect(bytes.header("Content-Length") == "3")
      #expect(bytes.body == [])
      #expect(try await client.send(HTTPRequest(.reads, method: "HEAD", url: "\(base)/stream")).body == [])
    }
  }

  @Test func whatTheClientHasAlreadyIsNotSentAgain() async throws {
    try await withServer { _ in
      HTTPServerResponse(headers: [("ETag", "\"v1\"")], body: .bytes(Array("hello".utf8)))
    } _: { _, base in
      let first = try await client.send(HTTPRequest(.reads, url: base))
      #expect(first.status == 200)
      #expect(first.header("etag") == "\"v1\"")
      let again = try await client.send(HTTPRequest(.reads, url: base, headers: [("If-None-Match", "\"v1\"")]))
      #expect(again.status == 304)
      #expect(again.body == [])
      #expect(again.header("etag") == "\"v1\"")
      let part = try await client.send(HTTPRequest(.reads, url: base, headers: [("Range", "bytes=1-3")]))
      #expect(part.body == Array("ell".utf8))
    }
  }

  @Test func manyRequestsAreAnsweredAtOnce() async throws {
    let gate = Gate()
    try await withServer { request in
      await gate.wait()
      return HTTPServerResponse(text: request.path)
    } _: { _, base in
      let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<60 {
          group.addTask {
            let response = try await client.send(HTTPRequest(.reads, url: "\(base)/\(number)"))
            return response.body == Array("/\(number)".utf8)
          }
        }
        // All sixty requests wait in their handlers, on one thread of the server.
        #expect(await eventually(equals: 60) { gate.waiting })
        gate.open()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: true, count: 60))
    }
  }

  @Test func anAnswerThatCannotBeSentIsAnError() async throws {
    let wrong = [
      HTTPServerResponse(headers: [("X", "a\r\nSet-Cookie: b")]), HTTPServerResponse(headers: [("X Y", "a")]),
      HTTPServerResponse(status: 7),
    ]
    try await withServer {
      wrong[Int($0.path.dropFirst()) ?? 0]
    } _: { _, base in
      for index in wrong.indices {
        let response = try await client.send(HTTPRequest(.reads, url: "\(base)/\(index)"))
        #expect(response.status == 500)
        #expect(response.header("Set-Cookie") == nil)
      }
    }
  }

  @Test func oneConnectionServesManyRequests() async throws {
    try await withServer {
      HTTPServerResponse(text: "<\($0.path)>")
    } _: { server, _ in
      let socket = try RawSocket(port: server.port)
      try await socket.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
      let text = try await socket.receive(until: "</2>")
      #expect(text.contains("</1>"))
      try await socket.send("GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(try await socket.receive().hasSuffix("</3>"))
    }
  }

  @Test func anIPv6AddressIsServedAsWell() async throws {
    let server = try HTTPServer(address: "::1", port: 0) { HTTPServerResponse(text: $0.remoteAddress) }
    let response = try await client.send(HTTPRequest(.reads, url: "http://[::1]:\(server.port)/"))
    #expect(response.body == Array("::1".utf8))
    await server.stop()
  }
}

@Suite struct RequestTargetTests {
  @Test(
    arguments: [
      ("/", "/", [:]), ("/a%20b+c", "/a b+c", [:]), ("/%C3%A9", "/é", [:]), ("/?", "/", [:]),
      ("/a?b=c&d=e+f%26", "/a", ["b": "c", "d": "e f&"]), ("/a?b&c=&=d", "/a", ["b": "", "c": "", "": "d"]),
      ("/a?b=1&b=2", "/a", ["b": "1"]), ("/a?b==c?d", "/a", ["b": "=c?d"]), ("/../%2e%2E/x", "/../../x", [:]),
    ] as [(String, String, [String: String])])
  func targetsAreDecoded(_ text: String, _ path: String, _ query: [String: String]) {
    let target = RequestTarget(text)
    #expect(target?.path == path)
    #expect(target?.query == query)
  }

  @Test func allValuesOfARepeatedParameterAreKept() {
    let target = RequestTarget("/a?b=1&c=2&b=3&b=1+1")
    #expect(target?.query == ["b": "1", "c": "2"])
    #expect(target?.repeatedQuery == ["b": ["1", "3", "1 1"]])
  }

  @Test(arguments: ["", "a", "*", "http://a/", "/%", "/%4", "/%zz", "/%00", "/%ff", "/a?%00", "/a?b=%ff", "/%+1"])
  func brokenTargetsAreRefused(_ text: String) { #expect(RequestTarget(text) == nil) }
}
