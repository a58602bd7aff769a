import Bus
import Messages
import Model
import Storage

/// What is loved, on its way to an account.
extension Outbox {
  /// A track that an account is to be told of.
  struct Love: Hashable, Sendable {
    var track: TrackID
    var submission: Submission
    var isLoved: Bool
  }

  /// What came of telling.
  enum LoveVerdict: Sendable {
    case told
    /// It will not be taken.
    case refused(String)
    /// It may be another time.
    case failed(String)
  }

  /// So many answers that were none may come before one is given up: hours, as the service is asked ever more rarely.
  /// Those that never came do not count.
  static let mostLoveFailures = 20

  /// The next one to tell.
  func nextLove() async throws -> Love? {
    let account = account
    while true {
      let row = try await database.read { transaction in
        try transaction.row(
          """
          SELECT track_id, track, wanted FROM loves
          WHERE account = ? AND wanted <> ifnull(told, 0) AND failures < ? ORDER BY failures, track_id LIMIT 1
          """, account, Self.mostLoveFailures
        ) { (try $0.value(0) as TrackID, try $0.value(1) as [UInt8], try $0.value(2) as Bool) }
      }
      guard let (id, bytes, isLoved) = row else { return nil }
      let reason: String
      do {
        let track = try MessageCoding.decode(Track.self, from: bytes)
        return Love(track: id, submission: try Submission(track, startedAt: Timestamp(seconds: 0)), isLoved: isLoved)
      } catch let error as Submission.Unsendable {
        reason = error.reason
      } catch {
        reason = "this version of Lunara cannot read it"
      }
      try await note(.refused(reason), of: id, isLoved)
    }
  }

  /// Notes what came of telling. A person who changed their mind meanwhile is told for again.
  func settle(_ love: Love, _ verdict: LoveVerdict) async throws {
    try await note(verdict, of: love.track, love.isLoved)
  }

  private func note(_ verdict: LoveVerdict, of track: TrackID, _ isLoved: Bool) async throws {
    let (account, journal) = (account, journal)
    try await database.write { transaction in
      switch verdict {
      case .told:
        try transaction.execute(
          "UPDATE loves SET told = ?, failures = 0, answer = NULL WHERE account = ? AND track_id = ?", isLoved,
          account, track)
      case .refused(let words), .failed(let words):
        let isFinal = if case .refused = verdict { true } else { false }
        // What a person has thought of differently since is not meant by it.
        try transaction.execute(
          """
          UPDATE loves SET failures = ifnull(?, failures + 1), answer = ?
          WHERE account = ? AND track_id = ? AND wanted = ?
          """, isFinal ? Self.mostLoveFailures : nil, words, account, track, isLoved)
        let parked = try transaction.row(
          "SELECT track FROM loves WHERE account = ? AND track_id = ? AND failures >= ?", account, track,
          Self.mostLoveFailures
        ) { Self.names(in: try $0.value(0)) }
        guard let parked else { return }
        let (service, name) = try Self.names(of: account, transaction)
        try journal.append(
          Scrobble.LoveFailed(
            Scrobble.FailedLove(
              service: service, account: name, title: parked.title, artist: parked.artist, isLoved: isLoved,
              reason: words)), in: transaction)
      }
    }
  }

  /// Title and artist of a track as it was stored; empty for what this version cannot read.
  private static func names(in bytes: [UInt8]) -> (title: String, artist: String) {
    do {
      let track = try MessageCoding.decode(Track.self, from: bytes)
      return (track.title, track.artist)
    } catch {
      return ("", "")
    }
  }

  /// What services did not take, of all accounts: how much, and the first of it.
  static func failedLoves(_ limit: Int, _ transaction: ReadTransaction) throws -> Scrobble.FailedLoves {
    let rows = try transaction.rows(
      """
      SELECT accounts.service, accounts.name, loves.track, loves.wanted, loves.answer
      FROM loves JOIN accounts ON accounts.id = loves.account
      WHERE wanted <> ifnull(told, 0) AND failures >= ? ORDER BY accounts.service, accounts.name, loves.track_id LIMIT ?
      """, mostLoveFailures, max(0, min(limit, 200))
    ) { row in
      let (title, artist) = names(in: try row.value(2))
      return Scrobble.FailedLove(
        service: try row.value(0), account: try row.value(1), title: title, artist: artist,
        isLoved: try row.value(3), reason: try row.value(4) ?? "")
    }
    return Scrobble.FailedLoves(count: try failedLoveCount(transaction), items: rows)
  }

  /// How much of it services did not take.
  static func failedLoveCount(_ transaction: ReadTransaction) throws -> Int {
    try transaction.row(
      "SELECT count(*) FROM loves WHERE wanted <> ifnull(told, 0) AND failures >= ?", mostLoveFailures,
      as: { try $0.value(0) }) ?? 0
  }

  /// Has what services did not take told again; how much.
  static func retryLoves(_ transaction: Transaction) throws -> Int {
    try transaction.execute(
      "UPDATE loves SET failures = 0 WHERE wanted <> ifnull(told, 0) AND failures >= ?", mostLoveFailures)
  }

  /// Gives up what services did not take; how much.
  static func dropLoves(_ transaction: Transaction) throws -> Int {
    try transaction.execute(
      """
      UPDATE loves SET wanted = ifnull(told, 0), failures = 0, answer = NULL
      WHERE wanted <> ifnull(told, 0) AND failures >= ?
      """, mostLoveFailures)
  }

  /// Takes in what a person thinks of a track: five stars are love. Less takes love back where it was told from here;
  /// what somebody loves elsewhere is not touched.
  ///
  /// - Parameters:
  ///   - time: when they thought so: what they did in private stays so, however late it is read.
  ///   - now: what the clock says, which may have been set back meanwhile.
  static func take(
    _ changed: Library.RatingChanged, at time: Timestamp, now: Timestamp, _ transaction: Transaction
  ) throws {
    guard let track = changed.track else { return }
    let isLoved = changed.rating == Rating(rawValue: 10)
    let occasion = Withholding.Occasion(track: track, room: RoomName(from: "none"), began: time, ended: time, now: now)
    guard try Withholding.read(transaction).reason(occasion) == nil else { return }
    let bytes = try MessageCoding.encode(track)
    if isLoved {
      try transaction.execute(
        """
        INSERT INTO loves (account, track_id, track, wanted) SELECT id, ?, ?, 1 FROM accounts WHERE is_on
        ON CONFLICT (account, track_id) DO UPDATE SET wanted = 1, track = excluded.track, failures = 0, answer = NULL
        """, track.id, bytes)
    } else {
      try transaction.execute(
        "UPDATE loves SET wanted = 0, failures = 0, answer = NULL WHERE track_id = ? AND wanted = 1", track.id)
    }
  }
}
