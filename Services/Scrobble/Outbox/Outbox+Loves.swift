import Messages
import Model
import Storage

/// What is loved, on its way to an account.
extension Outbox {
  /// A track that an account is to be told of.
  struct Love: Sendable {
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

  /// So often one is tried.
  private static let mostFailures = 5

  /// The next one to tell.
  func nextLove() async throws -> Love? {
    let account = account
    let row = try await database.read { transaction in
      try transaction.row(
        """
        SELECT track_id, track, wanted FROM loves
        WHERE account = ? AND wanted <> ifnull(told, 0) AND failures < ? ORDER BY failures, track_id LIMIT 1
        """, account, Self.mostFailures
      ) { (try $0.value(0) as TrackID, try $0.value(1) as [UInt8], try $0.value(2) as Bool) }
    }
    guard let (id, bytes, isLoved) = row else { return nil }
    let track = try MessageCoding.decode(Track.self, from: bytes)
    do {
      return Love(track: id, submission: try Submission(track, startedAt: Timestamp(seconds: 0)), isLoved: isLoved)
    } catch {
      try await note(.refused(error.reason), of: id, isLoved)
      return try await nextLove()
    }
  }

  /// Notes what came of telling. A person who changed their mind meanwhile is told for again.
  func settle(_ love: Love, _ verdict: LoveVerdict) async throws {
    try await note(verdict, of: love.track, love.isLoved)
  }

  private func note(_ verdict: LoveVerdict, of track: TrackID, _ isLoved: Bool) async throws {
    let account = account
    try await database.write { transaction in
      switch verdict {
      case .told:
        try transaction.execute(
          "UPDATE loves SET told = ?, failures = 0, answer = NULL WHERE account = ? AND track_id = ?", isLoved,
          account, track)
      case .refused(let words), .failed(let words):
        let isFinal = if case .refused = verdict { true } else { false }
        try transaction.execute(
          "UPDATE loves SET failures = ifnull(?, failures + 1), answer = ? WHERE account = ? AND track_id = ?",
          isFinal ? Self.mostFailures : nil, words, account, track)
      }
    }
  }

  /// Takes in what a person thinks of a track: five stars are love. Less takes love back where it was told from here;
  /// what somebody loves elsewhere is not touched.
  static func take(
    _ changed: Library.RatingChanged, at now: Timestamp, _ transaction: Transaction
  ) throws {
    guard let track = changed.track else { return }
    let isLoved = changed.rating == Rating(rawValue: 10)
    let occasion = Withholding.Occasion(track: track, room: RoomName(from: "none"), began: now, ended: now)
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
