import Messages
import Model
import System

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
