import Messages
package import Model
package import Storage

/// The entries of one playlist, in the order of their places. Between two places there is room for others, so that an
/// edit of a long playlist writes only the entries that it changes.
package struct PlaylistEntries {
  /// The largest number of entries.
  package static let most = 50_000
  /// The distance of the places of entries that are put at the end.
  private static let spacing: Int64 = 1 << 20

  /// One entry of a playlist that can be edited.
  package struct Entry: Codable, Hashable, Sendable {
    /// The id; nil for one that is new.
    package var id: Int64?
    /// The number of the track; nil for one that was never here.
    package var track: Int64?
    /// The identity of the track; nil for one that was never here.
    package var identity: Int64?
    /// The track as it was when it was added, which is shown while it is not here; nil in playlists of servers.
    package var described: DescribedTrack?
    /// The server's own id of the track; nil in playlists of the library itself.
    var native: String?
    package var addedAt: Timestamp

    package init(
      id: Int64? = nil, track: Int64? = nil, identity: Int64? = nil, described: DescribedTrack? = nil,
      native: String? = nil, addedAt: Timestamp
    ) {
      self.id = id
      self.track = track
      self.identity = identity
      self.described = described
      self.native = native
      self.addedAt = addedAt
    }
  }

  private let playlist: Int64
  private let transaction: Transaction

  package init(of playlist: Int64, _ transaction: Transaction) {
    self.playlist = playlist
    self.transaction = transaction
  }

  package var count: Int {
    get throws {
      try transaction.value("SELECT count(*) FROM playlist_entries WHERE playlist = ?", playlist) ?? 0
    }
  }

  /// Returns those of these entries that are in the playlist, in its order, each with the one before it; 0 for the
  /// first one.
  package func present(_ ids: [Int64]) throws -> [(entry: Entry, before: Int64)] {
    try transaction.rows(
      """
      SELECT e.id, e.track, e.identity, e.described, e.added_at, e.native, ifnull((SELECT id FROM playlist_entries b
        WHERE b.playlist = e.playlist AND b.place < e.place ORDER BY b.place DESC LIMIT 1), 0)
      FROM playlist_entries e WHERE e.playlist = ? AND e.id IN (SELECT value FROM json_each(?)) ORDER BY e.place
      """, playlist, Self.list(ids)
    ) { row in
      (
        entry: Entry(
          id: try row.value(0), track: try row.value(1), identity: try row.value(2),
          described: try (try row.value(3) as String?).map {
            try MessageCoding.decode(DescribedTrack.self, from: $0.utf8)
          }, native: try row.value(5), addedAt: try row.value(4) ?? Timestamp(microseconds: 0)),
        before: try row.value(6)
      )
    }
  }

  /// Returns all entries in order.
  package func all() throws -> [Entry] {
    let ids: [Int64] = try transaction.values("SELECT id FROM playlist_entries WHERE playlist = ?", playlist)
    return try present(ids).map(\.entry)
  }

  /// Puts entries behind another one: 0 for the beginning, nil or an entry that is not there for the end. Returns their
  /// ids.
  package func insert(_ entries: [Entry], after anchor: Int64?) throws -> [Int64] {
    let places = try places(entries.count, after: anchor, except: [])
    return try zip(entries, places).map { entry, place in
      try transaction.execute(
        """
        INSERT INTO playlist_entries (id, playlist, place, track, identity, described, native, added_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """, entry.id, playlist, place, entry.track, entry.identity,
        try entry.described.map { String(decoding: try MessageCoding.encode($0), as: UTF8.self) }, entry.native,
        entry.addedAt)
      return try entry.id ?? transaction.value("SELECT last_insert_rowid()") ?? 0
    }
  }

  package func remove(_ ids: [Int64]) throws {
    try transaction.execute(
      "DELETE FROM playlist_entries WHERE playlist = ? AND id IN (SELECT value FROM json_each(?))", playlist,
      Self.list(ids))
  }

  /// Puts entries that are there behind another one, as `insert` does, in this order.
  package func move(_ ids: [Int64], after anchor: Int64?) throws {
    for (id, place) in zip(ids, try places(ids.count, after: anchor, except: ids)) {
      try transaction.execute(
        "UPDATE playlist_entries SET place = ? WHERE playlist = ? AND id = ?", place, playlist, id)
    }
  }

  /// Makes these the tracks of a server's playlist, by the server's own ids. A track that stays keeps its entry.
  func setNatives(_ natives: [String]) throws {
    let rows = try transaction.rows(
      "SELECT id, place, native FROM playlist_entries WHERE playlist = ? ORDER BY place", playlist
    ) { (id: try $0.value(0) as Int64, place: try $0.value(1) as Int64, native: try $0.value(2) as String) }
    var known = Dictionary(grouping: rows.reversed(), by: \.native)
    for (index, native) in natives.enumerated() {
      let place = Int64(index + 1) * Self.spacing
      if let row = known[native]?.popLast() {
        guard row.place != place else { continue }
        try transaction.execute("UPDATE playlist_entries SET place = ? WHERE id = ?", place, row.id)
      } else {
        try transaction.execute(
          "INSERT INTO playlist_entries (playlist, place, native) VALUES (?, ?, ?)", playlist, place, native)
      }
    }
    try remove(known.values.flatMap { $0.map(\.id) })
  }

  /// Replaces the entries of a list file's playlist. An entry that stays as it is keeps its id and its track.
  func setDescribed(_ tracks: [DescribedTrack]) throws {
    let rows = try transaction.rows(
      "SELECT id, place, described FROM playlist_entries WHERE playlist = ? ORDER BY place", playlist
    ) { (id: try $0.value(0) as Int64, place: try $0.value(1) as Int64, described: try $0.value(2) as String) }
    var known = Dictionary(grouping: rows.reversed(), by: \.described)
    for (index, track) in tracks.enumerated() {
      let place = Int64(index + 1) * Self.spacing
      let described = String(decoding: try MessageCoding.encode(track), as: UTF8.self)
      if let row = known[described]?.popLast() {
        guard row.place != place else { continue }
        try transaction.execute("UPDATE playlist_entries SET place = ? WHERE id = ?", place, row.id)
      } else {
        try transaction.execute(
          "INSERT INTO playlist_entries (playlist, place, described) VALUES (?, ?, ?)", playlist, place, described)
      }
    }
    try remove(known.values.flatMap { $0.map(\.id) })
  }

  /// Returns ascending places behind an entry, where there is room for them between it and the next one.
  ///
  /// - Parameter moved: the entries that will leave their places.
  private func places(_ count: Int, after anchor: Int64?, except moved: [Int64]) throws -> [Int64] {
    guard count > 0 else { return [] }
    if let places = try freePlaces(count, after: anchor, except: moved) { return places }
    try spreadOut()
    return try freePlaces(count, after: anchor, except: moved) ?? []
  }

  /// Returns these places; nil if there is too little room.
  private func freePlaces(_ count: Int, after anchor: Int64?, except moved: [Int64]) throws -> [Int64]? {
    let others = "FROM playlist_entries WHERE playlist = ?1 AND id NOT IN (SELECT value FROM json_each(?2))"
    let movedList = Self.list(moved)
    let numbers = 1...Int64(count)
    if anchor == 0 {
      let first: Int64? = try transaction.value("SELECT min(place) \(others)", playlist, movedList)
      let start = (first ?? Self.spacing * Int64(count + 1)) - Self.spacing * Int64(count + 1)
      return numbers.map { start + $0 * Self.spacing }
    }
    // Of an entry that is moved itself, the next one before it that stays is meant.
    let place: Int64? =
      try anchor.flatMap { anchor in
        try transaction.value(
          "SELECT place FROM playlist_entries WHERE playlist = ? AND id = ?", playlist, anchor)
      }
    let last: Int64 = try transaction.value("SELECT max(place) \(others)", playlist, movedList) ?? 0
    guard let place, place < last else { return numbers.map { last + $0 * Self.spacing } }
    let before: Int64? = try transaction.value(
      "SELECT max(place) \(others) AND place <= ?3", playlist, movedList, place)
    let next: Int64 =
      try transaction.value("SELECT min(place) \(others) AND place > ?3", playlist, movedList, place) ?? last
    guard let before else { return try freePlaces(count, after: 0, except: moved) }
    let step = (next - before) / Int64(count + 1)
    return step > 0 ? numbers.map { before + $0 * step } : nil
  }

  /// Gives all entries places of the usual distance.
  private func spreadOut() throws {
    let ids: [Int64] = try transaction.values(
      "SELECT id FROM playlist_entries WHERE playlist = ? ORDER BY place, id", playlist)
    for (index, id) in ids.enumerated() {
      try transaction.execute(
        "UPDATE playlist_entries SET place = ? WHERE id = ?", Int64(index + 1) * Self.spacing, id)
    }
  }

  /// Returns numbers as the JSON list that `json_each` reads.
  private static func list(_ numbers: [Int64]) -> String { "\(numbers)" }
}
