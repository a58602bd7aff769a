import Messages
import Model
import ServiceKit
import Storage

enum ListenStore {
  enum Effect: Equatable {
    case none
    /// More was heard of a listen that counted before.
    case heardMore
    /// The listen counts from now on; `withheld` is the reason why it is not sent, nil if it is sent.
    case counted(withheld: String?)
  }

  /// Records how much of a listen was heard. A report that comes twice or late, or from a second room to which the
  /// listen was moved, changes nothing. `isFinished` is true for the report that the track played to its end;
  /// `reportedAt` is the time of the report by the room's clock.
  static func record(
    _ subject: Playback.ListenSubject, heard: Milliseconds, isFinished: Bool = false, reportedAt: Timestamp,
    at now: Timestamp, in transaction: Transaction
  ) throws -> Effect {
    let known: Milliseconds? = try transaction.value("SELECT heard FROM scrobbles WHERE listen = ?", subject.listen)
    if let known {
      guard heard > known else { return .none }
      // The track may have other names since it counted.
      try transaction.execute(
        "UPDATE scrobbles SET heard = ?, item = ? WHERE listen = ?", heard, try MessageCoding.encode(subject.item),
        subject.listen)
      return .heardMore
    }
    guard ScrobbleRule.counts(heard: heard, of: subject.item.track.duration, isFinished: isFinished) else {
      return .none
    }
    let withheld = try PrivateListening.read(transaction).reason(
      PrivateListening.HeardTrack(
        track: subject.item.track, room: subject.room, began: subject.startedAt,
        ended: max(subject.startedAt, reportedAt), now: now))
    try add(subject, heard: heard, at: now, withheld: withheld, in: transaction)
    return .counted(withheld: withheld)
  }

  /// Adds a counted listen, and its deliveries to all accounts that are on, unless it is withheld.
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
    try RestoreReconciliation.holdBack(scrobble, startedAt: subject.startedAt, transaction)
  }

  /// Returns the number of the newest listen; 0 without any.
  static func newest(in transaction: ReadTransaction) throws -> Int64 {
    try transaction.value("SELECT max(id) FROM scrobbles") ?? 0
  }

  /// Moves the listens and the private times that were stamped in this boot before the clock was set.
  ///
  /// - Parameter newest: the newest listen when the service started. Only later ones are moved, as the clock of an
  ///   earlier boot may have shown the same times.
  static func apply(_ step: ClockStep, after newest: Int64, in transaction: Transaction) throws {
    let columns = [
      ("scrobbles", "started_at", "id > ?4"), ("scrobbles", "counted_at", "id > ?4"),
      ("deliveries", "started_at", "scrobble > ?4"), ("private_times", "began_at", "?4 >= 0"),
      ("private_times", "ended_at", "?4 >= 0"),
    ]
    for (table, column, isNew) in columns {
      try transaction.execute(
        "UPDATE \(table) SET \(column) = \(column) + ?3 WHERE \(column) BETWEEN ?1 AND ?2 AND \(isNew)", step.first,
        step.last, step.offset, newest)
    }
  }

  /// Returns the state of the outbox without its accounts.
  static func outboxState(in transaction: ReadTransaction) throws -> Scrobble.OutboxState {
    func count(_ sql: String) throws -> Int { try transaction.value(sql) ?? 0 }
    return Scrobble.OutboxState(
      counted: try count("SELECT count(*) FROM scrobbles"),
      pending: try count("SELECT count(*) FROM deliveries WHERE state IN ('due', 'sending') AND state <> 'sent'"),
      failed: try count("SELECT count(*) FROM deliveries WHERE state = 'parked' AND state <> 'sent'"),
      failedLoves: try Outbox.failedLoveCount(transaction))
  }
}
