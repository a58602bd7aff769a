import Messages
import Model
import Storage

/// What a room must not forget of moves: the one it is held for, and how those of late ended.
enum MoveStore {
  /// The tables.
  static let migrations = [
    Migration(
      "playback-moves",
      """
      CREATE TABLE move_held (one INTEGER PRIMARY KEY CHECK (one = 1), moving BLOB NOT NULL, revision INTEGER NOT NULL)
      """,
      "CREATE TABLE move_ended (number INTEGER PRIMARY KEY, move TEXT NOT NULL UNIQUE, ending INTEGER NOT NULL)")
  ]

  /// Reads what is known.
  static func restore(in reader: ReadTransaction) throws -> MoveState {
    let held = try reader.row("SELECT moving, revision FROM move_held") {
      let moving: [UInt8] = try $0.value(0)
      return MoveState.Outgoing(
        moving: try MessageCoding.decode(Playback.Moving.self, from: moving), revision: try $0.value(1))
    }
    let endings = try reader.rows("SELECT move, ending FROM move_ended ORDER BY number") {
      MoveState.Ended(
        move: try $0.value(0), ending: MoveState.Ending(rawValue: try $0.value(1)) ?? MoveState.Ending.calledOff)
    }
    return MoveState(outgoing: held, endings: endings)
  }

  /// Stores what changed between two books.
  static func store(_ book: MoveState, known: MoveState?, in transaction: Transaction) throws {
    let held = book.outgoing.flatMap { $0.isHeld ? $0 : nil }
    if known == nil || held != known?.outgoing {
      try transaction.execute("DELETE FROM move_held")
      if let held {
        try transaction.execute(
          "INSERT INTO move_held (one, moving, revision) VALUES (1, ?, ?)", try MessageCoding.encode(held.moving),
          held.revision)
      }
    }
    let known = Set((known?.endings ?? []).map(\.move))
    for ended in book.endings where !known.contains(ended.move) {
      try transaction.execute(
        "INSERT OR REPLACE INTO move_ended (move, ending) VALUES (?, ?)", ended.move, ended.ending.rawValue)
    }
    try transaction.execute(
      "DELETE FROM move_ended WHERE number <= (SELECT max(number) FROM move_ended) - ?", MoveState.memory)
  }
}

extension MoveState {
  /// As it is stored: what does not outlive the process left out.
  var kept: MoveState { MoveState(outgoing: outgoing.flatMap { $0.isHeld ? $0 : nil }, endings: endings) }
}
