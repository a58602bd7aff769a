import HTTP
import Messages
import Model
import Records
import Text

/// Editing the playlists of the server.
extension SubsonicServer {
  /// The most songs of one request to a server that takes parameters only in the address.
  private static let longestAddress = 300

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
    try await checkLength(wanted.natives.count)
    let before = Set(try await SubsonicReader.playlists(client).compactMap { $0["id"]?.string })
    let answer = try await client.call(
      .changes, "createPlaylist", [("name", title)] + wanted.natives.map { ("songId", $0) })
    var native = answer["playlist"]?["id"]?.string
    if native == nil {
      // Servers older than 1.14 do not say which playlist they made.
      native = try await SubsonicReader.playlists(client).first { row in
        row["name"]?.string == title && row["id"]?.string.map { !before.contains($0) } ?? false
      }?["id"]?.string
    }
    guard let native else { throw SubsonicError.from(70, "the new playlist is not listed", client.server) }
    if let summary = wanted.summary, !summary.isEmpty {
      _ = try await client.call(.changes, "updatePlaylist", [("playlistId", native), ("comment", summary)])
    }
    return native
  }

  func deletePlaylist(_ native: String) async throws {
    _ = try await client.call(.changes, "deletePlaylist", [("id", native)])
  }

  /// Edits a playlist by one request: one that removes rows by their places and adds others at the end, or one that
  /// gives it other songs.
  func edit(_ native: String, from present: ServerPlaylist, to wanted: WantedPlaylist) async throws {
    var texts: [(String, String)] = []
    if let title = wanted.title, title != present.title { texts.append(("name", title)) }
    if let summary = wanted.summary, summary != present.summary ?? "" { texts.append(("comment", summary)) }
    if let (removed, added) = Self.removedAndAdded(from: present.natives, to: wanted.natives) {
      let changes = removed.map { ("songIndexToRemove", "\($0)") } + added.map { ("songIdToAdd", $0) }
      try await checkLength(changes.count)
      guard !changes.isEmpty || !texts.isEmpty else { return }
      _ = try await client.call(.changes, "updatePlaylist", [("playlistId", native)] + texts + changes)
    } else {
      try await checkLength(wanted.natives.count)
      _ = try await client.call(
        .changes, "createPlaylist", [("playlistId", native)] + wanted.natives.map { ("songId", $0) })
      if !texts.isEmpty { _ = try await client.call(.changes, "updatePlaylist", [("playlistId", native)] + texts) }
    }
  }

  /// Returns the places that are removed and the songs that are added at the end, where that is all; nil where the
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

  private func checkLength(_ count: Int) async throws {
    guard count > Self.longestAddress, try await !client.profile().acceptsFormPost else { return }
    throw LunaraError(
      "library.notEditable",
      "\(client.server) takes requests only in addresses, which are too short to change \(count) entries at once.")
  }
}
