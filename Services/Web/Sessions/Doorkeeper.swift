import Bus
import Dispatch
import Messages
import Model
import ServiceKit
import Synchronization
import Text

/// Lets in who is signed in. On loopback that is everybody.
actor SessionAuthenticator {
  /// How many passwords wait to be judged, each of which takes a tenth of a second.
  static let mostWaiting = 4
  private static let kept = "web-sessions"
  private static let unheldSeconds = 2

  /// The folder with the household's secrets; nil where no password is needed.
  private let home: String?
  private let report: @Sendable (LunaraError) -> Void
  private let now: @Sendable () -> Timestamp
  private let instant: @Sendable () -> ContinuousClock.Instant
  private let judge: @Sendable (PasswordHash, String) -> Bool
  private let queue = DispatchQueue(label: "lunara.web.passwords")
  /// Where sessions are written, in the order of what happened.
  private let writing = DispatchQueue(label: "lunara.web.sessions")
  /// Where the password's file is looked at.
  private let reading = DispatchQueue(label: "lunara.web.password")
  private var limiter = SignInLimiter()
  private var waiting = 0
  private var sessions = SessionList() {
    didSet { known.withLock { $0 = Set(sessions.sessions.map(\.digest)) } }
  }
  private let known = Mutex<Set<String>>([])
  private var password: PagePassword?
  private var readAt: ContinuousClock.Instant?
  /// The look at the password's file that is under way.
  private var looking: Task<Void, Never>?

  /// The sessions as they are kept: those of another password are nobody's.
  private struct Kept: Codable {
    var password: PagePassword
    var sessions: SessionList
  }

  /// One who lets everybody in.
  init() {
    (home, report) = (nil, { _ in })
    (now, instant, judge) = ({ .now() }, { .now }, { $0.matches($1) })
  }

  /// One who asks for the password of a home folder.
  ///
  /// - Parameters:
  ///   - now: the time, by which sessions end; given by tests.
  ///   - instant: the same for how often a password is tried, and how old what is known of it may be.
  ///   - judge: whether a hash is that of a word.
  ///   - report: told of trouble that has no caller to throw to.
  /// - Throws: `web.passwordNeeded` where none is set, and what the store says.
  init(
    home: String, now: @escaping @Sendable () -> Timestamp = { .now() },
    instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    judge: @escaping @Sendable (PasswordHash, String) -> Bool = { $0.matches($1) },
    report: @escaping @Sendable (LunaraError) -> Void
  ) throws {
    guard let password = try PagePassword.read(home: home) else {
      throw LunaraError(
        "web.passwordNeeded",
        "Beyond this machine the page is served with a password only. Set one with `lunara web password`, or let LUNARA_WEB begin with 127.0.0.1."
      )
    }
    (self.home, self.now, self.instant, self.judge) = (home, now, instant, judge)
    (self.report, self.password) = (report, password)
    if let kept = try CredentialStore(home: home).read(Kept.self, Self.kept), kept.password == password {
      sessions = kept.sessions
      known.withLock { $0 = Set(kept.sessions.sessions.map(\.digest)) }
    }
  }

  /// Whether a password is needed.
  nonisolated var asks: Bool { home != nil }

  /// Whether a session is known, be it that it has ended meanwhile: enough to read what is said, not to be let in.
  nonisolated func knows(_ token: SessionToken?) -> Bool {
    !asks || token.map { token in known.withLock { $0.contains(token.digest) } } == true
  }

  /// Lets a request pass.
  ///
  /// - Throws: `web.signInNeeded`.
  func admit(_ token: SessionToken?) async throws {
    guard asks else { return }
    await refresh()
    guard let token, sessions.contains(token.digest, now: now()) else {
      throw LunaraError("web.signInNeeded", "Sign in first, with the page's password.")
    }
  }

  /// Those of some sessions that have not ended.
  func admitted(_ tokens: Set<SessionToken>) async -> Set<SessionToken> {
    guard asks else { return tokens }
    await refresh()
    let now = now()
    return tokens.filter { sessions.contains($0.digest, now: now) }
  }

  /// How one stands who shows this token.
  func standing(of token: SessionToken?) async -> Shape.Session {
    guard asks else { return Shape.Session(needsPassword: false, signedIn: true) }
    await refresh()
    return Shape.Session(
      needsPassword: true, signedIn: token.map { sessions.contains($0.digest, now: now()) } ?? false)
  }

  /// Begins a session; nil where none is needed.
  ///
  /// - Throws: `web.tooManyTries`, `web.wrongPassword`.
  func signIn(_ word: String, from address: String) async throws -> SessionToken? {
    guard asks else { return nil }
    await refresh()
    guard let password else { throw Self.wrong }
    guard waiting < Self.mostWaiting else { throw Self.tooMany(.seconds(1)) }
    if let wait = limiter.take(address, now: instant()) { throw Self.tooMany(wait) }
    guard (1...PagePassword.longest).contains(word.utf8.count) else { throw Self.wrong }
    waiting += 1
    let isRight = await withCheckedContinuation { continuation in
      queue.async { [judge] in
        continuation.resume(returning: Self.forms(of: word).contains { judge(password.hash, $0) })
      }
    }
    waiting -= 1
    // Another may have been set meanwhile, and who knew the former is no member by that.
    await refresh()
    guard isRight, password == self.password else { throw Self.wrong }
    limiter.forgive(address)
    let token = SessionToken()
    let now = now()
    let until = Timestamp(microseconds: now.microseconds + Int64(SessionToken.life) * 1_000_000)
    sessions.add(token.digest, until: until, now: now)
    await keep()
    return token
  }

  /// Ends a session. What is none costs nothing: a stranger has no file written.
  func signOut(_ token: SessionToken) async {
    guard asks, sessions.remove(token.digest) else { return }
    await keep()
  }

  /// Takes a password that was set meanwhile; it ends all sessions. The file is read on a queue of its own, once for all who
  /// wait: a disk that does not answer keeps people waiting, and no thread that others need.
  private func refresh() async {
    if let looking { return await looking.value }
    guard let home, readAt.map({ instant() - $0 > .seconds(Self.unheldSeconds) }) ?? true else { return }
    readAt = instant()
    let look = Task { await self.look(in: home) }
    looking = look
    await look.value
  }

  private func look(in home: String) async {
    let found: Result<PagePassword?, any Error> = await withCheckedContinuation { continuation in
      reading.async { continuation.resume(returning: Result { try PagePassword.read(home: home) }) }
    }
    looking = nil
    switch found {
    case .success(let newest) where newest != password:
      password = newest
      sessions = SessionList()
    case .success: break
    case .failure(let error): report(LunaraError(error))
    }
  }

  private func keep() async {
    guard let home, let password else { return }
    let kept = Kept(password: password, sessions: sessions)
    await withCheckedContinuation { continuation in
      // A card that is slow to write holds up this one request, and nobody who is to be let in.
      writing.async { [report] in
        do {
          try CredentialStore(home: home).write(kept, Self.kept)
        } catch {
          // They last as long as the service does.
          report(LunaraError(error))
        }
        continuation.resume()
      }
    }
  }

  /// A word as it was typed, and where keyboards differ in how they write its letters, in the form of the others too: é as
  /// one character or as e with a mark.
  static func forms(of word: String) -> [String] {
    let composed = word.normalised
    var forms = [word]
    for form in [composed, word.decomposed] where !forms.contains(where: { $0.utf8.elementsEqual(form.utf8) })
    {
      forms.append(form)
    }
    return forms
  }

  private static let wrong = LunaraError("web.wrongPassword", "That is not the page's password.")

  private static func tooMany(_ wait: Duration) -> LunaraError {
    LunaraError(
      "web.tooManyTries", "The password was tried too often. Try again in \(wait.components.seconds + 1) s.",
      cause: "\(wait.components.seconds + 1)")
  }
}

extension Shape {
  /// How one stands who asks.
  struct Session: Encodable {
    var needsPassword: Bool
    var signedIn: Bool
  }
}
