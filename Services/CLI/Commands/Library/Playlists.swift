import Client
import Messages
import Model

extension Option {
  fileprivate static let behind = Option("--after", "N", help: "behind the entry at this place")
  fileprivate static let atStart = Option("--first", help: "at the beginning")
  fileprivate static let atEnd = Option("--last", help: "at the end")
}

extension Command {
  static let playlists = list(
    "playlists", "the playlists, by title, and making and editing those of your own",
    discussion: """
      N is the place of an entry, from 1, as `lunara playlist LIST` shows it; 3-7 are five places. A program may name an
      entry by the id that JSON has, such as e17, which it keeps when it is moved.
      Music that leaves the library stays in a playlist as a description, and is the music again when it comes back.
      """,
    examples: [
      "lunara playlists": "all, most likely",
      "lunara playlists new \"Sunday\" files:a3": "with the tracks of an album",
      "lunara playlists add Sunday files:t12": "one more track",
    ],
    commands: [
      newPlaylist, addToPlaylist, removeFromPlaylist, moveInPlaylist, renamePlaylist, describePlaylist, coverOfPlaylist,
      deletePlaylist, undoPlaylist, smartPlaylist, importPlaylist, exportPlaylist,
    ], hint: "`lunara playlists new NAME` makes one."
  ) { client, after, limit in try await client.ask(Library.ListPlaylists(after: after, limit: limit)) }

  private static let newPlaylist = Command(
    name: "new", summary: "make a playlist",
    examples: [
      "lunara playlists new \"Sunday\"": "an empty one",
      "lunara playlists new \"Long drive\" files:a3 files:t12": "with an album and a track",
      "lunara playlists new \"Last night\" --queue": "with what is queued in the room",
    ],
    takes: .text("--summary", "TEXT", help: "a description"),
    .text("--copy", "LIST", help: "begin with the entries of this playlist", completes: .household(.playlists)),
    .text(
      "--on", "SOURCE", help: "keep it on this server instead of here, such as plex", completes: .household(.sources)),
    .flag("--queue", help: "add what is queued in the room"), .context(.room),
    .operands(
      "NAME [ID]…", 1...2001,
      help: "its name, and what it begins with: albums, tracks, artists and so on, by id or title",
      completes: .household(.playables))
  ) { client, console, summary, model, server, queues, context, words in
    var request = Library.CreatePlaylist(title: words[0], summary: summary, source: server)
    if let model { request.copyOf = try await client.playlistID(model) }
    let music = try await client.music(Array(words.dropFirst()))
    request.ids = music.ids
    if !music.described.isEmpty { request.described = music.described }
    if queues { request.ids += try await client.queuedTracks(for: context) }
    // Ids that one request does not take are added by further ones.
    let rest = request.ids.dropFirst(Client.mostIDs)
    request.ids = Array(request.ids.prefix(Client.mostIDs))
    let playlist = try await client.ask(request)
    print(try await client.add(rest, to: playlist), "made", console)
  }

  private static let addToPlaylist = Command(
    name: "add", summary: "add albums, tracks, artists and so on to a playlist",
    examples: [
      "lunara playlists add Sunday files:a3": "the tracks of an album, at the end",
      "lunara playlists add lunara:p4 files:t12 --first": "one track, at the beginning",
      "lunara playlists add Sunday https://music.example/album/7": "what an address of a service names",
    ],
    takes: Parameter(.behind, .atStart) { try $0.anchor() }, .flag("--queue", help: "add what is queued in the room"),
    .context(.room),
    .list(
      "LIST [ID]…", 1...10_001, help: "the playlist, and what is added, each by its id, title or address at a service",
      completes: .household(.playables))
  ) { client, console, after, queues, context, list in
    let music = try await client.music(list.rest)
    var ids = music.ids
    if queues { ids += try await client.queuedTracks(for: context) }
    guard !list.rest.isEmpty || !ids.isEmpty else { throw UsageError("playlists add needs something to add.") }
    let after = try await client.entry(after, in: list.id)
    guard !ids.isEmpty || !music.described.isEmpty else { throw GivenMusic.nothing }
    guard ids.count <= Client.mostIDs || after == nil else {
      throw UsageError("At most \(Client.mostIDs) things at once can be put anywhere but at the end.")
    }
    let first = Library.AddToPlaylist(
      id: list.id, ids: Array(ids.prefix(Client.mostIDs)), described: music.described.isEmpty ? nil : music.described,
      after: after)
    let playlist = try await client.ask(first)
    print(try await client.add(ids.dropFirst(Client.mostIDs), to: playlist), "", console)
  }

