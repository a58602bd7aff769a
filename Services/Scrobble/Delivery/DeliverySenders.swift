import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage

/// The objects that the accounts share: database, journal, credentials, HTTP client, log and settings.
struct AccountContext: Sendable {
  let database: Database
  let journal: Journal
  let credentials: AccountCredentials
  let http: HTTPClient
  let log: Log
  /// Returns the value of a setting by its name.
  let setting: @Sendable (String) -> String?

  var services: [any ScrobbleService] { ScrobbleServices.kinds.map { $0.init(http: http, setting: setting) } }

  /// Returns a service, and the address of one of its servers: `address`, or else the one that is set, or else the
  /// service's own. Throws `scrobble.unknownAccount`, `scrobble.badAddress`.
  func service(_ kind: String, at address: String?) throws -> (any ScrobbleService, ServerAddress) {
    guard let service = services.first(where: { type(of: $0).descriptor.kind == kind }) else {
      throw ScrobbleError.unknownAccount(kind, nil)
    }
    let address = address ?? setting("LUNARA_\(kind.uppercased())_URL")
    return (service, try ServerAddress(address, of: type(of: service)))
  }

  func token(of kind: any ScrobbleService.Type) -> Secret? {
    kind.tokenSetting.flatMap { setting($0) }.map { Secret($0) }
  }

  /// Returns the client that sends to an account; nil if credentials are missing. Throws `scrobble.badAddress`,
  /// `settings.credentials…`.
  func client(of account: StoredAccount) throws -> (any ScrobbleClient)? {
    guard let service = services.first(where: { type(of: $0).descriptor.kind == account.service }) else { return nil }
    let kind = type(of: service)
    let address = try ServerAddress(account.address.isEmpty ? nil : account.address, of: kind)
    let stored =
      account.isFromSettings ? Credentials(token: token(of: kind)?.text) : try credentials.read(account.key)
    return stored.flatMap { service.client(at: address, with: $0) }
  }
}

/// The senders of the accounts that are on, one for each.
actor DeliverySenders {
  private let accounts: AccountContext
  /// Called after a change of the accounts or deliveries.
  private let changed: @Sendable () -> Void
  private let sleep: @Sendable (Duration) async throws -> Void
  private var senders: [Int64: DeliverySender] = [:]
  /// The later starts of senders whose credentials could not be read.
  private var laterStarts: [Int64: Task<Void, Never>] = [:]
  /// The number of failures in a row to read the credentials of an account.
  private var readFailures: [Int64: Int] = [:]
  private var nowPlaying: Submission?

  init(
    _ accounts: AccountContext, changed: @escaping @Sendable () -> Void,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.accounts, self.changed, self.sleep) = (accounts, changed, sleep)
  }

  func start() async throws {
    for account in try await accounts.database.read(AccountStore.all) { try await start(account) }
    changed()
  }

  func stop() async {
    for task in laterStarts.values { task.cancel() }
    laterStarts = [:]
    for sender in senders.values { await sender.stop() }
    senders = [:]
  }

  func wake() async { for sender in senders.values { await sender.wake() } }

  /// Sends the current track to all accounts; nil if there is none that may be sent.
  func announce(_ submission: Submission?) async {
    nowPlaying = submission
    for sender in senders.values { await sender.announce(submission) }
  }

  /// Makes all accounts that are on try again at once, including those that are paused.
  func retry() async throws {
    for account in try await accounts.database.read(AccountStore.all) where account.isOn {
      // The credentials could not be read at the start, but perhaps now.
      if senders[account.id] == nil { try await start(account) }
      await senders[account.id]?.retry()
    }
    changed()
  }

  /// Ends the sender of an account. The account gets no other sender before this one has ended.
  func stop(_ id: Int64) async {
    laterStarts.removeValue(forKey: id)?.cancel()
    guard let sender = senders[id] else { return }
    await sender.stop()
    if senders[id] === sender { senders[id] = nil }
    changed()
  }

  /// Starts a new sender for an account, from the account's present row.
  func restart(_ id: Int64) async throws {
    await stop(id)
    if let account = try await accounts.database.read({ try AccountStore.account(id, $0) }) {
      try await start(account)
    }
    changed()
  }

  /// Starts the sender again after a change of the account could not be stored; logs errors.
  func tryToRestart(_ id: Int64) async {
    do { try await restart(id) } catch { accounts.log.error(error) }
  }

  /// Starts the sender of an account that is on. An account whose credentials are missing is paused; one whose
  /// credentials cannot be read now is started later.
  private func start(_ account: StoredAccount) async throws {
    guard account.isOn, senders[account.id] == nil else { return }
    let outbox = Outbox(account: account.id, database: accounts.database, journal: accounts.journal)
    let found = Result { try accounts.client(of: account) }
    guard case .success(let client?) = found else {
      var status = account.status
      if case .failure(let failure) = found {
        let error = LunaraError(failure)
        accounts.log.error(error)
        status.problem = error.message
        if error.code == "settings.credentialsUnwritable" {
          startLater(account.id)
          return try await outbox.note(status)
        }
      }
      status.pause = .signedOut
      return try await outbox.note(status)
    }
    laterStarts.removeValue(forKey: account.id)?.cancel()
    readFailures[account.id] = nil
    let sender = DeliverySender(
      outbox: outbox, client: client, status: account.status, log: accounts.log, changed: changed)
    senders[account.id] = sender
    await sender.start()
    // The account may have been switched off since its row was read: then this sender must end here.
    let isOn = try await accounts.database.read {
      try $0.row("SELECT is_on FROM accounts WHERE id = ?", account.id, as: { try $0.value(0) as Bool }) ?? false
    }
    guard isOn, senders[account.id] === sender else {
      await sender.stop()
      if senders[account.id] === sender { senders[account.id] = nil }
      return
    }
    if let nowPlaying { await sender.announce(nowPlaying) }
  }

  /// Starts the sender of an account after a pause that grows with each failure.
  private func startLater(_ id: Int64) {
    laterStarts.removeValue(forKey: id)?.cancel()
    readFailures[id, default: 0] += 1
    let pause = Duration.backoff(after: readFailures[id] ?? 1)
    laterStarts[id] = Task {
      do {
        try await sleep(pause)
        let account = try await accounts.database.read { try AccountStore.account(id, $0) }
        // The account may have been removed or switched off meanwhile.
        try Task.checkCancellation()
        laterStarts[id] = nil
        guard let account else { return }
        try await start(account)
        changed()
      } catch {
        guard !Task.isCancelled else { return }
        accounts.log.error(error)
        laterStarts[id] = nil
        startLater(id)
      }
    }
  }
}
