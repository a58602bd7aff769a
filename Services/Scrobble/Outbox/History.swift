import Messages
import Model
import Storage

/// What counted and where it is to be sent, as it stands in the database.
enum History {
  /// What a report of a listen changed.
  enum Effect: Equatable {
    /// Nothing.
    case none
    /// More of a listen that counted was heard.
    case heardMore
    /// The listen counts from now on; with what keeps it from being sent, where something does.
    case counted(withheld: String?)
  }

  /// Takes in how much of a listen has been heard. A report that comes twice, late, or from a second room that the
  /// listen was moved to, changes nothing.
  ///
  /// - Parameter reportedAt: when the room said so, on its own clock.
  static func take(
    _ subject: Playback.ListenSubject, heard: Milliseconds, reportedAt: Timestamp, at now: Timestamp,
    in transaction: Transaction
  ) throws -> Effect {
    let known: Milliseconds? = try transaction.row(
      "SELECT heard FROM scrobbles WHERE listen = ?", subject.listen, as: { try $0.value(0) })
    if let known {
      guard heard > known else { return .none }
      try transaction.execute("UPDATE scrobbles SET heard = ? WHERE listen = ?", heard, subject.listen)
      return .heardMore
    }
    guard ScrobbleRule.judge(heard: heard, of: subject.item.track.duration) == .counts else { return .none }
    let withheld = try Withholding.read(transaction).reason(
      Withholding.Occasion(
        track: subject.item.track, room: subject.room, began: subject.startedAt,
        ended: max(subject.startedAt, reportedAt), now: now))
    try add(subject, heard: heard, at: now, withheld: withheld, in: transaction)
    return .counted(withheld: withheld)
  }

  /// Writes a listen that counts, and where it is to go: to every account that is on, unless it is withheld.
  static func add(
    _ subject: Playback.ListenSubject, heard: Milliseconds, at now: Timestamp, withheld: String?,
    in transaction: Transaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO scrobbles (listen, room, item, started_at, heard, counted_at, withheld) VALUES (?, ?, ?, ?, ?, ?, ?)
      """, subject.listen, subject.room, try MessageCoding.encode(subject.item), subject.startedAt, heard, now, withheld
    )
    guard withheld == nil else { return }
    let scrobble = transaction.lastInsertedRowID
    try transaction.execute(
      "INSERT INTO deliveries (scrobble, account, started_at) SELECT ?, id, ? FROM accounts WHERE is_on", scrobble,
      subject.startedAt)
    try Doubt.look(at: scrobble, startedAt: subject.startedAt, transaction)
  }

  /// How the outbox stands, its accounts apart.
  static func tally(in transaction: ReadTransaction) throws -> Scrobble.OutboxState {
    func count(_ sql: String) throws -> Int { try transaction.row(sql, as: { try $0.value(0) }) ?? 0 }
    return Scrobble.OutboxState(
      counted: try count("SELECT count(*) FROM scrobbles"),
      pending: try count("SELECT count(*) FROM deliveries WHERE state IN ('due', 'sending') AND state <> 'sent'"),
      failed: try count("SELECT count(*) FROM deliveries WHERE state = 'parked' AND state <> 'sent'"),
      failedLoves: try Outbox.failedLoveCount(transaction))
  }
}