  private static let removeFromPlaylist = Command(
    name: "remove", summary: "remove entries from a playlist",
    examples: [
      "lunara playlists remove Sunday 17 18": "two entries", "lunara playlists remove Sunday 3-7": "five of them",
    ],
    takes: .list("LIST N…", 2...10_001, help: "the playlist, and places such as 3 or 3-7", completes: nil)
  ) { client, console, list in
    let entries = try await client.entries(of: list.id).named(try Places(list.rest))
    try await edit(Library.RemoveFromPlaylist(id: list.id, entries: entries), client, console)
  }

  private static let moveInPlaylist = Command(
    name: "move", summary: "move entries of a playlist",
    examples: [
      "lunara playlists move Sunday 3 1": "the third becomes the first",
      "lunara playlists move Sunday 18 --after 12": "behind another entry",
      "lunara playlists move Sunday 17 18 --first": "two entries to the beginning",
    ],
    takes: Parameter<Anchor?>(.behind, .atStart, .atEnd) { arguments in
      let isAnchored = [Option.behind, .atStart, .atEnd].contains { arguments.has($0) }
      return isAnchored ? try arguments.anchor() : nil
    },
    .list(
      "LIST N…", 2...10_001,
      help: "the playlist, and places in their new order; without an option the last one is where they go",
      completes: nil),
    refuses: [
      Refusal("playlists move needs the place to go to: playlists move LIST N N, or --after N, --first or --last.") {
        arguments in
        arguments.operands.count < 3 && ![Option.behind, .atStart, .atEnd].contains { arguments.has($0) }
      }
    ]
  ) { client, console, anchor, list in
    let all = try await client.entries(of: list.id)
    let moved: [Int64]
    let after: Int64?
    if let anchor {
      moved = try all.named(try Places(list.rest))
      after = try all.entry(anchor)
    } else {
      moved = try all.named(try Places(list.rest.dropLast()))
      let target = try Places(list.rest.suffix(1))
      guard let place = target.single else {
        throw UsageError("The last N is one place, not “\(list.rest.last ?? "")”.")
      }
      _ = try all.named(target)
      let rest = all.ids.filter { !moved.contains($0) }
      after = place == 1 ? 0 : rest.dropFirst(place - 2).first
    }
    try await edit(Library.MoveInPlaylist(id: list.id, entries: moved, after: after), client, console)
  }

  private static let renamePlaylist = Command(
    name: "rename", summary: "give a playlist another title",
    examples: ["lunara playlists rename Sunday \"Slow Sunday\"": "the same entries under another title"],
    takes: .list("LIST TITLE", 2...2, help: "the playlist, and its new title")
  ) { client, console, list in
    try await edit(Library.DescribePlaylist(id: list.id, title: list.rest[0]), client, console)
  }

  private static let describePlaylist = Command(
    name: "describe", summary: "give a playlist a description",
    examples: [
      "lunara playlists describe Sunday \"For slow mornings\"": "shown below its title",
      "lunara playlists describe Sunday \"\"": "takes the description away",
    ],
    takes: .list("LIST TEXT", 2...2, help: "the playlist, and the text")
  ) { client, console, list in
    try await edit(Library.DescribePlaylist(id: list.id, summary: list.rest[0]), client, console)
  }

