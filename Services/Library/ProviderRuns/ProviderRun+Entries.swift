import Catalogue
import Messages
import Model
import People
import Storage
import Sync

/// The entries of one list.
extension ProviderRun {
  /// Keeps the liked tracks and the playlist that has them here in step.
  mutating func liked(_ way: SyncDirection) async throws {
    try await attempt(likedTitle) { run in
      let name = run.name
      let row = try await run.database.read { try Self.likedRow(of: name, $0) }
      guard let row else { return }
      guard try await run.isHere(row.playlist) else {
        // A person who deletes the playlist wants no liked tracks here.
        return try await run.database.write { transaction in
          try ProviderStore.change(name, transaction) { $0[.liked] = .off }
          try ProviderStore.removeList(row.playlist, of: name, transaction)
        }
      }
      if try await !run.isUnchanged(row) { try await run.follow(row, nil, way) }
    }
  }

  private static func likedRow(of name: String, _ transaction: ReadTransaction) throws -> ProviderListRow? {
    try ProviderStore.lists(of: name, transaction).first { $0.native == likedID }
  }

  /// Makes the playlist of the liked tracks here, unless there is one.
  func makeLikedPlaylist() async throws {
    let (name, hostID, now, title) = (name, hostID, now(), likedTitle)
    try await database.write(.power) { transaction in
      guard try Self.likedRow(of: name, transaction) == nil else { return }
      // Earlier versions forgot it when the provider was unlinked.
      let former: Int64? = try transaction.value(
        """
        SELECT id FROM playlists WHERE source = ? AND rules IS NULL AND title = ?
          AND id NOT IN (SELECT playlist FROM provider_lists) ORDER BY id LIMIT 1
        """, Catalogue.ownPlaylists, title)
      let number =
        try former
        ?? PlaylistEditor(now: now, hostID: hostID, transaction: transaction).create(
          following: RemoteListInfo(native: Self.likedID, title: title))
      let row = ProviderListRow(playlist: number, native: Self.likedID, title: title, summary: "")
      try ProviderStore.keep(row, of: name, transaction)
    }
  }

  private var likedTitle: String { "Liked on \(report.provider)" }

  /// Returns true if neither side of the liked tracks changed since the last reading.
  private func isUnchanged(_ row: ProviderListRow) async throws -> Bool {
    guard let snapshot = row.snapshot, let readAt = row.readAt, !row.isUnfinished, !row.state.isWaiting,
      row.state.question == nil, now() - readAt < ListRotation.longestTrust, now() - readAt >= .zero,
      let revision = try await database.read({ try Self.texts(of: row.playlist, $0)?.revision }),
      revision == row.revision
    else { return false }
    return try await provider.snapshot(of: row.native) == snapshot
  }

  private func isHere(_ playlist: Int64) async throws -> Bool {
    try await database.read {
      try $0.value("SELECT EXISTS (SELECT 1 FROM playlists WHERE id = ?)", playlist) ?? false
    }
  }

  /// Reads a list, and brings each side what the other one changed.
  ///
  /// - Parameter info: the list as the overview has it; nil for the liked tracks, whose title is ours.
  mutating func follow(
    _ row: ProviderListRow, _ info: RemoteListInfo?, _ way: SyncDirection
  ) async throws {
    guard let reading = try await provider.reading(of: row.native) else { throw Self.unsteady(row.title) }
    // Ours may be longer for a while, by what waits for a second reading.
    guard reading.entries.count <= PlaylistEntries.most else {
      throw LunaraError(
        "library.playlistFull",
        "A playlist has at most \(PlaylistEntries.most) entries, so it cannot follow the provider's list.")
    }
    let capabilities = try await provider.capabilities(of: row.native)
    if way.pushes, capabilities.insertion != .never { try await lookUp(row) }
    let matches = try await matches(of: reading, row)
    let merged = try await merge(row, info, reading, capabilities, way, matches)
    guard let merged else { return }
    var part = SyncReport.Part(title: row.title, merged.plan)
    part.isRenamedHere = merged.isRenamedHere
    defer { add(part) }
    if !merged.plan.unplaced.isEmpty, lookupsLeft == 0 { expectMore() }
    do {
      for step in merged.plan.remoteSteps { try await provider.apply(step, to: row.native) }
      try await storeConfirmed(row, merged)
      guard let texts = merged.texts, info?.isEditable == true else { return }
      try await provider.describe(row.native, title: texts.title, summary: texts.summary)
      try await change(row) {
        $0.title = merged.title
        $0.summary = merged.summary
        $0.isUnfinished = false
      }
    } catch {
      try Task.checkCancellation()
      // The next run finds out what the provider has done, and does the rest.
      expectMore()
      part.error = LunaraError(error)
      if part.error.map({ Self.endsRun($0) }) == true { throw error }
    }
  }

