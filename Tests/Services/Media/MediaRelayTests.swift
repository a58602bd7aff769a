import HTTP
import Model
import ServiceKit
import Synchronization
import Testing

@testable import lunara_media

/// Audio of a server that only this host reaches, which rooms elsewhere get through the endpoint.
@Suite(.timeLimit(.minutes(2)))
struct MediaRelayTests {
  private let served: Served
  private let server: HTTPServer
  private let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  init() async throws {
    served = try await Served()
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
  }

  private func close() async {
    await served.close()
    await server.stop()
  }

  private func url(_ part: Int, token: String = "secret") throws -> String {
    try served.url(
      of: .init(source: "plex", url: "http://127.0.0.1:\(server.port)/parts/\(part)", headers: ["X-Token": token]))
  }

  @Test func aSignInThatTheServerRefusesIsNoOutage() async throws {
    #expect(try await served.get(try url(101, token: "old")).status == 403)
    await close()
  }

  @Test func aTrackIsPassedOnWholeAndInParts() async throws {
    let url = try url(101)
    let whole = try await served.get(url)
    #expect(whole.status == 200 && whole.body == bytes)
    #expect(whole.header("Content-Type") == "audio/mpeg" && whole.header("Set-Cookie") == nil)
    let part = try await served.get(url, headers: [("Range", "bytes=600000-")])
    #expect(part.status == 206 && part.body == Array(bytes[600_000...]))
    #expect(part.header("Content-Range") == "bytes 600000-699999/700000")
    #expect(try await served.get(url, headers: [("Range", "bytes=700000-")]).status == 416)
    #expect(try await served.get(url, headers: [("If-None-Match", "\"1\"")]).status == 304)
    await close()
  }

  @Test func aTrackWhoseServerGoesAwayIsNotTakenForWhole() async throws {
    let whole = try await served.get(try url(101))
    #expect(whole.header("Content-Length") == "700000" && whole.header("Transfer-Encoding") == nil)
    let url = try url(102)
    await #expect {
      _ = try await served.get(url)
    } throws: {
      LunaraError($0).code == "http.brokenAnswer"
    }
    await close()
  }

  @Test func whatTheServerDoesNotGiveIsNotFoundAndItsAddressStaysHere() async throws {
    let url = try url(103)
    let answer = try await served.get(url)
    #expect(answer.status == 404 && answer.body == Array("library.gone\n".utf8))
    #expect(!url.contains("/parts") && !url.contains("secret"))
    // A server that is away may come back, so the room tries again.
    await server.stop()
    let away = try await served.get(url)
    #expect(away.status == 503 && away.body == Array("http.unreachable\n".utf8))
    await close()
  }
}