  private static let deletePlaylist = Command(
    name: "delete", summary: "delete a playlist; `lunara playlists undo` with its id brings it back for 30 days",
    examples: ["lunara playlists delete Sunday": "prints the id with which it comes back"],
    takes: .list()
  ) { client, console, list in
    _ = try await client.ask(Library.DeletePlaylist(id: list.id))
    console.print(
      ["id": list.id, "isDeleted": true],
      text: "Deleted. `lunara playlists undo \(list.id)` brings it back for 30 days.\n")
  }

  private static let undoPlaylist = Command(
    name: "undo", summary: "take back the last change of a playlist, up to ten one by one, or its deletion",
    examples: ["lunara playlists undo Sunday": "as it was before", "lunara playlists undo lunara:p4": "a deleted one"],
    takes: .list()
  ) { client, console, list in try await edit(Library.UndoPlaylist(id: list.id), client, console) }

  private static func edit<R: CommandRequest>(
    _ request: R, _ client: Client, _ console: Console
  ) async throws where R.Answer == Playlist {
    print(try await client.ask(request), "", console)
  }

  private static func print(_ playlist: Playlist, _ word: String, _ console: Console) {
    let parts = [
      "\(playlist.id)", playlist.title, Printable.count(playlist.trackCount, "track"), word, playlist.note ?? "",
    ]
    console.print(playlist.json, text: Printable.line(parts.filter { !$0.isEmpty }.joined(separator: " · ")) + "\n")
  }
}

extension Parameter {
  /// The playlist that the first operand names, by its id or its title, and the other operands.
  static func list(
    _ name: String = "LIST", _ count: ClosedRange<Int> = 1...1, help: String = "the playlist's id, or its title",
    completes: Completion? = .household(.playlists)
  ) -> Parameter<(id: PlaylistID, rest: [String])> {
    let operand = Operand(name: name, count: count, help: help, completes: completes)
    return .init(
      operand: operand,
      finding: { arguments in
        let words = arguments.operands
        return { client, _ in (try await client.playlistID(words[0]), Array(words.dropFirst())) }
      })
  }
}

extension Arguments {
  /// Returns the entry behind which something is put.
  fileprivate func anchor() throws -> Anchor {
    let given = value(.behind)
    guard [given != nil, has(.atStart), has(.atEnd)].count(where: { $0 }) <= 1 else {
      throw UsageError("Only one of --after, --first and --last can be given.")
    }
    if has(.atStart) { return .start }
    guard let given else { return .end }
    let places = try Places([given])
    guard places.single ?? 1 > 0, places.single != nil || EntryPlaces.id(given) != nil else {
      throw UsageError("--after takes the place of an entry, from 1, not “\(given)”.")
    }
    return .entry(places)
  }
}

extension Client {
  /// The most ids of one request.
  fileprivate static let mostIDs = 2000

  /// Returns the entry behind which something is put: 0 for the beginning, nil for the end.
  fileprivate func entry(_ anchor: Anchor, in list: PlaylistID) async throws -> Int64? {
    if case .entry = anchor { return try await entries(of: list).entry(anchor) }
    return anchor == .start ? 0 : nil
  }

  /// Returns the tracks that are queued in the room of a command.
  fileprivate func queuedTracks(for context: Context) async throws -> [PlayableID] {
    try await queue(of: try await room(for: context)).items.map(\.track.id.playable)
  }

  /// Adds things at the end of a playlist, in as many requests as are needed.
  fileprivate func add(_ ids: ArraySlice<PlayableID>, to playlist: Playlist) async throws -> Playlist {
    var (playlist, rest) = (playlist, ids)
    while !rest.isEmpty {
      playlist = try await ask(Library.AddToPlaylist(id: playlist.id, ids: Array(rest.prefix(Self.mostIDs))))
      rest = rest.dropFirst(Self.mostIDs)
    }
    return playlist
  }
}
