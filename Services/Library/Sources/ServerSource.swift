import Bus
import Messages
import Model
import Storage

/// The music of a server: looks what has changed there, reads it into staging, and brings the catalogue in line with it.
///
/// Where it is cut short at any moment, by an error, a wish or the end of the process, the catalogue is what it was.
struct ServerSource: MusicSource {
  /// The time after which all ids are compared even if nothing suggests it: deltas do not tell what is gone.
  static let keysInterval = Milliseconds(7 * 86_400_000)

  /// The time for which ids are not compared again for the same reason, where that did not help.
  static let comparisonPause = Milliseconds(86_400_000)

  let name: String
  let kind: String
  let server: any MusicServer
  let database: Database
  let journal: Journal?
  let now: @Sendable () -> Timestamp

  /// The facts about the server that are known before a refresh.
  private struct Known: Sendable {
    var mark: SyncMark?
    var machine: String?
    var tracks = 0
    /// True if there are tracks of sections that are off.
    var hasUnwanted = false
  }

  func awaitChange() async throws { try await server.awaitChange() }

  /// - Throws: `library.signedOut`, `library.sourceAway`, `library.otherServer`, and the errors of `Database.write`.
  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts? {
    let acceptsDeletions = accepting.contains(.deletions)
    let (started, clock) = (now(), ContinuousClock.now)
    do {
      let staging = StagingTable(database: database, source: name)
      try await staging.clear()
      var known = try await self.known()
      let identity = try await server.identify()
      if let machine = known.machine, machine != identity.machine {
        guard accepting.contains(.otherServer) else { throw SourceError.otherServer(name, identity.name) }
        // Nothing that was read from the other one says anything of this one.
        known.mark = nil
      }
      // The server's identity is known even without a sign-in; a sign-in finds the source by it.
      if known.machine == nil { try await note(machine: identity.machine) }
      let sections = try await note(try await server.sections(), machine: identity.machine)
      let look = try await server.checkForChanges(since: known.mark, sections: sections.on)
      guard
        let reading = try await read(look, known, sections, into: staging, asks: acceptsDeletions, progress)
      else {
        return try await finish(nil, started, clock, method: look.method, acceptsDeletions, progress)
      }
      let counts = try await finish(reading, started, clock, method: look.method, acceptsDeletions, progress)
      return try await compareKeys(
        after: reading, look, sections, staging, started, clock, acceptsDeletions, progress) ?? counts
    } catch is CancellationError {
      return nil
    } catch {
      if progress.isStopped { return nil }
      throw error
    }
  }

  private func known() async throws -> Known {
    let name = name
    return try await database.read { transaction in
      try transaction.row(
        """
        SELECT mark, machine, tracks, EXISTS (SELECT 1 FROM tracks t JOIN sections s ON s.source = t.source
          AND s.key = t.section WHERE t.source = ?1 AND NOT s.is_on) FROM sources WHERE name = ?1
        """, name
      ) { row in
        let mark = try (row.value(0) as String?).map { try MessageCoding.decode(SyncMark.self, from: $0.utf8) }
        return Known(mark: mark, machine: try row.value(1), tracks: try row.value(2), hasUnwanted: try row.value(3))
      }
    } ?? Known()
  }

  private func note(machine: String) async throws {
    let (name, kind) = (name, kind)
    try await database.write { transaction in
      try Catalogue.note(source: name, kind: kind, isFromSettings: false, transaction, keeping: true)
      try transaction.execute("UPDATE sources SET machine = ? WHERE name = ?", machine, name)
    }
  }

  /// Keeps which sections there are, and gives which are on.
  private func note(_ sections: [ServerSection], machine: String) async throws -> ServerSections {
    let (name, kind) = (name, kind)
    return try await database.write { transaction in
      try Catalogue.note(source: name, kind: kind, isFromSettings: false, transaction, keeping: true)
      // The progress of another server says nothing about this one, even if this refresh fails.
      try transaction.execute(
        """
        UPDATE sources SET machine = ?1, mark = CASE WHEN machine IS NULL OR machine = ?1 THEN mark END WHERE name = ?2
        """, machine, name)
      for (position, section) in sections.enumerated() {
        try transaction.execute(
          """
          INSERT INTO sections (source, key, title, is_on, position) VALUES (?1, ?2, ?3, ?4, ?5)
          ON CONFLICT (source, key) DO UPDATE SET title = ?3, position = ?5
          """, name, section.key, section.title, section.isOnByDefault, position)
      }
      let there = Set(sections.map(\.key))
      let known = try transaction.rows(
        "SELECT key, is_on FROM sections WHERE source = ? ORDER BY position, key", name
      ) { row in (key: try row.value(0) as String, isOn: try row.value(1) as Bool) }.filter { there.contains($0.key) }
      return ServerSections(on: known.filter(\.isOn).map(\.key), off: known.filter { !$0.isOn }.map(\.key))
    }
  }

