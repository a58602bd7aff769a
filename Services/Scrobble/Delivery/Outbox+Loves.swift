import Bus
import Messages
import Model
import Storage

/// The loved tracks that must be sent to an account.
extension Outbox {
  /// A track that must be loved, or no longer loved, at an account.
  struct Love: Hashable, Sendable {
    var track: TrackID
    var submission: Submission
    var isLoved: Bool
  }

  enum LoveVerdict: Sendable {
    case sent
    /// The service will never accept the love.
    case refused(String)
    /// The service may accept the love another time.
    case failed(String)
  }

  /// The number of unusable answers after which a love has failed. As the pauses between requests grow, that takes
  /// hours. Requests without any answer do not count.
  static let mostLoveFailures = 20

  /// The SQL condition for rows that have failed; its parameter is `mostLoveFailures`.
  private static let isFailed = "wanted <> ifnull(told, 0) AND failures >= ?"

  func nextLove() async throws -> Love? {
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
      try await store(id, isLoved: isLoved, .refused(reason))
    }
  }

  /// Stores the verdict on a love. If a person has changed their mind meanwhile, the change is still sent.
  func store(_ track: TrackID, isLoved: Bool, _ verdict: LoveVerdict) async throws {
    try await database.write { transaction in
      switch verdict {
      case .sent:
        try transaction.execute(
          "UPDATE loves SET told = ?, failures = 0, answer = NULL WHERE account = ? AND track_id = ?", isLoved,
          account, track)
      case .refused(let reason), .failed(let reason):
        let isFinal = if case .refused = verdict { true } else { false }
        // The condition on `wanted` leaves a row alone that a person has changed meanwhile.
        try transaction.execute(
          """
          UPDATE loves SET failures = ifnull(?, failures + 1), answer = ?
          WHERE account = ? AND track_id = ? AND wanted = ?
          """, isFinal ? Self.mostLoveFailures : nil, reason, account, track, isLoved)
        let failed = try transaction.row(
          "SELECT track FROM loves WHERE account = ? AND track_id = ? AND failures >= ?", account, track,
          Self.mostLoveFailures
        ) { Self.names(in: try $0.value(0)) }
        guard let failed else { return }
        let (service, name) = try Self.names(of: account, transaction)
        try journal.append(
          Scrobble.LoveFailed(
            Scrobble.FailedLove(
              service: service, account: name, title: failed.title, artist: failed.artist, isLoved: isLoved,
              reason: reason)), in: transaction)
      }
    }
  }

  /// Returns the title and artist of a stored track; empty if this version cannot read it.
  private static func names(in bytes: [UInt8]) -> (title: String, artist: String) {
    do {
      let track = try MessageCoding.decode(Track.self, from: bytes)
      return (track.title, track.artist)
    } catch {
      return ("", "")
    }
  }

  /// Returns the first failed loves of all accounts, at most `limit` and 200, and the number of all failed loves.
  static func failedLoves(_ limit: Int, _ transaction: ReadTransaction) throws -> Scrobble.FailedLoves {
    let rows = try transaction.rows(
      """
      SELECT accounts.service, accounts.name, loves.track, loves.wanted, loves.answer
      FROM loves JOIN accounts ON accounts.id = loves.account
      WHERE \(isFailed) ORDER BY accounts.service, accounts.name, loves.track_id LIMIT ?
      """, mostLoveFailures, max(0, min(limit, 200))
    ) { row in
      let (title, artist) = names(in: try row.value(2))
      return Scrobble.FailedLove(
        service: try row.value(0), account: try row.value(1), title: title, artist: artist,
        isLoved: try row.value(3), reason: try row.value(4) ?? "")
    }
    return Scrobble.FailedLoves(count: try failedLoveCount(transaction), items: rows)
  }

  static func failedLoveCount(_ transaction: ReadTransaction) throws -> Int {
    try transaction.value("SELECT count(*) FROM loves WHERE \(isFailed)", mostLoveFailures) ?? 0
  }

  /// Makes failed loves due again, and returns their number.
  static func retryLoves(_ transaction: Transaction) throws -> Int {
    try transaction.execute("UPDATE loves SET failures = 0 WHERE \(isFailed)", mostLoveFailures)
  }

  /// Gives up failed loves, and returns their number.
  static func dropLoves(_ transaction: Transaction) throws -> Int {
    try transaction.execute(
      "UPDATE loves SET wanted = ifnull(told, 0), failures = 0, answer = NULL WHERE \(isFailed)", mostLoveFailures)
  }

  /// Applies a rating: five stars are love, and fewer take back a love that was given here; tracks that were loved
  /// elsewhere are not changed. A rating given in a private time is not sent, however late its fact is read; `now`
  /// shows if the clock was set back since.
  static func apply(
    _ changed: Library.RatingChanged, at time: Timestamp, now: Timestamp, _ transaction: Transaction
  ) throws {
    guard let track = changed.track else { return }
    let heard = PrivateListening.HeardTrack(
      track: track, room: RoomName(from: "none"), began: time, ended: time, now: now)
    guard try PrivateListening.read(transaction).reason(heard) == nil else { return }
    guard changed.rating == Rating(rawValue: 10) else {
      try transaction.execute(
        "UPDATE loves SET wanted = 0, failures = 0, answer = NULL WHERE track_id = ? AND wanted = 1", track.id)
      return
    }
    let services = ScrobbleServices.kinds.filter { $0.descriptor.capabilities.contains(.loves) }
    try transaction.execute(
      """
      INSERT INTO loves (account, track_id, track, wanted)
      SELECT id, ?, ?, 1 FROM accounts WHERE is_on AND service IN (\(ScrobbleServices.list(services)))
      ON CONFLICT (account, track_id) DO UPDATE SET wanted = 1, track = excluded.track, failures = 0, answer = NULL
      """, track.id, try MessageCoding.encode(track))
  }
}
