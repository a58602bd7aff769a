import Bus
import Client
import Messages
import Model

/// Commands that browse the tree of songs.
enum BrowsingCommands {
  static let all: [MPDCommand] = [
    MPDCommand("lsinfo", 0...1) { session, arguments, reply in
      try await list(session, arguments.first ?? "", &reply)
    },
    MPDCommand("listfiles", 0...1) { session, arguments, reply in
      let index = try await session.household.catalogue.index()
      let path = MusicIndex.plain(arguments.first ?? "")
      guard let folder = index.folder(at: path) else { throw CommandError.noSuchDirectory }
      for path in folder.folders { reply.add("directory", name(path)) }
      for song in index.songs[folder.songs] where folder.folders.isEmpty { reply.add("file", name(song.path)) }
    },
    MPDCommand("listall", 0...1) { session, arguments, reply in
      try await listAll(session, arguments.first ?? "", &reply) { reply, song in reply.add("file", song.path) }
    },
    MPDCommand("listallinfo", 0...1) { session, arguments, reply in
      let tags = session.tags
      try await listAll(session, arguments.first ?? "", &reply) { reply, song in reply.add(song, mask: tags) }
    },
    MPDCommand("readcomments", 1...1) { session, arguments, reply in
      let index = try await session.household.catalogue.index()
      guard let song = index.song(at: arguments[0]) else { throw CommandError.noSuchSong }
      for tag in SongTag.allCases {
        for value in song.values(of: tag) { reply.add(commentName(of: tag), value) }
      }
    },
    MPDCommand("update", 0...1) { session, _, reply in try await update(session, readsAgain: false, &reply) },
    MPDCommand("rescan", 0...1) { session, _, reply in try await update(session, readsAgain: true, &reply) },
  ]

  /// The name of a tag in files.
  private static func commentName(of tag: SongTag) -> String {
    switch tag {
    case .track: "TRACKNUMBER"
    case .disc: "DISCNUMBER"
    default: tag.rawValue.uppercased()
    }
  }

  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func list(_ session: Session, _ path: String, _ reply: inout Reply) async throws {
    let index = try await session.household.catalogue.index()
    let plain = MusicIndex.plain(path)
    guard let folder = index.folder(at: plain) else {
      guard let song = index.song(at: plain) else { throw CommandError.noSuchDirectory }
      return reply.add(song, mask: session.tags)
    }
    for path in folder.folders { reply.add("directory", path) }
    if plain.isEmpty {
      for list in try await session.playlists() { reply.add("playlist", list.name) }
    } else if folder.folders.isEmpty {
      try await session.add(index.songs[folder.songs], &reply)
    }
  }

  private static func listAll(
    _ session: Session, _ path: String, _ reply: inout Reply, _ add: (inout Reply, Song) -> Void
  ) async throws {
    let index = try await session.household.catalogue.index()
    let plain = MusicIndex.plain(path)
    guard index.folder(at: plain) != nil else {
      for song in try index.songs(at: plain) { add(&reply, song) }
      return
    }
    var waiting = [plain]
    while let path = waiting.popLast(), let folder = index.folder(at: path) {
      if !path.isEmpty { reply.add("directory", path) }
      waiting += folder.folders.reversed()
      guard folder.folders.isEmpty else { continue }
      for song in index.songs[folder.songs] { add(&reply, song) }
      try await reply.sendIfLong()
    }
  }

  /// Refreshes all sources, whatever the path: sources find what changed by themselves. `rescan` also reads the tags of
  /// files that look unchanged.
  private static func update(_ session: Session, readsAgain: Bool, _ reply: inout Reply) async throws {
    let request = Library.Sync(isReadAgain: readsAgain ? true : nil)
    let started = try await session.household.client.ask(request, of: .library)
    reply.add("updating_db", started.refreshes?.map(\.refresh).max() ?? 1)
  }
}
