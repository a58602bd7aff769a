import Model
import Records
import Storage
import Text

/// The rows of musical works: one for each title of a composer, as long as a track is a recording of it.
struct WorkRows {
  private struct TrackRow: Equatable {
    var work: Int64
    var movement: String?
    var number: Int?
    var total: Int?
  }

  private let transaction: Transaction
  private var numbers: [String: Int64] = [:]
  /// Works from which a track was taken.
  private var left: Set<Int64> = []

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Writes the work of a track; nil removes it. Returns true if something changed.
  mutating func write(
    _ work: TaggedWork?, by composer: (name: String, number: Int64)?, of track: Int64, isNew: Bool
  ) throws -> Bool {
    if isNew, work == nil { return false }
    let row = try work.map { work in
      TrackRow(
        work: try number(of: work, by: composer), movement: work.movement, number: work.number, total: work.total)
    }
    if !isNew {
      let before = try transaction.row(
        "SELECT work, movement, number, total FROM track_works WHERE track = ?", track
      ) {
        TrackRow(work: try $0.value(0), movement: try $0.value(1), number: try $0.value(2), total: try $0.value(3))
      }
      if before == row { return false }
      if let before, before.work != row?.work { left.insert(before.work) }
    }
    guard let row else {
      try transaction.execute("DELETE FROM track_works WHERE track = ?", track)
      return true
    }
    try transaction.execute(
      "INSERT OR REPLACE INTO track_works (track, work, movement, number, total) VALUES (?, ?, ?, ?, ?)",
      values: [
        .integer(track), .integer(row.work), SQLValue(row.movement), SQLValue(row.number), SQLValue(row.total),
      ])
    return true
  }

  /// Removes the work of a track that is deleted.
  mutating func delete(of track: Int64) throws {
    let work: Int64? = try transaction.value("SELECT work FROM track_works WHERE track = ?", track)
    guard let work else { return }
    left.insert(work)
    try transaction.execute("DELETE FROM track_works WHERE track = ?", track)
  }

  private mutating func number(of work: TaggedWork, by composer: (name: String, number: Int64)?) throws -> Int64 {
    let key = "\(composer.map { ArtistRows.key(of: $0.name) } ?? "")|\(work.title.trimmed.folded)"
    if let known = numbers[key] { return known }
    var number: Int64? = try transaction.value("SELECT id FROM works WHERE key = ?", key)
    if number == nil {
      // Nobody outside the catalogue keeps the numbers of works.
      let new: Int64 = (try transaction.value("SELECT max(id) FROM works") ?? 0) + 1
      try transaction.execute(
        "INSERT INTO works (id, key, title, sort, composer, mbid) VALUES (?, ?, ?, ?, ?, ?)", new, key, work.title,
        SortKey.of(work.title), composer?.number, work.id)
      number = new
    } else {
      try transaction.execute(
        """
        UPDATE works SET composer = ?1, mbid = ifnull(mbid, ?2)
        WHERE id = ?3 AND (composer IS NOT ?1 OR (mbid IS NULL AND ?2 IS NOT NULL))
        """, composer?.number, work.id, number)
    }
    numbers[key] = number
    return number ?? 0
  }

  /// Deletes the works of which no track is a recording any more.
  mutating func finish() throws {
    for work in left.sorted() {
      try transaction.execute(
        "DELETE FROM works WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM track_works WHERE work = ?1)", work)
    }
    left = []
    numbers = [:]
  }
}