  /// The result of a comparison, and the rest of its work: that at the provider.
  private struct Merged: Sendable {
    var plan: ListPlan
    var inserted: [Int64]
    /// The playlist's revision after our edits.
    var revision: Int64
    /// The texts that the provider is to have; nil if it has them.
    var texts: (title: String, summary: String)?
    /// The texts that both sides have afterwards.
    var title: String
    var summary: String
    var isRenamedHere = false
  }

  /// Compares both sides and stores what follows here; nil if the playlist or the link is gone.
  private func merge(
    _ former: ProviderListRow, _ info: RemoteListInfo?, _ reading: RemoteReading, _ capabilities: ListCapabilities,
    _ way: SyncDirection, _ matches: [DescribedTrack: Int64]
  ) async throws -> Merged? {
    let (name, hostID, now, provider) = (name, hostID, now(), provider)
    return try await database.write(.power) { transaction in
      guard var row = try ProviderStore.list(former.playlist, of: name, transaction), row.native == former.native,
        let texts = try Self.texts(of: row.playlist, transaction)
      else { return nil }
      var answer: RemovalAnswer?
      if row.state.question != nil {
        let question = Self.playlistID(row.playlist).description
        try ProviderStore.change(name, transaction) { answer = $0.answers.removeValue(forKey: question) }
      }
      let local = try Self.locals(of: row, at: name, provider, now: now, transaction)
      let plan = ListMerger.plan(
        row.state, local: local, remote: reading.entries, capabilities: capabilities, direction: way, answer: answer,
        at: now)
      let editor = PlaylistEditor(now: now, hostID: hostID, transaction: transaction)
      let inserted = try editor.follow(plan.localEdits, in: row.playlist, matches: matches)
      var merged = Merged(plan: plan, inserted: inserted, revision: 0, title: row.title, summary: row.summary)
      if let info {
        let (theirTitle, theirSummary) = (info.title, ListTwin.withoutMarks(info.summary))
        let isOurs = texts.title != row.title || texts.summary != row.summary
        if isOurs, way.pushes {
          // If both sides changed them, ours count. The mark behind the provider's description stays.
          let mark = info.summary.dropFirst(theirSummary.count).drop { $0 == " " }
          let summary = texts.summary.prefix(bytes: ProviderListRow.longestSummary)
          merged.texts = (texts.title, mark.isEmpty ? summary : ListTwin.marked(summary, String(mark)))
          merged.title = texts.title
          merged.summary = texts.summary
        } else if row.hasOtherTexts(info), way.pulls {
          try editor.follow(title: theirTitle, summary: theirSummary, in: row.playlist)
          merged.isRenamedHere = true
          let kept = try Self.texts(of: row.playlist, transaction)
          merged.title = kept?.title ?? theirTitle
          merged.summary = kept?.summary ?? theirSummary
        }
      }
      merged.revision = try Self.texts(of: row.playlist, transaction)?.revision ?? texts.revision
      row.state = plan.pendingState(inserted: inserted)
      row.isUnfinished = !plan.remoteSteps.isEmpty || merged.texts != nil
      row.readAt = now
      row.snapshot = row.isUnfinished ? nil : reading.snapshot
      row.revision = merged.revision
      if merged.texts == nil {
        row.title = merged.title
        row.summary = merged.summary
      }
      try ProviderStore.keep(row, of: name, transaction)
      return merged
    }
  }

