import Bus
import Client
import Dispatch
import Messages
import Model
import ServiceKit
import Synchronization
import Text

/// Checks the sessions of clients, and signs them in and out with the page's password. If no password is needed, admits
/// everybody.
actor SessionAuthenticator {
  /// The largest number of passwords that wait to be checked. Each check takes a tenth of a second.
  static let checkLimit = 4
  private static let credentialName = "web-sessions"
  private static let passwordAge = Duration.seconds(2)

  /// The home folder, which has the password's hash and the sessions; nil if no password is needed.
  private let home: String?
  /// Receives errors that have no caller to throw to.
  private let report: @Sendable (LunaraError) -> Void
  // Tests replace these: the wall clock by which sessions expire, the monotonic clock that limits tries and re-reading
  // the password, and the check of a password.
  private let now: @Sendable () -> Timestamp
  private let instant: @Sendable () -> ContinuousClock.Instant
  private let matches: @Sendable (PasswordHash, String) -> Bool
  private let checkQueue = DispatchQueue(label: "lunara.web.passwords")
  /// The queue on which sessions are written, in the order of their changes.
  private let writeQueue = DispatchQueue(label: "lunara.web.sessions")
  /// The queue on which the password's file is read.
  private let readQueue = DispatchQueue(label: "lunara.web.password")
  private var limiter = SignInLimiter()
  private var waitingChecks = 0
  private var sessions = SessionList() {
    didSet { knownDigests.withLock { $0 = Set(sessions.sessions.map(\.digest)) } }
  }
  private let knownDigests = Mutex<Set<String>>([])
  private var password: PagePassword?
  private var passwordReadAt: ContinuousClock.Instant?
  /// The running read of the password's file; nil if there is none.
  private var passwordRead: Task<Void, Never>?

  /// The stored sessions, with the password for which they are valid.
  private struct StoredSessions: Codable {
    var password: PagePassword
    var sessions: SessionList
  }

  /// Creates an authenticator that admits everybody.
  init() {
    home = nil
    report = { _ in }
    now = { .now() }
    instant = { .now }
    matches = { $0.matches($1) }
  }

  /// Creates an authenticator that needs the password in a home folder. Throws `web.passwordNeeded` if no password is
  /// set, and the errors of `CredentialStore`.
  init(
    home: String, now: @escaping @Sendable () -> Timestamp = { .now() },
    instant: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    matches: @escaping @Sendable (PasswordHash, String) -> Bool = { $0.matches($1) },
    report: @escaping @Sendable (LunaraError) -> Void
  ) throws {
    guard let password = try PagePassword.read(home: home) else {
      throw LunaraError(
        "web.passwordNeeded",
        "The page is served to other machines with a password only. Set one with `lunara web password`, or let LUNARA_WEB begin with 127.0.0.1."
      )
    }
    self.home = home
    self.now = now
    self.instant = instant
    self.matches = matches
    self.report = report
    self.password = password
    let stored = try CredentialStore(home: home).read(StoredSessions.self, Self.credentialName)
    if let stored, stored.password == password {
      sessions = stored.sessions
      knownDigests.withLock { $0 = Set(stored.sessions.sessions.map(\.digest)) }
    }
  }

  nonisolated var needsPassword: Bool { home != nil }

  /// Returns true if a session is known, even if it has expired: this allows a larger request body, but no access.
  nonisolated func knows(_ token: SessionToken?) -> Bool {
    !needsPassword || token.map { token in knownDigests.withLock { $0.contains(token.digest) } } == true
  }

  /// Checks that a session is valid. Throws `web.signInNeeded`.
  func authenticate(_ token: SessionToken?) async throws {
    guard needsPassword else { return }
    await refreshPassword()
    guard let token, sessions.contains(token.digest, now: now()) else {
      throw LunaraError("web.signInNeeded", "You are not signed in. Sign in with the page's password.")
    }
  }

  /// Returns the sessions among `tokens` that are still valid.
  func validSessions(of tokens: Set<SessionToken>) async -> Set<SessionToken> {
    guard needsPassword else { return tokens }
    await refreshPassword()
    let now = now()
    return tokens.filter { sessions.contains($0.digest, now: now) }
  }

  func status(of token: SessionToken?) async -> SessionStatus {
    guard needsPassword else { return SessionStatus(needsPassword: false, signedIn: true) }
    await refreshPassword()
    return SessionStatus(
      needsPassword: true, signedIn: token.map { sessions.contains($0.digest, now: now()) } ?? false)
  }

  /// Starts a session; returns nil if no password is needed. Throws `web.tooManyTries`, `web.wrongPassword`.
  func signIn(_ word: String, from address: String) async throws -> SessionToken? {
    guard needsPassword else { return nil }
    await refreshPassword()
    guard let password else { throw Self.wrongPassword }
    guard waitingChecks < Self.checkLimit else { throw Self.tooManyTries(.seconds(1)) }
    if let wait = limiter.recordTry(from: address, now: instant()) { throw Self.tooManyTries(wait) }
    guard (1...PagePassword.longest).contains(word.utf8.count) else { throw Self.wrongPassword }
    waitingChecks += 1
    let isRight = await checkQueue.run { [matches] in
      Self.normalForms(of: word).contains { matches(password.hash, $0) }
    }
    waitingChecks -= 1
    // Another password may have been set during the check: then the former one is no longer valid.
    await refreshPassword()
    guard isRight, password == self.password else { throw Self.wrongPassword }
    limiter.reset(address)
    let token = SessionToken()
    let now = now()
    let until = Timestamp(microseconds: now.microseconds + Int64(SessionToken.life) * 1_000_000)
    sessions.add(token.digest, until: until, now: now)
    await storeSessions()
    return token
  }

  /// Ends a session. For an unknown token nothing is written, so that a stranger cannot cause writes to the disk.
  func signOut(_ token: SessionToken) async {
    guard needsPassword, sessions.remove(token.digest) else { return }
    await storeSessions()
  }

  /// Reads the password again if it was last read more than 2 s ago; a changed password ends all sessions. The file is
  /// read on a separate queue, once for all waiting callers, so that a disk that does not answer blocks no shared
  /// thread.
  private func refreshPassword() async {
    if let passwordRead { return await passwordRead.value }
    guard let home, passwordReadAt.map({ instant() - $0 > Self.passwordAge }) ?? true else { return }
    passwordReadAt = instant()
    let read = Task { await self.readPassword(in: home) }
    passwordRead = read
    await read.value
  }

  private func readPassword(in home: String) async {
    let found = await readQueue.run { Result { try PagePassword.read(home: home) } }
    passwordRead = nil
    switch found {
    case .success(let newest) where newest != password:
      password = newest
      sessions = SessionList()
    case .success: break
    case .failure(let error): report(LunaraError(error))
    }
  }

  private func storeSessions() async {
    guard let home, let password else { return }
    let stored = StoredSessions(password: password, sessions: sessions)
    // A slow disk delays only this request.
    await writeQueue.run { [report] in
      do {
        try CredentialStore(home: home).write(stored, Self.credentialName)
      } catch {
        // The sessions are then lost when the service ends.
        report(LunaraError(error))
      }
    }
  }

  /// Returns a password as typed, and its two Unicode normal forms if they differ: keyboards write é as one character
  /// or as e with a combining mark.
  private static func normalForms(of word: String) -> [String] {
    var spellings = [word]
    for spelling in [word.normalised, word.decomposed]
    where !spellings.contains(where: { $0.utf8.elementsEqual(spelling.utf8) }) {
      spellings.append(spelling)
    }
    return spellings
  }

  private static let wrongPassword = LunaraError("web.wrongPassword", "This is not the page's password.")

  private static func tooManyTries(_ wait: Duration) -> LunaraError {
    LunaraError(
      "web.tooManyTries",
      "The password was tried too often. Try again in \(wait.components.seconds + 1) s.",
      cause: "\(wait.components.seconds + 1)")
  }
}

extension DispatchQueue {
  /// Runs work that may block, and returns its result.
  func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in async { continuation.resume(returning: work()) } }
  }
}

struct SessionStatus: JSONRepresentable {
  var needsPassword: Bool
  var signedIn: Bool

  var json: JSON { ["needsPassword": needsPassword, "signedIn": signedIn] }
}
