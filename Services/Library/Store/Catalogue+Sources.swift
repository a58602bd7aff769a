import Bus
import Messages
import Model
import Storage

/// What is kept about sources and their refreshes.
extension Catalogue {
  /// How many problems a source's status shows.
  static let shownProblems = 10
  private static let keptRuns = 100
  private static let shownRuns = 5
  /// How many albums a fact names at most.
  private static let namedAlbums = 500
  /// How many facts a change is told in at most; one that is larger is told as a wide one.
  private static let mostFacts = 4

  /// Notes that there is a source, where that is not noted yet; the newest is the last in the person's order.
  ///
  /// - Parameter keeping: whether a source that is known keeps who set it up.
  static func note(
    source: String, kind: String, isFromSettings: Bool, _ transaction: Transaction, keeping: Bool = false
  ) throws {
    if keeping,
      try transaction.row("SELECT 1 FROM sources WHERE name = ?", source, as: { try $0.value(0) as Int }) != nil
    {
      return
    }
    try transaction.execute(
      """
      INSERT INTO sources (name, kind, problem_count, problems, is_from_settings, position)
      VALUES (?1, ?2, 0, '[]', ?3, (SELECT ifnull(max(position), 0) + 1 FROM sources))
      ON CONFLICT (name) DO UPDATE SET kind = ?2, is_from_settings = ?3 WHERE kind <> ?2 OR is_from_settings <> ?3
      """, source, kind, isFromSettings)
  }

