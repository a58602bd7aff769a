import Bus
import Messages
import Model
import ServiceKit
import Storage

/// The part of an account's state that its sender changes; it is stored.
struct AccountStatus: Hashable, Sendable {
  /// The reason why the account is paused until a person acts; nil if it is not paused.
  var pause: Pause?
  /// The last reason why the service accepted nothing.
  var problem: String?
  /// The time of the wall clock before which nothing is sent.
  var notBefore = Timestamp(microseconds: 0)
  /// The number of listens in one request if the service refuses more; nil if it is not known to.
  var batchSize: Int?

  /// Returns the time left to wait, at most the longest pause, as the clock may have been set back.
  func wait(at now: Timestamp) -> Duration {
    guard notBefore > now else { return .zero }
    return min(.microseconds(notBefore.microseconds &- now.microseconds), RetrySchedule.longestPause)
  }
}

/// An account as it is stored, without its credentials.
struct StoredAccount: Hashable, Sendable {
  var id: Int64
  /// The kind of service, such as `lastfm`.
  var service: String
  var name: String
  /// The address of the server; empty if it is the service's own.
  var address: String
  var isOn: Bool
  var isFromSettings: Bool
  var status: AccountStatus

  /// The name of the account's credentials.
  var key: String { "\(service)/\(name)" }

  /// Returns the state that is shown, as `Scrobble.Account` explains it.
  func state(at now: Timestamp) -> String {
    switch status.pause {
    case .signedOut: "signed-out"
    case _ where !isOn: "off"
    case .refused: "refused"
    case nil: status.notBefore > now ? "waiting" : "ready"
    }
  }

  /// The error that is shown while the account is paused; nil if it is not paused.
  var pauseError: LunaraError? {
    switch status.pause {
    case nil: return nil
    case .refused: return ScrobbleError.accountRefused(service, name, cause: status.problem)
    case .signedOut:
      let kind = ScrobbleServices.kind(service)
      let isOwn = address.isEmpty || address == kind?.descriptor.address
      let setting = isFromSettings ? kind?.tokenSetting : nil
      return ScrobbleError.signedOut(
        service, name, address: isOwn ? nil : address, setting: setting, cause: status.problem)
    }
  }
}

enum AccountStore {
  /// Returns all accounts, ordered by service and name, except those of services that this version does not know.
  static func all(_ transaction: ReadTransaction) throws -> [StoredAccount] {
    try transaction.rows(
      """
      SELECT id, service, name, address, is_on, is_from_settings, pause, problem, not_before, batch_size
      FROM accounts
      ORDER BY service, name
      """
    ) { row in
      let pause: String? = try row.value(6)
      return StoredAccount(
        id: try row.value(0), service: try row.value(1), name: try row.value(2), address: try row.value(3),
        isOn: try row.value(4), isFromSettings: try row.value(5),
        status: AccountStatus(
          pause: pause.flatMap(Pause.init), problem: try row.value(7), notBefore: try row.value(8),
          batchSize: try row.value(9)))
    }.filter { ScrobbleServices.kind($0.service) != nil }
  }

  static func account(_ id: Int64, _ transaction: ReadTransaction) throws -> StoredAccount? {
    try all(transaction).first { $0.id == id }
  }

  /// Returns the accounts that a command names. Throws `scrobble.unknownAccount` if there is none.
  static func chosen(
    _ service: String?, _ account: String?, _ transaction: ReadTransaction
  ) throws -> [StoredAccount] {
    let accounts = try all(transaction).filter { stored in
      (service ?? stored.service) == stored.service && (account ?? stored.name) == stored.name
    }
    guard !accounts.isEmpty else { throw ScrobbleError.unknownAccount(service, account) }
    return accounts
  }

  /// Adds an account, or signs it in again: it is on and not paused, and is sent the listens that count from now on.
  /// Returns its id.
  static func signIn(
    _ address: ServerAddress, name: String, isFromSettings: Bool = false, _ transaction: Transaction
  ) throws -> Int64 {
    transaction.requireDurability(.power)
    try transaction.execute(
      """
      INSERT INTO accounts (service, name, address, is_from_settings) VALUES (?, ?, ?, ?)
      ON CONFLICT (service, name) DO UPDATE SET address = excluded.address, is_on = 1,
        is_from_settings = excluded.is_from_settings, pause = NULL, problem = NULL, not_before = 0,
        batch_size = CASE WHEN address = excluded.address THEN batch_size END
      """, address.service, name, address.text, isFromSettings)
    return try transaction.value("SELECT id FROM accounts WHERE service = ? AND name = ?", address.service, name) ?? 0
  }

  /// Stores the status of an account, and writes a fact when the account is paused or no longer paused.
  static func write(
    _ status: AccountStatus, of account: Int64, _ journal: Journal, _ transaction: Transaction
  ) throws {
    guard var stored = try self.account(account, transaction), stored.status != status else { return }
    try transaction.execute(
      "UPDATE accounts SET pause = ?, problem = ?, not_before = ?, batch_size = ? WHERE id = ?",
      status.pause?.rawValue, status.problem, status.notBefore, status.batchSize, account)
    guard stored.status.pause != status.pause else { return }
    stored.status = status
    try journal.append(
      Scrobble.AccountPaused(service: stored.service, account: stored.name, error: stored.pauseError), in: transaction)
  }

  /// Returns the accounts to show. An account that a person has signed out of is shown while it has pending or failed
  /// deliveries.
  static func list(at now: Timestamp, _ transaction: ReadTransaction) throws -> [Scrobble.Account] {
    try all(transaction).map { try shown($0, at: now, transaction) }
      .filter { $0.isOn || $0.state != "signed-out" || $0.pending + $0.failed > 0 }
  }

  static func shown(
    _ stored: StoredAccount, at now: Timestamp, _ transaction: ReadTransaction
  ) throws -> Scrobble.Account {
    func count(_ states: String) throws -> Int {
      try transaction.value(
        "SELECT count(*) FROM deliveries WHERE account = ? AND state IN (\(states)) AND state <> 'sent'", stored.id)
        ?? 0
    }
    let status = stored.status
    let error = stored.pauseError ?? status.problem.map { ScrobbleError.waits(stored.service, cause: $0) }
    return Scrobble.Account(
      service: stored.service, account: stored.name, address: stored.address, isOn: stored.isOn,
      state: stored.state(at: now), pending: try count("'due', 'sending'"), failed: try count("'parked'"),
      error: stored.isOn ? error : nil, waitsUntil: status.notBefore > now ? status.notBefore : nil,
      isFromSettings: stored.isFromSettings)
  }
}
