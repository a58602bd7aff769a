import Bus
package import Messages
package import Model
import Records
package import Storage

/// The rows of sources and their refreshes.
extension Catalogue {
  /// The most problems in a source's status.
  package static let shownProblems = 10
  private static let keptRuns = 100
  private static let shownRuns = 5
  /// The most albums that a fact names.
  private static let namedAlbums = 500
  /// The most facts that a change is published in; a larger change is published as one fact that names no albums.
  private static let mostFacts = 4

  /// Adds a row for a source that has none yet; the newest is the last in the person's order.
  ///
  /// - Parameter keeping: true to leave the row of a known source as it is.
  package static func register(
    source: String, kind: String, isFromSettings: Bool, _ transaction: Transaction, keeping: Bool = false
  ) throws {
    try transaction.execute(
      """
      INSERT INTO sources (name, kind, problem_count, problems, is_from_settings, position)
      VALUES (?1, ?2, 0, '[]', ?3, (SELECT ifnull(max(position), 0) + 1 FROM sources))
      ON CONFLICT (name) DO UPDATE SET kind = ?2, is_from_settings = ?3
      WHERE NOT ?4 AND (kind <> ?2 OR is_from_settings <> ?3)
      """, source, kind, isFromSettings, keeping)
  }

  /// Records the end of a refresh with its problems, and publishes the facts of it. `refresh` is its number, nil for a
  /// change that was no refresh.
  package static func finishRun(
    of source: String, _ refresh: Int64?, started: Timestamp, now: Timestamp, seconds: Double,
    _ outcome: RefreshOutcome,
    _ publisher: ChangePublisher, _ transaction: Transaction
  ) throws -> Library.SyncCounts {
    let leftOut = source == MusicFolders.source ? try LeftOutRows.counts(transaction) : nil
    let counts = Library.SyncCounts(
      new: outcome.new, changed: outcome.changed, unchanged: outcome.unchanged, deleted: outcome.deleted,
      seconds: seconds, unused: leftOut?.unused, ignored: leftOut?.ignored)
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
    let lasting =
      try Self.lastingProblems(source, after: outcome, transaction)
      + [ServerReconciliation.heldLists(of: source, transaction)].compactMap { $0 }
    count = count + lasting.count
    problems = Array((lasting + problems).prefix(shownProblems))
    if source == MusicFolders.source { (count, problems) = try Self.problems(beside: outcome.problems, transaction) }
    try transaction.execute(
      "UPDATE sources SET refreshed_at = ?, problem_count = ?, problems = ? WHERE name = ?", now, count,
      String(decoding: try MessageCoding.encode(problems), as: UTF8.self), source)
    if outcome.new > 0 { try ListenRows.restore(transaction) }
    if outcome.isChanged {
      try countAndPublish(outcome.changes, publisher, transaction)
      for follower in publisher.followers { try follower.notice(at: now, publisher.journal, transaction) }
    }
    if outcome.areListsChanged { try countListChange(transaction) }
    try publisher.journal?.append(
      Library.SyncFinished(source: source, counts: counts, refresh: refresh), in: transaction)
    return counts
  }