  /// Reads what is needed; nil where nothing is.
  private func read(
    _ look: ServerChangeCheck, _ known: Known, _ sections: ServerSections, into staging: StagingTable, asks: Bool,
    _ progress: RefreshProgress
  ) async throws -> ServerReconciliation.Reading? {
    let wasTried = known.mark?.comparedAt.map { now() - $0 < Self.comparisonPause } ?? false
    let isDue = !wasTried && known.mark?.completeAt.map { now() - $0 >= Self.keysInterval } ?? true
    let differs = look.need == .nothing && difference(look, known) != nil
    switch look.need {
    case .nothing where !isDue && !differs && !asks:
      guard known.hasUnwanted else { return nil }
      return .init(scope: .delta, sections: sections, mark: known.mark, method: look.method)
    case .nothing:
      let isWhole = try await read(.keys, known.mark, sections.on, into: staging, progress).completeAt != nil
      return .init(
        scope: isWhole ? .keys : .delta, hasKeys: isWhole, sections: sections, mark: compared(look, known),
        method: look.method)
    case .delta:
      var mark = try await read(.delta, known.mark, sections.on, into: staging, progress)
      var hasKeys = false
      if isDue || asks {
        hasKeys = try await read(.keys, known.mark, sections.on, into: staging, progress).completeAt != nil
        mark.comparedAt = now()
      }
      return .init(scope: .delta, hasKeys: hasKeys, sections: sections, mark: mark, method: look.method)
    case .everything:
      var mark = try await read(.everything, known.mark, sections.on, into: staging, progress)
      mark.comparedAt = now()
      // A reading that may be incomplete adds what it has and deletes nothing.
      return .init(
        scope: .everything, isWhole: mark.completeAt != nil, sections: sections, mark: mark, method: look.method)
    }
  }

  private func read(
    _ scope: ReadScope, _ mark: SyncMark?, _ sections: [String], into staging: StagingTable, _ progress: RefreshProgress
  ) async throws -> SyncMark {
    // A stop that comes while the server is waited for ends the wait.
    try await withThrowingTaskGroup(of: SyncMark?.self) { group in
      group.addTask {
        try await server.read(scope, since: mark, sections: sections, into: staging, progress: progress)
      }
      group.addTask {
        while !progress.isStopped { try await Task.sleep(for: .milliseconds(100)) }
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let mark = first else { throw CancellationError() }
      return mark
    }
  }

  /// Compares the ids of all that is there where a delta left another number of tracks than the server has.
  private func compareKeys(
    after reading: ServerReconciliation.Reading, _ look: ServerChangeCheck, _ sections: ServerSections,
    _ staging: StagingTable, _ started: Timestamp, _ clock: ContinuousClock.Instant, _ acceptsDeletions: Bool,
    _ progress: RefreshProgress
  ) async throws -> Library.SyncCounts? {
    guard reading.scope == .delta, !reading.hasKeys else { return nil }
    let known = try await self.known()
    guard known.mark != nil, difference(look, known) != nil else { return nil }
    guard try await read(.keys, known.mark, sections.on, into: staging, progress).completeAt != nil else { return nil }
    var (scope, mark, isWhole) = (ReadScope.keys, compared(look, known), true)
    if try await hasStrangers() {
      // There is what no delta brought: only all of it does.
      try await staging.clear()
      var next = try await read(.everything, known.mark, sections.on, into: staging, progress)
      isWhole = next.completeAt != nil
      (next.comparedAt, next.difference) = (mark?.comparedAt, mark?.difference)
      (scope, mark) = (.everything, next)
    }
    return try await finish(
      .init(
        scope: scope, hasKeys: scope == .keys, isWhole: isWhole, sections: sections, mark: mark, method: look.method),
      started, clock, method: look.method, acceptsDeletions, progress)
  }

  /// Returns the number of tracks that a server has more than the catalogue; nil where that is none, not known, or was
  /// so when ids were compared a short while ago.
  private func difference(_ look: ServerChangeCheck, _ known: Known) -> Int? {
    guard let there = look.tracks, there != known.tracks else { return nil }
    let difference = there - known.tracks
    guard let mark = known.mark, let at = mark.comparedAt, mark.difference == difference else { return difference }
    return now() - at < Self.comparisonPause ? nil : difference
  }

  private func compared(_ look: ServerChangeCheck, _ known: Known) -> SyncMark? {
    var mark = known.mark
    mark?.comparedAt = now()
    mark?.difference = look.tracks.map { $0 - known.tracks }
    return mark
  }

  /// Returns true if ids are staged of tracks that the catalogue does not have.
  private func hasStrangers() async throws -> Bool {
    let name = name
    return try await database.read { transaction in
      try transaction.row(
        """
        SELECT EXISTS (SELECT 1 FROM staged s WHERE s.source = ?1 AND s.kind = 6 AND s.native LIKE '3:%' AND NOT EXISTS
          (SELECT 1 FROM tracks t WHERE t.source = ?1 AND t.native = substr(s.native, 3)))
        """, name
      ) { try $0.value(0) as Bool }
    } ?? false
  }

  /// One transaction: the catalogue, the counts, the mark and the facts. Without a reading only that it was looked.
  private func finish(
    _ reading: ServerReconciliation.Reading?, _ started: Timestamp, _ clock: ContinuousClock.Instant, method: String,
    _ acceptsDeletions: Bool, _ progress: RefreshProgress
  ) async throws -> Library.SyncCounts {
    let (name, now, journal) = (name, now, journal)
    return try await database.write { transaction in
      var outcome = SyncOutcome()
      if let reading {
        outcome = try ServerReconciliation(
          reading, of: name, acceptsDeletions: acceptsDeletions, progress: progress, now: now(), in: transaction
        ).run()
      } else {
        outcome.isComplete = false
        outcome.unchanged =
          try transaction.row("SELECT tracks FROM sources WHERE name = ?", name) {
            try $0.value(0) as Int
          } ?? 0
        try transaction.execute("UPDATE sources SET method = ? WHERE name = ?", method, name)
      }
      return try Catalogue.finishRun(
        of: name, started: started, now: now(), seconds: clock.duration(to: .now).inSeconds, outcome,
        journal: journal, transaction)
    }
  }
}
