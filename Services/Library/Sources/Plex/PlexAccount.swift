import Messages
import Model
import ServiceKit

/// The household's sign-in at Plex, and those who are just signing in.
///
/// What plex.tv says is needed for signing in alone: with it away, everything goes on.
actor PlexAccount {
  private let keyring: PlexCredentialStore
  private let cloudBase: String?
  private let log: Log
  /// Sets servers up as sources; gives their names.
  private let adopt: @Sendable ([PlexCloud.Listing]) async throws -> [String]
  private let pause: @Sendable (Duration) async throws -> Void

  private var signIns: [String: PlexSignIn] = [:]
  private var tasks: [String: Task<Void, Never>] = [:]

  /// How often a code is asked about.
  private static let pace = Duration.seconds(1)

  /// Makes the account of a keyring. `cloudBase` stands for plex.tv in tests.
  init(
    keyring: PlexCredentialStore, cloudBase: String?, log: Log,
    adopt: @escaping @Sendable ([PlexCloud.Listing]) async throws -> [String],
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.keyring = keyring
    self.cloudBase = cloudBase
    self.log = log
    self.adopt = adopt
    self.pause = pause
    keyring.renew { [weak self] in await self?.renewed($0) ?? [] }
  }

  /// The name of the account that is signed in; nil where none is.
  func name() throws -> String? { try keyring.credentials().account?.name }

  /// Where a server is by what plex.tv says now; empty where it says nothing.
  private func renewed(_ machine: String) async -> [PlexConnection.Place] {
    do {
      guard let token = try keyring.credentials().account?.token, let listed = try await cloud().servers(token),
        let found = listed.first(where: { $0.machine == machine })
      else { return [] }
      try keyring.change { $0.servers[machine]?.places = found.places }
      return found.places
    } catch {
      log.debug("\(LunaraError(error))")
      return []
    }
  }

  /// Asks whether the account's token is still good. Only a clear no discards it; servers keep their own until they
  /// refuse them.
  func verify() async {
    do {
      guard let account = try keyring.credentials().account else { return }
      guard let name = try await cloud().account(account.token) else {
        log.warning(PlexError.signedOut("Plex"))
        return try keyring.change { if $0.account?.token == account.token { $0.account = nil } }
      }
      if name != account.name { try keyring.change { $0.account?.name = name } }
    } catch {
      log.debug("\(LunaraError(error))")
    }
  }

  /// Forgets the tokens. What is known of the music stays.
  ///
  /// - Throws: `library.signedOut` where nobody is signed in, `settings.credentials…`.
  func signOut() throws {
    guard
      try keyring.credentials().account != nil
        || keyring.credentials().servers.values.contains(where: { $0.token != nil })
    else {
      throw LunaraError("library.signedOut", "Nobody is signed in at Plex.")
    }
    try keyring.change { $0.signOut() }
  }

  /// Begins to sign in: a person types the code, or opens the link.
  ///
  /// - Throws: `library.signInUnavailable`, `settings.credentials…`.
  func begin(now: Timestamp) async throws -> Library.SignIn {
    let cloud = try cloud()
    // A short code is one to type; the page behind the link takes a strong one only. Either will do.
    let short = try await cloud.pin(isStrong: false)
    let strong = try await cloud.pin(isStrong: true)
    let signIn = PlexSignIn(short: short, strong: strong, identifier: cloud.device.identifier, now: now)
    signIns = signIns.filter { !$0.value.isOver }
    signIns[signIn.id] = signIn
    tasks[signIn.id] = Task { [weak self, pause] in
      while await self?.follow(signIn.id) ?? false {
        do { try await pause(Self.pace) } catch { return }
      }
    }
    return signIn.told
  }

  /// How a sign-in stands.
  ///
  /// - Throws: `library.unknownSignIn`.
  func state(of id: String) throws -> Library.SignInState {
    guard let signIn = signIns[id] else {
      throw LunaraError(
        "library.unknownSignIn", "There is no such sign-in any more. Begin again with `lunara login plex`.")
    }
    return signIn.state
  }

  /// Ends what waits.
  func stop() { for task in tasks.values { task.cancel() } }

  /// Asks once how a sign-in stands; whether to ask again.
  private func follow(_ id: String) async -> Bool {
    guard let signIn = signIns[id], !signIn.isOver else { return false }
    do {
      let cloud = try cloud()
      for pin in signIn.open {
        signIns[id]?.take(try await cloud.state(of: pin), of: pin)
        guard let token = signIns[id]?.token else { continue }
        signIns[id]?.state = try await finish(token, cloud)
        break
      }
    } catch {
      // The line may break at any moment; the code stays confirmed. What cannot be mended by waiting is told.
      let error = LunaraError(error)
      if error.code != "library.signInUnavailable" {
        signIns[id]?.state = Library.SignInState(state: "failed", error: error)
      }
    }
    if signIns[id]?.isOver ?? true { tasks[id] = nil }
    return !(signIns[id]?.isOver ?? true)
  }

  private func finish(_ token: String, _ cloud: PlexCloud) async throws -> Library.SignInState {
    guard let name = try await cloud.account(token), let listed = try await cloud.servers(token) else {
      throw PlexError.signedOut("Plex")
    }
    // Servers of friends are many; they are taken where there is no own one.
    let own = listed.filter(\.isOwned)
    let taken = own.isEmpty ? listed : own
    try keyring.change { $0.signIn(.init(name: name, token: token), taken) }
    return Library.SignInState(state: "done", account: name, sources: try await adopt(taken))
  }

  private func cloud() throws -> PlexCloud {
    PlexCloud(http: keyring.http, device: try keyring.device(), base: cloudBase)
  }
}