  /// Counts the catalogue again, gives it a new generation and publishes which albums changed.
  ///
  /// - Parameter isWide: true where more than these albums changed, so that readers must look at all of theirs.
  package static func countAndPublish(
    _ changes: CatalogueWriter.Changes, _ publisher: ChangePublisher, _ transaction: Transaction, isWide: Bool = false
  ) throws {
    try transaction.execute(
      """
      UPDATE catalogue SET generation = generation + 1, albums = (SELECT count(*) FROM albums WHERE listed = 1),
        tracks = (SELECT count(*) FROM tracks WHERE shelf IS NOT NULL)
      """)
    let isAlone = try transaction.value("SELECT count(*) = 1 FROM sources") ?? false
    // Whatever the catalogue holds is of the only source, and counting that takes a small part of the time.
    try transaction.execute(
      isAlone
        ? """
        UPDATE sources SET albums = (SELECT count(*) FROM albums WHERE shelf = id), tracks = (SELECT count(*) FROM tracks)
        """
        : """
        UPDATE sources SET albums = (SELECT count(DISTINCT shelf) FROM albums WHERE source = name),
          tracks = (SELECT count(*) FROM tracks WHERE source = name)
        """)
    let journal = publisher.journal
    let generation: Int64 = try transaction.value("SELECT generation FROM catalogue") ?? 0
    for change in changes.opinions { try journal?.append(change, in: transaction) }
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

  /// Returns the problems of the source's last refresh that this one has not ended.
  ///
  /// Only a complete reading ends those of deletions to which a person has to agree, and of values that were left out.
  /// Only a new request of the lists ends those of lists that were refused.
  private static func lastingProblems(
    _ source: String, after outcome: RefreshOutcome, _ transaction: Transaction
  ) throws -> [LunaraError] {
    let found = Set(outcome.problems.map(\.code))
    let codes = Set(outcome.isComplete ? [] : [ScanProblem.heldCode, ImplausibleValues.code]).subtracting(found)
      .union(outcome.areListsUnread ? [SourceError.unreadableListCode] : [])
    let last: String? = try transaction.value("SELECT problems FROM sources WHERE name = ?", source)
    return try MessageCoding.decode([LunaraError].self, from: (last ?? "[]").utf8).filter { problem in
      codes.contains(problem.code) && !outcome.problems.contains(problem)
    }
  }

  /// Returns the number of all problems and the first of them: those of folders, of files that cannot be used, of files
  /// without tags.
  private static func problems(
    beside others: [LunaraError], _ transaction: Transaction
  ) throws -> (count: Int, first: [LunaraError]) {
    let count: Int? = try transaction.value("SELECT count(*) FROM files WHERE problem IS NOT NULL")
    let ofFiles: [String] = try transaction.values(
      "SELECT problem FROM files WHERE problem IS NOT NULL ORDER BY track IS NOT NULL, id LIMIT ?", shownProblems)
    let problems = try ofFiles.map { try MessageCoding.decode(LunaraError.self, from: $0.utf8) }
    return (others.count + (count ?? 0), Array((others + problems).prefix(shownProblems)))
  }

  /// Returns the state of the catalogue without the progress of a running refresh; sources in the person's order.
  package static func state(_ transaction: ReadTransaction) throws -> Library.CatalogueState {
    var state = try transaction.row("SELECT generation, albums, tracks, lists_revision FROM catalogue") {
      Library.CatalogueState(
        generation: try $0.value(0), lists: try $0.value(3), albums: try $0.value(1), tracks: try $0.value(2),
        sources: [])
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
      let leftOut = name == MusicFolders.source ? try LeftOutRows.counts(transaction) : nil
      return Library.SourceStatus(
        name: name, kind: try row.value(1), health: "ready", lastRefreshed: try row.value(2), albums: try row.value(3),
        tracks: try row.value(4), problemCount: (try row.value(5) as Int) + (plays == nil ? 0 : 1), problems: problems,
        address: try row.value(7), method: try row.value(8), runs: try runs(of: name, transaction),
        unused: leftOut?.unused, ignored: leftOut?.ignored)
    }
    state?.sources = sources.count > 1 ? sources.map(withoutNeedOfFolders) : sources
    return state ?? Library.CatalogueState(generation: 0, albums: 0, tracks: 0, sources: [])
  }

  /// Removes the problem that no music folder is set, where music comes from another source.
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

/// The person's order of sources.
extension Catalogue {
  /// Reorders the sources: those that are named first, the others after them as they were. Albums and artists that
  /// several sources have are merged again, since the order decides which source's values and copies are shown. Returns
  /// the names of all sources in their order. Throws `library.unknownSource`, and nothing is changed.
  package static func order(
    sources named: [String], now: Timestamp, _ publisher: ChangePublisher, _ transaction: Transaction
  ) throws -> [String] {
    let before = try records(transaction).map(\.name)
    var order: [String] = []
    for name in named where !order.contains(name) {
      guard before.contains(name) else { throw SourceError.unknown(name) }
      order.append(name)
    }
    order += before.filter { !order.contains($0) }
    guard order != before else { return order }
    for (position, name) in order.enumerated() {
      try transaction.execute("UPDATE sources SET position = ? WHERE name = ?", position + 1, name)
    }
    let writer = try CatalogueWriter(
      source: MusicFolders.source, now: now, followers: publisher.followers, transaction)
    for key: String in try transaction.values(
      "SELECT merge_key FROM albums GROUP BY merge_key HAVING min(source) <> max(source)")
    {
      writer.touch(key)
    }
    for key: String in try transaction.values(
      "SELECT key FROM artist_members GROUP BY key HAVING min(source) <> max(source)")
    {
      try writer.artists.touch(key: key)
    }
    try writer.finish()
    try countAndPublish(writer.changes, publisher, transaction)
    return order
  }
}
