import Bus
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

@Suite struct SessionAuthenticatorTests {
  private static let password = "a quiet evening"

  private func home(_ password: String = Self.password) throws -> TemporaryDirectory {
    let folder = TemporaryDirectory()
    try PagePassword(hash: PasswordHash(of: password)).write(home: folder.path)
    return folder
  }

  private func refused(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch {
      return LunaraError(error).code
    }
  }

  @Test func onLoopbackEverybodyIsLetIn() async throws {
    let authenticator = SessionAuthenticator()
    try await authenticator.authenticate(nil)
    #expect(try await authenticator.signIn("whatever", from: "127.0.0.1") == nil)
    let status = await authenticator.status(of: nil)
    #expect(!status.needsPassword && status.signedIn)
  }

  @Test func withoutAPasswordNobodyIsServed() {
    let folder = TemporaryDirectory()
    #expect(code { _ = try SessionAuthenticator(home: folder.path) { _ in } } == "web.passwordNeeded")
  }

  @Test func whoKnowsThePasswordIsLetInUntilTheySignOut() async throws {
    let folder = try home()
    let authenticator = try SessionAuthenticator(home: folder.path) { _ in }
    #expect(await refused { try await authenticator.authenticate(nil) } == "web.signInNeeded")
    #expect(
      await refused { _ = try await authenticator.signIn("a quiet morning", from: "10.0.0.7") } == "web.wrongPassword")
    #expect(await refused { _ = try await authenticator.signIn("", from: "10.0.0.7") } == "web.wrongPassword")
    let token = try #require(try await authenticator.signIn(Self.password, from: "10.0.0.7"))
    try await authenticator.authenticate(token)
    #expect(await authenticator.status(of: token).signedIn)
    #expect(await refused { try await authenticator.authenticate(SessionToken()) } == "web.signInNeeded")
    await authenticator.signOut(token)
    #expect(await refused { try await authenticator.authenticate(token) } == "web.signInNeeded")
  }

  @Test(arguments: [("cafe\u{301} noir", "caf\u{e9} noir"), ("caf\u{e9} noir", "cafe\u{301} noir")])
  func aPasswordIsTheSameHoweverAKeyboardWritesItsLetters(set: String, typed: String) async throws {
    let folder = try home(set)
    let authenticator = try SessionAuthenticator(home: folder.path) { _ in }
    #expect(try await authenticator.signIn(typed, from: "10.0.0.7") != nil)
    #expect(await refused { _ = try await authenticator.signIn("cafe noir", from: "10.0.0.8") } == "web.wrongPassword")
  }

  @Test func aSessionOutlivesTheServiceAndNotItsTime() async throws {
    let folder = try home()
    let clock = Mutex(Timestamp(seconds: 1_700_000_000))
    let now: @Sendable () -> Timestamp = { clock.withLock { $0 } }
    let token = try #require(
      try await SessionAuthenticator(home: folder.path, now: now, report: { _ in }).signIn(Self.password, from: "::1"))
    let next = try SessionAuthenticator(home: folder.path, now: now) { _ in }
    try await next.authenticate(token)
    clock.withLock { $0 = Timestamp(seconds: 1_700_000_000 + Int64(SessionToken.life)) }
    #expect(await refused { try await next.authenticate(token) } == "web.signInNeeded")
  }

  @Test func anotherPasswordEndsAllSessions() async throws {
    let folder = try home()
    let authenticator = try SessionAuthenticator(home: folder.path) { _ in }
    let token = try #require(try await authenticator.signIn(Self.password, from: "::1"))
    try PagePassword(hash: PasswordHash(of: Self.password)).write(home: folder.path)
    // The file is checked every few seconds.
    #expect(
      await eventually(equals: "web.signInNeeded") { await refused { try await authenticator.authenticate(token) } })
    let next = try SessionAuthenticator(home: folder.path) { _ in }
    #expect(await refused { try await next.authenticate(token) } == "web.signInNeeded")
  }

  @Test func aSignInAgainstAReplacedPasswordIsRefused() async throws {
    let folder = try home()
    let start = ContinuousClock.now
    let clock = Mutex(start)
    let authenticator = try SessionAuthenticator(home: folder.path, instant: { clock.withLock { $0 } }) { hash, word in
      do {
        // Another password is set while this one is being checked.
        try PagePassword(hash: PasswordHash(of: "another evening")).write(home: folder.path)
      } catch {
        return false
      }
      clock.withLock { $0 = start + .seconds(60) }
      return hash.matches(word)
    } report: { _ in
    }
    #expect(await refused { _ = try await authenticator.signIn(Self.password, from: "::1") } == "web.wrongPassword")
  }

  @Test func whoIsNotSignedInHasNoFileWritten() async throws {
    let folder = try home()
    let authenticator = try SessionAuthenticator(home: folder.path) { _ in }
    await authenticator.signOut(SessionToken())
    #expect(try CredentialStore(home: folder.path).read(StoredSession.self, "web-sessions") == nil)
    let token = try #require(try await authenticator.signIn(Self.password, from: "::1"))
    let other = SessionToken()
    #expect(await authenticator.validSessions(of: [token, other]) == [token])
    await authenticator.signOut(token)
    #expect(await authenticator.validSessions(of: [token, other]) == [])
    #expect(try CredentialStore(home: folder.path).read(StoredSession.self, "web-sessions")?.text == "[]")
  }

  @Test func theStoredSessionsRevealNoToken() async throws {
    let folder = try home()
    let authenticator = try SessionAuthenticator(home: folder.path) { _ in }
    let token = try #require(try await authenticator.signIn(Self.password, from: "::1"))
    let secret = try #require(token.cookie(isEncrypted: false).firstMatch(of: /=([0-9a-f]{64});/)).output.1
    #expect(
      try CredentialStore(home: folder.path).read(StoredSession.self, "web-sessions")?.text.contains(secret) == false)
    #expect("\(try PasswordHash(of: Self.password))" == "a password's hash")
    #expect("\(DrawnSecret())" == "a secret")
  }

  private struct StoredSession: Decodable {
    var text: String
    init(from decoder: any Decoder) throws {
      struct Sessions: Decodable { var sessions: [[String: String]] }
      struct File: Decodable { var sessions: Sessions }
      text = "\(try File(from: decoder).sessions.sessions)"
    }
  }

  @Test func guessingIsSlowForOneAddressAndForAll() {
    var limiter = SignInLimiter()
    let start = ContinuousClock.now
    for _ in 0..<SignInLimiter.tries { #expect(limiter.recordTry(from: "10.0.0.7", now: start) == nil) }
    #expect(limiter.recordTry(from: "10.0.0.7", now: start) == SignInLimiter.pause)
    #expect(limiter.recordTry(from: "10.0.0.8", now: start) == nil)
    #expect(limiter.recordTry(from: "10.0.0.7", now: start + SignInLimiter.pause) == nil)
    #expect(limiter.recordTry(from: "10.0.0.7", now: start + SignInLimiter.pause) != nil)
    limiter.reset("10.0.0.7")
    #expect(limiter.recordTry(from: "10.0.0.7", now: start + SignInLimiter.pause) == nil)
    var flooded = SignInLimiter()
    let taken = (0..<200).filter { flooded.recordTry(from: "10.0.1.\($0)", now: start) == nil }
    #expect(taken.count == SignInLimiter.triesOfAll)
  }

  @Test func anIPv6NetworkCountsAsOneAddress() {
    var limiter = SignInLimiter()
    let start = ContinuousClock.now
    for host in 1...SignInLimiter.tries { #expect(limiter.recordTry(from: "2001:db8::\(host)", now: start) == nil) }
    #expect(limiter.recordTry(from: "2001:db8::ffff", now: start) != nil)
    #expect(limiter.recordTry(from: "2001:db8:0:1::1", now: start) == nil)
  }

  @Test func sessionsAreBounded() {
    var list = SessionList()
    let (now, later) = (Timestamp(seconds: 100), Timestamp(seconds: 200))
    for number in 0...SessionList.most { list.add("\(number)", until: later, now: now) }
    #expect(list.sessions.count == SessionList.most)
    #expect(!list.contains("0", now: now) && list.contains("1", now: now))
    #expect(!list.contains("1", now: later))
    list.add("new", until: Timestamp(seconds: 300), now: later)
    #expect(list.sessions.map(\.digest) == ["new"])
  }

  @Test func aCookieIsForThisServerAlone() throws {
    let token = SessionToken()
    let cookie = token.cookie(isEncrypted: true)
    #expect(cookie.contains("; HttpOnly; SameSite=Strict; Secure") && cookie.contains("Path=/;"))
    #expect(!token.cookie(isEncrypted: false).contains("Secure"))
    #expect(SessionToken.expiredCookie(isEncrypted: false).contains("lunara_session=; Path=/; Max-Age=0"))
    let pair = try #require(cookie.split(separator: ";").first)
    #expect(SessionToken(cookies: "theme=dark; \(pair)") == token)
    for other in ["", "lunara_session=", "lunara_session=abc", "xlunara_session=\(pair.dropFirst(15))"] {
      #expect(SessionToken(cookies: other) == nil)
    }
    #expect(SessionToken(cookies: nil) == nil)
    // A cookie of the same name from another port or domain does not hide it.
    let foreign = try #require(SessionToken().cookie(isEncrypted: false).split(separator: ";").first)
    #expect(SessionToken(cookies: "\(foreign); \(pair)") { $0 == token } == token)
    #expect(SessionToken(cookies: "\(pair); \(foreign)") { _ in false } == token)
  }
}
