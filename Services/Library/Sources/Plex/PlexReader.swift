import Messages
import Model
import System

/// One reading of a Plex server: pages into the staging table, with what only a question about single items tells.
///
/// Moods, styles and loudness are not in listings, so each page is asked about once more in batches of ids, a few of them
/// at a time. Nothing of the catalogue is known here, and nothing but a few pages is held.
struct PlexReader: Sendable {
  let client: PlexClient
  let staging: StagingTable
  let progress: RefreshProgress

  static let batch = 100
  /// The number of such requests under way at once: servers are small machines.
  static let parallel = 3
  /// The parts that a listing leaves out that is only about ids.
  private static let bare = PlexQuery([
    "excludeElements": "Media,Genre,Mood,Style,Guid,Image,UltraBlurColors,Collection,Country",
    "excludeFields": "summary,file",
  ])

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
        var pages = PlexPages(client: client, path: Self.path(section), query: filter, progress: progress)
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

  /// Returns the queries for those of a kind that are new, different, rated or heard since a moment. Nothing says that
  /// the time of change moves with a rating or a play, so they are asked for by themselves.
  static func changes(_ kind: PlexRecords.Kind, since time: Int64) -> [PlexQuery] {
    ["updatedAt", "addedAt", "lastRatedAt", "lastViewedAt"].map { field in
      PlexQuery(["type": "\(kind.rawValue)", "includeGuids": "1", "sort": "updatedAt:asc"])
        .with("\(field)>>", "\(time)")
    }
  }
}

/// Collections and playlists: lists of items that the server keeps.
extension PlexReader {
  func collections(section: String) async throws {
    for row in try await client.rows(Self.collectionsPath(section), progress: progress) {
      guard let key = PlexRecords.key(row) else { continue }
      let items = try await keys(of: "/library/collections/\(PlexQuery.encoded(key))/items")
      let record = PlexRecords.collection(row, section: section, items: items)
      try await staging.add([record].compactMap { $0 }, of: .collection)
    }
    try await staging.add(whole: .collection, section: section)
  }

  func playlists() async throws {
    for row in try await Self.musicPlaylists(client, progress) {
      guard let key = PlexRecords.key(row) else { continue }
      let items = try await entries(of: "/playlists/\(PlexQuery.encoded(key))/items")
      try await staging.add([PlexRecords.playlist(row, items: items)].compactMap { $0 }, of: .playlist)
    }
    try await staging.add(whole: .playlist)
  }

  /// Stages the ids of all collections of these sections, and of all playlists.
  func listKeys(sections: [String]) async throws {
    for section in sections {
      let rows = try await client.rows(Self.collectionsPath(section), progress: progress)
      try await staging.add(keys: rows.compactMap { PlexRecords.key($0) }, of: .collection)
    }
    let playlists = try await Self.musicPlaylists(client, progress)
    try await staging.add(keys: playlists.compactMap { PlexRecords.key($0) }, of: .playlist)
  }

  /// A text that stays the same while no list of these is different, as far as listings tell.
  static func mark(of rows: [JSONView]) -> String {
    var hash = FNV1a()
    for row in rows {
      let fields: [StaticString] = [
        "ratingKey", "updatedAt", "childCount", "leafCount", "duration", "title", "thumb", "composite",
      ]
      for value in fields.map({ row[$0] }) {
        hash.combine(value?.string?.utf8 ?? "".utf8)
        // The end of a field.
        hash.combine(0xff)
      }
    }
    return "\(rows.count):\(String(hash.value, radix: 36))"
  }

  static func collectionsPath(_ section: String) -> String {
    "/library/sections/\(PlexQuery.encoded(section))/collections"
  }

  /// Returns the playlists of music; a server that does not know the filter lists all.
  static func musicPlaylists(_ client: PlexClient, _ progress: RefreshProgress) async throws -> [JSONView] {
    try await client.rows("/playlists", PlexQuery(["playlistType": "audio"]), progress: progress)
      .filter { $0["playlistType"].map { $0.string == "audio" } ?? true }
  }

  private func keys(of path: String) async throws -> [String] {
    try await client.rows(path, Self.bare, progress: progress).compactMap { PlexRecords.key($0) }
  }

  /// The ids of a playlist's tracks, in its order. One may come several times, so rows go by their place in the list.
  private func entries(of path: String) async throws -> [String] {
    var found: [String] = []
    while true {
      if progress.isStopped { throw CancellationError() }
      let page = try await client.page(path, Self.bare, headers: PlexPages.window(found.count)).page
      found += page.rows.map { PlexRecords.key($0) ?? "" }
      // A server that does not page sends all at once and no total.
      guard let total = page.total, !page.rows.isEmpty, found.count < total else { break }
    }
    return found.filter { !$0.isEmpty }
  }
}