  /// Notes the end of a refresh, with what a person should know about it, and tells of it.
  ///
  /// - Parameter problemsOfFiles: whether what is wrong with single files is among its problems.
  static func finishRun(
    of source: String, started: Timestamp, now: Timestamp, seconds: Double, _ outcome: SyncOutcome,
    problemsOfFiles: Bool, journal: Journal?, _ transaction: Transaction
  ) throws -> Library.SyncCounts {
    let counts = Library.SyncCounts(
      new: outcome.new, changed: outcome.changed, unchanged: outcome.unchanged, deleted: outcome.deleted,
      seconds: seconds)
    try transaction.execute(
      """
      INSERT INTO runs (source, started_at, finished_at, new, changed, unchanged, deleted, held)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, source, started, now, outcome.new, outcome.changed, outcome.unchanged, outcome.deleted, outcome.held)
    try transaction.execute(
      """
      DELETE FROM runs WHERE source = ?1 AND id <= (SELECT id FROM runs WHERE source = ?1 ORDER BY id DESC
        LIMIT 1 OFFSET ?2)
      """, source, keptRuns)
    var (count, problems) = (outcome.problems.count, Array(outcome.problems.prefix(shownProblems)))
    if !outcome.isComplete {
      let held = try Self.held(source, transaction)
      (count, problems) = (count + held.count, Array((held + problems).prefix(shownProblems)))
    }
    if problemsOfFiles { (count, problems) = try Self.problems(beside: outcome.problems, transaction) }
    try transaction.execute(
      "UPDATE sources SET refreshed_at = ?, problem_count = ?, problems = ? WHERE name = ?", now, count,
      String(decoding: try MessageCoding.encode(problems), as: UTF8.self), source)
    if outcome.new > 0 { try ListenRows.restore(transaction) }
    if outcome.isChanged { try countAndPublish(outcome.changes, journal, transaction) }
    try journal?.append(Library.SyncFinished(source: source, counts: counts), in: transaction)
    return counts
  }

  /// Notes that the catalogue is another one than before, and tells which albums are.
  ///
  /// - Parameter isWide: whether more than these changed, so that whoever keeps any looks at all.
  static func countAndPublish(
    _ changes: CatalogueWriter.Changes, _ journal: Journal?, _ transaction: Transaction, isWide: Bool = false
  ) throws {
    try transaction.execute(
      """
      UPDATE catalogue SET generation = generation + 1, albums = (SELECT count(*) FROM albums WHERE shelf = id),
        tracks = (SELECT count(*) FROM tracks WHERE shelf IS NOT NULL)
      """)
    try transaction.execute(
      """
      UPDATE sources SET albums = (SELECT count(*) FROM albums WHERE source = name),
        tracks = (SELECT count(*) FROM tracks WHERE source = name)
      """)
    let generation = try transaction.row("SELECT generation FROM catalogue") { try $0.value(0) as Int64 } ?? 0
    guard let journal, isWide || !changes.isEmpty else { return }
    let (albums, removed) = (changes.albums.sorted(), changes.removed.sorted())
    guard !isWide, max(albums.count, removed.count) <= namedAlbums * mostFacts else {
      try journal.append(
        Library.CatalogueChanged(generation: generation, albums: [], removed: [], isWide: true), in: transaction)
      return
    }
    for start in stride(from: 0, to: max(albums.count, removed.count), by: namedAlbums) {
      try journal.append(
        Library.CatalogueChanged(
          generation: generation, albums: Array(albums.dropFirst(start).prefix(namedAlbums)),
          removed: Array(removed.dropFirst(start).prefix(namedAlbums))), in: transaction)
    }
  }

  /// What a person was told of deletions that wait for a word.
  private static func held(_ source: String, _ transaction: Transaction) throws -> [LunaraError] {
    let text = try transaction.row("SELECT problems FROM sources WHERE name = ?", source) { try $0.value(0) as String }
    let known = try text.map { try MessageCoding.decode([LunaraError].self, from: $0.utf8) } ?? []
    return known.filter { $0.code == ScanProblem.heldCode }
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

  /// The state of the catalogue, without what only a running refresh knows; sources in the person's order.
  static func state(_ transaction: ReadTransaction) throws -> Library.CatalogueState {
    let totals = try transaction.row("SELECT generation, albums, tracks FROM catalogue") { row in
      (generation: try row.value(0) as Int64, albums: try row.value(1) as Int, tracks: try row.value(2) as Int)
    }
    let sources = try transaction.rows(
      """
      SELECT name, kind, refreshed_at, albums, tracks, problem_count, problems, address, method FROM sources
      ORDER BY position, name
      """
    ) { row in
      let name: String = try row.value(0)
      var problems = try MessageCoding.decode([LunaraError].self, from: (try row.value(6) as String).utf8)
      let plays = try PlayOutbox.problem(of: name, transaction)
      if let plays { problems = [plays] + problems.prefix(shownProblems - 1) }
      return Library.SourceStatus(
        name: name, kind: try row.value(1), health: "ready", lastRefreshed: try row.value(2), albums: try row.value(3),
        tracks: try row.value(4), problemCount: (try row.value(5) as Int) + (plays == nil ? 0 : 1), problems: problems,
        address: try row.value(7), method: try row.value(8), runs: try runs(of: name, transaction))
    }
    return Library.CatalogueState(
      generation: totals?.generation ?? 0, albums: totals?.albums ?? 0, tracks: totals?.tracks ?? 0,
      sources: sources.count > 1 ? sources.map(withoutNeedOfFolders) : sources)
  }

  /// Where music comes from elsewhere, nobody has to set a folder.
  private static func withoutNeedOfFolders(_ status: Library.SourceStatus) -> Library.SourceStatus {
    guard status.tracks == 0, let index = status.problems.firstIndex(of: ScanProblem.noFolders) else { return status }
    var status = status
    status.problems.remove(at: index)
    status.problemCount -= 1
    return status
  }

  private static func runs(of source: String, _ transaction: ReadTransaction) throws -> [Library.RefreshRun] {
    try transaction.rows(
      """
      SELECT started_at, new, changed, unchanged, deleted, finished_at - started_at FROM runs WHERE source = ?
      ORDER BY id DESC LIMIT ?
      """, source, shownRuns
    ) { row in
      Library.RefreshRun(
        startedAt: try row.value(0),
        counts: Library.SyncCounts(
          new: try row.value(1), changed: try row.value(2), unchanged: try row.value(3), deleted: try row.value(4),
          seconds: Double(try row.value(5) as Int64 / 1000) / 1000))
    }
  }
}
