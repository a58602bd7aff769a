import Messages
import Model
import Records

/// Reads the sections that a person has turned on.
extension PlexServer {
  func read(
    _ scope: ReadScope, since mark: RefreshMark?, sections: [String], into staging: StagingTable,
    progress: RefreshProgress
  ) async throws -> RefreshMark {
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
      var mark = mark ?? RefreshMark()
      mark.completeAt = isWhole ? Self.time(found.date) : nil
      return mark
    }
    // The time and the counters are from before the reading, so that the next refresh sees changes made during it.
    var next = RefreshMark(
      changedAt: Timestamp(seconds: Self.time(found.date).seconds - 1), completeAt: mark?.completeAt)
    for section in found.all where sections.contains(section.key) { next.counters[section.key] = section.counter ?? "" }
    for section in sections {
      for kind in [PlexRecords.Kind.album, .track] {
        next.counters[Self.ratingsCounter(section, kind)] = try await ratings(kind, section, since: next)
      }
    }
    let since = scope == .delta ? mark?.changedAt?.seconds : nil
    var partial: [String] = []
    if since != nil, let before = mark?.partial { partial = try await reading.readPartial(before, sections: sections) }
    for section in sections {
      for kind in PlexRecords.Kind.allCases {
        let filters = since.map { PlexReader.changes(kind, since: $0) } ?? [PlexReader.query(kind)]
        let counted = since == nil ? totals["\(kind)s/\(section)"] : nil
        let items = try await reading.items(
          kind, section: section, filters: filters, areChanges: since != nil, counted: counted)
        if !items.isWhole { isWhole = false }
        partial += items.partial
      }
      let counter = Self.collectionsCounter(section)
      next.counters[counter] = try await reading.collections(
        section: section, unless: since == nil ? nil : mark?.counters[counter])
    }
    next.counters[Self.playlistsCounter] = try await reading.playlists(
      unless: since == nil ? nil : mark?.counters[Self.playlistsCounter])
    if since == nil { next.completeAt = isWhole ? Self.time(found.date) : nil }
    if partial.count > Self.partialLimit {
      // So many are listed again by the next refresh.
      next.changedAt = mark?.changedAt
      next.counters = mark?.counters ?? [:]
      next.partial = mark?.partial
    } else if !partial.isEmpty {
      next.partial = Set(partial).sorted()
    }
    return next
  }

  /// The most items whose details a mark asks for again.
  private static let partialLimit = 1000

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

  /// The result of reading items.
  struct Items: Sendable {
    /// False where the server may have items that did not come.
    var isWhole = true
    /// The ids of items that came without their details.
    var partial: [String] = []
  }

  /// Reads the items of a kind in a section that match one of the filters; with `areChanges` the filters choose those
  /// that have changed. Throws `library.sourceAway` if none came although the server `counted` some a moment ago.
  func items(
    _ kind: PlexRecords.Kind, section: String, filters: [PlexQuery], areChanges: Bool, counted: Int? = nil
  ) async throws -> Items {
    var seen: Set<String> = []
    var items = Items()
    try await withThrowingTaskGroup(of: [String].self) { group in
      var running = 0
      for filter in filters {
        var pages = PlexPages(
          client: client, path: Self.path(section), query: filter, progress: progress, isOfChanges: areChanges)
        while let rows = try await pages.next() {
          let new = rows.filter { row in PlexRecords.key(row).map { seen.insert($0).inserted } ?? false }
          for start in stride(from: 0, to: new.count, by: Self.batch) {
            if running == Self.parallel {
              items.partial += try await group.next() ?? []
              running -= 1
            }
            let rows = Array(new[start..<min(start + Self.batch, new.count)])
            group.addTask { try await stage(rows, kind, section) }
            running += 1
          }
        }
        if pages.isShort { items.isWhole = false }
      }
      for try await partial in group { items.partial += partial }
    }
    if seen.isEmpty, let counted, counted > 0 { throw PlexError.unreadableAnswer(client.name) }
    return items
  }

  /// Stages rows of a listing, each in its full form. A row for which the server gives no details is staged as partial.
  /// Returns the ids of such rows.
  private func stage(_ rows: [JSONView], _ kind: PlexRecords.Kind, _ section: String) async throws -> [String] {
    defer { progress.add(done: rows.count) }
    guard kind != .artist else {
      try await staging.add(rows.compactMap { PlexRecords.artist($0, section: section) }, of: .artist)
      return []
    }
    let natives = rows.compactMap { PlexRecords.key($0) }
    let full = try await details(natives)
    let isFull = Set(full.compactMap { PlexRecords.key($0) })
    let partial = rows.filter { row in PlexRecords.key(row).map { !isFull.contains($0) } ?? false }
    try await stage(full, kind, section, isPartial: nil)
    try await stage(partial, kind, section, isPartial: true)
    return partial.compactMap { PlexRecords.key($0) }
  }

  private func stage(
    _ rows: [JSONView], _ kind: PlexRecords.Kind, _ section: String?, isPartial: Bool?
  ) async throws {
    switch kind {
    case .artist: break
    case .album:
      var albums = rows.compactMap { PlexRecords.album($0, section: section) }
      for index in albums.indices { albums[index].isPartial = isPartial }
      try await staging.add(albums, of: .album)
    case .track:
      var tracks = rows.compactMap { PlexRecords.track($0, section: section) }
      for index in tracks.indices { tracks[index].isPartial = isPartial }
      try await staging.add(tracks, of: .track)
    }
  }

  /// Reads the details of albums and tracks that came without them before. Returns the ids for which the server gives
  /// none this time either; those that it no longer has are left out.
  func readPartial(_ natives: [String], sections: [String]) async throws -> [String] {
    var left: [String] = []
    for start in stride(from: 0, to: natives.count, by: Self.batch) {
      let batch = Array(natives[start..<min(start + Self.batch, natives.count)])
      var refused: [String] = []
      let rows = try await details(batch, refused: &refused).filter { row in
        row["librarySectionID"]?.text.map(sections.contains) ?? false
      }
      try await stage(rows.filter { $0["type"]?.string == "album" }, .album, nil, isPartial: nil)
      try await stage(rows.filter { $0["type"]?.string == "track" }, .track, nil, isPartial: nil)
      left += refused
    }
    return left
  }

  private func details(_ natives: [String]) async throws -> [JSONView] {
    var refused: [String] = []
    return try await details(natives, refused: &refused)
  }

  /// Returns the full rows of these items, and adds the ids for which the server answers with an error to `refused`. A
  /// batch that fails is halved, so that only a bad item itself is left out.
  private func details(
    _ natives: [String], isRetried: Bool = true, refused: inout [String]
  ) async throws -> [JSONView] {
    guard !natives.isEmpty else { return [] }
    if progress.isStopped { throw CancellationError() }
    let path = "/library/metadata/" + natives.map { PlexQuery.encoded($0) }.joined(separator: ",")
    let query = PlexQuery(["includeGuids": "1"])
    switch try await client.details(path, query, isRetried: isRetried) {
    case .page(let page): return page.rows
    case .gone where natives.count == 1: return []
    case .refused where natives.count == 1:
      refused += natives
      return []
    case .gone, .refused: break
    }
    let half = natives.count / 2
    let first = try await details(Array(natives[..<half]), isRetried: false, refused: &refused)
    return try await first + details(Array(natives[half...]), isRetried: false, refused: &refused)
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
