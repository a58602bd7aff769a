import Model

/// Commands about the connection and the server.
enum ConnectionCommands {
  static let all: [MPDCommand] = [
    MPDCommand("ping", isOpen: true) { _, _, _ in },
    MPDCommand("close", isOpen: true) { session, _, _ in session.isClosing = true },
    MPDCommand("password", 1...1, isOpen: true) { session, arguments, _ in try await password(session, arguments[0]) },
    MPDCommand("commands", isOpen: true) { session, _, reply in
      for name in CommandTable.names(allowed: true, hasAccess: session.hasAccess) { reply.add("command", name) }
    },
    MPDCommand("notcommands", isOpen: true) { session, _, reply in
      for name in CommandTable.names(allowed: false, hasAccess: session.hasAccess) { reply.add("command", name) }
    },
    MPDCommand("tagtypes", 0...40, isOpen: true) { session, arguments, reply in
      try tagTypes(session, arguments, &reply)
    },
    MPDCommand("urlhandlers") { _, _, _ in },
    MPDCommand("decoders") { _, _, reply in
      reply.add("plugin", "libmpv")
      for ending in AudioContainer.endings.sorted() { reply.add("suffix", ending) }
    },
    MPDCommand("binarylimit", 1...1) { session, arguments, _ in
      let limit = try arguments[0].unsigned()
      guard limit >= 64 else { throw CommandError(.argument, "Value too small") }
      session.binaryLimit = min(limit, 1 << 20)
    },
    MPDCommand("stats") { session, _, reply in try await stats(session, &reply) },
  ]

  private static func password(_ session: Session, _ text: String) async throws {
    guard try await session.access.accepts(text) else {
      throw CommandError(.password, "incorrect password")
    }
    session.hasAccess = true
  }

  private static func tagTypes(_ session: Session, _ arguments: [String], _ reply: inout Reply) throws(CommandError) {
    guard let action = arguments.first else {
      for tag in SongTag.allCases where session.tags.contains(tag) { reply.add("tagtype", tag.rawValue) }
      return
    }
    var named: Set<SongTag> = []
    for name in arguments.dropFirst() {
      // Names that Lunara has no tags for are accepted, as clients name those that they can show.
      if let tag = SongTag(name: name) { named.insert(tag) }
    }
    switch (action, arguments.count) {
    case ("all", 1): session.tags = Set(SongTag.allCases)
    case ("clear", 1): session.tags = []
    case ("enable", 2...): session.tags.formUnion(named)
    case ("disable", 2...): session.tags.subtract(named)
    case ("enable", _), ("disable", _): throw CommandError(.argument, "Not enough arguments")
    case ("all", _), ("clear", _): throw CommandError(.argument, "Too many arguments")
    default: throw CommandError(.argument, "Unknown sub command")
    }
  }

  private static func stats(_ session: Session, _ reply: inout Reply) async throws {
    let index = try await session.household.catalogue.index()
    var artists: Set<String> = []
    var albums: Set<AlbumID> = []
    var length = Milliseconds.zero
    for song in index.songs {
      artists.formUnion(song.values(of: .artist))
      albums.insert(song.album)
      length += song.duration
    }
    let library = await session.household.libraryState
    reply.add("artists", artists.count)
    reply.add("albums", albums.count)
    reply.add("songs", index.songs.count)
    reply.add("uptime", session.household.uptimeSeconds)
    reply.add("db_playtime", length.roundedSeconds)
    if let updated = library?.updatedAt { reply.add("db_update", updated.seconds) }
    reply.add("playtime", 0)
  }
}
