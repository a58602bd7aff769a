import Messages
import Model

/// Reads the sections that a person has turned on.
extension PlexServer {
  func read(
    _ scope: ReadScope, since mark: SyncMark?, sections: [String], into staging: StagingTable, progress: RefreshProgress
  ) async throws -> SyncMark {
    let reading = PlexReader(client: client, staging: staging, progress: progress)
    let found = try await PlexSections(client)
    // Sections that no longer exist are left out, so that their items count as removed.
    let sections = sections.filter { key in found.all.contains { $0.key == key } }
    var totals: [String: Int] = [:]
    if scope != .delta || mark?.changedAt == nil { totals = try await self.totals(sections, progress) }
    var isWhole = true
    if scope == .keys {
      for section in sections {
        for kind in PlexRecords.Kind.allCases {
          if try await !reading.keys(kind, section: section, counted: totals["\(kind)s/\(section)"]) { isWhole = false }
        }
      }
      try await reading.listKeys(sections: sections)
      var mark = mark ?? SyncMark()
      mark.completeAt = isWhole ? Self.time(found.date) : nil
      return mark
    }
    // The time and the counters are from before the reading, so that the next refresh sees changes made during it.
    var next = SyncMark(changedAt: Timestamp(seconds: Self.time(found.date).seconds - 1), completeAt: mark?.completeAt)
    for section in found.all where sections.contains(section.key) { next.counters[section.key] = section.counter ?? "" }
    for section in sections {
      for kind in [PlexRecords.Kind.album, .track] {
        next.counters[Self.ratingsCounter(section, kind)] = try await ratings(kind, section, since: next)
      }
    }
    let since = scope == .delta ? mark?.changedAt?.seconds : nil
    for section in sections {
      for kind in PlexRecords.Kind.allCases {
        let filters = since.map { PlexReader.changes(kind, since: $0) } ?? [PlexReader.query(kind)]
        let counted = since == nil ? totals["\(kind)s/\(section)"] : nil
        if try await !reading.items(
          kind, section: section, filters: filters, areChanges: since != nil, counted: counted)
        {
          isWhole = false
        }
      }
      let counter = Self.collectionsCounter(section)
      next.counters[counter] = try await reading.collections(
        section: section, unless: since == nil ? nil : mark?.counters[counter])
    }
    next.counters[Self.playlistsCounter] = try await reading.playlists(
      unless: since == nil ? nil : mark?.counters[Self.playlistsCounter])
    if since == nil { next.completeAt = isWhole ? Self.time(found.date) : nil }
    return next
  }

  /// Returns the number of items of each kind, which is the total of the progress.
  private func totals(_ sections: [String], _ progress: RefreshProgress) async throws -> [String: Int] {
    var totals: [String: Int] = [:]
    for section in sections {
      for kind in PlexRecords.Kind.allCases {
        guard let count = try await count(section, kind) else { continue }
        progress.add(found: count)
        totals["\(kind)s/\(section)"] = count
      }
    }
    progress.allListed()
    return totals
  }

  /// Returns the server's time. Where it sends none, returns this host's time minus a day, so that no change is missed
  /// if the clocks differ.
  private static func time(_ date: Int?) -> Timestamp {
    date.map { Timestamp(seconds: Int64($0)) } ?? Timestamp(seconds: Timestamp.now().seconds - 86_400)
  }
}

/// One reading of a Plex server into the staging table.
///
/// Moods, styles and loudness are not in listings, so the items of each page are requested again in batches of ids.
/// The reader does not use the catalogue, and keeps only a few pages in memory.
struct PlexReader: Sendable {
  let client: PlexClient
  let staging: StagingTable
  let progress: RefreshProgress

  static let batch = 100
  /// The number of such requests at once: servers are small machines.
  static let parallel = 3
  /// The query for listings that are read only for their ids: it leaves out the large parts of the rows.
  static let bare = PlexQuery([
    "excludeElements": "Media,Genre,Mood,Style,Guid,Image,UltraBlurColors,Collection,Country",
    "excludeFields": "summary,file",
  ])

