import Client
import Messages
import Model

extension Scrobble.Entry {
  /// Adds a row to a table; `explains` adds what services said.
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
  /// Adds a row to a table.
  func add(to table: inout Table) {
    table.add(
      Table.Cell(isLoved ? "love" : "no longer loved"), .strong(title), Table.Cell(artist),
      Table.Cell("\(service)/\(account): \(reason)", .faint))
  }
}

extension Scrobble.Account {
  /// The account as people name it: `lastfm/ann`.
  var name: String { "\(service)/\(account)" }

  /// Adds a row to a table.
  func add(to table: inout Table) {
    let waits = waitsUntil.map { " until \($0.local)" } ?? ""
    table.add(
      .strong(name), Table.Cell(state + waits), Table.Cell("\(pending) pending", .faint),
      Table.Cell("\(failed) failed", .faint), .faint(address))
  }
}
