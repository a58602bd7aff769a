import Messages
import Model
import Storage

/// What is kept about sources and their refreshes.
extension Catalogue {
  /// How many problems a source's status shows.
  static let shownProblems = 10
  private static let keptRuns = 100

  /// Notes the end of a refresh, with what a person should know about it.
  static func finishRun(
    of source: String, kind: String, started: Timestamp, now: Timestamp, _ outcome: Reconciliation.Outcome,
    _ transaction: Transaction
  ) throws {
    try transaction.execute(
      """
      INSERT INTO runs (source, started_at, finished_at, new, changed, unchanged, deleted, held)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, source, started, now, outcome.new, outcome.changed, outcome.unchanged, outcome.deleted, outcome.held)
    try transaction.execute("DELETE FROM runs WHERE id <= ?", transaction.lastInsertedRowID - Int64(keptRuns))
    let (count, problems) = try problems(beside: outcome.problems, transaction)
    try transaction.execute(
      """
      INSERT INTO sources (name, kind, refreshed_at, problem_count, problems) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (name) DO UPDATE SET refreshed_at = ?3, problem_count = ?4, problems = ?5
      """, source, kind, now, count, String(decoding: try MessageCoding.encode(problems), as: UTF8.self))
    if outcome.isChanged { try transaction.execute("UPDATE catalogue SET generation = generation + 1") }
  }

  /// All problems counted, and the first of them: those of folders, of files that cannot be used, of files without
  /// tags.
  private static func problems(
    beside others: [LunaraError], _ transaction: Transaction
  ) throws -> (count: Int, first: [LunaraError]) {
    let count = try transaction.row("SELECT count(*) FROM files WHERE problem IS NOT NULL") { try $0.value(0) as Int }
    let room = max(0, shownProblems - others.count)
    let ofFiles = try transaction.rows(
      "SELECT problem FROM files WHERE problem IS NOT NULL ORDER BY track IS NOT NULL, id LIMIT ?", room
    ) { row in
      try MessageCoding.decode(LunaraError.self, from: (try row.value(0) as String).utf8)
    }
    return (others.count + (count ?? 0), Array((others + ofFiles).prefix(shownProblems)))
  }

  /// The state of the catalogue, without what only a running refresh knows.
  static func state(of source: String, kind: String, _ transaction: ReadTransaction) throws -> Library.CatalogueState {
    func number(_ sql: String) throws -> Int { try transaction.row(sql) { try $0.value(0) } ?? 0 }
    let (albums, tracks) = (try number("SELECT count(*) FROM albums"), try number("SELECT count(*) FROM tracks"))
    let row = try transaction.row(
      "SELECT refreshed_at, problem_count, problems FROM sources WHERE name = ?", source
    ) { row in
      (
        refreshed: try row.value(0) as Timestamp?, count: try row.value(1) as Int,
        problems: try MessageCoding.decode([LunaraError].self, from: (try row.value(2) as String).utf8)
      )
    }
    let status = Library.SourceStatus(
      name: source, kind: kind, health: "ready", lastRefreshed: row?.refreshed, albums: albums, tracks: tracks,
      problemCount: row?.count ?? 0, problems: row?.problems ?? [])
    return Library.CatalogueState(
      generation: Int64(try number("SELECT generation FROM catalogue")), albums: albums, tracks: tracks,
      sources: [status])
  }
}
