import Model

/// Who is signed in: of each session what proves it and until when. Pure, bounded, and of no use to who reads it.
struct SessionList: Codable, Equatable {
  /// How many there are at most; one more ends the oldest.
  static let most = 64

  /// One session.
  struct Session: Codable, Equatable {
    var digest: String
    var until: Timestamp
  }

  /// The oldest first.
  private(set) var sessions: [Session] = []

  /// Begins one.
  mutating func add(_ digest: String, until: Timestamp, now: Timestamp) {
    sessions.removeAll { $0.until <= now || $0.digest == digest }
    sessions.append(Session(digest: digest, until: until))
    if sessions.count > Self.most { sessions.removeFirst(sessions.count - Self.most) }
  }

  /// Ends one; says whether there was one.
  mutating func remove(_ digest: String) -> Bool {
    let count = sessions.count
    sessions.removeAll { $0.digest == digest }
    return sessions.count < count
  }

  /// Whether there is one that has not run out.
  func contains(_ digest: String, now: Timestamp) -> Bool {
    sessions.contains { $0.digest == digest && $0.until > now }
  }
}
