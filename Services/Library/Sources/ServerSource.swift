import Bus
import Catalogue
package import Messages
import Model
package import Records
import Storage

/// The music of a server: finds out what has changed there, reads it into the staging table, and updates the catalogue.
///
/// An error, a cancellation or the end of the process leaves the catalogue unchanged.
package struct ServerSource: MusicSource {
  /// The time after which all ids are compared even if nothing suggests it: deltas do not tell what is gone.
  static let keysInterval = Milliseconds(7 * 86_400_000)

  /// The time for which ids are not compared again for the same reason, where the last comparison changed nothing.
  static let comparisonPause = Milliseconds(86_400_000)

  package let name: String
  package let kind: String
  package let server: any MusicServer
  let database: Database
  let publisher: ChangePublisher
  let now: @Sendable () -> Timestamp

  private struct LastRefresh: Sendable {
    var mark: RefreshMark?
    var machine: String?
    var hasUnwanted = false
  }

  private struct Run: Sendable {
    let started: Timestamp
    let clock = ContinuousClock.now
    let acceptsDeletions: Bool
    /// True if all items may be read for their ratings.
    let wantsRatings: Bool
    let progress: RefreshProgress
    let staging: StagingTable
    /// The connection of this refresh, which may expect another machine than other requests do.
    var server: any MusicServer
    /// The machine that has taken the place of the known one; nil if it is the same.
    var newMachine: String?
  }

  package func awaitChange() async throws { try await server.awaitChange() }

  /// - Throws: `library.signedOut`, `library.sourceAway`, `library.otherServer`, and the errors of `Database.write`.
  package func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts? {
    var run = Run(
      started: now(), acceptsDeletions: accepting.contains(.deletions), wantsRatings: accepting.contains(.ratings),
      progress: progress,
      staging: StagingTable(database: database, source: name), server: server)
    do {
      try await run.staging.clear()
      var known = try await self.known()
      if accepting.contains(.earlyRetries) { known.mark?.retryAt = nil }
      let identity = try await server.identify()
      if let machine = known.machine, machine != identity.machine {
        guard accepting.contains(.otherServer) else { throw SourceError.otherServer(name, identity.name) }
        // The mark is of the other server and says nothing about this one.
        known.mark = nil
        // Until this server's music is listed, ratings and plays are not sent to it: they belong to the other one's.
        run.server = server.expecting(identity.machine)
        run.newMachine = identity.machine
      }
      // The server's identity is known even without a sign-in; a sign-in finds the source by it.
      if known.machine == nil {
        try await store(machine: identity.machine)
        await server.expect(identity.machine)
      }
      let sections = try await store(try await run.server.sections(), machine: identity.machine)
      let look = try await run.server.checkForChanges(since: known.mark, sections: sections.on)
      let reading = try await read(look, known, sections, run)
      // Rows of the former server that an incomplete reading leaves would be played from the new one.
      guard run.newMachine == nil || reading?.isComplete == true else { throw SourceError.incompleteListing(name) }
      let counts = try await finish(reading, look, run)
      if let machine = run.newMachine { await server.expect(machine) }
      return counts
    } catch is CancellationError {
      return nil
    } catch {
      if progress.isStopped { return nil }
      throw error
    }
  }

  private func known() async throws -> LastRefresh {
    try await database.read { transaction in
      try transaction.row(
        """
        SELECT mark, machine, EXISTS (SELECT 1 FROM tracks t JOIN sections s ON s.source = t.source
          AND s.key = t.section WHERE t.source = ?1 AND NOT s.is_on) FROM sources WHERE name = ?1
        """, name
      ) { row in
        let mark = try (row.value(0) as String?).map { try MessageCoding.decode(RefreshMark.self, from: $0.utf8) }
        return LastRefresh(mark: mark, machine: try row.value(1), hasUnwanted: try row.value(2))
      }
    } ?? LastRefresh()
  }

  private func store(machine: String) async throws {
    try await database.write { transaction in
      try Catalogue.register(source: name, kind: kind, isFromSettings: false, transaction, keeping: true)
      try transaction.execute("UPDATE sources SET machine = ? WHERE name = ?", machine, name)
    }
  }

  /// Stores the server's sections, and returns which of them are on and off.
  private func store(_ sections: [ServerSection], machine: String) async throws -> ServerSections {
    try await database.write { transaction in
      try Catalogue.register(source: name, kind: kind, isFromSettings: false, transaction, keeping: true)
      // The progress of another server says nothing about this one, even if this refresh fails.
      try transaction.execute("UPDATE sources SET mark = NULL WHERE name = ? AND machine <> ?", name, machine)
      // A server that starts, or whose token has no rights, may list nothing at all; accepted deletions do not mean
      // everything.
      let count: Int =
        try transaction.value("SELECT count(*) FROM sections WHERE source = ? AND NOT is_gone", name) ?? 0
      guard !sections.isEmpty || count == 0 else { throw SourceError.incompleteListing(name) }
      try transaction.execute("UPDATE sections SET is_gone = 1 WHERE source = ?", name)
      for (position, section) in sections.enumerated() {
        try transaction.execute(
          """
          INSERT INTO sections (source, key, title, is_on, position) VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT (source, key) DO UPDATE SET title = ?3, position = ?5, is_gone = 0
          """, name, section.key, section.title, section.isOnByDefault, position)
      }
      let known = try transaction.rows(
        "SELECT key, is_on FROM sections WHERE source = ? AND NOT is_gone ORDER BY position, key", name
      ) { row in (key: try row.value(0) as String, isOn: try row.value(1) as Bool) }
      return ServerSections(on: known.filter(\.isOn).map(\.key), off: known.filter { !$0.isOn }.map(\.key))
    }
  }

  private func read(
    _ look: ServerChangeCheck, _ known: LastRefresh, _ sections: ServerSections, _ run: Run
  ) async throws -> ServerReconciliation.Reading? {
    let wasTried = known.mark?.comparedAt.map { now() - $0 < Self.comparisonPause } ?? false
    let isDue = !wasTried && known.mark?.completeAt.map { now() - $0 >= Self.keysInterval } ?? true
    let isAsked = isDue || run.acceptsDeletions
    var reading = ServerReconciliation.Reading(
      scope: .delta, sections: sections, mark: known.mark, method: look.method, tracksThere: look.tracks,
      areListsUnread: look.areListsUnread)
    switch look.need {
    case .nothing:
      let isDifferent = try await isDifferent(look, known)
      let readsRatings = run.wantsRatings && look.missesRatings
      guard isAsked || isDifferent || known.hasUnwanted || readsRatings else { return nil }
      if readsRatings { try await readRatings(&reading, run) }
      if isAsked || isDifferent { try await compareKeys(&reading, isDifferent: isDifferent, run) }
    case .delta:
      reading.mark = try await read(.delta, known.mark, sections, run)
      if run.wantsRatings, look.missesRatings { try await readRatings(&reading, run) }
      let isDifferent = try await isDifferent(look, known)
      if isAsked || isDifferent { try await compareKeys(&reading, isDifferent: isDifferent, run) }
    case .everything: try await readEverything(&reading, known.mark, run)
    }
    return reading
  }

  private func readEverything(_ reading: inout ServerReconciliation.Reading, _ mark: RefreshMark?, _ run: Run)
    async throws
  {
    let mark = try await read(.everything, mark, reading.sections, run)
    // A reading that may be incomplete adds what it has and deletes nothing.
    reading.scope = .everything
    reading.mark = mark
    reading.isWhole = mark.completeAt != nil
    reading.hasKeys = false
    reading.isComparison = true
    reading.areListsUnread = false
  }

  private func readRatings(_ reading: inout ServerReconciliation.Reading, _ run: Run) async throws {
    reading.mark = try await read(.ratings, reading.mark, reading.sections, run)
    reading.method = "full"
  }

  /// Reads all ids. If the server then has tracks that are neither in the catalogue nor staged, no delta has brought
  /// them, and everything is read; this is not tried where the numbers of tracks are the same.
  private func compareKeys(
    _ reading: inout ServerReconciliation.Reading, isDifferent: Bool, _ run: Run
  ) async throws {
    reading.hasKeys = try await readKeys(reading.mark, reading.sections, run)
    reading.isComparison = true
    if isDifferent, reading.hasKeys, try await hasUnknownTracks() {
      try await run.staging.clear()
      try await readEverything(&reading, reading.mark, run)
    }
  }

  /// Reads all ids; false if some may be missing.
  private func readKeys(_ mark: RefreshMark?, _ sections: ServerSections, _ run: Run) async throws -> Bool {
    try await read(.keys, mark, sections, run).completeAt != nil
  }

  private func read(
    _ scope: ReadScope, _ mark: RefreshMark?, _ sections: ServerSections, _ run: Run
  ) async throws -> RefreshMark {
    // A stop also ends the wait for an answer of the server.
    try await withThrowingTaskGroup(of: RefreshMark?.self) { group in
      group.addTask {
        try await run.server.read(
          scope, since: mark, sections: sections.on, into: run.staging, progress: run.progress)
      }
      group.addTask {
        while !run.progress.isStopped { try await Task.sleep(for: .milliseconds(100)) }
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let mark = first else { throw CancellationError() }
      return mark
    }
  }

  /// Returns true if the catalogue will have another number of tracks than the server once the staged ones are written.
  /// Returns false if the server's number is unknown, and where the last comparison of ids within `comparisonPause`
  /// left the same difference.
  private func isDifferent(_ look: ServerChangeCheck, _ known: LastRefresh) async throws -> Bool {
    guard let there = look.tracks, let mark = known.mark else { return false }
    let difference = there - (try await expectedTracks())
    guard difference != 0 else { return false }
    guard let at = mark.comparedAt, mark.difference == difference else { return true }
    return now() - at >= Self.comparisonPause
  }

  /// Returns the number of the catalogue's tracks in sections that are on, and of staged ones that it does not have.
  private func expectedTracks() async throws -> Int {
    let kind = StagingTable.Kind.track.sql
    return try await database.read { transaction in
      try transaction.row(
        """
        SELECT (SELECT count(*) FROM tracks t WHERE t.source = ?1 AND NOT EXISTS
            (SELECT 1 FROM sections s WHERE s.source = ?1 AND s.key = t.section AND NOT s.is_on))
          + (SELECT count(*) FROM staged s WHERE s.source = ?1 AND s.kind = \(kind) AND NOT EXISTS
            (SELECT 1 FROM tracks t WHERE t.source = ?1 AND t.native = s.native))
        """, name
      ) { try $0.value(0) as Int }
    } ?? 0
  }

  /// Returns true if the staged ids include tracks that neither the catalogue nor the staged records have.
  private func hasUnknownTracks() async throws -> Bool {
    let (key, track) = (StagingTable.Kind.key.sql, StagingTable.Kind.track.sql)
    return try await database.read { transaction in
      try transaction.row(
        """
        SELECT EXISTS (SELECT 1 FROM staged s WHERE s.source = ?1 AND s.kind = \(key) AND s.native LIKE '\(track):%'
          AND NOT EXISTS (SELECT 1 FROM tracks t WHERE t.source = ?1 AND t.native = substr(s.native, 3)) AND NOT EXISTS
          (SELECT 1 FROM staged r WHERE r.source = ?1 AND r.kind = \(track) AND r.native = substr(s.native, 3)))
        """, name
      ) { try $0.value(0) as Bool }
    } ?? false
  }

  /// Writes the catalogue, the counts, the mark and the facts in one transaction; without a reading only that a check
  /// was made.
  private func finish(
    _ reading: ServerReconciliation.Reading?, _ look: ServerChangeCheck, _ run: Run
  ) async throws -> Library.SyncCounts {
    // A first scan of folders beside this one may have left them out, for fewer tracks than a server can have.
    try await DeferredIndexes.make(in: database)
    return try await database.write { transaction in
      var outcome = RefreshOutcome()
      if let machine = run.newMachine {
        try transaction.execute("UPDATE sources SET machine = ? WHERE name = ?", machine, name)
      }
      if let reading {
        outcome = try ServerReconciliation(
          reading, of: name, acceptsDeletions: run.acceptsDeletions, progress: run.progress, now: now(),
          followers: publisher.followers, in: transaction
        ).run()
      } else {
        outcome.isComplete = false
        outcome.areListsUnread = look.areListsUnread
        outcome.unchanged =
          try transaction.row("SELECT tracks FROM sources WHERE name = ?", name) { try $0.value(0) } ?? 0
        try transaction.execute("UPDATE sources SET method = ? WHERE name = ?", look.method, name)
      }
      if let problem = run.staging.implausible.problem(of: name) { outcome.problems.append(problem) }
      return try Catalogue.finishRun(
        of: name, run.progress.refresh, started: run.started, now: now(),
        seconds: run.clock.duration(to: .now).inSeconds, outcome,
        publisher, transaction)
    }
  }
}
