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
      }, "withheld": .text(withheld), "isLoved": .null,
    ])
  }

  /// The row of a table; `explains` adds what services said.
  func add(to table: inout Table, explains: Bool) {
    let deliveries = destinations.map { destination in
      let words = explains ? destination.answer.map { ": \($0)" } ?? "" : ""
      return "\(destination.service)/\(destination.account) \(destination.state)\(words)"
    }
    let sent =
      withheld.map { "kept (\($0))" } ?? (deliveries.isEmpty ? "kept, no account" : deliveries.joined(separator: ", "))
    let time = Table.Cell.faint(startedAt.local)
    let (title, artist, album) = (
      Table.Cell.strong(track.title), Table.Cell(track.artist), Table.Cell.faint(track.album)
    )
    // The id is for retry and drop.
    explains
      ? table.add(time, title, artist, album, Table.Cell(sent, .faint), .faint(listen.rawValue))
      : table.add(time, title, artist, album, .number("\(heard)"), Table.Cell(sent, .faint))
  }
}

extension Scrobble.FailedLove {
  /// The shape of one of `scrobbles --failed`: that of a scrobble without what only a listen has, and `isLoved`.
  var json: JSON {
    .object([
      "listen": .null, "room": .null, "id": .null, "track": .text(title), "artist": .text(artist), "album": .null,
      "startedAt": .null, "heardSeconds": .null,
      "destinations": .list([self]) { love in
        .object([
          "service": .text(love.service), "account": .text(love.account), "state": .text("failed"), "attempts": .null,
          "answer": .text(love.reason),
        ])
      }, "withheld": .null, "isLoved": .bool(isLoved),
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(
      Table.Cell(isLoved ? "love" : "no longer loved"), .strong(title), Table.Cell(artist),
      Table.Cell("\(service)/\(account): \(reason)", .faint))
  }
}

extension Scrobble.Account {
  /// As people name it: `lastfm/ann`.
  var name: String { "\(service)/\(account)" }

  /// The shape of one of `scrobbles accounts`.
  var json: JSON {
    .object([
      "service": .text(service), "account": .text(account), "address": .text(address), "isOn": .bool(isOn),
      "state": .text(state), "pending": .count(pending), "failed": .count(failed),
      "error": error.map { .object(["code": .text($0.code), "message": .text($0.message), "cause": .text($0.cause)]) }
        ?? .null, "waitsUntil": .text(waitsUntil), "isFromSettings": .bool(isFromSettings),
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    let waits = waitsUntil.map { " until \($0.local)" } ?? ""
    table.add(
      .strong(name), Table.Cell(state + waits), Table.Cell("\(pending) pending", .faint),
      Table.Cell("\(failed) failed", .faint), .faint(address))
  }
}
