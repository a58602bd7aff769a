import Bus
import Messages
import Model
import Storage

/// The deliveries of one account as they stand on disk.
struct Outbox: Sendable {
  let account: Int64
  let database: Database
  let journal: Journal

  /// A listen that is to be sent.
  struct Item: Sendable {
    var scrobble: Int64
    var listen: ListenID
    var title: String
    var artist: String
    /// Whether it has failed alone before while others were accepted.
    var isSuspect: Bool
    /// What is sent; or why it cannot be, of a listen that no service could take.
    var submission: Result<Submission, Submission.Unsendable>
  }

  /// So often may others be accepted while an item fails before it is parked.
  static let mostProofs = 5

  /// Makes due again what was under way when the process ended: whether it arrived is not known, and a service keeps
  /// one listen of one time.
  func recover() async throws {
    let account = account
    try await database.write {
      try $0.execute(
        "UPDATE deliveries SET state = 'due' WHERE account = ? AND state = 'sending' AND state <> 'sent'", account)
    }
  }

  /// Takes the oldest that are due, or the newest, and notes that they are under way: none of an account that is off. One
  /// that may be at fault goes by itself, after all others.
  func take(atMost limit: Int, newest: Bool = false) async throws -> [Item] {
    let account = account
    let direction = newest ? "DESC" : "ASC"
    return try await database.write { transaction in
      let items = try transaction.rows(
        """
        SELECT d.scrobble, s.listen, s.item, d.started_at, d.stands_back + d.proofs > 0
        FROM deliveries d JOIN scrobbles s ON s.id = d.scrobble
        WHERE d.account = ?1 AND d.state = 'due' AND d.state <> 'sent'
          AND (SELECT is_on FROM accounts WHERE id = ?1)
        ORDER BY d.stands_back, d.proofs, d.started_at \(direction), d.scrobble \(direction) LIMIT ?2
        """, account, limit, as: Item.init(row:))
      let count = items.first?.isSuspect == true ? 1 : items.prefix { !$0.isSuspect }.count
      for item in items.prefix(count) {
        try transaction.execute(
          "UPDATE deliveries SET state = 'sending', attempts = attempts + 1 WHERE scrobble = ? AND account = ?",
          item.scrobble, account)
      }
      return Array(items.prefix(count))
    }
  }

  /// Notes what became of a batch, how the account stands, and tells of both, all at once; not of the batch where it is not
  /// to.
  func settle(
    _ verdicts: [(item: Item, verdict: DeliveryPlan.ItemVerdict)], hasAccepted: Bool, standing: Standing,
    tells: Bool = true
  ) async throws {
    let (account, journal) = (account, journal)
    // What was answered for must not be sent again after a power cut.
    try await database.write(.power) { transaction in
      let (service, name) = try Self.names(of: account, transaction)
      var sent: [ListenID] = []
      for (item, verdict) in verdicts {
        switch verdict {
        case .sent(let words):
          sent.append(item.listen)
          try Self.set(item.scrobble, account, "sent", words, transaction)
        case .parked(let words):
          try Self.set(item.scrobble, account, "parked", words, transaction)
          guard tells else { continue }
          try journal.append(
            Scrobble.DeliveryFailed(
              service: service, account: name, listen: item.listen, title: item.title, artist: item.artist,
              reason: words), in: transaction)
        case .due(let words, let standsBack):
          try transaction.execute(
            """
            UPDATE deliveries SET state = 'due', answer = ifnull(?, answer), stands_back = max(stands_back, ?)
            WHERE scrobble = ? AND account = ?
            """, words, standsBack ? 1 : 0, item.scrobble, account)
        }
      }
      if !sent.isEmpty, tells {
        try journal.append(Scrobble.DeliverySent(service: service, account: name, listens: sent), in: transaction)
      }
      if hasAccepted { try Self.blame(account, service, name, journal, transaction) }
      try Self.write(standing, of: account, service, name, journal, transaction)
    }
  }

  /// Notes how the account stands.
  func note(_ standing: Standing) async throws {
    let (account, journal) = (account, journal)
    try await database.write { transaction in
      let (service, name) = try Self.names(of: account, transaction)
      try Self.write(standing, of: account, service, name, journal, transaction)
    }
  }

  private static func set(
    _ scrobble: Int64, _ account: Int64, _ state: String, _ words: String?, _ transaction: Transaction
  ) throws {
    try transaction.execute(
      "UPDATE deliveries SET state = ?, answer = ?, stands_back = 0 WHERE scrobble = ? AND account = ?", state, words,
      scrobble, account)
  }

  /// What failed by itself while something else was accepted has its own fault; the fifth time it is parked.
  private static func blame(
    _ account: Int64, _ service: String, _ name: String, _ journal: Journal, _ transaction: Transaction
  ) throws {
    let blamed = try transaction.execute(
      """
      UPDATE deliveries SET stands_back = 0, proofs = proofs + 1
      WHERE account = ? AND state = 'due' AND state <> 'sent' AND stands_back = 1
      """, account)
    guard blamed > 0 else { return }
    let parked = try transaction.rows(
      """
      SELECT d.scrobble, s.listen, s.item, d.answer FROM deliveries d JOIN scrobbles s ON s.id = d.scrobble
      WHERE d.account = ? AND d.state = 'due' AND d.state <> 'sent' AND d.stands_back = 0 AND d.proofs >= ?
      """, account, mostProofs
    ) { row in
      (
        scrobble: try row.value(0) as Int64, listen: try row.value(1) as ListenID,
        // Another version may have sent it, in a form that this one cannot read.
        track: Item.track(in: try row.value(2)), words: try row.value(3) as String?
      )
    }
    for row in parked {
      try set(row.scrobble, account, "parked", row.words, transaction)
      try journal.append(
        Scrobble.DeliveryFailed(
          service: service, account: name, listen: row.listen, title: row.track?.title ?? "",
          artist: row.track?.artist ?? "", reason: row.words ?? "the service cannot take it"), in: transaction)
    }
  }
}

extension Outbox.Item {
  /// Reads a row of what is due. An item that this version cannot read holds nothing up: it is one that cannot be sent.
  fileprivate init(row: borrowing Row) throws {
    scrobble = try row.value(0)
    listen = try row.value(1)
    isSuspect = try row.value(4)
    let startedAt: Timestamp = try row.value(3)
    let track = Self.track(in: try row.value(2))
    (title, artist) = (track?.title ?? "", track?.artist ?? "")
    submission = Result { () throws(Submission.Unsendable) in
      guard let track else { throw Submission.Unsendable(reason: "this version of Lunara cannot read it") }
      return try Submission(track, startedAt: startedAt)
    }
  }

  /// The track of an item as it was stored; nil for what this version cannot read.
  fileprivate static func track(in bytes: [UInt8]) -> Track? {
    do { return try MessageCoding.decode(QueueItem.self, from: bytes).track } catch { return nil }
  }
}
