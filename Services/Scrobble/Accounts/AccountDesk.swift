import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage

/// The accounts that are set up, each with its courier.
actor AccountDesk {
  /// What accounts are made of.
  struct Needs: Sendable {
    var database: Database
    var journal: Journal
    var keyring: Keyring
    var http: HTTPClient
    var door: LastFMDoor
    /// What is set where a person names no address.
    var addresses: [ScrobbleService: String] = [:]
    var listenBrainzToken: String?
    var log: Log
  }

  let needs: Needs
  /// Told that the accounts, or how deliveries stand, changed.
  let changed: @Sendable () -> Void
  private var couriers: [Int64: Courier] = [:]
  var signIns: [String: (signIn: LastFMSignIn, task: Task<Void, Never>?)] = [:]
  var naming: Task<Void, Never>?
  private var announced: Submission?
  let pause: @Sendable (Duration) async throws -> Void

  static let pace = Duration.seconds(1)

  init(
    _ needs: Needs, changed: @escaping @Sendable () -> Void,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.needs = needs
    self.changed = changed
    self.pause = pause
  }

  /// Brings all accounts to work.
  func start() async throws {
    do { try await takeSettings() } catch let error as LunaraError where error.code == "scrobble.badAddress" {
      // A wrong variable is told, and keeps nobody else from being scrobbled for.
      needs.log.error(error)
    }
    for row in try await needs.database.read(Accounts.all) { try await employ(row) }
    changed()
  }

  /// Ends them.
  func stop() async {
    naming?.cancel()
    for (_, task) in signIns.values { task?.cancel() }
    for courier in couriers.values { await courier.stop() }
    couriers = [:]
  }

  /// Says that there may be something to send.
  func wake() async { for courier in couriers.values { await courier.wake() } }

  /// Has what is heard now told to all accounts; nil where nothing is that may be told.
  func announce(_ submission: Submission?) async {
    announced = submission
    for courier in couriers.values { await courier.announce(submission) }
  }

  /// Has all accounts try at once, whatever was wrong.
  func retry() async throws {
    for row in try await needs.database.read(Accounts.all) where row.isOn {
      // One whose secret was not to be read before may have it now.
      if couriers[row.id] == nil { try await employ(row) }
      await couriers[row.id]?.retry()
    }
    changed()
  }

  /// Switches accounts on or off.
  ///
  /// - Throws: `scrobble.unknownAccount`.
  func switchAccounts(_ request: Scrobble.SwitchAccount) async throws -> Scrobble.AccountList {
    let rows = try await needs.database.write(.power) { transaction in
      let rows = try Accounts.chosen(request.service, request.account, transaction)
      for row in rows {
        try transaction.execute("UPDATE accounts SET is_on = ? WHERE id = ?", request.isOn, row.id)
      }
      return rows
    }
    for row in rows {
      if request.isOn { try await employAgain(row.id) } else { await dismiss(row.id) }
    }
    return try await list()
  }

  /// Signs out of accounts: their secrets are forgotten, and they are off.
  ///
  /// - Throws: `scrobble.unknownAccount`, `scrobble.fromSettings`, `settings.credentials…`.
  func signOut(_ request: Scrobble.SignOut) async throws -> Scrobble.AccountList {
    let rows = try await needs.database.read { try Accounts.chosen(request.service, request.account, $0) }
    if rows.count == 1, let row = rows.first, row.isFromSettings { throw ScrobbleError.fromSettings(row.name) }
    let ended = rows.filter { !$0.isFromSettings }
    for row in ended {
      await dismiss(row.id)
      do {
        try needs.keyring.set(nil, of: row.key)
        try await needs.database.write(.power) {
          try $0.execute(
            "UPDATE accounts SET is_on = 0, pause = ?, problem = NULL, not_before = 0 WHERE id = ?",
            Pause.signedOut.rawValue, row.id)
        }
      } catch {
        await goOn(row.id)
        throw error
      }
    }
    changed()
    let ids = Set(ended.map(\.id))
    return Scrobble.AccountList(
      accounts: try await needs.database.read { reader in
        try Accounts.all(reader).filter { ids.contains($0.id) }.map { try Accounts.shown($0, at: .now(), reader) }
      })
  }

  /// The accounts as they are shown.
  func list() async throws -> Scrobble.AccountList {
    Scrobble.AccountList(accounts: try await needs.database.read { try Accounts.list(at: .now(), $0) })
  }

  /// Adds an account with a secret that a person has.
  ///
  /// - Throws: `scrobble.badSignIn`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.noKey`.
  func add(_ request: Scrobble.AddAccount) async throws -> Scrobble.AccountAdded {
    guard let service = ScrobbleService(rawValue: request.service) else {
      throw ScrobbleError.unknownAccount(request.service, nil)
    }
    let address = try ServiceAddress(request.address ?? needs.addresses[service], of: service)
    switch service {
    case .listenbrainz:
      let user = try await listenBrainzUser(Secret(request.secret), at: address)
      let name = address.accountName(of: user)
      try await signedIn(address, name, Keyring.Entry(token: request.secret))
      return Scrobble.AccountAdded(service: service.rawValue, account: name)
    case .lastfm:
      let session = try await needs.door.session(
        user: request.user ?? "", password: Secret(request.secret), at: address)
      let name = try await signedIn(address, session)
      return Scrobble.AccountAdded(service: service.rawValue, account: name)
    }
  }

  func listenBrainzUser(_ token: Secret, at address: ServiceAddress) async throws -> String {
    let client = ListenBrainzClient(http: needs.http, address: address.text, token: token)
    do {
      guard let user = try await client.user() else { throw ScrobbleError.badSignIn(address.host, cause: nil) }
      return user
    } catch let error as LunaraError where error.code.hasPrefix("http.") {
      throw ScrobbleError.away(address.host, cause: error.message)
    }
  }

  func signedIn(_ address: ServiceAddress, _ session: LastFMDoor.Session) async throws -> String {
    let (key, secret) = try needs.door.pair(for: address)
    let name = address.accountName(of: session.user)
    try await signedIn(address, name, Keyring.Entry(session: session.key.text, key: key, secret: secret))
    return name
  }

  /// Keeps the secret first: an account without one would be shown as signed out.
  private func signedIn(_ address: ServiceAddress, _ name: String, _ entry: Keyring.Entry) async throws {
    try needs.keyring.set(entry, of: "\(address.service.rawValue)/\(name)")
    let journal = needs.journal
    // An answer to the old secret must not come after the new one.
    let known = try await needs.database.read(Accounts.all).first { $0.service == address.service && $0.name == name }
    if let known { await dismiss(known.id) }
    do {
      let id = try await needs.database.write { transaction in
        let before = try Accounts.all(transaction).first { $0.service == address.service && $0.name == name }
        let id = try Accounts.signIn(address, name: name, transaction)
        if before?.standing.pause != nil {
          try journal.append(
            Scrobble.AccountPaused(service: address.service.rawValue, account: name, error: nil), in: transaction)
        }
        return id
      }
      try await employAgain(id)
    } catch {
      if let known { await goOn(known.id) }
      throw error
    }
  }

  /// Has an account send as before, where what was to change it could not be stored.
  private func goOn(_ id: Int64) async {
    do { try await employAgain(id) } catch { needs.log.error(error) }
  }

  private func employAgain(_ id: Int64) async throws {
    await dismiss(id)
    if let row = try await needs.database.read(Accounts.all).first(where: { $0.id == id }) { try await employ(row) }
    changed()
  }

  /// Gives an account that is on its courier. One whose secret is missing stands still.
  private func employ(_ row: Accounts.Row) async throws {
    guard row.isOn, couriers[row.id] == nil else { return }
    let outbox = Outbox(account: row.id, database: needs.database, journal: needs.journal)
    let backend: any Backend
    do {
      guard let made = try self.backend(of: row) else {
        return try await outbox.note(Standing(pause: .signedOut, problem: row.standing.problem))
      }
      backend = made
    } catch {
      needs.log.error(error)
      return try await outbox.note(Standing(pause: .signedOut, problem: LunaraError(error).message))
    }
    let courier = Courier(
      outbox: outbox, backend: backend, standing: row.standing, log: needs.log, changed: changed)
    couriers[row.id] = courier
    await courier.start()
    // The account may have been switched off since its row was read: then nobody else ends this one.
    let isOn = try await needs.database.read {
      try $0.row("SELECT is_on FROM accounts WHERE id = ?", row.id, as: { try $0.value(0) as Bool }) ?? false
    }
    guard isOn, couriers[row.id] === courier else {
      await courier.stop()
      if couriers[row.id] === courier { couriers[row.id] = nil }
      return
    }
    if let announced { await courier.announce(announced) }
  }

  /// Ends an account's courier. Until it has ended there is no other one of the account.
  private func dismiss(_ id: Int64) async {
    guard let courier = couriers[id] else { return }
    await courier.stop()
    if couriers[id] === courier { couriers[id] = nil }
    changed()
  }

  private func backend(of row: Accounts.Row) throws -> (any Backend)? {
    let address = try ServiceAddress(row.address.isEmpty ? nil : row.address, of: row.service)
    let entry = row.isFromSettings ? Keyring.Entry(token: needs.listenBrainzToken) : try needs.keyring.entry(row.key)
    switch row.service {
    case .listenbrainz:
      guard let token = entry?.token else { return nil }
      return ListenBrainzBackend(
        client: ListenBrainzClient(http: needs.http, address: address.text, token: Secret(token)))
    case .lastfm:
      guard let session = entry?.session, let key = entry?.key, let secret = entry?.secret else { return nil }
      return LastFMBackend(
        client: LastFMClient(http: needs.http, address: address.text, key: Secret(key), secret: Secret(secret)),
        session: Secret(session))
    }
  }
}
