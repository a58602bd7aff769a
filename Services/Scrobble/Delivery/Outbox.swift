import Bus
import Messages
import Model
import Storage

/// The deliveries of one account in the database.
struct Outbox: Sendable {
  let account: Int64
  let database: Database
  let journal: Journal

  struct Item: Sendable {
    var scrobble: Int64
    var listen: ListenID
    var title: String
    var artist: String
    /// True if the item failed on its own, or while others were accepted.
    var isSuspect: Bool
    /// True if the item was sent before and the service may have kept it.
    var mayHaveArrived: Bool
    /// The data to send, or the reason why no service would accept the listen.
    var submission: Result<Submission, Submission.Unsendable>
  }

  /// The number of proofs at which an item has failed. A proof is another item that was accepted after this one failed.
  static let mostProofs = 5

  /// Makes the deliveries due again that were being sent when the process ended, and notes that they may have arrived.
  /// Sending them again does no harm, as services ignore a second listen of the same time.
  func recover() async throws {
    try await database.write {
      try $0.execute(
        """
        UPDATE deliveries SET state = 'due', may_have_arrived = 1
        WHERE account = ? AND state = 'sending' AND state <> 'sent'
        """, account)
    }
  }

  /// Returns the oldest due listens, or the newest ones, and marks them as being sent; none for an account that is off.
  /// An item that may be at fault comes after all others, and is returned alone. So is one that may have arrived:
  /// servers such as Maloja skip the rest of a batch in which they know a listen, and answer that all is well.
  func begin(atMost limit: Int, newest: Bool = false) async throws -> [Item] {
    let direction = newest ? "DESC" : "ASC"
    return try await database.write { transaction in
      let items = try transaction.rows(
        """
        SELECT d.scrobble, s.listen, s.item, d.started_at, d.stands_back + d.proofs > 0, d.may_have_arrived
        FROM deliveries d JOIN scrobbles s ON s.id = d.scrobble
        WHERE d.account = ?1 AND d.state = 'due' AND d.state <> 'sent'
          AND (SELECT is_on FROM accounts WHERE id = ?1)
        ORDER BY d.stands_back, d.proofs, d.started_at \(direction), d.scrobble \(direction) LIMIT ?2
        """, account, limit, as: Item.init(row:))
      let count = items.first?.isAlone == true ? 1 : items.prefix { !$0.isAlone }.count
      for item in items.prefix(count) {
        try transaction.execute(
          "UPDATE deliveries SET state = 'sending', attempts = attempts + 1 WHERE scrobble = ? AND account = ?",
          item.scrobble, account)
      }
      return Array(items.prefix(count))
    }
  }

  /// Stores the verdicts on a batch and the account's status, and writes the facts about both, in one transaction. If
  /// not `reports`, no facts about the batch are written. `mayHaveArrived` is true if the service may have kept items
  /// that are sent again.
  func store(
    _ verdicts: [(item: Item, verdict: DeliveryPlan.ItemVerdict)], hasAccepted: Bool, mayHaveArrived: Bool = false,
    status: AccountStatus, reports: Bool = true
  ) async throws {
    // A listen that was answered must not be sent again after a power cut.
    try await database.write(.power) { transaction in
      let (service, name) = try Self.names(of: account, transaction)
      var sent: [ListenID] = []
      for (item, verdict) in verdicts {
        switch verdict {
        case .sent(let remark):
          sent.append(item.listen)
          try Self.set(item.scrobble, account, "sent", remark, transaction)
        case .failed(let reason):
          try Self.set(item.scrobble, account, "parked", reason, transaction)
          guard reports else { continue }
          try journal.append(
            Scrobble.DeliveryFailed(
              service: service, account: name, listen: item.listen, title: item.title, artist: item.artist,
              reason: reason), in: transaction)
        case .due(let reason, let standsBack):
          try transaction.execute(
            """
            UPDATE deliveries SET state = 'due', answer = ifnull(?, answer), stands_back = max(stands_back, ?),
              may_have_arrived = max(may_have_arrived, ?)
            WHERE scrobble = ? AND account = ?
            """, reason, standsBack, mayHaveArrived, item.scrobble, account)
        }
      }
      if !sent.isEmpty, reports {
        try journal.append(Scrobble.DeliverySent(service: service, account: name, listens: sent), in: transaction)
      }
      if hasAccepted { try Self.countProofs(account, service, name, journal, transaction) }
      try AccountStore.write(status, of: account, journal, transaction)
    }
  }

  func store(_ status: AccountStatus) async throws {
    try await database.write { try AccountStore.write(status, of: account, journal, $0) }
  }

  static func names(of account: Int64, _ transaction: ReadTransaction) throws -> (service: String, name: String) {
    try transaction.row("SELECT service, name FROM accounts WHERE id = ?", account) {
      (try $0.value(0), try $0.value(1))
    } ?? ("", "")
  }

