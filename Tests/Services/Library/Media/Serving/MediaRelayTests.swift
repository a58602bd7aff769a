import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import Testing

@testable import Media
@testable import Records

/// Audio of a server that only the library's host reaches, which rooms elsewhere get through the library.
@Suite(.timeLimit(.minutes(2)))
struct MediaRelayTests {
  private let catalogue: TestCatalogue
  private let fake: FakeServer
  private let server: HTTPServer
  private let endpoint: MediaEndpoint
  private let streamMonitor = StreamMonitor { nil }
  private let client = HTTPClient(userAgent: "tests")
  private let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  init() async throws {
    catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "Blue")
    let bytes = bytes
    // The server answers only requests with its secret.
    server = try HTTPServer(address: "127.0.0.1", port: 0) { request in
      guard request.header("X-Token") == "secret" else { return HTTPServerResponse(status: 401) }
      if request.path == "/parts/102" {
        // The server goes away in the middle.
        let isSent = Atomic(false)
        return HTTPServerResponse(
          headers: [("Content-Type", "audio/mpeg")],
          body: .relayed(length: UInt64(bytes.count)) {
            if isSent.exchange(true, ordering: .relaxed) { throw CancellationError() }
            return Array(bytes.prefix(300_000))
          })
      }
      guard request.path == "/parts/101" else { return HTTPServerResponse(status: 404) }
      return HTTPServerResponse(
        headers: [
          ("Content-Type", "audio/mpeg"), ("ETag", "\"1\""), ("Accept-Ranges", "bytes"), ("Set-Cookie", "a=b"),
        ],
        body: .bytes(bytes))
    }
    contents.audio = "http://127.0.0.1:\(server.port)"
    let fake = FakeServer(contents)
    self.fake = fake
    try await catalogue.refresh(fake)
    let store = ArtStore(
      database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: 1 << 20),
      files: catalogue.pictures)
    endpoint = try MediaEndpoint(
      MediaFiles(database: catalogue.database, art: store, folders: MusicFolders([])),
      at: MediaAddress(setting: ("127.0.0.1", 0), listening: nil), keys: nil, streamMonitor: streamMonitor,
      relay: MediaRelay(http: HTTPClient(userAgent: "tests")) { $0 == "plex" ? fake : nil })
    try endpoint.start()
  }

  private func close() async {
    streamMonitor.stop()
    await endpoint.stop()
    await server.stop()
  }

  private func url(_ title: String = "Song 1 of Blue") async throws -> String {
    try endpoint.url(of: .audio(try await catalogue.track(title).id), advertised: nil)
  }

  private func get(_ url: String, _ headers: [(String, String)] = []) async throws -> HTTPResponse {
    try await client.send(HTTPRequest(.reads, url: url, headers: headers))
  }

  @Test func aTrackIsPassedOnWholeAndInParts() async throws {
    let url = try await url()
    let whole = try await get(url)
    #expect(whole.status == 200 && whole.body == bytes)
    #expect(whole.header("Content-Type") == "audio/mpeg" && whole.header("Set-Cookie") == nil)
    let part = try await get(url, [("Range", "bytes=600000-")])
    #expect(part.status == 206 && part.body == Array(bytes[600_000...]))
    #expect(part.header("Content-Range") == "bytes 600000-699999/700000")
    #expect(try await get(url, [("Range", "bytes=700000-")]).status == 416)
    #expect(try await get(url, [("If-None-Match", "\"1\"")]).status == 304)
    await close()
  }

  @Test func aTrackWhoseServerGoesAwayIsNotTakenForWhole() async throws {
    let whole = try await get(try await url())
    #expect(whole.header("Content-Length") == "700000" && whole.header("Transfer-Encoding") == nil)
    let url = try await url("Song 2 of Blue")
    await #expect {
      _ = try await get(url)
    } throws: {
      LunaraError($0).code == "http.brokenAnswer"
    }
    await close()
  }

  @Test func whatTheServerDoesNotGiveIsNotFoundAndItsAddressStaysHere() async throws {
    let url = try await url("Song 3 of Blue")
    let answer = try await get(url)
    #expect(answer.status == 404 && answer.body == Array("library.sourceAway\n".utf8))
    #expect(!url.contains("\(server.port)") && !url.contains("secret"))
    #expect(try await get(String(url.prefix { $0 != "?" })).status == 403)
    await close()
  }
}
