import Bus
import Messages
import Model
import Storage

/// Writes a rating once the sources have taken it.
enum Ratings {
  /// Brings the rows in line and tells of it.
  ///
  /// Ratings of what no server has are kept in a table of their own, which no refresh touches. A server's row is read
  /// anew with the next refresh: its digest is of the rating before, which a person may put back there.
  static func write(
    _ plan: RatingPlan, _ rating: Rating?, at now: Timestamp, _ journal: Journal?, _ transaction: Transaction
  ) throws {
    let kind: SearchIndex.Kind
    var track: Track?
    switch plan.shown {
    case .album(let number):
      kind = .album
      for member in plan.members {
        try transaction.execute("UPDATE albums SET own_rating = ?, digest = NULL WHERE id = ?", rating, member.number)
      }
      try transaction.execute("UPDATE albums SET rating = ? WHERE id = ?", rating, number)
    case .track(let number):
      kind = .track
      for member in plan.members {
        try transaction.execute("UPDATE tracks SET own_rating = ?, digest = NULL WHERE id = ?", rating, member.number)
      }
      try transaction.execute("UPDATE tracks SET rating = ? WHERE id = ?", rating, number)
      track = try transaction.row(
        "SELECT \(Catalogue.trackColumns) FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.id = ?", number
      ) { try Catalogue.TrackRow($0).track }
    case .artist(let number):
      kind = .artist
      for member in plan.members {
        try transaction.execute(
          "UPDATE artist_members SET rating = ?, digest = 0 WHERE source = ? AND native = ?", rating, member.source,
          member.item.native)
      }
      try transaction.execute("UPDATE artists SET rating = ? WHERE id = ?", rating, number)
    case .collection, .playlist: return
    }
    if let rating, plan.members.isEmpty {
      try transaction.execute(
        "INSERT OR REPLACE INTO ratings (kind, identity, rating, rated_at) VALUES (?, ?, ?, ?)", kind.rawValue,
        plan.identity, rating, now)
    } else {
      try transaction.execute("DELETE FROM ratings WHERE kind = ? AND identity = ?", kind.rawValue, plan.identity)
    }
    try journal?.append(Library.RatingChanged(id: plan.id, rating: rating, track: track), in: transaction)
  }
}
