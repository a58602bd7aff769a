import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage

/// Answers requests about accounts: lists them, switches them on and off, signs in and out.
actor AccountRequestHandler {
  let accounts: AccountContext
  let senders: DeliverySenders
  /// Called after a change of the accounts.
  let changed: @Sendable () -> Void
  private let pause: @Sendable (Duration) async throws -> Void
  private var signIns: [String: (signIn: any LinkSignIn, task: Task<Void, Never>?)] = [:]
  private var naming: [Task<Void, Never>] = []

  init(
    _ accounts: AccountContext, senders: DeliverySenders, changed: @escaping @Sendable () -> Void,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.accounts = accounts
    self.senders = senders
    self.changed = changed
    self.pause = pause
  }

  nonisolated func serve(on node: Node) async {
    await node.serve(Scrobble.ListServices.self) { _, _ in
      Scrobble.ServiceList(services: ScrobbleServices.kinds.map { $0.descriptor })
    }
    await node.serve(Scrobble.ListAccounts.self) { _, _ in try await self.list() }
    await node.serve(Scrobble.SwitchAccount.self) { request, _ in try await self.switchAccounts(request) }
    await node.serve(Scrobble.AddAccount.self) { request, _ in try await self.add(request) }
    await node.serve(Scrobble.BeginSignIn.self) { request, _ in try await self.beginSignIn(request) }
    await node.serve(Scrobble.ReadSignIn.self) { request, _ in try await self.signInState(request.id) }
    await node.serve(Scrobble.SignOut.self) { request, _ in try await self.signOut(request) }
  }

  func stop() {
    for task in naming { task.cancel() }
    for (_, task) in signIns.values { task?.cancel() }
  }

  func list() async throws -> Scrobble.AccountList {
    Scrobble.AccountList(accounts: try await accounts.database.read { try AccountStore.list(at: .now(), $0) })
  }

  /// Switches accounts on or off. Throws `scrobble.unknownAccount`.
  func switchAccounts(_ request: Scrobble.SwitchAccount) async throws -> Scrobble.AccountList {
    let chosen = try await accounts.database.write(.power) { transaction in
      let chosen = try AccountStore.chosen(request.service, request.account, transaction)
      for account in chosen {
        try transaction.execute("UPDATE accounts SET is_on = ? WHERE id = ?", request.isOn, account.id)
      }
      return chosen
    }
    for account in chosen {
      if request.isOn { try await senders.restart(account.id) } else { await senders.stop(account.id) }
    }
    return try await list()
  }

  /// Signs out of accounts: deletes their credentials and switches them off. Throws `scrobble.unknownAccount`,
  /// `scrobble.fromSettings`, `settings.credentials…`.
  func signOut(_ request: Scrobble.SignOut) async throws -> Scrobble.AccountList {
    let chosen = try await accounts.database.read {
      try AccountStore.chosen(request.service, request.account, $0)
    }
    if chosen.count == 1, let only = chosen.first, only.isFromSettings { throw ScrobbleError.fromSettings(only) }
    let ended = chosen.filter { !$0.isFromSettings }
    for account in ended {
      await senders.stop(account.id)
      do {
        try accounts.credentials.write(nil, of: account.key)
        try await accounts.database.write(.power) {
          try $0.execute(
            "UPDATE accounts SET is_on = 0, pause = ?, problem = NULL, not_before = 0 WHERE id = ?",
            Pause.signedOut.rawValue, account.id)
        }
      } catch {
        await senders.tryToRestart(account.id)
        throw error
      }
    }
    changed()
    let ids = Set(ended.map(\.id))
    return Scrobble.AccountList(
      accounts: try await accounts.database.read { reader in
        try AccountStore.all(reader).filter { ids.contains($0.id) }
          .map { try AccountStore.shown($0, at: .now(), reader) }
      })
  }

  /// Adds an account with a token, or a user and a password. Throws `scrobble.badSignIn`, `scrobble.badAddress`,
  /// `scrobble.serviceAway`, `scrobble.noKey`.
  func add(_ request: Scrobble.AddAccount) async throws -> Scrobble.AccountAdded {
    let (service, address) = try accounts.service(request.service, at: request.address)
    let signedIn = try await service.signIn(user: request.user, secret: Secret(request.secret), at: address)
    return Scrobble.AccountAdded(service: address.service, account: try await store(signedIn, at: address))
  }

  /// Starts a sign-in by link. Throws `scrobble.unknownAccount`, `scrobble.noKey`, `scrobble.badAddress`,
  /// `scrobble.serviceAway`, `scrobble.refused`.
  func beginSignIn(_ request: Scrobble.BeginSignIn) async throws -> Scrobble.SignIn {
    let (service, address) = try accounts.service(request.service, at: request.address)
    let signIn = try await service.beginSignIn(at: address, page: request.page)
    let id = signIn.started.id
    // Sign-ins that are over are removed when there are many.
    if signIns.count > 16 { signIns = signIns.filter { $0.value.signIn.state.state == "waiting" } }
    signIns[id] = (signIn, Task { await follow(id, at: address) })
    return signIn.started
  }

  /// Returns the state of a sign-in. Throws `scrobble.unknownSignIn`.
  func signInState(_ id: String) throws -> Scrobble.SignInState {
    guard let signIn = signIns[id]?.signIn else { throw ScrobbleError.unknownSignIn }
    return signIn.state
  }

  /// Asks the service, as often as it answers that, until the sign-in has succeeded, failed or expired.
  private func follow(_ id: String, at address: ServerAddress) async {
    while !Task.isCancelled, var signIn = signIns[id]?.signIn, signIn.state.state == "waiting" {
      do { try await pause(signIn.pause) } catch { return }
      do {
        if let signedIn = try await signIn.poll() {
          signIn.state = Scrobble.SignInState(state: "done", account: try await store(signedIn, at: address))
        }
      } catch is CancellationError {
        return
      } catch {
        signIn.state = Scrobble.SignInState(state: "failed", error: LunaraError(error))
      }
      signIns[id]?.signIn = signIn
    }
  }

  /// Stores an account that was signed in, starts to send to it, and returns its name.
  private func store(_ signedIn: SignedIn, at address: ServerAddress) async throws -> String {
    let name = address.accountName(of: signedIn.user)
    // The credentials are stored first: an account without credentials would be shown as signed out.
    try accounts.credentials.write(signedIn.credentials, of: "\(address.service)/\(name)")
    @Sendable func known(_ transaction: ReadTransaction) throws -> StoredAccount? {
      try AccountStore.all(transaction).first { $0.service == address.service && $0.name == name }
    }
    // The sender with the old credentials must end first: a late refusal of these would pause the account again.
    let before = try await accounts.database.read(known)
    if let before { await senders.stop(before.id) }
    do {
      let id = try await accounts.database.write { [journal = accounts.journal] transaction in
        let wasPaused = try known(transaction)?.status.pause != nil
        let id = try AccountStore.signIn(address, name: name, transaction)
        if wasPaused {
          try journal.append(
            Scrobble.AccountPaused(service: address.service, account: name, error: nil), in: transaction)
        }
        return id
      }
      try await senders.restart(id)
    } catch {
      if let before { await senders.tryToRestart(before.id) }
      throw error
    }
    return name
  }
}

