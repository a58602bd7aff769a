import HTTP
import Messages
import Model
import Records
import Text

/// Editing the playlists of the server.
extension SubsonicServer {
  /// The most bytes of entries in one request to a server that takes parameters only in the address: some servers allow
  /// 4,094 bytes for all of it.
  private static let longestAddress = 3000

  func listPlaylists() async throws -> [ListedPlaylist] {
    try await SubsonicReader.playlists(client).compactMap { row in
      row["id"]?.string.map { ListedPlaylist(native: $0, title: row["name"]?.string ?? "") }
    }
  }

  func playlist(_ native: String) async throws -> ServerPlaylist {
    guard let playlist = try await client.call(.reads, "getPlaylist", [("id", native)])["playlist"] else {
      throw SubsonicError.from(70, "there is no playlist \(native)", client.server)
    }
    return ServerPlaylist(
      title: playlist["name"]?.string?.normalised ?? native, summary: playlist["comment"]?.string,
      rows: playlist["entry"]?.elements.compactMap { $0["id"]?.string }.map { .init(native: $0) } ?? [])
  }

  func createPlaylist(_ wanted: WantedPlaylist) async throws -> String {
    let title = wanted.title ?? "Playlist"
    let songs = try await parts(wanted.natives, as: "songId")
    let before = Set(try await SubsonicReader.playlists(client).compactMap { $0["id"]?.string })
    let answer = try await client.call(.changes, "createPlaylist", [("name", title)] + (songs.first ?? []))
    var native = answer["playlist"]?["id"]?.string
    if native == nil {
      // Servers older than 1.14 do not say which playlist they made.
      native = try await SubsonicReader.playlists(client).first { row in
        row["name"]?.string == title && row["id"]?.string.map { !before.contains($0) } ?? false
      }?["id"]?.string
    }
    guard let native else { throw SubsonicError.from(70, "the new playlist is not listed", client.server) }
    try await add(wanted.natives.dropFirst(songs.first?.count ?? 0), to: native)
    if let summary = wanted.summary, !summary.isEmpty {
      _ = try await client.call(.changes, "updatePlaylist", [("playlistId", native), ("comment", summary)])
    }
    return native
  }

  func deletePlaylist(_ native: String) async throws {
    _ = try await client.call(.changes, "deletePlaylist", [("id", native)])
  }

  /// Edits a playlist: removes rows by their places and adds others at the end, or gives it other songs. Where the
  /// server takes long lists in several requests only, each leaves a beginning of the list.
  func edit(_ native: String, from present: ServerPlaylist, to wanted: WantedPlaylist) async throws {
    let id = [("playlistId", native)]
    var texts: [(String, String)] = []
    if let title = wanted.title, title != present.title { texts.append(("name", title)) }
    if let summary = wanted.summary, summary != present.summary ?? "" { texts.append(("comment", summary)) }
    if let (removed, added) = Self.removedAndAdded(from: present.natives, to: wanted.natives) {
      let changes = removed.map { ("songIndexToRemove", "\($0)") } + added.map { ("songIdToAdd", $0) }
      guard !changes.isEmpty || !texts.isEmpty else { return }
      if try await parts(changes).count < 2 {
        _ = try await client.call(.changes, "updatePlaylist", id + texts + changes)
        return
      }
      // The last places first, as those before them stay the same.
      for part in try await parts(removed.reversed().map(String.init), as: "songIndexToRemove") {
        _ = try await client.call(.changes, "updatePlaylist", id + part)
      }
      try await add(added[...], to: native)
    } else {
      let songs = try await parts(wanted.natives, as: "songId")
      _ = try await client.call(.changes, "createPlaylist", id + (songs.first ?? []))
      try await add(wanted.natives.dropFirst(songs.first?.count ?? 0), to: native)
    }
    if !texts.isEmpty { _ = try await client.call(.changes, "updatePlaylist", id + texts) }
  }

  private func add(_ songs: ArraySlice<String>, to native: String) async throws {
    for part in try await parts(Array(songs), as: "songIdToAdd") {
      _ = try await client.call(.changes, "updatePlaylist", [("playlistId", native)] + part)
    }
  }

  /// Returns the places that are removed and the songs that are added at the end, where that is all; nil if the
  /// order changes or something is added elsewhere.
  static func removedAndAdded(from present: [String], to wanted: [String]) -> (removed: [Int], added: [String])? {
    var removed: [Int] = []
    var rest = wanted[...]
    for (place, native) in present.enumerated() {
      if rest.first == native { rest = rest.dropFirst() } else { removed.append(place) }
    }
    // Removing all to add some of them again is a change of the order.
    let gone = Set(removed.map { present[$0] })
    return rest.contains(where: gone.contains) ? nil : (removed, Array(rest))
  }

  private func parts(_ values: [String], as name: String) async throws -> [[(String, String)]] {
    try await parts(values.map { (name, $0) })
  }

  /// Returns parameters in the parts that the server takes at once: one, if it reads them from the body.
  private func parts(_ parameters: [(String, String)]) async throws -> [[(String, String)]] {
    guard !parameters.isEmpty else { return [] }
    guard try await !client.profile().acceptsFormPost else { return [parameters] }
    var parts: [[(String, String)]] = [[]]
    var length = 0
    for parameter in parameters {
      let added = SubsonicClient.length(of: parameter)
      if length + added > Self.longestAddress, length > 0 {
        parts.append([])
        length = 0
      }
      parts[parts.count - 1].append(parameter)
      length += added
    }
    return parts
  }
}
