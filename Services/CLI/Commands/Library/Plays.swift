import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let by = Option(
    "--by", "WHAT", help: "how often: by track, album, artist, day or room",
    completes: .words(["track", "album", "artist", "day", "room"]))
  fileprivate static let past = Option("--since", "DURATION", help: "only of the last so long: 2h, 30d")
  fileprivate static let inRoom = Option(
    "--room", "NAME", help: "only what was heard there", completes: .household(.rooms))
}

extension Command {
  static let plays = Command(
    name: "plays", summary: "what was heard in all rooms, or how often",
    examples: [
      "lunara plays --last 10": "the newest ten",
      "lunara plays --by album --since 365d --last 20": "the most heard albums of a year",
      "lunara plays files:a3": "when an album was heard",
    ],
    options: [.last, .by, .past, .inRoom],
    operand: .optional(
      "ID", help: "only of this track, album or artist", completes: .household(.playables)),
    action: .asynchronous { context in
      let arguments = context.arguments
      let limit = try arguments.integer(.last, in: 1...100_000) ?? 50
      let dimension = try arguments.choice(
        .by, of: [Library.CountPlays.Dimension.track, .album, .artist, .day, .room])
      var filter = Library.PlayFilter(room: arguments.value(.inRoom).map { RoomName(from: $0) })
      filter.since = try arguments.duration(.past).map { Timestamp.now() - $0 }
      let client = try await Client(context)
      if let word = arguments.operands.first { try await client.narrow(&filter, to: word) }
      if let dimension {
        let counts = try await client.ask(
          Library.CountPlays(filter: filter, by: dimension, limit: min(500, limit)), of: .library)
        return context.console.print(.list(counts.rows), Table(counts.rows), ifEmpty: "Nothing was heard yet.")
      }
      let asked = filter
      let plays = try await Client.list(upTo: limit) {
        try await client.ask(Library.ListPlays(filter: asked, after: $0, limit: $1), of: .library)
      }
      context.console.print(.list(plays.items), Table(plays.items), ifEmpty: "Nothing was heard yet.")
    })
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
      .faint(key == title ? "" : key), .strong(title), .number("\(plays) plays"),
      .number(skips == 0 ? "" : "\(skips) skips"), .faint(lastPlayedAt?.local ?? ""),
    ]
  }
}
