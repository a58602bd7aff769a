import Messages
import Model

extension Scrobble.Entry {
  /// The shape of one of `scrobbles`.
  var json: JSON {
    .object([
      "listen": .text(listen), "room": .text(room), "id": .text(track.id), "track": .text(track.title),
      "artist": .text(track.artist), "album": .text(track.album), "startedAt": .text(startedAt),
      "heardSeconds": .seconds(heard),
      "destinations": .list(destinations) { destination in
        .object([
          "service": .text(destination.service), "account": .text(destination.account),
          "state": .text(destination.state), "attempts": .count(destination.attempts),
          "answer": .text(destination.answer),
        ])
      },
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    let deliveries = destinations.map { "\($0.service) \($0.state)" }.joined(separator: ", ")
    table.add(
      .faint(startedAt.local), .strong(track.title), Table.Cell(track.artist), .faint(track.album),
      .number("\(heard)"), Table.Cell(destinations.isEmpty ? "kept, no account yet" : deliveries, .faint))
  }
}
