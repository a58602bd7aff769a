import Glibc
import Model
import System
import Testing

@testable import lunara

/// Waiting for the address at which a browser ends.
@Suite(.timeLimit(.minutes(1)))
struct RedirectListenerTests {
  private let soon = ContinuousClock.now + .seconds(20)

  /// Returns both ends of a pipe: what is written to the second is read from the first.
  private func pipe() throws -> (input: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  private func browser(at port: UInt16, _ text: String) throws -> Descriptor {
    let address = try #require(SocketAddress.resolve("127.0.0.1", port).first)
    let socket = try #require(NetworkSocket.connect(to: address, within: Milliseconds(2000)))
    NetworkSocket.send(Array(text.utf8), on: socket)
    return socket
  }

  /// Reads until the other side has closed the connection, or has sent nothing for 20 s.
  private func read(_ socket: Descriptor) -> String {
    var bytes: [UInt8] = []
    var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    while poll(&polled, 1, 20_000) > 0, case .bytes(let more) = socket.read() { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aBrowserGetsAPageForTheAddressAtWhichItEnds() async throws {
    let (input, writer) = try pipe()
    defer { [input, writer].forEach { close($0) } }
    let listener = RedirectListener(port: 0, input: input)
    let port = try #require(listener.port)
    // A text that is no request is passed over.
    _ = try browser(at: port, "POST /callback HTTP/1.1\r\n\r\n")
    let socket = try browser(at: port, "GET /callback?code=a&state=b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    guard case .opened(let path, let connection) = try await listener.next(until: soon) else {
      Issue.record("no browser was heard")
      return
    }
    #expect(path == "/callback?code=a&state=b")
    RedirectListener.answer(connection, "Signed in", "<b> can use it.", isGood: true)
    let page = read(socket)
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.contains("<h1") && page.contains("&lt;b&gt; can use it."))
  }

  @Test func aTypedLineComesAsItIs() async throws {
    let (input, writer) = try pipe()
    defer { [input, writer].forEach { close($0) } }
    let listener = RedirectListener(port: 0, input: input)
    Descriptor.write(Array("\n  http://127.0.0.1:8888/callback?code=a \nnext".utf8), to: writer)
    guard case .typed(let first) = try await listener.next(until: soon) else {
      Issue.record("no line was read")
      return
    }
    #expect(first == "http://127.0.0.1:8888/callback?code=a")
  }

  @Test func waitingEndsWithItsTimeAndWhereNobodyCanCome() async throws {
    let (input, writer) = try pipe()
    let listener = RedirectListener(port: 0, input: input)
    guard case .timeOver = try await listener.next(until: .now + .milliseconds(50)) else {
      Issue.record("the time was not over")
      return
    }
    // The port is taken, and standard input ends.
    let other = RedirectListener(port: try #require(listener.port), input: input)
    #expect(!other.listens)
    close(writer)
    close(input)
    guard case .ended = try await other.next(until: soon) else {
      Issue.record("it waits for nobody")
      return
    }
  }
}
