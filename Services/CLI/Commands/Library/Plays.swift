import Client
import Messages
import Model

extension Command {
  static let plays = Command(
    name: "plays", summary: "what was heard in all rooms, or how often",
    examples: [
      "lunara plays --last 10": "the newest ten",
      "lunara plays --by album --since 365d --last 20": "the most heard albums of a year",
      "lunara plays files:a3": "when an album was heard",
    ],
    takes: .integer(.last, in: 1...100_000),
    .choice(
      "--by", "WHAT",
      [Library.CountPlays.Dimension.track, .album, .artist, .day, .room],
      help: "how often: by track, album, artist, day or room"),
    .duration("--since", help: "only of the last so long: 2h, 30d"),
    .text("--room", "NAME", help: "only what was heard there", completes: .household(.rooms)),
    .optional("ID", help: "only of this track, album or artist", completes: .household(.playables)), .context()
  ) { client, console, limit, dimension, past, room, word, context in
    let limit = limit ?? 50
    let given = context.arguments.filter(context.arguments.known.filter { ["--since", "--room"].contains($0.name) })
    let nothing = given.map { "Nothing was heard for \($0)." } ?? "Nothing was heard yet."
    var filter = Library.PlayFilter()
    if let room { filter.room = await client.roomName(room) }
    filter.since = past.map { Timestamp.now() - $0 }
    if let word { try await client.narrow(&filter, to: word) }
    if let dimension {
      let counts = try await client.ask(Library.CountPlays(filter: filter, by: dimension, limit: min(500, limit)))
      return console.print(.list(counts.rows), Table(counts.rows), ifEmpty: nothing)
    }
    let asked = filter
    let plays = try await Client.list(upTo: limit) {
      try await client.ask(Library.ListPlays(filter: asked, after: $0, limit: $1))
    }
    console.print(.list(plays.items), Table(plays.items), ifEmpty: nothing)
  }
}

extension Client {
  fileprivate func narrow(_ filter: inout Library.PlayFilter, to word: String) async throws {
    guard let id = try await playables([word]).first else { return }
    switch id.native.first {
    case "a": filter.album = AlbumID(source: id.source, native: id.native)
    case "r": filter.artist = ArtistID(source: id.source, native: id.native)
    case "t": filter.track = TrackID(source: id.source, native: id.native)
    default: throw UsageError("plays takes a track, an album or an artist; \(id) is a collection or a playlist.")
    }
  }
}

extension Library.Play: TableRow {
  var row: [Table.Cell] {
    [
      .faint(startedAt.local), .strong(track.title), .init(track.artist), .faint(track.album), .number(heard),
      .faint(room.rawValue), .faint(skipped ? "skipped" : counted ? "" : "not counted"),
    ]
  }
}

extension Library.PlayCounts.Row: TableRow {
  var row: [Table.Cell] {
    [
      .faint(key == title ? "" : key), .strong(title), .number(Printable.count(plays, "play")),
      .number(skips == 0 ? "" : Printable.count(skips, "skip")), .faint(lastPlayedAt?.local ?? ""),
    ]
  }
}
