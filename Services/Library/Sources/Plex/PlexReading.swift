import Messages
import Model

/// One reading of a Plex server: pages into the staging table, with what only a question about single items tells.
///
/// Moods, styles and loudness are not in listings, so each page is asked about once more in batches of ids, a few of them
/// at a time. Nothing of the catalogue is known here, and nothing but a few pages is held.
struct PlexReader: Sendable {
  let client: PlexClient
  let staging: StagingTable
  let progress: RefreshProgress

  /// How many ids are asked about at once.
  static let batch = 100
  /// How many such questions are on their way at once: servers are small machines.
  static let parallel = 3
  /// What a listing that is only about ids leaves out.
  static let bare: [(name: String, value: String)] = [
    ("excludeElements", "Media,Genre,Mood,Style,Guid,Image,UltraBlurColors,Collection,Country"),
    ("excludeFields", "summary,file"),
  ]

  /// Reads all items of a kind in a section, or those that a filter leaves. `counted` is how many there were a moment
  /// ago: none at all now is no answer. Gives whether all came that the server counts.
  func items(
    _ kind: PlexRecords.Kind, section: String, filters: [PlexQuery], counted: Int? = nil
  ) async throws -> Bool {
    var seen: Set<String> = []
    var isWhole = true
    try await withThrowingTaskGroup(of: Void.self) { group in
      var running = 0
      for filter in filters {
        var pages = PlexPages(client, Self.path(section), filter, progress: progress)
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
    if seen.isEmpty, let counted, counted > 0 { throw PlexError.nonsense(client.name) }
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
    case .artist: try await staging.add(best.compactMap { PlexRecords.artist($0, section: section) })
    case .album: try await staging.add(best.compactMap { PlexRecords.album($0, section: section) })
    case .track: try await staging.add(best.compactMap { PlexRecords.track($0, section: section) })
    }
  }

  /// All that the server says of these. A batch that it cannot answer is halved, so that one bad item costs only its own
  /// details.
  private func details(_ natives: [String]) async throws -> [JSONView] {
    guard !natives.isEmpty else { return [] }
    if progress.isStopped { throw CancellationError() }
    let path = "/library/metadata/" + natives.map { PlexQuery.encoded($0) }.joined(separator: ",")
    if let page = try await client.details(path, PlexQuery(["includeGuids": "1"])) { return page.rows }
    guard natives.count > 1 else { return [] }
    let half = natives.count / 2
    return try await details(Array(natives[..<half])) + details(Array(natives[half...]))
  }

  /// Stages the ids of all items of a kind in a section. Gives whether all came that the server counts.
  func keys(_ kind: PlexRecords.Kind, section: String, counted: Int?) async throws -> Bool {
    let staged: StagingTable.Kind = kind == .artist ? .artist : kind == .album ? .album : .track
    var query = Self.query(kind)
    for part in Self.bare { query.add(part.name, part.value) }
    var pages = PlexPages(client, Self.path(section), query, progress: progress)
    while let rows = try await pages.next() {
      try await staging.add(keys: rows.compactMap { PlexRecords.key($0) }, of: staged)
      progress.add(done: rows.count)
    }
    if pages.isEmpty, let counted, counted > 0 { throw PlexError.nonsense(client.name) }
    return !pages.isShort
  }

  static func path(_ section: String) -> String { "/library/sections/\(PlexQuery.encoded(section))/all" }

  /// What lists all of a kind, in an order that new items do not change.
  static func query(_ kind: PlexRecords.Kind) -> PlexQuery {
    PlexQuery(["type": "\(kind.rawValue)", "includeGuids": "1", "sort": "addedAt:asc"])
  }

  /// What lists those of a kind that are new, different, rated or heard since a moment. Nobody says that the time of
  /// change moves with a rating or a play, so they are asked for by themselves.
  static func changes(_ kind: PlexRecords.Kind, since time: Int64) -> [PlexQuery] {
    ["updatedAt", "addedAt", "lastRatedAt", "lastViewedAt"].map { field in
      PlexQuery(["type": "\(kind.rawValue)", "includeGuids": "1", "sort": "updatedAt:asc"])
        .with("\(field)>>", "\(time)")
    }
  }
}