  /// Reads the items of a kind in a section that match one of the filters. Returns true if as many came as the server
  /// counts. Throws `library.sourceAway` if none came although the server `counted` some a moment ago.
  func items(
    _ kind: PlexRecords.Kind, section: String, filters: [PlexQuery], areChanges: Bool, counted: Int? = nil
  ) async throws -> Bool {
    var seen: Set<String> = []
    var isWhole = true
    try await withThrowingTaskGroup(of: Void.self) { group in
      var running = 0
      for filter in filters {
        var pages = PlexPages(
          client: client, path: Self.path(section), query: filter, progress: progress, isOfChanges: areChanges)
        while let rows = try await pages.next() {
          let new = rows.filter { row in PlexRecords.key(row).map { seen.insert($0).inserted } ?? false }
          for start in stride(from: 0, to: new.count, by: Self.batch) {
            if running == Self.parallel {
              try await group.next()
              running -= 1
            }
            let rows = Array(new[start..<min(start + Self.batch, new.count)])
            group.addTask { try await stage(rows, kind, section) }
            running += 1
          }
        }
        if pages.isShort { isWhole = false }
      }
      try await group.waitForAll()
    }
    if seen.isEmpty, let counted, counted > 0 { throw PlexError.unreadableAnswer(client.name) }
    return isWhole
  }

  /// Stages rows of a listing, each in its full form where the server gives it.
  private func stage(_ rows: [JSONView], _ kind: PlexRecords.Kind, _ section: String) async throws {
    defer { progress.add(done: rows.count) }
    var full: [String: JSONView] = [:]
    if kind != .artist {
      for row in try await details(rows.compactMap { PlexRecords.key($0) }) {
        if let key = PlexRecords.key(row) { full[key] = row }
      }
    }
    let best = rows.map { row in PlexRecords.key(row).flatMap { full[$0] } ?? row }
    switch kind {
    case .artist: try await staging.add(best.compactMap { PlexRecords.artist($0, section: section) }, of: .artist)
    case .album: try await staging.add(best.compactMap { PlexRecords.album($0, section: section) }, of: .album)
    case .track: try await staging.add(best.compactMap { PlexRecords.track($0, section: section) }, of: .track)
    }
  }

  /// Returns the full rows of these items. A batch that fails is halved, so that only a bad item itself is left out.
  private func details(_ natives: [String]) async throws -> [JSONView] {
    guard !natives.isEmpty else { return [] }
    if progress.isStopped { throw CancellationError() }
    let path = "/library/metadata/" + natives.map { PlexQuery.encoded($0) }.joined(separator: ",")
    if let page = try await client.details(path, PlexQuery(["includeGuids": "1"])) { return page.rows }
    guard natives.count > 1 else { return [] }
    let half = natives.count / 2
    return try await details(Array(natives[..<half])) + details(Array(natives[half...]))
  }

  /// Stages the ids of all items of a kind in a section. Returns true if as many came as the server counts.
  func keys(_ kind: PlexRecords.Kind, section: String, counted: Int?) async throws -> Bool {
    let staged: StagingTable.Kind = kind == .artist ? .artist : kind == .album ? .album : .track
    let query = Self.bare.with("type", "\(kind.rawValue)").with("sort", "addedAt:asc")
    var pages = PlexPages(client: client, path: Self.path(section), query: query, progress: progress)
    while let rows = try await pages.next() {
      try await staging.add(keys: rows.compactMap { PlexRecords.key($0) }, of: staged)
      progress.add(done: rows.count)
    }
    if pages.isEmpty, let counted, counted > 0 { throw PlexError.unreadableAnswer(client.name) }
    return !pages.isShort
  }

  static func path(_ section: String) -> String { "/library/sections/\(PlexQuery.encoded(section))/all" }

  /// Returns the query for all of a kind, in an order that new items do not change.
  static func query(_ kind: PlexRecords.Kind) -> PlexQuery {
    PlexQuery(["type": "\(kind.rawValue)", "includeGuids": "1", "sort": "addedAt:asc"])
  }

  /// Returns the queries for the items of a kind that were added, changed, rated or played since a time. `updatedAt`
  /// may not change with a rating or a play, so these have queries of their own.
  static func changes(_ kind: PlexRecords.Kind, since time: Int64) -> [PlexQuery] {
    ["updatedAt", "addedAt", "lastRatedAt", "lastViewedAt"].map { field in
      PlexQuery(["type": "\(kind.rawValue)", "includeGuids": "1", "sort": "updatedAt:asc"])
        .with("\(field)>>", "\(time)")
    }
  }
}
