import HTTP
import Messages
import Model
import Synchronization
import Testing

@testable import Records
@testable import Sources

/// An address at which another Plex server answers than the one whose music is listed.
@Suite(.timeLimit(.minutes(2)))
struct PlexOtherServerTests {
  /// A server whose machine a test changes.
  private final class ChangingServer: Sendable {
    let machine = Mutex("first")
    /// The requests but those for the machine.
    let asked = Mutex<[String]>([])
    /// The number of tokens that came with requests for the machine.
    let tokens = Atomic(0)
    let status = Atomic(200)

    func answer(_ request: HTTPServerRequest) -> HTTPServerResponse {
      guard request.path != "/identity" else {
        if request.header("X-Plex-Token") != nil { tokens.add(1, ordering: .relaxed) }
        let name = machine.withLock { $0 }
        return HTTPServerResponse(text: #"{"MediaContainer":{"machineIdentifier":"\#(name)"}}"#)
      }
      asked.withLock { $0.append("\(request.method) \(request.path)") }
      return HTTPServerResponse(
        status: status.load(ordering: .relaxed), text: #"{"MediaContainer":{"size":1,"Metadata":[{"viewCount":1}]}}"#)
    }

    var requests: [String] {
      asked.withLock { asked in
        defer { asked = [] }
        return asked
      }
    }
  }

  private let changing = ChangingServer()
  private let http = HTTPClient(userAgent: "test/1")
  private let server: HTTPServer

  init() throws {
    server = try HTTPServer(address: "127.0.0.1", port: 0) { [changing] request in changing.answer(request) }
  }

  /// A check of the machine counts for an hour, unless something makes it doubtful.
  private func plex(expecting machine: String? = "first", typed: Bool = true) -> PlexServer {
    let base = "http://127.0.0.1:\(server.port)"
    let endpoint: any PlexEndpoint =
      typed
      ? PlexTypedEndpoint(PlexAddress(base), expecting: machine, http: http, lifetime: .seconds(3600))
      : PlexConnection(
        http: http, name: "Nas", machine: machine ?? "", places: [.init(url: base, kind: .local)], lastGood: nil,
        lifetime: .seconds(3600))
    return PlexServer(
      client: PlexClient(
        name: "Nas", http: http, device: FakePlexServer.device, token: PlexSecret("t"), endpoint: endpoint,
        pause: { _ in await Task.yield() }))
  }

  private static let report = NowPlayingReport(
    native: "1", state: .playing, position: .zero, duration: Milliseconds(1000), room: RoomName(from: "den"))

  /// The requests that must not reach another server.
  private static let work: [@Sendable (PlexServer) async throws -> Void] = [
    { try await $0.rate(.track("1"), Rating(stars: 4)) },
    { try await $0.countPlay(of: "1", at: Timestamp(seconds: 1)) },
    { try await $0.report(report) },
    { _ = try await $0.stream(part: "/library/parts/1/1/file.mp3", native: "1") },
    { try await $0.awaitChange() },
  ]

  @Test(arguments: [true, false])
  func nothingIsSentToOrPlayedFromAnotherServer(_ isTyped: Bool) async throws {
    let plex = plex(typed: isTyped)
    _ = try await plex.sections()
    #expect(changing.requests == ["GET /library/sections"])
    changing.machine.withLock { $0 = "second" }
    for (index, work) in Self.work.enumerated() {
      let code = await refusal { try await work(plex) }
      #expect(code == (isTyped ? "library.otherServer" : "library.sourceAway"), "request \(index)")
    }
    // Readings are refused as well, now that another machine was met.
    #expect(await refusal { _ = try await plex.sections() } != nil)
    #expect(await refusal { _ = try await plex.picture("/library/metadata/1/thumb/1", size: nil) } != nil)
    #expect(changing.requests == [])
    // Once the right server is back, all goes on.
    changing.machine.withLock { $0 = "first" }
    for work in Self.work.prefix(4) { try await work(plex) }
    #expect(changing.requests.count == 4)
    #expect(changing.tokens.load(ordering: .relaxed) == 0)
    await server.stop()
  }

  @Test func aRefusedRefreshLeavesTheFormerServerExpected() async throws {
    let plex = plex()
    #expect(try await plex.identify().machine == "first")
    changing.machine.withLock { $0 = "second" }
    #expect(try await plex.identify().machine == "second")
    #expect(await refusal { try await plex.rate(.track("1"), nil) } == "library.otherServer")
    // A refresh that was allowed to reads the other server, and after it that one is expected.
    let accepted = plex.expecting("second")
    _ = try await accepted.sections()
    #expect(await refusal { try await plex.rate(.track("1"), nil) } == "library.otherServer")
    await plex.expect("second")
    try await plex.rate(.track("1"), nil)
    #expect(changing.requests == ["GET /library/sections", "PUT /:/rate"])
    await server.stop()
  }

  @Test func anOddAnswerHasTheMachineCheckedAgain() async throws {
    let plex = plex()
    _ = try await plex.sections()
    changing.machine.withLock { $0 = "second" }
    _ = try await plex.sections()
    changing.status.store(401, ordering: .relaxed)
    #expect(await refusal { _ = try await plex.sections() } == "library.signedOut")
    #expect(changing.requests.count == 3)
    #expect(await refusal { _ = try await plex.sections() } == "library.otherServer")
    #expect(changing.requests == [])
    await server.stop()
  }

  @Test(arguments: ["@127.0.0.1:%/part", "//127.0.0.1:%/part", "http://127.0.0.1:%/part", "/\\127.0.0.1:%/part"])
  func thePartOfATrackDoesNotLeadToAnotherServer(_ template: String) async throws {
    let other = ChangingServer()
    let trap = try HTTPServer(address: "127.0.0.1", port: 0) { request in other.answer(request) }
    let part = template.replacing("%", with: "\(trap.port)")
    #expect(await refusal { _ = try await plex().stream(part: part, native: "1") } == "library.sourceAway")
    #expect(other.requests == [])
    await trap.stop()
    await server.stop()
  }
}
