import Model
import TestSupport
import Testing

@testable import HTTP

@Suite struct StopTests {
  private let client = HTTPClient(userAgent: "test/1")

  @Test func aStopEndsOpenStreamsAndHandlers() async throws {
    let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
    let isEnded = Shared(false)
    continuation.onTermination = { _ in isEnded.value = true }
    let handling = Shared(0)
    let cancelled = Shared(0)
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { request in
      guard request.path == "/slow" else { return HTTPServerResponse(body: .stream(stream)) }
      handling.change { $0 += 1 }
      do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.change { $0 += 1 } }
      return HTTPServerResponse(text: "late")
    }
    let events = try RawSocket(port: server.port)
    try await events.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try await events.receive(until: "\r\n\r\n")
    let slow = try RawSocket(port: server.port)
    try await slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    let half = try RawSocket(port: server.port)
    try await half.send("GET / HT")
    #expect(await eventually(equals: 1) { handling.value })
    await server.stop()
    #expect(try await events.receive().hasSuffix("0\r\n\r\n"))
    #expect(try await slow.receive().hasPrefix("HTTP/1.1 503"))
    #expect(try await half.receive() == "")
    #expect(await eventually { isEnded.value && cancelled.value == 1 })
  }

  @Test func aHandlerThatIgnoresItsCancellationDoesNotHoldTheStopUp() async throws {
    let gate = Gate()
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in
      await gate.wait()
      return HTTPServerResponse(text: "late")
    }
    let socket = try RawSocket(port: server.port)
    try await socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(await eventually(equals: 1) { gate.waiting })
    await server.stop()
    gate.open()
  }

  @Test func aStoppedServerTakesNoConnectionAndItsPortIsFree() async throws {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse() }
    let url = "http://127.0.0.1:\(server.port)"
    #expect(try await client.send(HTTPRequest(.reads, url: url)).status == 200)
    async let second: Void = server.stop()
    await server.stop()
    await second
    #expect(await code { _ = try await client.send(HTTPRequest(.reads, url: url)) } == "http.unreachable")
    let next = try HTTPServer(address: "127.0.0.1", port: server.port) { _ in HTTPServerResponse() }
    #expect(try await client.send(HTTPRequest(.reads, url: url)).status == 200)
    await next.stop()
  }

  @Test func aServerThatIsDroppedStopsItself() async throws {
    let port: UInt16
    do { port = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse() }.port }
    #expect(
      await eventually(equals: "http.unreachable") {
        await code { _ = try await client.send(HTTPRequest(.reads, url: "http://127.0.0.1:\(port)")) }
      })
  }

  @Test func stopsUnderLoadLeaveNothingBehind() async throws {
    let chunk = [UInt8](repeating: 7, count: 10_000)
    for _ in 0..<10 {
      let server = try HTTPServer(address: "127.0.0.1", port: 0) { request in
        if request.path == "/stream" { return HTTPServerResponse(body: .stream(AsyncStream { chunk })) }
        return HTTPServerResponse(text: "x")
      }
      let base = "http://127.0.0.1:\(server.port)"
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            do {
              while true {
                _ = try await client.send(HTTPRequest(.reads, url: number.isMultiple(of: 4) ? "\(base)/stream" : base))
              }
            } catch {}
          }
        }
        group.addTask { await server.stop() }
      }
      #expect(server.openRequests == 0)
    }
  }

  @Test func aTakenPortAndAForeignAddressAreSaid() async throws {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse() }
    func failure(_ address: String, _ port: UInt16) async -> String? {
      await code { _ = try HTTPServer(address: address, port: port) { _ in HTTPServerResponse() } }
    }
    #expect(await failure("127.0.0.1", server.port) == "http.addressInUse")
    #expect(await failure("192.0.2.1", 0) == "http.cannotListen")
    #expect(await failure("no such address", 0) == "http.cannotListen")
    await server.stop()
  }
}
