import Bus
import Client
import Messages
import Model

/// Commands that write stored playlists, which are those of the library.
enum PlaylistEditCommands {
  static let all: [MPDCommand] = [
    MPDCommand("save", 1...1) { session, arguments, _ in try await save(session, as: arguments[0]) },
    MPDCommand("rm", 1...1) { session, arguments, _ in
      let list = try await session.playlist(named: arguments[0])
      _ = try await session.household.client.ask(Library.DeletePlaylist(id: list.id), of: .library)
    },
    MPDCommand("rename", 2...2) { session, arguments, _ in
      let list = try await session.playlist(named: arguments[0])
      guard try await session.findPlaylist(named: arguments[1]) == nil else {
        throw CommandError(.exists, "Playlist already exists")
      }
      _ = try await session.household.client.ask(
        Library.DescribePlaylist(id: list.id, title: arguments[1]), of: .library)
    },
    MPDCommand("playlistadd", 2...3) { session, arguments, _ in
      let songs = try await session.household.catalogue.index().songs(at: arguments[1])
      let position = arguments.count > 2 ? try arguments[2].unsigned() : nil
      try await session.append(songs.map(\.id.playable), toPlaylist: arguments[0], at: position)
    },
    MPDCommand("playlistclear", 1...1) { session, arguments, _ in
      guard let list = try await session.findPlaylist(named: arguments[0]) else {
        _ = try await session.household.client.ask(Library.CreatePlaylist(title: arguments[0]), of: .library)
        return
      }
      let entries = try await session.rows(ofPlaylist: arguments[0]).compactMap(\.entry)
      try await remove(entries, from: list, session)
    },
    MPDCommand("playlistdelete", 2...2) { session, arguments, _ in
      let range = try arguments[1].positions()
      let list = try await session.playlist(named: arguments[0])
      let rows = try await session.rows(ofPlaylist: arguments[0])
      guard range.start < rows.count else { throw CommandError.badIndex }
      try await remove(rows[try range.checked(rows.count)].compactMap(\.entry), from: list, session)
    },
    MPDCommand("playlistmove", 3...3) { session, arguments, _ in
      let source = try arguments[1].unsigned()
      let target = try arguments[2].unsigned()
      let list = try await session.playlist(named: arguments[0])
      var entries = try await session.rows(ofPlaylist: arguments[0]).compactMap(\.entry)
      guard entries.indices.contains(source), entries.indices.contains(target) else { throw CommandError.badIndex }
      let entry = entries.remove(at: source)
      let request = Library.MoveInPlaylist(
        id: list.id, entries: [entry], after: target == 0 ? 0 : entries[target - 1])
      _ = try await session.household.client.ask(request, of: .library)
    },
  ]

  private static func save(_ session: Session, as name: String) async throws {
    guard try await session.findPlaylist(named: name) == nil else {
      throw CommandError(.exists, "Playlist already exists")
    }
    let client = session.household.client
    let items = try await session.queue().items
    let list = try await client.ask(Library.CreatePlaylist(title: name), of: .library)
    do {
      // Each request has tracks of the library or descriptions, so that the order of the queue is kept.
      var rest = items[...]
      while let first = rest.first {
        let isDescribed = first.described != nil
        let part = rest.prefix { ($0.described != nil) == isDescribed }.prefix(500)
        rest = rest.dropFirst(part.count)
        let request = Library.AddToPlaylist(
          id: list.id, ids: isDescribed ? [] : part.map(\.track.id.playable), described: part.compactMap(\.described))
        _ = try await client.ask(request, of: .library)
      }
    } catch {
      // A list that is not whole is no use.
      _ = try await client.ask(Library.DeletePlaylist(id: list.id), of: .library)
      throw error
    }
  }

  private static func remove(_ entries: [Int64], from list: Playlist, _ session: Session) async throws {
    guard !entries.isEmpty else { return }
    let request = Library.RemoveFromPlaylist(id: list.id, entries: entries)
    _ = try await session.household.client.ask(request, of: .library)
  }
}

extension Session {
  /// Adds items to a playlist, which is made if there is none.
  ///
  /// - Parameters:
  ///   - ids: the items.
  ///   - name: the name of the playlist.
  ///   - position: the place of the first one; nil for the end.
  func append(_ ids: [PlayableID], toPlaylist name: String, at position: Int? = nil) async throws {
    let client = household.client
    var parts = stride(from: 0, to: ids.count, by: Self.idLimit).map { Array(ids[$0...].prefix(Self.idLimit)) }
    var after: Int64?
    let list: PlaylistID
    if let found = try await findPlaylist(named: name) {
      list = found.id
      if let position {
        let entries = try await rows(ofPlaylist: name).compactMap(\.entry)
        guard position <= entries.count else { throw CommandError.badIndex }
        after = position == 0 ? 0 : entries[position - 1]
        // Each part is put directly behind the same entry, so the last part goes first.
        parts.reverse()
      }
    } else {
      guard position ?? 0 == 0 else { throw CommandError.badIndex }
      list = try await client.ask(Library.CreatePlaylist(title: name, ids: parts.first ?? []), of: .library).id
      parts = Array(parts.dropFirst())
    }
    for part in parts {
      _ = try await client.ask(Library.AddToPlaylist(id: list, ids: part, after: after), of: .library)
    }
  }
}
