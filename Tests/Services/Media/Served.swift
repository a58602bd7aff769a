import HTTP
import Model
import ServiceKit
import Synchronization
import System
import TestSupport

@testable import lunara_media

/// An endpoint that serves the files of a folder, and a client of it.
final class Served: Sendable {
  let folder = TemporaryDirectory()
  let port: UInt16
  let now: @Sendable (_ seconds: Int64) -> Void
  private let streamMonitor = StreamMonitor { nil }
  private let seal: MediaSeal
  private let endpoint: MediaEndpoint
  private let client = HTTPClient(userAgent: "tests")

  private final class Clock: Sendable { let seconds = Atomic<Int64>(1_000_000) }

  init() async throws {
    let clock = Clock()
    now = { clock.seconds.store($0, ordering: .relaxed) }
    seal = MediaSeal(store: CredentialStore(home: folder.path))
    endpoint = MediaEndpoint(
      at: MediaAddress(setting: ("127.0.0.1", 0), listening: nil), seal: seal, streamMonitor: streamMonitor,
      relay: MediaRelay(http: HTTPClient(userAgent: "tests")), log: .quiet,
      now: { Timestamp(seconds: clock.seconds.load(ordering: .relaxed)) })
    port = try endpoint.start(formerPort: nil)
  }

  /// Returns another endpoint, which does not listen yet.
  func endpoint(at address: MediaAddress) -> MediaEndpoint {
    MediaEndpoint(
      at: address, seal: seal, streamMonitor: streamMonitor, relay: MediaRelay(http: HTTPClient(userAgent: "tests")),
      log: .quiet)
  }

  /// Writes a file below the folder `music`; returns its path.
  func file(_ name: String, _ bytes: [UInt8]) throws -> LocalPath {
    let path = "\(folder.path)/music/\(name)"
    try Files.makeFolder(Files.folder(of: path))
    try Files.replace(path, with: bytes)
    return LocalPath(path)
  }

  private static let expires = Timestamp(seconds: 1_000_000 + MediaLink.lifetime.rawValue / 1000)

  func url(of path: LocalPath, lasting duration: Milliseconds? = Milliseconds(1000)) throws -> String {
    "http://127.0.0.1:\(port)"
      + (try seal.target(of: MediaLink(file: path, duration: duration, expires: Self.expires), named: "files:t1"))
  }

  func url(of stream: MediaLink.Stream) throws -> String {
    "http://127.0.0.1:\(port)"
      + (try seal.target(
        of: MediaLink(stream: stream, duration: Milliseconds(1000), expires: Self.expires), named: "plex:101"))
  }

  func get(
    _ url: String, method: String = "GET", headers: [(String, String)] = []
  ) async throws -> HTTPResponse {
    try await client.send(HTTPRequest(.changes, method: method, url: url, headers: headers))
  }

  func close() async {
    await endpoint.stop()
    streamMonitor.stop()
  }
}
