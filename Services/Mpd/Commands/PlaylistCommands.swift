import Bus
import Client
import Messages
import Model

/// Commands that read stored playlists and queue them.
enum PlaylistCommands {
  static let all: [MPDCommand] = [
    MPDCommand("listplaylists") { session, _, reply in
      for list in try await session.playlists() { reply.add("playlist", list.name) }
    },
    MPDCommand("listplaylist", 1...1) { session, arguments, reply in
      let index = await session.household.catalogue.known()
      for row in try await session.rows(ofPlaylist: arguments[0]) {
        guard let track = row.track ?? row.described?.track else { continue }
        reply.add("file", index[track.id]?.path ?? track.id.description)
      }
    },
    MPDCommand("listplaylistinfo", 1...1) { session, arguments, reply in
      let index = await session.household.catalogue.known()
      for row in try await session.rows(ofPlaylist: arguments[0]) {
        guard let track = row.track ?? row.described?.track else { continue }
        reply.add(Song(track, path: index[track.id]?.path ?? track.id.description), mask: session.tags)
        try await reply.sendIfLong()
      }
    },
    MPDCommand("load", 1...3) { session, arguments, _ in try await load(session, arguments) },
  ]

  private static func load(_ session: Session, _ arguments: [String]) async throws {
    let position = arguments.count > 2 ? try QueuePosition(arguments[2]) : nil
    let range = arguments.count > 1 ? try arguments[1].positions() : nil
    let list = try await session.playlist(named: arguments[0])
    guard let range, range != PositionRange(start: 0, end: nil) else {
      // An empty list adds nothing.
      guard list.trackCount > 0 else { return }
      try await session.enqueue([list.id.playable], at: position)
      return
    }
    let rows = try await session.rows(ofPlaylist: arguments[0])
    let tracks = rows[range.within(rows.count)].compactMap(\.track)
    try await session.enqueue(tracks.map(\.id.playable), at: position)
  }
}

/// The names of playlists in the protocol, which are their titles without slashes; equal ones get numbers.
struct PlaylistNames {
  /// Returns the names of playlists in their order.
  static func names(of titles: [String]) -> [String] {
    var used: Set<String> = []
    return titles.map { title in
      let plain = Reply.oneLine(title.replacing("/", with: "-"))
      var name = plain
      var count = 1
      while !used.insert(name).inserted {
        count += 1
        name = "\(plain) [\(count)]"
      }
      return name
    }
  }
}

extension Session {
  /// Returns all playlists with their names.
  func playlists() async throws -> [(name: String, playlist: Playlist)] {
    let client = household.client
    let page = try await Client.list(upTo: .max) { cursor, limit in
      try await client.ask(Library.ListPlaylists(after: cursor, limit: limit), of: .library)
    }
    return zip(PlaylistNames.names(of: page.items.map(\.title)), page.items).map { (name: $0, playlist: $1) }
  }

  /// Returns the playlist of a name; nil if there is none.
  ///
  /// - Throws: `Bad playlist name`, and the errors of the library.
  func findPlaylist(named name: String) async throws -> Playlist? {
    guard !name.contains("/") else { throw CommandError(.argument, "Bad playlist name") }
    return try await playlists().first { $0.name == name }?.playlist
  }

  /// Returns the playlist of a name.
  ///
  /// - Throws: `No such playlist`, and the errors of the library.
  func playlist(named name: String) async throws -> Playlist {
    guard let found = try await findPlaylist(named: name) else { throw CommandError.noSuchPlaylist }
    return found
  }

  /// Returns the entries of a playlist.
  func rows(ofPlaylist name: String) async throws -> [Library.PlaylistPage.PlacedEntry] {
    let list = try await playlist(named: name)
    return try await household.client.playlist([list.id.description]).rows
  }
}
