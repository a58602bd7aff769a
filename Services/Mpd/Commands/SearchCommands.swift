import Model

/// Commands that search the library.
enum SearchCommands {
  static let all: [MPDCommand] = [
    MPDCommand("find", 1...60) { session, arguments, reply in
      try await session.add(try await found(session, try .init(arguments, isSearch: false), folds: false), &reply)
    },
    MPDCommand("search", 1...60) { session, arguments, reply in
      try await session.add(try await found(session, try .init(arguments, isSearch: true), folds: true), &reply)
    },
    MPDCommand("findadd", 1...60) { session, arguments, _ in
      try await add(session, try .init(arguments, isSearch: false), folds: false)
    },
    MPDCommand("searchadd", 1...60) { session, arguments, _ in
      try await add(session, try .init(arguments, isSearch: true), folds: true)
    },
    MPDCommand("searchaddpl", 2...60) { session, arguments, _ in
      let search = try SearchArguments(arguments.dropFirst(), isSearch: true)
      let songs = try await found(session, search, folds: true)
      try await session.append(songs.map(\.id.playable), toPlaylist: arguments[0])
    },
    MPDCommand("count", 1...60) { session, arguments, reply in try await count(session, arguments, &reply) },
    MPDCommand("list", 1...60) { session, arguments, reply in try await list(session, arguments, &reply) },
  ]

  private static func found(_ session: Session, _ search: SearchArguments, folds: Bool) async throws -> [Song] {
    let index = try await session.household.catalogue.index()
    let matcher = search.filter.prepared(folds: folds)
    var songs = index.songs.filter(matcher.matches)
    if let sort = search.sort { songs = sort.sorted(songs) }
    if let window = search.window { songs = Array(songs[window.within(songs.count)]) }
    return songs
  }

  private static func add(_ session: Session, _ search: SearchArguments, folds: Bool) async throws {
    let songs = try await found(session, search, folds: folds)
    try await session.enqueue(songs.map(\.id.playable), at: search.position)
  }

  private static func count(_ session: Session, _ arguments: [String], _ reply: inout Reply) async throws {
    let search = try SearchArguments(arguments, isSearch: false, mayBeEmpty: true)
    let songs = try await found(session, search, folds: false)
    guard let group = search.groups.last else {
      reply.add("songs", songs.count)
      reply.add("playtime", songs.reduce(0) { $0 + $1.duration.roundedSeconds })
      return
    }
    for row in TagList.rows(of: group, groupedBy: [], among: songs) {
      reply.add(group.rawValue, row.value)
      reply.add("songs", row.songs)
      reply.add("playtime", row.seconds)
    }
  }

  private static func list(_ session: Session, _ arguments: [String], _ reply: inout Reply) async throws {
    let name = arguments[0]
    var rest = Array(arguments.dropFirst())
    // The oldest form: the albums of an artist.
    if rest.count == 1, !rest[0].hasPrefix("(") {
      guard SongTag(name: name) == .album else {
        throw CommandError(.argument, "should be \"Album\" for 3 arguments")
      }
      rest = ["artist", rest[0]]
    }
    let search = try SearchArguments(rest, isSearch: false, mayBeEmpty: true)
    let songs = try await found(session, search, folds: false)
    if ["file", "filename"].contains(name.asciiLowercase) {
      for song in songs { reply.add("file", song.path) }
      return
    }
    guard let tag = SongTag(name: name) else { throw CommandError(.argument, "Unknown tag type: \(name)") }
    guard !search.groups.contains(tag) else { throw CommandError(.argument, "Conflicting group") }
    let groups = Array(search.groups.reversed())
    reply.add(TagList.rows(of: tag, groupedBy: groups, among: songs), of: tag, groups: groups)
  }
}