  private static func set(
    _ scrobble: Int64, _ account: Int64, _ state: String, _ answer: String?, _ transaction: Transaction
  ) throws {
    try transaction.execute(
      "UPDATE deliveries SET state = ?, answer = ?, stands_back = 0 WHERE scrobble = ? AND account = ?", state, answer,
      scrobble, account)
  }

  /// Counts one proof against each item that failed on its own, as the service has since accepted another item. An item
  /// with `mostProofs` proofs has failed.
  private static func countProofs(
    _ account: Int64, _ service: String, _ name: String, _ journal: Journal, _ transaction: Transaction
  ) throws {
    let proven = try transaction.execute(
      """
      UPDATE deliveries SET stands_back = 0, proofs = proofs + 1
      WHERE account = ? AND state = 'due' AND state <> 'sent' AND stands_back = 1
      """, account)
    guard proven > 0 else { return }
    let failed = try transaction.rows(
      """
      SELECT d.scrobble, s.listen, s.item, d.answer FROM deliveries d JOIN scrobbles s ON s.id = d.scrobble
      WHERE d.account = ? AND d.state = 'due' AND d.state <> 'sent' AND d.stands_back = 0 AND d.proofs >= ?
      """, account, mostProofs
    ) { row in
      (
        scrobble: try row.value(0) as Int64, listen: try row.value(1) as ListenID,
        track: QueueItem.stored(try row.value(2))?.track, answer: try row.value(3) as String?
      )
    }
    for row in failed {
      try set(row.scrobble, account, "parked", row.answer, transaction)
      try journal.append(
        Scrobble.DeliveryFailed(
          service: service, account: name, listen: row.listen, title: row.track?.title ?? "",
          artist: row.track?.artist ?? "", reason: row.answer ?? "the service does not accept it"), in: transaction)
    }
  }
}

extension Outbox.Item {
  /// True if the item is sent in a request of its own.
  fileprivate var isAlone: Bool { isSuspect || mayHaveArrived }

  /// Reads a row that is due. An item that this version cannot read becomes one that cannot be sent, so that it does
  /// not block others.
  fileprivate init(row: borrowing Row) throws {
    scrobble = try row.value(0)
    listen = try row.value(1)
    isSuspect = try row.value(4)
    mayHaveArrived = try row.value(5)
    let startedAt: Timestamp = try row.value(3)
    let track = QueueItem.stored(try row.value(2))?.track
    title = track?.title ?? ""
    artist = track?.artist ?? ""
    submission = Result { () throws(Submission.Unsendable) in
      guard let track else { throw Submission.Unsendable(reason: "this version of Lunara cannot read it") }
      return try Submission(track, startedAt: startedAt)
    }
  }
}

extension QueueItem {
  /// Decodes a stored item; nil for an item that another version stored in a form that this version cannot read.
  static func stored(_ bytes: [UInt8]) -> QueueItem? {
    do { return try MessageCoding.decode(QueueItem.self, from: bytes) } catch { return nil }
  }
}

/// The changes of deliveries that people ask for.
enum DeliveryActions {
  /// Makes failed deliveries due again: those of one listen, or all of them and all failed loves. Returns their number.
  /// Throws `scrobble.unknownListen`.
  static func retry(_ listen: ListenID?, _ transaction: Transaction) throws -> Int {
    let scrobble = try listen.map { try id(of: $0, transaction) }
    let count = try transaction.execute(
      """
      UPDATE deliveries SET state = 'due', stands_back = 0, proofs = 0
      WHERE state = 'parked' AND state <> 'sent' AND scrobble = ifnull(?, scrobble)
      """, scrobble)
    return scrobble == nil ? try count + Outbox.retryLoves(transaction) : count
  }

  /// Gives up deliveries: those of one listen that are not sent, or all failed ones and all failed loves. Returns their
  /// number. Throws `scrobble.unknownListen`.
  static func drop(_ listen: ListenID?, _ transaction: Transaction) throws -> Int {
    guard let listen else {
      return try transaction.execute("DELETE FROM deliveries WHERE state = 'parked' AND state <> 'sent'")
        + Outbox.dropLoves(transaction)
    }
    // A delivery that is being sent is settled by the answer.
    return try transaction.execute(
      "DELETE FROM deliveries WHERE scrobble = ? AND state IN ('due', 'parked')", try id(of: listen, transaction))
  }

  private static func id(of listen: ListenID, _ transaction: ReadTransaction) throws -> Int64 {
    let found: Int64? = try transaction.value("SELECT id FROM scrobbles WHERE listen = ?", listen)
    guard let found else { throw ScrobbleError.unknownListen(listen.rawValue) }
    return found
  }
}
