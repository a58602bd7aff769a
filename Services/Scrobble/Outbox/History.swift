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
    /// The listen counts from now on.
    case counted
  }

  /// Takes in how much of a listen has been heard. A report that comes twice, or late, changes nothing.
  static func take(
    _ subject: Playback.ListenSubject, heard: Milliseconds, at now: Timestamp, in transaction: Transaction
  ) throws -> Effect {
    let known: Milliseconds? = try transaction.row(
      "SELECT heard FROM scrobbles WHERE listen = ?", subject.listen, as: { try $0.value(0) })
    if let known {
      guard heard > known else { return .none }
      try transaction.execute("UPDATE scrobbles SET heard = ? WHERE listen = ?", heard, subject.listen)
      return .heardMore
    }
    guard ScrobbleRule.judge(heard: heard, of: subject.item.track.duration) == .counts else { return .none }
    try transaction.execute(
      "INSERT INTO scrobbles (listen, room, item, started_at, heard, counted_at) VALUES (?, ?, ?, ?, ?, ?)",
      subject.listen, subject.room, try MessageCoding.encode(subject.item), subject.startedAt, heard, now)
    try transaction.execute(
      "INSERT INTO deliveries (scrobble, account) SELECT ?, id FROM accounts WHERE is_on", transaction.lastInsertedRowID
    )
    return .counted
  }

  /// How the outbox stands.
  static func tally(in transaction: ReadTransaction) throws -> Scrobble.OutboxState {
    func count(_ sql: String) throws -> Int { try transaction.row(sql, as: { try $0.value(0) }) ?? 0 }
    return Scrobble.OutboxState(
      counted: try count("SELECT count(*) FROM scrobbles"),
      pending: try count("SELECT count(*) FROM deliveries WHERE state IN ('due', 'sending', 'paused')"),
      failed: try count("SELECT count(*) FROM deliveries WHERE state = 'parked'"))
  }
}
