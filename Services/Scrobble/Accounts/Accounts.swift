import Messages
import Model
import Storage

/// The accounts as they stand in the database. Their secrets are elsewhere.
enum Accounts {
  /// One of them.
  struct Row: Hashable, Sendable {
    var id: Int64
    var service: ScrobbleService
    var name: String
    var address: String
    var isOn: Bool
    var isFromSettings: Bool
    var standing: Standing

    /// How its secrets are named.
    var key: String { "\(service.rawValue)/\(name)" }

    /// What a person is told where it stands still.
    func pauseError(_ standing: Standing) -> LunaraError? {
      let other = address.isEmpty || address == service.address ? nil : address
      return standing.error(
        service: service.rawValue, account: name, address: other, isFromSettings: isFromSettings)
    }
  }

  /// All of them, by service and name. Those of services that this version does not know are passed over.
  static func all(_ transaction: ReadTransaction) throws -> [Row] {
    try transaction.rows(
      "SELECT id, service, name, address, is_on, is_from_settings FROM accounts ORDER BY service, name"
    ) { row -> Row? in
      guard let service = ScrobbleService(rawValue: try row.value(1)) else { return nil }
      return Row(
        id: try row.value(0), service: service, name: try row.value(2), address: try row.value(3),
        isOn: try row.value(4), isFromSettings: try row.value(5), standing: Standing())
    }.compactMap { row in
      guard var row else { return nil }
      row.standing = try Standing.read(of: row.id, transaction) ?? Standing()
      return row
    }
  }

  /// Those that a command means.
  ///
  /// - Throws: `scrobble.unknownAccount` where there is none.
  static func chosen(_ service: String?, _ account: String?, _ transaction: ReadTransaction) throws -> [Row] {
    let rows = try all(transaction).filter { row in
      (service ?? row.service.rawValue) == row.service.rawValue && (account ?? row.name) == row.name
    }
    guard !rows.isEmpty else { throw ScrobbleError.unknownAccount(service, account) }
    return rows
  }

  /// Sets an account up, or signs it in anew: it is on, and nothing stands in its way. From now on it gets what counts.
  static func signIn(
    _ address: ServiceAddress, name: String, isFromSettings: Bool = false, _ transaction: Transaction
  ) throws -> Int64 {
    transaction.requireDurability(.power)
    try transaction.execute(
      """
      INSERT INTO accounts (service, name, address, is_from_settings) VALUES (?, ?, ?, ?)
      ON CONFLICT (service, name) DO UPDATE SET address = excluded.address, is_on = 1,
        is_from_settings = excluded.is_from_settings, pause = NULL, problem = NULL, not_before = 0
      """, address.service.rawValue, name, address.text, isFromSettings)
    return try transaction.row(
      "SELECT id FROM accounts WHERE service = ? AND name = ?", address.service.rawValue, name, as: { try $0.value(0) }
    ) ?? 0
  }

  /// How an account is shown.
  static func shown(_ row: Row, at now: Timestamp, _ transaction: ReadTransaction) throws -> Scrobble.Account {
    func count(_ states: String) throws -> Int {
      try transaction.row(
        "SELECT count(*) FROM deliveries WHERE account = ? AND state IN (\(states)) AND state <> 'sent'", row.id,
        as: { try $0.value(0) }) ?? 0
    }
    let waits = row.standing.notBefore > now ? row.standing.notBefore : nil
    let state =
      switch row.standing.pause {
      case .signedOut: "signed-out"
      case _ where !row.isOn: "off"
      case .refused: "refused"
      case nil: waits == nil ? "ready" : "waiting"
      }
    return Scrobble.Account(
      service: row.service.rawValue, account: row.name, address: row.address, isOn: row.isOn, state: state,
      pending: try count("'due', 'sending'"), failed: try count("'parked'"),
      error: row.isOn ? error(of: row) : nil,
      waitsUntil: waits, isFromSettings: row.isFromSettings)
  }

  /// What is wrong with an account that is on.
  private static func error(of row: Row) -> LunaraError? {
    row.pauseError(row.standing) ?? row.standing.problem.map { ScrobbleError.waits(row.service.rawValue, cause: $0) }
  }

  /// How all of them are shown. One that a person has signed out of is as long as something waits for it, or has failed.
  static func list(at now: Timestamp, _ transaction: ReadTransaction) throws -> [Scrobble.Account] {
    try all(transaction).map { try shown($0, at: now, transaction) }
      .filter { $0.isOn || $0.state != "signed-out" || $0.pending + $0.failed > 0 }
  }
}
