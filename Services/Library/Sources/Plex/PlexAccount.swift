import Messages
import Model
import Records
import ServiceKit

/// The household's sign-in at Plex, and the sign-ins that are in progress.
///
/// plex.tv is needed only for signing in: everything else works while it is unreachable.
actor PlexAccount: SourceAccount {
  private let credentials: PlexCredentialStore
  private let cloudBase: String?
  private let log: Log
  private let adopt: SourceAccount.Adoption
  private let now: @Sendable () -> Timestamp
  private let pause: @Sendable (Duration) async throws -> Void

  private var signIns: [String: PlexSignIn] = [:]
  private var tasks: [String: Task<Void, Never>] = [:]

  /// Creates the account of some credentials. `cloudBase` replaces the address of plex.tv in tests.
  init(
    credentials: PlexCredentialStore, cloudBase: String?, log: Log, adopt: @escaping SourceAccount.Adoption,
    now: @escaping @Sendable () -> Timestamp = { .now() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.credentials = credentials
    self.cloudBase = cloudBase
    self.log = log
    self.adopt = adopt
    self.now = now
    self.pause = pause
    credentials.renew { [weak self] in await self?.renewed($0) ?? [] }
  }

  /// The name of the account that is signed in; nil if none is.
  func name() throws -> String? { try credentials.current().account?.name }

  /// Returns the addresses of a server that plex.tv knows now; empty if it does not answer.
  private func renewed(_ machine: String) async -> [PlexConnection.Candidate] {
    do {
      guard let token = try credentials.current().account?.token, let listed = try await cloud().servers(token),
        let found = listed.first(where: { $0.machine == machine })
      else { return [] }
      try credentials.change { $0.servers[machine]?.places = found.places }
      return found.places
    } catch {
      log.debug("\(LunaraError(error))")
      return []
    }
  }

  /// Discards the account's token only if plex.tv refuses it; the servers' tokens stay until the servers refuse them.
  func verify() async {
    do {
      guard let account = try credentials.current().account else { return }
      guard let name = try await cloud().account(account.token) else {
        log.warning(PlexError.signedOut("Plex"))
        return try credentials.change { if $0.account?.token == account.token { $0.account = nil } }
      }
      if name != account.name { try credentials.change { $0.account?.name = name } }
    } catch {
      log.debug("\(LunaraError(error))")
    }
  }

  func signOut() throws {
    let known = try credentials.current()
    guard known.account != nil || known.servers.values.contains(where: { $0.token != nil }) else {
      throw LunaraError("library.signedOut", "Nobody is signed in at Plex.")
    }
    try credentials.change { $0.signOut() }
  }

  func begin(now: Timestamp) async throws -> Library.SignIn {
    let cloud = try cloud()
    // A person types the short code; the page behind the link takes only a strong one. Either signs in.
    let short = try await cloud.pin(isStrong: false)
    let strong = try await cloud.pin(isStrong: true)
    let signIn = PlexSignIn(short: short, strong: strong, identifier: cloud.device.identifier, now: now)
    signIns = signIns.filter { !$0.value.isOver }
    signIns[signIn.id] = signIn
    tasks[signIn.id] = Task { [weak self, pause] in
      while let wait = await self?.follow(signIn.id) {
        do { try await pause(wait) } catch { return }
      }
    }
    return signIn.answer
  }

  func state(of id: String) -> Library.SignInState? { signIns[id]?.state }

  func stop() { for task in tasks.values { task.cancel() } }

  /// Asks plex.tv once for the state of a sign-in. Returns the time after which it has to be asked again; nil if the
  /// sign-in is over.
  private func follow(_ id: String) async -> Duration? {
    guard let signIn = signIns[id], !signIn.isOver else { return nil }
    var limit: Duration?
    var isAnswered = true
    do {
      let cloud = try cloud()
      for pin in signIn.open {
        let state = try await cloud.state(of: pin)
        if case .limited(let time) = state {
          limit = time
          isAnswered = false
          break
        }
        signIns[id]?.apply(state, of: pin)
        guard let token = signIns[id]?.token else { continue }
        signIns[id]?.state = try await finish(token, cloud)
        break
      }
    } catch {
      // If plex.tv is unreachable, the next request finds the same state; any other error ends the sign-in.
      let error = LunaraError(error)
      isAnswered = false
      if error.code != "library.signInUnavailable" {
        signIns[id]?.state = Library.SignInState(state: "failed", error: error)
      }
    }
    // plex.tv says itself that a code has expired, unless it is away.
    if signIns[id]?.isOver == false, signIn.timeLeft(at: now()) < .zero {
      signIns[id]?.state = Library.SignInState(state: "expired")
    }
    guard signIns[id]?.isOver == false else {
      tasks[id] = nil
      return nil
    }
    return signIns[id]?.wait(isAnswered: isAnswered, limit: limit, now: now())
  }

  private func finish(_ token: String, _ cloud: PlexCloud) async throws -> Library.SignInState {
    guard let name = try await cloud.account(token), let listed = try await cloud.servers(token) else {
      throw PlexError.signedOut("Plex")
    }
    // Servers of friends may be many; they are used only if the account has no own one.
    let own = listed.filter(\.isOwned)
    let taken = own.isEmpty ? listed : own
    try credentials.change { $0.signIn(.init(name: name, token: token), taken) }
    let servers = taken.map { AccountServer(machine: $0.machine, address: PlexServer.address(of: $0.machine)) }
    return Library.SignInState(state: "done", account: name, sources: try await adopt(servers))
  }

  private func cloud() throws -> PlexCloud {
    PlexCloud(http: credentials.http, device: try credentials.device(), base: cloudBase)
  }
}

/// A sign-in that waits for a person to confirm one of two codes. Does no I/O.
struct PlexSignIn: Sendable {
  /// The longest time for which a code is believed to be valid, in seconds.
  private static let longestLifetime = 86_400

  let id: String
  /// The answer to the request that began the sign-in.
  let answer: Library.SignIn
  /// The codes that are still valid.
  private(set) var open: [PlexCloud.Pin]
  /// The account's token, once the person has confirmed one.
  private(set) var token: String?
  var state = Library.SignInState(state: "waiting")

  init(short: PlexCloud.Pin, strong: PlexCloud.Pin, identifier: String, now: Timestamp) {
    id = UniqueID<PlexSignIn>.random().rawValue
    open = [short, strong]
    let link =
      "https://app.plex.tv/auth#?clientID=\(PlexQuery.encoded(identifier))&code=\(PlexQuery.encoded(strong.code))"
      + "&context%5Bdevice%5D%5Bproduct%5D=Lunara"
    let lifetime = max(0, min(short.lifetime, strong.lifetime, Self.longestLifetime))
    let end = Timestamp(seconds: now.seconds + Int64(lifetime))
    answer = Library.SignIn(id: id, code: short.code, page: "https://plex.tv/link", link: link, expiresAt: end)
  }

  var isOver: Bool { state.state != "waiting" }

  /// The number of requests in a row that plex.tv did not answer.
  private var failures = 0

  /// The time after the end of a code in which plex.tv is still asked, as its clock may differ.
  private static let grace = Milliseconds(60_000)

  /// Returns the time for which plex.tv is still asked; negative once it is over.
  func timeLeft(at now: Timestamp) -> Milliseconds { answer.expiresAt - now + Self.grace }

  /// Returns the time until plex.tv is asked again: a second, more after each request that it did not answer, and not
  /// less than its own `limit`; but never longer than until the sign-in has expired.
  mutating func wait(isAnswered: Bool, limit: Duration?, now: Timestamp) -> Duration {
    failures = isAnswered ? 0 : failures + 1
    let wait = max(RetryPolicy.signIn.pause(after: failures + 1), limit ?? .zero)
    return min(wait, .milliseconds(timeLeft(at: now).rawValue + 1))
  }

  mutating func apply(_ answer: PlexCloud.PinState, of pin: PlexCloud.Pin) {
    switch answer {
    case .waiting, .limited: break
    case .confirmed(let token): self.token = token
    case .expired:
      open.removeAll { $0 == pin }
      // If the code that is shown has expired, the sign-in ends, even if the other code is still valid.
      if open.isEmpty || pin.code == self.answer.code { state = Library.SignInState(state: "expired") }
    }
  }
}
