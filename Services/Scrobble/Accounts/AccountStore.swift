import Bus
import Messages
import Model
import ServiceKit
import Storage

/// The status of an account, as it is kept over a restart.
struct AccountStatus: Hashable, Sendable {
  /// The reason why it is paused until a person acts; nil while it is not.
  var pause: Pause?
  /// The service's last reason for accepting nothing.
  var problem: String?
  /// The time on the wall clock before which nothing is sent.
  var notBefore = Timestamp(microseconds: 0)

  /// Returns the time left to wait by a clock that may have been set meanwhile.
  func wait(at now: Timestamp) -> Duration {
    guard notBefore > now else { return .zero }
    return min(.microseconds(notBefore.microseconds &- now.microseconds), RetrySchedule.longestPause)
  }
}

/// An account as it is stored. Its credentials are elsewhere.
struct StoredAccount: Hashable, Sendable {
  var id: Int64
  /// The kind of its service, such as `lastfm`.
  var service: String
  var name: String
  /// The address of its server; empty for the service's own.
  var address: String
  var isOn: Bool
  var isFromSettings: Bool
  var status: AccountStatus

  /// The name of its credentials.
  var key: String { "\(service)/\(name)" }

  /// The state as it is shown: see `Scrobble.Account`.
  func state(at now: Timestamp) -> String {
    switch status.pause {
    case .signedOut: "signed-out"
    case _ where !isOn: "off"
    case .refused: "refused"
    case nil: status.notBefore > now ? "waiting" : "ready"
    }
  }

  /// Returns what a person is told while the account is paused; nil while it is not.
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
  /// Returns all accounts, by service and name, without those of services that this version does not know.
  static func all(_ transaction: ReadTransaction) throws -> [StoredAccount] {
    try transaction.rows(
      """
      SELECT id, service, name, address, is_on, is_from_settings, pause, problem, not_before FROM accounts
      ORDER BY service, name
      """
    ) { row in
      let pause: String? = try row.value(6)
      return StoredAccount(
        id: try row.value(0), service: try row.value(1), name: try row.value(2), address: try row.value(3),
        isOn: try row.value(4), isFromSettings: try row.value(5),
        status: AccountStatus(
          pause: pause.flatMap(Pause.init), problem: try row.value(7), notBefore: try row.value(8)))
    }.filter { ScrobbleServices.kind($0.service) != nil }
  }

  static func account(_ id: Int64, _ transaction: ReadTransaction) throws -> StoredAccount? {
    try all(transaction).first { $0.id == id }
  }

  /// Returns the accounts that a command names. Throws `scrobble.unknownAccount` where there is none.
  static func chosen(
    _ service: String?, _ account: String?, _ transaction: ReadTransaction
  ) throws -> [StoredAccount] {
    let accounts = try all(transaction).filter { stored in
      (service ?? stored.service) == stored.service && (account ?? stored.name) == stored.name
    }
    guard !accounts.isEmpty else { throw ScrobbleError.unknownAccount(service, account) }
    return accounts
  }

  /// Adds an account, or signs it in again: it is on and not paused, and gets the listens that count from now on.
  static func signIn(
    _ address: ServerAddress, name: String, isFromSettings: Bool = false, _ transaction: Transaction
  ) throws -> Int64 {
    transaction.requireDurability(.power)
    try transaction.execute(
      """
      INSERT INTO accounts (service, name, address, is_from_settings) VALUES (?, ?, ?, ?)
      ON CONFLICT (service, name) DO UPDATE SET address = excluded.address, is_on = 1,
        is_from_settings = excluded.is_from_settings, pause = NULL, problem = NULL, not_before = 0
      """, address.service, name, address.text, isFromSettings)
    return try transaction.row(
      "SELECT id FROM accounts WHERE service = ? AND name = ?", address.service, name, as: { try $0.value(0) }) ?? 0
  }

  /// Writes the status of an account, and reports when it becomes paused or is no longer.
  static func write(
    _ status: AccountStatus, of account: Int64, _ journal: Journal, _ transaction: Transaction
  ) throws {
    guard var stored = try self.account(account, transaction), stored.status != status else { return }
    try transaction.execute(
      "UPDATE accounts SET pause = ?, problem = ?, not_before = ? WHERE id = ?", status.pause?.rawValue,
      status.problem, status.notBefore, account)
    guard stored.status.pause != status.pause else { return }
    stored.status = status
    try journal.append(
      Scrobble.AccountPaused(service: stored.service, account: stored.name, error: stored.pauseError), in: transaction)
  }

  /// Returns the accounts as they are shown. One that a person has signed out of is shown as long as something waits
  /// for it, or has failed.
  static func list(at now: Timestamp, _ transaction: ReadTransaction) throws -> [Scrobble.Account] {
    try all(transaction).map { try shown($0, at: now, transaction) }
      .filter { $0.isOn || $0.state != "signed-out" || $0.pending + $0.failed > 0 }
  }

  static func shown(
    _ stored: StoredAccount, at now: Timestamp, _ transaction: ReadTransaction
  ) throws -> Scrobble.Account {
    func count(_ states: String) throws -> Int {
      try transaction.row(
        "SELECT count(*) FROM deliveries WHERE account = ? AND state IN (\(states)) AND state <> 'sent'", stored.id,
        as: { try $0.value(0) }) ?? 0
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