/// Accounts whose token is a setting.
extension AccountRequestHandler {
  /// The name of such an account until its service has returned the name of the token's user.
  private static let unnamed = "settings"

  /// Adds the accounts whose tokens are settings. They are added before their services have returned the users' names,
  /// so that no listen is missed. An account whose token is no longer set is signed out.
  func addAccountsFromSettings() async throws {
    for service in accounts.services {
      // A setting with a bad address is logged, and does not affect other accounts.
      do { try await addAccountFromSettings(service) } catch let error as LunaraError
        where error.code == "scrobble.badAddress"
      {
        accounts.log.error(error)
      }
    }
  }

  private func addAccountFromSettings(_ service: any ScrobbleService) async throws {
    let kind = type(of: service)
    let known = try await accounts.database.read(AccountStore.all)
      .first { $0.isFromSettings && $0.service == kind.descriptor.kind }
    guard let token = accounts.token(of: kind) else {
      guard let known else { return }
      return try await accounts.database.write {
        try $0.execute(
          "UPDATE accounts SET is_on = 0, pause = ? WHERE id = ?", Pause.signedOut.rawValue, known.id)
      }
    }
    let (_, address) = try accounts.service(kind.descriptor.kind, at: nil)
    try await accounts.database.write { transaction in
      guard let known else {
        _ = try AccountStore.signIn(address, name: Self.unnamed, isFromSettings: true, transaction)
        return
      }
      // An account that a person switched off stays off; one that was paused sends again.
      try transaction.execute(
        """
        UPDATE accounts SET is_on = CASE WHEN pause IS NULL THEN is_on ELSE 1 END, pause = NULL, address = ?
        WHERE id = ?
        """, address.text, known.id)
    }
    guard known == nil || known?.name == Self.unnamed else { return }
    naming.append(Task { await findName(of: token, service, address) })
  }

  /// Asks the service for the name of the token's user, again after each failure, and names the account.
  private func findName(of token: Secret, _ service: any ScrobbleService, _ address: ServerAddress) async {
    for tries in 1... {
      do {
        let user = try await service.signIn(user: nil, secret: token, at: address).user
        let name = address.accountName(of: user)
        // If there is an account of this name, because somebody signed in with it, the account keeps the provisional
        // name.
        try await accounts.database.write {
          try $0.execute(
            "UPDATE OR IGNORE accounts SET name = ? WHERE is_from_settings AND service = ? AND name = ?", name,
            address.service, Self.unnamed)
        }
        return changed()
      } catch let error as LunaraError where error.code == "scrobble.badSignIn" {
        // The first scrobble is refused for the same reason, and pauses the account.
        return accounts.log.warning(error)
      } catch {
        do { try await pause(RetryPolicy.standard.pause(after: tries)) } catch { return }
      }
    }
  }
}
