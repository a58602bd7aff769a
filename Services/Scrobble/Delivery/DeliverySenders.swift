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
  /// Starts the senders that could not be started because their credentials could not be read.
  private let loop: WorkLoop
  private var senders: [Int64: DeliverySender] = [:]
  /// The accounts whose credentials could not be read.
  private var unread: Set<Int64> = []
  private var isLoopRunning = false
  /// True if the loop waits before it reads credentials again: those of another account could not be read just now.
  private var isToWait = false
  private var nowPlaying: Submission?

  init(
    _ accounts: AccountContext, changed: @escaping @Sendable () -> Void,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.accounts = accounts
    self.changed = changed
    loop = WorkLoop(sleep: sleep)
  }

  func start() async throws {
    for account in try await accounts.database.read(AccountStore.all) { try await start(account) }
    changed()
  }

  func stop() async {
    await loop.stop()
    isLoopRunning = false
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
    unread.remove(id)
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
          if unread.insert(account.id).inserted { await startLater() }
          return try await outbox.store(status)
        }
      }
      unread.remove(account.id)
      status.pause = .signedOut
      return try await outbox.store(status)
    }
    unread.remove(account.id)
    let sender = DeliverySender(
      outbox: outbox, client: client, status: account.status, log: accounts.log, changed: changed)
    senders[account.id] = sender
    await sender.start()
    // The account may have been switched off since its row was read: then this sender must end here.
    let isOn = try await accounts.database.read {
      try AccountStore.account(account.id, $0)?.isOn ?? false
    }
    guard isOn, senders[account.id] === sender else {
      await sender.stop()
      if senders[account.id] === sender { senders[account.id] = nil }
      return
    }
    if let nowPlaying { await sender.announce(nowPlaying) }
  }

  /// Tries again to start the senders whose credentials could not be read, after pauses that grow.
  private func startLater() async {
    isToWait = true
    guard !isLoopRunning else { return await loop.wake() }
    isLoopRunning = true
    await loop.start(failed: { [accounts] in accounts.log.error($0.error) }) { try await self.startUnread() }
  }

  private func startUnread() async throws -> WorkLoop.Rest {
    if isToWait {
      isToWait = false
      return .retry
    }
    for id in unread {
      let account = try await accounts.database.read { try AccountStore.account(id, $0) }
      // The account may have been removed or switched off meanwhile.
      guard unread.contains(id) else { continue }
      guard let account, account.isOn else {
        unread.remove(id)
        continue
      }
      try await start(account)
    }
    changed()
    return unread.isEmpty ? .untilWoken : .retry
  }
}
