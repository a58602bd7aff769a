import HTTP
import Messages
import Model
import Records

/// Editing the playlists of the server.
extension PlexServer {
  /// The most tracks that one request adds, as they are in its address.
  private static let batch = 100

  private func path(_ native: String) -> String { "/playlists/\(PlexQuery.encoded(native))" }

  func listPlaylists() async throws -> [ListedPlaylist] {
    try await PlexReader.musicPlaylists(client, RefreshProgress()).compactMap { row in
      PlexRecords.key(row).map { ListedPlaylist(native: $0, title: row["title"]?.text ?? "") }
    }
  }

  func playlist(_ native: String) async throws -> ServerPlaylist {
    guard let row = try await client.page(path(native)).page.rows.first else { throw SourceError.gone(client.name) }
    var rows: [ServerPlaylist.Row] = []
    while true {
      let page = try await client.page("\(path(native))/items", headers: PlexPages.window(rows.count)).page
      rows += page.rows.compactMap { row in
        PlexRecords.key(row).map { ServerPlaylist.Row(native: $0, id: row["playlistItemID"]?.string) }
      }
      // A server that does not page sends all at once and no total.
      guard let total = page.total, !page.rows.isEmpty, rows.count < total else { break }
    }
    return ServerPlaylist(
      title: row["title"]?.text ?? native, summary: row["summary"]?.text, isSmart: row["smart"]?.isTrue ?? false,
      rows: rows)
  }

  func createPlaylist(_ wanted: WantedPlaylist) async throws -> String {
    // A playlist is made with its first tracks: the server refuses an empty one.
    guard !wanted.natives.isEmpty else {
      throw LunaraError("library.notEditable", "\(client.name) has no empty playlists. Add something first.")
    }
    let first = Array(wanted.natives.prefix(Self.batch))
    let query = PlexQuery([
      "type": "audio", "title": wanted.title ?? "Playlist", "smart": "0", "uri": try await uri(of: first),
    ])
    let response = try await client.request(.changes, "POST", "/playlists", query)
    guard let native = try PlexPage(response.body, of: client.name).rows.first.flatMap({ PlexRecords.key($0) }) else {
      throw PlexError.unreadableAnswer(client.name)
    }
    try await add(Array(wanted.natives.dropFirst(Self.batch)), to: native)
    if let summary = wanted.summary, !summary.isEmpty { try await describe(native, title: nil, summary: summary) }
    return native
  }

  func deletePlaylist(_ native: String) async throws { try await client.request(.changes, "DELETE", path(native)) }

  /// Edits a playlist row by row: rows are removed, others added at the end, and those that stand elsewhere moved.
  func edit(_ native: String, from present: ServerPlaylist, to wanted: WantedPlaylist) async throws {
    let title = wanted.title == present.title ? nil : wanted.title
    let summary = wanted.summary == present.summary ?? "" ? nil : wanted.summary
    if title != nil || summary != nil { try await describe(native, title: title, summary: summary) }
    var left = Dictionary(grouping: wanted.natives) { $0 }.mapValues(\.count)
    for row in present.rows {
      if let count = left[row.native], count > 0 {
        left[row.native] = count - 1
      } else if let id = row.id {
        try await client.request(.changes, "DELETE", "\(path(native))/items/\(PlexQuery.encoded(id))")
      }
    }
    // The last occurrences are the new ones.
    var added: [String] = []
    for track in wanted.natives.reversed() where left[track] ?? 0 > 0 {
      left[track, default: 0] -= 1
      added.append(track)
    }
    try await add(added.reversed(), to: native)
    try await reorder(native, to: wanted.natives)
  }

  private func describe(_ native: String, title: String?, summary: String?) async throws {
    var query = PlexQuery()
    if let title { query.add("title", title) }
    if let summary { query.add("summary", summary) }
    try await client.request(.changes, "PUT", path(native), query)
  }

  private func add(_ tracks: [String], to native: String) async throws {
    for start in stride(from: 0, to: tracks.count, by: Self.batch) {
      let part = Array(tracks[start..<min(start + Self.batch, tracks.count)])
      try await client.request(.changes, "PUT", "\(path(native))/items", PlexQuery(["uri": try await uri(of: part)]))
    }
  }

  /// Moves rows until the tracks are in an order.
  private func reorder(_ native: String, to wanted: [String]) async throws {
    let rows = try await playlist(native).rows
    guard rows.map(\.native) != wanted else { return }
    var ids = Dictionary(grouping: rows.reversed(), by: \.native).mapValues { $0.compactMap(\.id) }
    let order = wanted.compactMap { ids[$0]?.popLast() }
    for move in PlaylistReordering.moves(from: rows.compactMap(\.id), to: order) {
      var query = PlexQuery()
      if let after = move.after { query.add("after", after) }
      try await client.request(.changes, "PUT", "\(path(native))/items/\(PlexQuery.encoded(move.row))/move", query)
    }
  }

  /// Returns the address of tracks as the server's own commands name them.
  private func uri(of tracks: [String]) async throws -> String {
    let machine = try await identify().machine
    return "server://\(machine)/com.plexapp.plugins.library/library/metadata/\(tracks.joined(separator: ","))"
  }
}
