import Glibc
import HTTP
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_playback

/// Inputs that libmpv keeps although it was stopped: it opens the next file of its list in advance, and closes that one
/// only when it opens another.
@Suite struct CancelledInputTests {
  private let audio = Audio()

  /// Returns a file of a size that begins like FLAC.
  private func file(_ name: String, size: Int) throws -> LocalPath {
    let path = try audio.file(name, Array("fLaC".utf8))
    try #require(truncate(path.description, size) == 0)
    return path
  }

  /// Returns true if this process has a file open.
  private func isOpen(_ path: LocalPath) throws -> Bool {
    try Files.names(in: "/proc/self/fd").contains { name in
      var target = [UInt8](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\(name)", &target, target.count)
      return Array(target.prefix(max(0, length))) == path.bytes
    }
  }

  private func openFile(_ path: LocalPath) throws -> CueInput {
    var cue = Cue(1, path)
    cue.file = CueFile(.success(try FileInput.open(path)))
    return CueInput(cue, client: HTTPClient(userAgent: "tests"))
  }

  @Test func theFileIsClosed() throws {
    let path = try file("a.flac", size: 1000)
    let input = try openFile(path)
    let bytes = try input.open()
    #expect(try isOpen(path))
    input.cancel()
    #expect(try !isOpen(path))
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(throws: InputFailure.cancelled) { try buffer.withUnsafeMutableBytes { try bytes.read(into: $0) } }
  }

  @Test func theConnectionIsClosed() async throws {
    // Larger than the buffers of sockets, so that the server is still sending.
    let path = try file("large.flac", size: 256 << 20)
    let closings = Mutex(0)
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in
      guard let file = OpenFile(path) else { return HTTPServerResponse(status: 404) }
      file.onClose { closings.withLock { $0 += 1 } }
      return HTTPServerResponse(headers: [("Content-Type", "audio/flac")], body: .opened(file))
    }
    let input = CueInput(Cue(1, "http://127.0.0.1:\(server.port)/large.flac"), client: HTTPClient(userAgent: "tests"))
    let bytes = try await BlockingThreads.perform { try input.open() }
    #expect(closings.withLock { $0 } == 0)
    input.cancel()
    #expect(await eventually(equals: 1) { closings.withLock { $0 } })
    withExtendedLifetime(bytes) {}
    await server.stop()
  }
}