  /// Stores that the provider has confirmed all changes of the entries.
  private func storeConfirmed(_ row: ProviderListRow, _ merged: Merged) async throws {
    guard !merged.plan.remoteSteps.isEmpty else { return }
    try await change(row) {
      $0.state = merged.plan.confirmedState(inserted: merged.inserted, over: $0.state)
      $0.isUnfinished = merged.texts != nil
    }
  }

  private func change(
    _ row: ProviderListRow, _ change: @escaping @Sendable (inout ProviderListRow) -> Void
  ) async throws {
    let name = name
    try await database.write(.power) { transaction in
      guard var present = try ProviderStore.list(row.playlist, of: name, transaction) else { return }
      change(&present)
      try ProviderStore.keep(present, of: name, transaction)
    }
  }

  /// Returns our entries with the provider's ids of their tracks, as far as they are known.
  private static func locals(
    of row: ProviderListRow, at name: String, _ provider: any ListProvider, now: Timestamp,
    _ transaction: ReadTransaction
  ) throws -> [LocalEntry] {
    let known = try TrackLookups.known(of: name, at: now, transaction)
    let links = Dictionary(row.state.links.map { ($0.entry, $0.native) }) { first, _ in first }
    return try entries(of: row.playlist, transaction).map { entry in
      let native =
        links[entry.id] ?? provider.known(entry.described) ?? known[TrackLookups.key(entry.described)] ?? nil
      return LocalEntry(id: entry.id, track: SyncTrack(native: native, described: entry.described))
    }
  }

  /// Looks up the provider's ids of our tracks that it does not have in the list, as far as they are not known.
  private mutating func lookUp(_ row: ProviderListRow) async throws {
    let (name, provider, now) = (name, provider, now())
    let wanted = try await database.read { transaction -> [DescribedTrack] in
      let known = try TrackLookups.known(of: name, at: now, transaction)
      let linked = Set(row.state.links.map(\.entry))
      var seen: Set<String> = []
      return try Self.entries(of: row.playlist, transaction).map { ($0.id, $0.described) }.filter { id, track in
        let key = TrackLookups.key(track)
        return !linked.contains(id) && provider.known(track) == nil && known[key] == nil && seen.insert(key).inserted
          && !track.title.isEmpty && !track.artist.isEmpty
      }.map(\.1)
    }
    for track in wanted {
      guard lookupsLeft > 0 else { return expectMore() }
      lookupsLeft -= 1
      var native: String?
      do { native = try await provider.track(track) } catch let error as LunaraError
        where error.code == "library.providerRefused"
      {
        // A server without such a search has none that can be found.
      }
      try await database.write { [native] in
        try TrackLookups.keep(native, of: TrackLookups.key(track), at: name, now: now, $0)
      }
    }
  }

  /// Finds the tracks of the library that new entries of the provider mean.
  private func matches(
    of reading: RemoteReading, _ row: ProviderListRow
  ) async throws -> [DescribedTrack: Int64] {
    let known = Set(row.state.links.map(\.native))
    let new = reading.entries.filter { !known.contains($0.native) }.map(\.described)
    guard !new.isEmpty else { return [:] }
    let roots = roots
    let matches = try await database.read { transaction in
      try TrackMatcher(roots: roots, transaction: transaction).matches(
        of: new.map { TrackMatcher.Wanted(track: $0, folder: nil) })
    }
    let found = zip(new, matches).compactMap { track, match in match.track.map { (track, $0) } }
    return Dictionary(found) { first, _ in first }
  }
}
