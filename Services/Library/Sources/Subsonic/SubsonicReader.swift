import HTTP
import Messages
import Model
import Records
import Text

/// One complete reading of a Subsonic server: the protocol cannot tell what has changed.
///
/// An empty search lists everything with the fewest requests. Where a server finds nothing by it, its albums are listed
/// and requested one by one.
struct SubsonicReader: Sendable {
  /// The number of items in a page: the most that the protocol allows.
  static let page = 500
  /// The number of requests at once: servers are small machines.
  private static let parallel = 3

  let client: SubsonicClient
  let staging: StagingTable
  let progress: RefreshProgress
  let areKeysWanted: Bool

  /// Reads one folder, or everything where `section` is nil. The only folder is requested without its id, which not
  /// every server accepts.
  func run(section: String?, isOnly: Bool = false) async throws {
    let folder = Self.folder(isOnly ? nil : section)
    if try await !search(section, folder) { try await albums(section, folder) }
  }

  /// The list of one kind of item, read page by page.
  private struct PagedList {
    let name: StaticString
    var offset = 0
    var isEnded = false
    var seen: Set<String> = []

    /// Returns the rows of a page that were not on one before. Items may move between pages, and servers may send more
    /// or fewer rows than requested, so only a page without a new row ends the list.
    mutating func newRows(in result: JSONView?) -> [JSONView] {
      let rows = result?[name]?.elements ?? []
      offset += rows.count
      let new = rows.filter { row in row["id"]?.string.map { seen.insert($0).inserted } ?? false }
      isEnded = new.isEmpty
      return new
    }
  }

  /// Reads everything by an empty search. Returns false if that finds no track.
  private func search(_ section: String?, _ folder: [(String, String)]) async throws -> Bool {
    var (artists, albums, tracks) = (PagedList(name: "artist"), PagedList(name: "album"), PagedList(name: "song"))
    while !artists.isEnded || !albums.isEnded || !tracks.isEnded {
      if progress.isStopped { throw CancellationError() }
      var parts = [("query", "")] + folder
      for list in [artists, albums, tracks] {
        parts += [
          ("\(list.name)Count", list.isEnded ? "0" : "\(Self.page)"), ("\(list.name)Offset", "\(list.offset)"),
        ]
      }
      let result = try await client.call(.reads, "search3", parts)["searchResult3"]
      let songs = tracks.newRows(in: result)
      progress.add(found: songs.count)
      try await stage(artists: artists.newRows(in: result), section)
      try await stage(albums: albums.newRows(in: result), section)
      try await stage(tracks: songs, section)
    }
    return !tracks.seen.isEmpty
  }

  /// Reads everything by requesting each album.
  private func albums(_ section: String?, _ folder: [(String, String)]) async throws {
    let index = try await client.part("artists", of: "getArtists", folder)["index"]?.elements ?? []
    try await stage(artists: index.flatMap { $0["artist"]?.elements ?? [] }, section)
    var list = PagedList(name: "album")
    while !list.isEnded {
      let parts = [("type", "alphabeticalByName"), ("size", "\(Self.page)"), ("offset", "\(list.offset)")]
      let rows = list.newRows(in: try await client.part("albumList2", of: "getAlbumList2", parts + folder))
      try await stage(albums: rows, section)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (count, native) in rows.compactMap({ $0["id"]?.string }).enumerated() {
          if count >= Self.parallel { try await group.next() }
          group.addTask { try await album(native, section) }
        }
        try await group.waitForAll()
      }
    }
  }

  private func album(_ native: String, _ section: String?) async throws {
    if progress.isStopped { throw CancellationError() }
    // An album that was removed meanwhile has no tracks.
    let songs = try await client.callIfKnown(.reads, "getAlbum", [("id", native)])?["album"]?["song"]?.elements ?? []
    progress.add(found: songs.count)
    try await stage(tracks: songs, section)
  }

  private func stage(artists rows: [JSONView], _ section: String?) async throws {
    try await stage(rows.compactMap { SubsonicRecords.artist($0, section: section) }, .artist)
  }

  private func stage(albums rows: [JSONView], _ section: String?) async throws {
    try await stage(rows.compactMap { SubsonicRecords.album($0, section: section) }, .album)
  }

  private func stage(tracks rows: [JSONView], _ section: String?) async throws {
    defer { progress.add(done: rows.count) }
    try await stage(rows.compactMap { SubsonicRecords.track($0, section: section) }, .track)
  }

  private func stage(_ records: [some ServerRecord], _ kind: StagingTable.Kind) async throws {
    guard areKeysWanted else { return try await staging.add(records, of: kind) }
    try await staging.add(keys: records.map(\.native), of: kind)
  }

  /// Stages the playlists, or their ids, or those of `wanted` that still exist. Returns the ids of those that the
  /// server refused; nil if it refused to list them.
  func playlists(only wanted: Set<String>? = nil) async throws -> [String]? {
    let lists = ListReader(server: client.server, staging: staging) { [client] in
      _ = try await client.call(.reads, "ping")
    }
    let listing = try await lists.readListing(of: .playlist) { try await Self.playlists(client) }
    guard let rows = listing else { return nil }
    if areKeysWanted {
      try await staging.add(keys: rows.compactMap { $0["id"]?.string }, of: .playlist)
      return []
    }
    var refused: [String] = []
    for row in rows {
      guard let native = row["id"]?.string, wanted?.contains(native) ?? true else { continue }
      if progress.isStopped { throw CancellationError() }
      let list = try await lists.read(native, titled: row["name"]?.string ?? native, of: .playlist) {
        guard let playlist = try await client.call(.reads, "getPlaylist", [("id", native)])["playlist"] else {
          throw SourceError.unreadableAnswer(client.server, kind: "Subsonic")
        }
        let items = playlist["entry"]?.elements.compactMap { $0["id"]?.string } ?? []
        // An answer that lacks the entries that the server counts is incomplete.
        guard !items.isEmpty || playlist["songCount"]?.integer ?? 0 == 0 else {
          throw SourceError.unreadableAnswer(client.server, kind: "Subsonic")
        }
        return ServerList(
          native: native, title: playlist["name"]?.string?.normalised ?? native, art: playlist["coverArt"]?.string,
          items: items)
      }
      if let list { try await staging.add([list], of: .playlist) } else { refused.append(native) }
    }
    return refused
  }

  /// Returns the rows of the user's playlists.
  static func playlists(_ client: SubsonicClient) async throws -> [JSONView] {
    try await client.part("playlists", of: "getPlaylists")["playlist"]?.elements ?? []
  }

  static func folder(_ section: String?) -> [(String, String)] { section.map { [("musicFolderId", $0)] } ?? [] }
}
