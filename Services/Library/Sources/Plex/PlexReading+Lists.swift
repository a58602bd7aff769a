import Messages
import Model

/// Collections and playlists: lists of items that the server keeps.
extension PlexReader {
  /// Stages the collections of a section with what they hold.
  func collections(section: String) async throws {
    for row in try await client.rows(Self.collectionsPath(section), progress: progress) {
      guard let key = PlexRecords.key(row) else { continue }
      let items = try await keys(of: "/library/collections/\(PlexQuery.encoded(key))/items")
      if let record = PlexRecords.collection(row, section: section, items: items) { try await staging.add([record]) }
    }
    try await staging.add(whole: .collection, section: section)
  }

  /// Stages the playlists of music with what they hold.
  func playlists() async throws {
    for row in try await client.rows(Self.playlistsPath, Self.audio, progress: progress) where Self.isMusic(row) {
      guard let key = PlexRecords.key(row) else { continue }
      let items = try await entries(of: "/playlists/\(PlexQuery.encoded(key))/items")
      if let record = PlexRecords.playlist(row, items: items) { try await staging.add([record]) }
    }
    try await staging.add(whole: .playlist)
  }

  /// Stages the ids of all collections of these sections, and of all playlists.
  func listKeys(sections: [String]) async throws {
    for section in sections {
      let rows = try await client.rows(Self.collectionsPath(section), progress: progress)
      try await staging.add(keys: rows.compactMap { PlexRecords.key($0) }, of: .collection)
    }
    let playlists = try await client.rows(Self.playlistsPath, Self.audio, progress: progress).filter {
      Self.isMusic($0)
    }
    try await staging.add(keys: playlists.compactMap { PlexRecords.key($0) }, of: .playlist)
  }

  /// A text that stays the same while no list of these is different, as far as listings tell.
  static func mark(of rows: [JSONView]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for row in rows {
      for value in [
        row["ratingKey"], row["updatedAt"], row["childCount"], row["leafCount"], row["duration"], row["title"],
        row["thumb"],
        row["composite"],
      ] {
        // FNV-1a, with an end after each field.
        for byte in value?.string?.utf8 ?? "".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ 0xff) &* 0x100_0000_01b3
      }
    }
    return "\(rows.count):\(String(hash, radix: 36))"
  }

  static let playlistsPath = "/playlists"
  static let audio = PlexQuery(["playlistType": "audio"])
  static func collectionsPath(_ section: String) -> String {
    "/library/sections/\(PlexQuery.encoded(section))/collections"
  }

  /// Whether a playlist is one of music; a server that does not know the filter lists all.
  static func isMusic(_ row: JSONView) -> Bool { row["playlistType"].map { $0.string == "audio" } ?? true }

  /// The ids of what a collection holds, in its order.
  private func keys(of path: String) async throws -> [String] {
    try await client.rows(path, Self.lean, progress: progress).compactMap { PlexRecords.key($0) }
  }

  /// The ids of a playlist's tracks, in its order. One may come several times, so rows go by their place in the list.
  private func entries(of path: String) async throws -> [String] {
    var found: [String] = []
    while true {
      if progress.isStopped { throw CancellationError() }
      let window = [("X-Plex-Container-Start", "\(found.count)"), ("X-Plex-Container-Size", "\(PlexPages.size)")]
      let page = try await client.page(path, Self.lean, headers: window).page
      found += page.rows.map { PlexRecords.key($0) ?? "" }
      // A server that does not page sends all at once and no total.
      guard let total = page.total, !page.rows.isEmpty, found.count < total else { break }
    }
    return found.filter { !$0.isEmpty }
  }

  private static var lean: PlexQuery {
    var query = PlexQuery()
    for part in bare { query.add(part.name, part.value) }
    return query
  }
}
