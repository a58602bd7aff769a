import Glibc
import HTTP
import Model
import Synchronization
import TestSupport
import Testing

/// Files that are sent from an open descriptor.
@Suite(.timeLimit(.minutes(1)))
struct OpenFileTests {
  private let folder = TemporaryDirectory()

  private func write(_ bytes: [UInt8], mode: String = "w") throws -> LocalPath {
    let path = folder.path + "/file"
    let file = try #require(fopen(path, mode))
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    return LocalPath(path)
  }

  private func serve(_ path: LocalPath, _ closed: @escaping @Sendable () -> Void = {}) throws -> HTTPServer {
    try HTTPServer(address: "127.0.0.1", port: 0) { _ in
      guard let file = OpenFile(path) else { return HTTPServerResponse(status: 404) }
      file.onClose(closed)
      return HTTPServerResponse(body: .opened(file))
    }
  }

  @Test func itIsSentWholeAndInPartsAndClosed() async throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let path = try write(bytes)
    let closed = AsyncStream.makeStream(of: Void.self)
    let server = try serve(path) { closed.continuation.yield() }
    let client = HTTPClient(userAgent: "tests")
    let url = "http://127.0.0.1:\(server.port)/"
    let whole = try await client.send(HTTPRequest(.reads, url: url))
    #expect(whole.status == 200 && whole.body == bytes)
    let part = try await client.send(HTTPRequest(.reads, url: url, headers: [("Range", "bytes=100000-299999")]))
    #expect(part.status == 206 && part.body == Array(bytes[100_000...]))
    let tag = try #require(part.header("ETag"))
    let same = try await client.send(HTTPRequest(.reads, url: url, headers: [("If-None-Match", tag)]))
    #expect(same.status == 304 && same.body.isEmpty)
    var count = 0
    for await _ in closed.stream {
      count += 1
      if count == 3 { break }
    }
    await server.stop()
  }

  @Test func anAnswerEndsWhereTheFileChangesUnderIt() async throws {
    let path = try write([UInt8](repeating: 1, count: 8 << 20))
    let server = try serve(path)
    let socket = try RawSocket(port: server.port, window: 8192)
    #expect(try await socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    // The rest waits in the server, since the client reads no more than this.
    var count = 0
    while count == 0 {
      count = try #require(socket.piece()).count
      if count == 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
    _ = try write([2], mode: "r+")
    while let piece = socket.piece() {
      count += piece.count
      if piece.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }
    #expect(count > 0 && count < 8 << 20)
    await server.stop()
  }

  @Test func whereAFileLiesIsToldWithAllLinksFollowed() throws {
    let path = try write([1])
    let link = folder.path + "/link"
    try #require(symlink(path.description, link) == 0)
    #expect(OpenFile(LocalPath(link))?.path == path)
    let file = try #require(OpenFile(path))
    #expect(file.head(10) == [1] && file.length == 1)
    try #require(unlink(path.description) == 0)
    #expect(file.path == nil)
    #expect(OpenFile(LocalPath(folder.path)) == nil)
  }
}
