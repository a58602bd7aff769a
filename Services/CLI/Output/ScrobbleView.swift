import Model
import Messages

extension Scrobble.Entry {
  func row(explains: Bool) -> [Table.Cell] {
    let deliveries = destinations.map { destination in
      let words = explains ? destination.answer.map { ": \($0)" } ?? "" : ""
      return "\(destination.service)/\(destination.account) \(destination.state)\(words)"
    }
    let sent =
      withheld.map { "kept (\($0))" } ?? (deliveries.isEmpty ? "kept, no account" : deliveries.joined(separator: ", "))
    let subject = [.faint(startedAt.local), .strong(track.title), Table.Cell(track.artist), .faint(track.album)]
    // The id is for retry and drop.
    return subject + (explains ? [.faint(sent), .faint(listen.rawValue)] : [.number(heard), .faint(sent)])
  }
}

extension Scrobble.FailedLove: TableRow {
  var row: [Table.Cell] {
    [
      .init(isLoved ? "love" : "no longer loved"), .strong(title), .init(artist),
      .faint("\(service)/\(account): \(reason)"),
    ]
  }
}

extension Scrobble.Account: TableRow {
  /// The account as people name it: `lastfm/ann`.
  var name: String { "\(service)/\(account)" }

  var row: [Table.Cell] {
    [
      .strong(name), .init(state + (waitsUntil.map { " until \($0.local)" } ?? "")), .faint("\(pending) pending"),
      .faint("\(failed) failed"), .faint(address),
    ]
  }
}
