import HTTP
import Model
import Sync
import Synchronization
import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(1)))
struct ProviderCallerTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  /// A server that gives answers one after another, and the last one for ever.
  private final class Script: Sendable {
    private let answers: Mutex<[HTTPServerResponse]>
    /// The tokens of the requests.
    let tokens = Mutex<[String]>([])

    init(_ answers: [HTTPServerResponse]) { self.answers = Mutex(answers) }

    func answer(_ request: HTTPServerRequest) -> HTTPServerResponse {
      tokens.withLock { $0.append(request.header("Authorization") ?? "") }
      return answers.withLock { answers in
        answers.count > 1 ? answers.removeFirst() : answers.first ?? HTTPServerResponse(status: 500)
      }
    }
  }

  private struct Outcome {
    var status: Int?
    var code: String?
    var tokens: [String]
    var pauses: [Duration]
    var pacing: ProviderPacing
  }

  private static func status(_ status: Int, _ headers: [(String, String)] = []) -> HTTPServerResponse {
    HTTPServerResponse(status: status, headers: headers)
  }

  /// Makes one call of a provider that gives these answers.
  ///
  /// - Parameter renewed: the token after a refusal; nil if there is none.
  private func call(
    _ answers: [HTTPServerResponse], changes: Bool = false, renewed: String? = nil
  ) async throws -> Outcome {
    let script = Script(answers)
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { script.answer($0) }
    let pauses = Mutex<[Duration]>([])
    let token = Mutex("first")
    let caller = ProviderCaller(
      title: "Service", http: HTTPClient(userAgent: "Lunara/test"), pacing: ProviderPacing(linkedAt: Self.now),
      gap: .zero, now: { Self.now }, sleep: { pause in pauses.withLock { if pause > .zero { $0.append(pause) } } },
      authorisation: { refused in
        if refused != nil {
          guard let renewed else { throw ProviderError.signedOut("Service") }
          token.withLock { $0 = renewed }
        }
        return ("Authorization", token.withLock { $0 })
      })
    let request = HTTPRequest(
      changes ? .changes : .reads, method: changes ? "POST" : "GET", url: "http://127.0.0.1:\(server.port)/",
      redirectLimit: 0)
    var status: Int?
    let code = try await code { status = try await caller.send(request).status }
    await server.stop()
    return Outcome(
      status: status, code: code, tokens: script.tokens.withLock { $0 }, pauses: pauses.withLock { $0 },
      pacing: await caller.pacing)
  }

  @Test func anAnswerOfSuccessIsReturned() async throws {
    let outcome = try await call([Self.status(204)], changes: true)
    #expect(outcome.status == 204)
    #expect(outcome.tokens == ["first"])
    #expect(outcome.pauses.isEmpty)
  }

  @Test(
    arguments: [
      ([("Retry-After", "7")], 7), ([("X-RateLimit-Reset-In", "9")], 9),
      ([("Retry-After", "7"), ("X-RateLimit-Reset-In", "3")], 7), ([], 5), ([("Retry-After", "-4")], 0),
    ] as [([(String, String)], Int64)])
  func aPauseIsTakenBeforeTheCallIsMadeAgain(headers: [(String, String)], seconds: Int64) async throws {
    for changes in [false, true] {
      let outcome = try await call([Self.status(429, headers), Self.status(200)], changes: changes)
      #expect(outcome.status == 200)
      #expect(outcome.tokens.count == 2)
      #expect(outcome.pauses == (seconds > 0 ? [.seconds(seconds)] : []))
    }
  }

  @Test func aLongPauseEndsTheRunAndIsKept() async throws {
    for changes in [false, true] {
      let outcome = try await call([Self.status(429, [("Retry-After", "3600")])], changes: changes)
      #expect(outcome.code == "library.providerAway")
      #expect(outcome.tokens.count == 1)
      #expect(!outcome.pacing.isDue(at: Timestamp(seconds: 1_800_003_599)))
      #expect(outcome.pacing.isDue(at: Timestamp(seconds: 1_800_003_600)))
    }
  }

  @Test func aReadingIsMadeAgainAfterAFailureAndAChangeIsNot() async throws {
    let read = try await call([Self.status(502), Self.status(503), Self.status(200)])
    #expect(read.status == 200)
    #expect(read.pauses == [.seconds(1), .seconds(2)])
    let changed = try await call([Self.status(502), Self.status(200)], changes: true)
    #expect(changed.code == "library.providerUnclear")
    #expect(changed.tokens.count == 1)
  }

  @Test func aServiceThatFailsForLongIsLeftAlone() async throws {
    let outcome = try await call([Self.status(503)])
    #expect(outcome.code == "library.providerAway")
    #expect(outcome.tokens.count == 7)
    #expect(!outcome.pacing.isDue(at: Timestamp(seconds: 1_800_000_060)))
  }

  @Test func aServiceThatIsNotThereIsAway() async throws {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(status: 200) }
    let url = "http://127.0.0.1:\(server.port)/"
    await server.stop()
    let caller = TakenPauses().caller(http: HTTPClient(userAgent: "Lunara/test"), token: "t")
    #expect(try await code { _ = try await caller.send(HTTPRequest(.reads, url: url)) } == "library.providerAway")
    let change = HTTPRequest(.changes, method: "POST", url: url)
    #expect(try await code { _ = try await caller.send(change) } == "library.providerUnclear")
  }

  @Test func aRefusedTokenIsRenewedOnce() async throws {
    for changes in [false, true] {
      let renewed = try await call([Self.status(401), Self.status(200)], changes: changes, renewed: "second")
      #expect(renewed.status == 200)
      #expect(renewed.tokens == ["first", "second"])
      let refused = try await call([Self.status(401)], changes: changes, renewed: "second")
      #expect(refused.code == "library.signedOut")
      #expect(refused.tokens == ["first", "second"])
      #expect(refused.pacing.needsSignIn)
    }
    #expect(try await call([Self.status(401)]).code == "library.signedOut")
  }

  @Test func aRedirectionIsNotFollowed() async throws {
    let headers = [("Location", "/other")]
    #expect(try await call([Self.status(302, headers)]).code == "library.providerAway")
    let changed = try await call([Self.status(302, headers), Self.status(200)], changes: true)
    #expect(changed.code == "library.providerUnclear")
    #expect(changed.tokens.count == 1)
  }

  @Test(arguments: [400, 403, 404, 413]) func aRefusalIsNotAskedAgain(status: Int) async throws {
    for changes in [false, true] {
      let outcome = try await call([Self.status(status)], changes: changes)
      #expect(outcome.code == "library.providerRefused")
      #expect(outcome.tokens.count == 1)
      #expect(outcome.pacing.isDue(at: Self.now))
    }
  }
}
