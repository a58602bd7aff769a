import Messages
import Model
import Records
import System

/// Collections and playlists: lists of items that the server keeps.
extension PlexReader {
  private var lists: ListReader {
    ListReader(server: client.name, staging: staging) { [client] in _ = try await client.page("/identity") }
  }

  /// Stages the collections of a section, unless their mark is still `known`. Returns their mark; nil if one of them
  /// could not be read, so that the next refresh tries again.
  func collections(section: String, unless known: String?) async throws -> String? {
    let listing = try await lists.readListing(of: .collection, section: section) {
      try await client.rows(Self.collectionsPath(section), progress: progress)
    }
    guard let rows = listing else { return nil }
    let mark = Self.mark(of: rows)
    guard mark != known else { return mark }
    let isWhole = try await stage(rows, .collection, path: "/library/collections/") { row, path in
      PlexRecords.collection(row, section: section, items: try complete(try await keys(of: path), of: row))
    }
    try await staging.add(whole: .collection, section: section)
    return isWhole ? mark : nil
  }

  /// Stages the playlists, unless their mark is still `known`. Returns their mark; nil if one of them could not be
  /// read, so that the next refresh tries again.
  func playlists(unless known: String?) async throws -> String? {
    let listing = try await lists.readListing(of: .playlist) { try await Self.musicPlaylists(client, progress) }
    guard let rows = listing else { return nil }
    let mark = Self.mark(of: rows)
    guard mark != known else { return mark }
    let isWhole = try await stage(rows, .playlist, path: "/playlists/") { row, path in
      PlexRecords.playlist(row, items: try complete(try await entries(of: path), of: row))
    }
    try await staging.add(whole: .playlist)
    return isWhole ? mark : nil
  }

  /// Stages the lists of these rows, as `record` makes them of a row and the path of the list's items. Returns false if
  /// one of them could not be read.
  private func stage(
    _ rows: [JSONView], _ kind: StagingTable.Kind, path: String,
    _ record: (_ row: JSONView, _ path: String) async throws -> ServerList?
  ) async throws -> Bool {
    var isWhole = true
    for row in rows {
      guard let key = PlexRecords.key(row) else { continue }
      let list = try await lists.read(key, titled: row["title"]?.text ?? key, of: kind) {
        try await record(row, "\(path)\(PlexQuery.encoded(key))/items")
      }
      if let list { try await staging.add([list].compactMap { $0 }, of: kind) } else { isWhole = false }
    }
    return isWhole
  }

  /// Stages the ids of all collections of these sections, and of all playlists.
  func listKeys(sections: [String]) async throws {
    for section in sections {
      let rows = try await lists.readListing(of: .collection, section: section) {
        try await client.rows(Self.collectionsPath(section), progress: progress)
      }
      try await staging.add(keys: rows?.compactMap { PlexRecords.key($0) } ?? [], of: .collection)
    }
    let rows = try await lists.readListing(of: .playlist) { try await Self.musicPlaylists(client, progress) }
    try await staging.add(keys: rows?.compactMap { PlexRecords.key($0) } ?? [], of: .playlist)
  }

  /// Returns a text that changes when one of these lists does, as far as the listing shows it.
  static func mark(of rows: [JSONView]) -> String {
    var hash = FNV1a()
    for row in rows {
      let fields: [StaticString] = [
        "ratingKey", "updatedAt", "childCount", "leafCount", "duration", "title", "thumb", "composite",
      ]
      for value in fields.map({ row[$0] }) {
        hash.combine(value?.string?.utf8 ?? "".utf8)
        // This byte ends each field.
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

  /// Returns the items of a list. Throws `library.sourceAway` where none came although the server counts some.
  private func complete(_ items: [String], of row: JSONView) throws -> [String] {
    let counted = row["leafCount"]?.integer ?? row["childCount"]?.integer ?? 0
    guard !items.isEmpty || counted == 0 else { throw PlexError.unreadableAnswer(client.name) }
    return items
  }

  private func keys(of path: String) async throws -> [String] {
    try await client.rows(path, Self.bare, progress: progress).compactMap { PlexRecords.key($0) }
  }

  /// Returns the ids of a playlist's tracks, in its order. A track may come several times, so `PlexPages`, which skips
  /// rows that were seen, cannot be used.
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
