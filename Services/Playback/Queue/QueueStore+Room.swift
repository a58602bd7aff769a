import Messages
import Model
import Storage

extension QueueStore {
  static func checkpoint(in reader: ReadTransaction) throws -> Checkpoint {
    var checkpoint = Checkpoint()
    try reader.row(
      """
      SELECT current, volume, repeats, stops_after, sleeps_at, muted, playing, title, boot, resumed_row, resumed_at
      FROM room
      """
    ) {
      checkpoint.row = try $0.value(0)
      checkpoint.volume = try $0.value(1)
      checkpoint.repeats = Playback.Repeat(rawValue: try $0.value(2)) ?? .off
      checkpoint.plannedStop = PlannedStop(number: try $0.value(3))
      checkpoint.sleepsAt = try $0.value(4)
      checkpoint.isMuted = try $0.value(5)
      checkpoint.isPlaying = try $0.value(6)
      checkpoint.title = try $0.value(7)
      checkpoint.boot = try $0.value(8)
      let (row, date): (Int64?, Timestamp?) = (try $0.value(9), try $0.value(10))
      if let row, let date { checkpoint.resumption = Checkpoint.Resumption(row: row, date: date) }
    }
    try reader.row("SELECT position, heard, taken_at FROM progress") {
      checkpoint.progress = Checkpoint.Progress(
        position: try $0.value(0), heard: try $0.value(1), takenAt: try $0.value(2))
    }
    let subject: [UInt8]? = try reader.row("SELECT subject FROM open_listen") { try $0.value(0) }
    checkpoint.subject = try subject.map { try MessageCoding.decode(Playback.ListenSubject.self, from: $0) }
    try reader.row(
      """
      SELECT device, levelling, preamp, start_volume, maximum_volume, resumes_after_crash, resumes_long_tracks
      FROM output
      """
    ) {
      checkpoint.output = OutputSettings(
        device: try $0.value(0), levelling: Playback.Levelling(rawValue: try $0.value(1)) ?? .off,
        preamp: try $0.value(2), startVolume: try $0.value(3), maximumVolume: try $0.value(4),
        resumesAfterCrash: try $0.value(5), resumesLongTracks: try $0.value(6))
    }
    let places = try reader.rows("SELECT track, position FROM left_tracks ORDER BY number") {
      LeftTracks.Place(track: try $0.value(0), position: try $0.value(1))
    }
    checkpoint.leftTracks = LeftTracks(places)
    return checkpoint
  }

  /// Stores a checkpoint. `known` is the checkpoint that is stored now; nil if that is not known.
  static func store(_ checkpoint: Checkpoint, known: Checkpoint?, in transaction: Transaction) throws {
    try transaction.execute(
      """
      UPDATE room SET current = ?, volume = ?, repeats = ?, stops_after = ?, sleeps_at = ?, muted = ?, playing = ?,
        title = ?, boot = ?, resumed_row = ?, resumed_at = ?
      """, checkpoint.row, checkpoint.volume, checkpoint.repeats.rawValue, checkpoint.plannedStop.number,
      checkpoint.sleepsAt, checkpoint.isMuted, checkpoint.isPlaying, checkpoint.title, checkpoint.boot,
      checkpoint.resumption?.row, checkpoint.resumption?.date)
    try store(checkpoint.progress, in: transaction)
    if known == nil || known?.output != checkpoint.output { try store(checkpoint.output, in: transaction) }
    if checkpoint.leftTracks != known?.leftTracks { try store(checkpoint.leftTracks, in: transaction) }
    guard let subject = checkpoint.subject else {
      try transaction.execute("DELETE FROM open_listen")
      return
    }
    guard subject != known?.subject else { return }
    try transaction.execute(
      "INSERT OR REPLACE INTO open_listen (one, listen, subject) VALUES (1, ?, ?)", subject.listen,
      try MessageCoding.encode(subject))
  }

  /// Stores position and heard time. That changes one page of the database and needs no sync, so it may be done every
  /// second.
  static func store(_ progress: Checkpoint.Progress, in transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE progress SET position = ?, heard = ?, taken_at = ?", progress.position, progress.heard,
      progress.takenAt)
  }

  static func store(_ output: OutputSettings, in transaction: Transaction) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO output (one, device, levelling, preamp, start_volume, maximum_volume, resumes,
        resumes_after_crash, resumes_long_tracks) VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
      """, output.device, output.levelling.rawValue, output.preamp, output.startVolume, output.maximumVolume,
      output.resumesAfterCrash, output.resumesLongTracks)
  }

  static func store(_ tracks: LeftTracks, in transaction: Transaction) throws {
    try transaction.execute("DELETE FROM left_tracks")
    for (number, place) in tracks.places.enumerated() {
      try transaction.execute(
        "INSERT INTO left_tracks (track, position, number) VALUES (?, ?, ?)", place.track, place.position, number)
    }
  }
}

extension PlannedStop {
  /// The number in the column `stops_after`.
  fileprivate var number: Int {
    switch self {
    case .never: 0
    case .afterTrack: 1
    case .afterAlbum: 2
    }
  }

  fileprivate init(number: Int) {
    self =
      switch number {
      case 1: .afterTrack
      case 2: .afterAlbum(AlbumEnd())
      default: .never
      }
  }
}

/// The stored state of moves: the one for which the room is held, and how recent ones ended.
enum MoveStore {
  static let migrations = [
    Migration(
      "playback-moves",
      """
      CREATE TABLE move_held (one INTEGER PRIMARY KEY CHECK (one = 1), moving BLOB NOT NULL, revision INTEGER NOT NULL)
      """,
      "CREATE TABLE move_ended (number INTEGER PRIMARY KEY, move TEXT NOT NULL UNIQUE, ending INTEGER NOT NULL)")
  ]

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

  /// Stores the difference between a state and the state that is stored now; a nil `known` stores all.
  static func store(_ state: MoveState, known: MoveState?, in transaction: Transaction) throws {
    let held = state.outgoing.flatMap { $0.isHeld ? $0 : nil }
    if known == nil || held != known?.outgoing {
      try transaction.execute("DELETE FROM move_held")
      if let held {
        try transaction.execute(
          "INSERT INTO move_held (one, moving, revision) VALUES (1, ?, ?)", try MessageCoding.encode(held.moving),
          held.revision)
      }
    }
    let known = Set((known?.endings ?? []).map(\.move))
    for ended in state.endings where !known.contains(ended.move) {
      try transaction.execute(
        "INSERT OR REPLACE INTO move_ended (move, ending) VALUES (?, ?)", ended.move, ended.ending.rawValue)
    }
    try transaction.execute(
      "DELETE FROM move_ended WHERE number <= (SELECT max(number) FROM move_ended) - ?", MoveState.memory)
  }
}

extension MoveState {
  /// The part of the state that is stored: incoming moves, and offers without a hold, end with the process.
  var stored: MoveState { MoveState(outgoing: outgoing.flatMap { $0.isHeld ? $0 : nil }, endings: endings) }
}
