import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// The service where a password is needed.
@Suite(.timeLimit(.minutes(2)))
struct SessionServiceTests {
  private static let password = "a quiet evening"
  private let json = ("Content-Type", "application/json")

  /// A service with a home of its own; time for the sign-in limit passes only as `clock` says.
  private func locked(
    proxies: Set<String> = [], heartbeat: Duration = .seconds(15), in folder: TemporaryDirectory = TemporaryDirectory(),
    clock: @escaping @Sendable () -> Duration = { .zero }
  ) async throws -> ServedHousehold {
    let start = ContinuousClock.now
    try PagePassword(hash: PasswordHash(of: Self.password)).write(home: folder.path)
    let authenticator = try SessionAuthenticator(home: folder.path, instant: { start + clock() }, report: { _ in })
    return try await ServedHousehold(heartbeat: heartbeat, authenticator: authenticator, proxies: proxies, home: folder)
  }

  private func cookie(of answer: HTTPResponse) throws -> (String, String) {
    let set = try #require(answer.header("Set-Cookie"))
    return ("Cookie", String(try #require(set.split(separator: ";").first)))
  }

  @Test func onlyWhoIsSignedInIsAnswered() async throws {
    let household = try await locked()
    for endpoint in Endpoint.all where endpoint.access == .members {
      let path = endpoint.path.replacing("{id}", with: "files:a1").replacing(/\{[a-z]+\}/, with: "kitchen")
      let answer = try await household.send(endpoint.method, path, endpoint.isCommand ? "{}" : nil)
      #expect(answer.errorCode == "web.signInNeeded" && answer.status == 401, "\(endpoint.name)")
    }
    for path in ["/", "/app.js", "/healthz", "/api/v1/openapi.json"] {
      #expect(try await household.get(path).status == 200)
    }
    #expect(household.asked.all.isEmpty)
    await household.stop()
  }

  @Test func aSessionBeginsWithThePasswordAndEndsWithASignOut() async throws {
    let household = try await locked()
    #expect(try await household.get("/api/v1/session").text == #"{"needsPassword":true,"signedIn":false}"#)
    let wrong = try await household.post("/api/v1/session", #"{"password":"a quiet morning"}"#)
    #expect(wrong.status == 401 && wrong.errorCode == "web.wrongPassword" && wrong.header("Set-Cookie") == nil)
    let right = try await household.post("/api/v1/session", #"{"password":"\#(Self.password)"}"#)
    #expect(right.status == 200 && right.text == #"{"needsPassword":true,"signedIn":true}"#)
    #expect(right.header("Set-Cookie")?.hasSuffix("; HttpOnly; SameSite=Strict") == true)
    let cookie = try cookie(of: right)
    #expect(try await household.get("/api/v1/rooms", headers: [cookie]).status == 200)
    let foreign = [cookie, ("Origin", "https://evil.example"), json]
    #expect(
      try await household.send("DELETE", "/api/v1/session", headers: foreign).errorCode == "web.crossOrigin")
    let gone = try await household.send("DELETE", "/api/v1/session", headers: [cookie])
    #expect(gone.status == 200 && gone.header("Set-Cookie")?.contains("Max-Age=0") == true)
    #expect(try await household.get("/api/v1/rooms", headers: [cookie]).status == 401)
    await household.stop()
  }

  @Test func anotherPasswordEndsEventStreams() async throws {
    let folder = TemporaryDirectory()
    let passed = Mutex(Duration.zero)
    let household = try await locked(heartbeat: .milliseconds(50), in: folder) { passed.withLock { $0 } }
    let cookie = try cookie(of: try await household.post("/api/v1/session", #"{"password":"\#(Self.password)"}"#)).1
    let isThere = try await eventually(equals: 200) {
      try await household.get("/now/kitchen", headers: [("Cookie", cookie)]).status
    }
    #expect(isThere)
    let page = try EventReader(port: household.service.port, cookie: cookie)
    let card = try EventReader(port: household.service.port, path: "/now/kitchen/events", cookie: cookie)
    _ = try await page.next(containing: "event: snapshot\n")
    _ = try await card.next(containing: "event: card\n")
    try PagePassword(hash: PasswordHash(of: "another evening")).write(home: folder.path)
    passed.withLock { $0 = .seconds(60) }
    #expect(await page.isEnded())
    #expect(await card.isEnded())
    await household.stop()
  }

  @Test func passwordsAreNotTriedAtWill() async throws {
    let household = try await locked()
    var answer = try await household.post("/api/v1/session", #"{"password":"no"}"#)
    for _ in 0..<SignInLimiter.tries { answer = try await household.post("/api/v1/session", #"{"password":"no"}"#) }
    #expect(answer.status == 429 && answer.errorCode == "web.tooManyTries")
    #expect(answer.header("Retry-After").flatMap { Int($0) } ?? 0 > 0)
    await household.stop()
  }

  @Test func onlyAProxyThatIsTrustedSpeaksForOthers() async throws {
    let forwarded = [json, ("X-Forwarded-For", "10.0.0.9"), ("X-Forwarded-Proto", "https")]
    let body = #"{"password":"\#(Self.password)"}"#
    let plain = try await locked()
    let unheard = try await plain.post("/api/v1/session", body, headers: forwarded)
    #expect(unheard.header("Set-Cookie")?.contains("Secure") == false)
    await plain.stop()
    let behind = try await locked(proxies: ["127.0.0.1"])
    let heard = try await behind.post("/api/v1/session", body, headers: forwarded)
    #expect(heard.header("Set-Cookie")?.hasSuffix("; Secure") == true)
    // An address that has used up its tries does not use up those of others.
    for _ in 0...SignInLimiter.tries {
      _ = try await behind.post("/api/v1/session", #"{"password":"no"}"#, headers: forwarded)
    }
    #expect(try await behind.post("/api/v1/session", body, headers: forwarded).status == 429)
    let other = [json, ("X-Forwarded-For", "10.0.0.9, 10.0.0.8")]
    #expect(try await behind.post("/api/v1/session", body, headers: other).status == 200)
    // A header line that a proxy adds does not give more tries.
    let lines = [json, ("X-Forwarded-For", "10.0.0.77"), ("X-Forwarded-For", "10.0.0.9")]
    #expect(try await behind.post("/api/v1/session", body, headers: lines).status == 429)
    await behind.stop()
  }

  @Test func anUnauthenticatedBodyIsLimitedInSize() async throws {
    let household = try await locked()
    let long = #"{"password":"\#(String(repeating: "x", count: 5000))"}"#
    #expect(try await household.post("/api/v1/session", long).status == 413)
    #expect(try await household.post("/api/v1/play", long).status == 413)
    let right = try await household.post("/api/v1/session", #"{"password":"\#(Self.password)"}"#)
    let member = [json, try cookie(of: right)]
    #expect(try await household.post("/api/v1/play", long, headers: member).errorCode == "web.badBody")
    await household.stop()
  }

  @Test func aBodyThatIsNotUnderstoodIsNotRepeated() async throws {
    let household = try await ServedHousehold()
    let secret = "hunter2hunter2"
    for (path, body) in [
      ("/api/v1/sources", #"{"type":"subsonic","address":5,"secret":"\#(secret)"}"#),
      ("/api/v1/sources", #"{"type":"subsonic","secret":"\#(secret)}"#),
      ("/api/v1/session", #"{"password":["\#(secret)"]}"#),
      ("/api/v1/scrobbles/accounts", #"{"service":7,"secret":"\#(secret)"}"#),
    ] {
      let answer = try await household.post(path, body)
      #expect(answer.errorCode == "web.badBody" && !answer.text.contains(secret), "\(answer.text)")
    }
    await household.stop()
  }
}
