import Bus
import Client
import Messages
import Model

/// The tools for playlists.
extension HouseholdTools {
  /// The most playlists that a plugin receives.
  private static let listLimit = 100
  /// The most tracks of one playlist that a plugin receives.
  private static let entryLimit = 100

  /// Reads the playlist that a call names by its id or title.
  func playlist(_ call: ChatReply.Call) async throws -> Library.PlaylistPage {
    guard let name = Self.text(call.arguments, "playlist_id") ?? Self.text(call.arguments, "playlist") else {
      throw Self.bad("playlist_id is missing")
    }
    return try await client.playlist([name])
  }

  func playlists() async throws -> Outcome {
    let all = try await Client.list(upTo: Self.listLimit) {
      try await client.ask(Library.ListPlaylists(after: $0, limit: $1), of: .library)
    }.items
    let value = PluginValue.list(all.map { Self.value($0) })
    return Outcome(value: value, said: "Looked at \(Self.count(all.count, "playlist")).")
  }

  private static func value(_ playlist: Playlist) -> PluginValue {
    .object([
      "id": .text(playlist.id.description), "name": .text(playlist.title),
      "tracks": .number(Double(playlist.trackCount)),
    ])
  }

  func playlistTracks(_ call: ChatReply.Call) async throws -> Outcome {
    let page = try await playlist(call)
    let value = PluginValue.list(
      page.rows.prefix(Self.entryLimit).enumerated().map { index, row in
        .object([
          "position": .number(Double(index + 1)), "title": .text(row.track?.title ?? row.described?.title ?? ""),
          "artist": .text(row.track?.artist ?? row.described?.artist ?? ""),
        ])
      })
    return Outcome(value: value, said: "Looked at the playlist “\(page.playlist.title)”.")
  }

  func createPlaylist(_ call: ChatReply.Call) async throws -> Outcome {
    guard let name = Self.text(call.arguments, "name") ?? Self.text(call.arguments, "title") else {
      throw Self.bad("name is missing")
    }
    let named = call.arguments["tracks"]?.elements ?? []
    let tracks = named.isEmpty ? ([], []) : try Self.tracks(named)
    var playlist = try await client.ask(Library.CreatePlaylist(title: name, ids: tracks.0), of: .library)
    if !tracks.1.isEmpty { playlist = try await add(tracks.1, to: playlist.id) }
    return Outcome(
      value: Self.value(playlist),
      said: "Made the playlist “\(playlist.title)” with \(Self.count(playlist.trackCount, "track")).")
  }

  func addToPlaylist(_ call: ChatReply.Call) async throws -> Outcome {
    let (ids, described) = try Self.tracks(call.arguments["tracks"]?.elements ?? [call.arguments])
    var playlist = try await playlist(call).playlist
    if !ids.isEmpty {
      playlist = try await client.ask(Library.AddToPlaylist(id: playlist.id, ids: ids), of: .library)
    }
    if !described.isEmpty { playlist = try await add(described, to: playlist.id) }
    return Outcome(
      value: Self.value(playlist),
      said: "Added \(Self.count(ids.count + described.count, "track")) to “\(playlist.title)”.")
  }

  /// Adds described tracks: those that are in the library as its tracks.
  private func add(_ tracks: [DescribedTrack], to id: PlaylistID) async throws -> Playlist {
    try await client.ask(Library.ImportToPlaylist(id: id, tracks: tracks), of: .library).playlist
  }

  func removeFromPlaylist(_ call: ChatReply.Call) async throws -> Outcome {
    let page = try await playlist(call)
    let places = call.arguments["positions"]?.elements ?? call.arguments["position"].map { [$0] } ?? []
    let entries = try places.prefix(Self.trackLimit).map { try page.entry(at: $0) }
    guard !entries.isEmpty else { throw Self.bad("positions has the positions of tracks") }
    let playlist = try await client.ask(
      Library.RemoveFromPlaylist(id: page.playlist.id, entries: entries), of: .library)
    return Outcome(
      value: Self.value(playlist),
      said:
        "Removed \(Self.count(entries.count, "track")) from “\(playlist.title)”. `lunara playlists undo` takes it back."
    )
  }

  func reorderPlaylist(_ call: ChatReply.Call) async throws -> Outcome {
    let page = try await playlist(call)
    let entry = try page.entry(at: call.arguments["from"] ?? .null)
    guard let to = call.arguments["to"]?.number, to >= 1, to <= 1_000_000 else {
      throw Self.bad("to is a position, from 1")
    }
    let others = (page.entries ?? []).map(\.entry).filter { $0 != entry }
    let place = min(Int(to) - 1, others.count)
    let playlist = try await client.ask(
      Library.MoveInPlaylist(id: page.playlist.id, entries: [entry], after: place == 0 ? 0 : others[place - 1]),
      of: .library)
    return Outcome(value: Self.value(playlist), said: "Moved a track of “\(playlist.title)”.")
  }

  func renamePlaylist(_ call: ChatReply.Call) async throws -> Outcome {
    guard let name = Self.text(call.arguments, "name") ?? Self.text(call.arguments, "title") else {
      throw Self.bad("name is missing")
    }
    let former = try await playlist(call).playlist
    let playlist = try await client.ask(Library.DescribePlaylist(id: former.id, title: name), of: .library)
    return Outcome(value: Self.value(playlist), said: "Renamed “\(former.title)” to “\(playlist.title)”.")
  }

  func delete(_ playlist: Playlist) async throws -> Outcome {
    _ = try await client.ask(Library.DeletePlaylist(id: playlist.id), of: .library)
    return Outcome(
      value: .object(["success": .bool(true)]),
      said:
        "Deleted the playlist “\(playlist.title)”. For 30 days `lunara playlists undo \(playlist.id)` brings it back."
    )
  }
}

extension Library.PlaylistPage {
  /// Returns the id of the entry at a position, from 1.
  ///
  /// - Throws: `resolver.badToolCall`.
  fileprivate func entry(at place: PluginValue) throws -> Int64 {
    guard let entries, let number = place.number, number >= 1, number <= Double(entries.count) else {
      throw HouseholdTools.bad("“\(playlist.title)” has no track at this position")
    }
    return entries[Int(number) - 1].entry
  }
}
