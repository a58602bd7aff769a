import Bus
import Catalogue
import Messages
import Model
import Records
import Storage

/// A value that the last import of its kind set.
struct ImportChange: Sendable {
  /// The track that was shown, and its identity at that time.
  var track: Int64
  var identity: Int64
  /// The value before; nil for none.
  var former: Int64?
  var value: Int64
  var at: Timestamp
}

/// The changes of the last import of each kind, so that it can be taken back.
enum ImportChanges {
  private static func number(of kind: Library.ImportKind) -> Int {
    switch kind {
    case .ratings: 1
    case .plays: 2
    }
  }

  /// Forgets the import before; called where an import changes something.
  static func forget(_ kind: Library.ImportKind, _ transaction: Transaction) throws {
    try transaction.execute("DELETE FROM import_changes WHERE kind = ?", number(of: kind))
  }

  static func record(_ change: ImportChange, of kind: Library.ImportKind, _ transaction: Transaction) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO import_changes (kind, track, identity, former, value, imported_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """, number(of: kind), change.track, change.identity, change.former, change.value, change.at)
  }

  /// Forgets one change, as it was taken back.
  static func forget(_ change: ImportChange, of kind: Library.ImportKind, _ transaction: Transaction) throws {
    try transaction.execute("DELETE FROM import_changes WHERE kind = ? AND track = ?", number(of: kind), change.track)
  }

  /// Adds the album that lists show for a track to the changes of the catalogue. A part of an import has fewer tracks
  /// than the albums that are published by name.
  static func addAlbum(
    of track: Int64, _ changes: inout CatalogueWriter.Changes, _ transaction: ReadTransaction
  ) throws {
    let album: AlbumID? = try transaction.value(
      "SELECT a.source || ':a' || a.id FROM tracks t JOIN albums a ON a.id = t.shelf WHERE t.id = ?", track)
    if let album { changes.albums.insert(album) }
  }

  /// Returns the changes after a track, in the order of the tracks.
  static func page(
    of kind: Library.ImportKind, after track: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [ImportChange] {
    try transaction.rows(
      """
      SELECT track, identity, former, value, imported_at FROM import_changes WHERE kind = ? AND track > ?
      ORDER BY track LIMIT ?
      """, number(of: kind), track, limit
    ) { row in
      ImportChange(
        track: try row.value(0), identity: try row.value(1), former: try row.value(2), value: try row.value(3),
        at: try row.value(4))
    }
  }
}

/// Takes the last import of ratings or of counts of plays back.
struct ImportUndo: Sendable {
  private static let batch = 500

  let database: Database
  let kinds: SourceKinds
  let publisher: ChangePublisher
  let now: @Sendable () -> Timestamp

  /// Gives each track its value from before the import. What was changed since stays, and so does the rating of a track
  /// that a server rates by now.
  func run(_ request: Library.UndoImport) async throws -> Library.UndoneImport {
    var result = Library.UndoneImport()
    var last = Int64.min
    while true {
      let (before, start) = (result, last)
      let part: (result: Library.UndoneImport, last: Int64?)
      if request.isDryRun {
        part = try await database.read { transaction in
          var result = before
          let changes = try ImportChanges.page(of: request.of, after: start, limit: Self.batch, transaction)
          for change in changes {
            result.importedAt = change.at
            let isUndone =
              switch request.of {
              case .ratings: try rating(change, transaction) != nil
              case .plays: try plays(change, transaction) != nil
              }
            if isUndone { result.undone += 1 } else { result.kept += 1 }
          }
          return (result, changes.last?.track)
        }
      } else {
        part = try await database.write(.power) { transaction in
          var (result, changed) = (before, CatalogueWriter.Changes())
          let changes = try ImportChanges.page(of: request.of, after: start, limit: Self.batch, transaction)
          for change in changes {
            result.importedAt = change.at
            if try undo(change, request.of, transaction) {
              result.undone += 1
              if request.of == .plays, let track = try Self.shown(change.track, transaction) {
                try ImportChanges.addAlbum(of: track.number, &changed, transaction)
              }
            } else {
              result.kept += 1
            }
            try ImportChanges.forget(change, of: request.of, transaction)
          }
          if !changed.isEmpty { try Catalogue.countAndPublish(changed, publisher, transaction) }
          return (result, changes.last?.track)
        }
      }
      result = part.result
      guard let end = part.last else { return result }
      last = end
    }
  }

  /// Takes one change back. Returns false if the value was changed since.
  private func undo(
    _ change: ImportChange, _ kind: Library.ImportKind, _ transaction: Transaction
  ) throws -> Bool {
    switch kind {
    case .ratings:
      guard let place = try rating(change, transaction) else { return false }
      let former = change.former.flatMap { Rating(rawValue: Int(clamping: $0)) }
      switch place {
      case .shown(let plan): try Ratings.write(plan, former, at: now(), publisher.journal, transaction)
      case .departed(let identity):
        if let former {
          try transaction.execute(
            "UPDATE ratings SET rating = ?, rated_at = ? WHERE kind = ? AND identity = ?", former, now(),
            CatalogueID.Kind.track, identity)
        } else {
          try transaction.execute(
            "DELETE FROM ratings WHERE kind = ? AND identity = ?", CatalogueID.Kind.track, identity)
        }
      }
    case .plays:
      guard let identity = try plays(change, transaction) else { return false }
      if let former = change.former {
        try transaction.execute("UPDATE imported_plays SET plays = ? WHERE identity = ?", former, identity)
      } else {
        try transaction.execute("DELETE FROM imported_plays WHERE identity = ?", identity)
      }
    }
    return true
  }

  /// The place of a rating.
  private enum RatingPlace {
    case shown(RatingPlan)
    /// The identity of a track that has left.
    case departed(Int64)
  }

  /// Returns the place of a rating that is still as the import set it; nil if it was changed since.
  private func rating(_ change: ImportChange, _ transaction: ReadTransaction) throws -> RatingPlace? {
    var place = RatingPlace.departed(change.identity)
    var identity = change.identity
    if let track = try Self.shown(change.track, transaction) {
      let plan = try RatingPlan(PlayableID(source: track.source, native: "t\(track.number)"), kinds, transaction)
      guard plan.members.isEmpty else { return nil }
      place = .shown(plan)
      identity = plan.identity
    }
    let isSame: Bool? = try transaction.value(
      "SELECT rating = ? AND rated_at = ? FROM ratings WHERE kind = ? AND identity = ?", change.value, change.at,
      CatalogueID.Kind.track, identity)
    return isSame == true ? place : nil
  }

  /// Returns the identity of a track whose count is still as the import set it; nil if it was changed since.
  private func plays(_ change: ImportChange, _ transaction: ReadTransaction) throws -> Int64? {
    let track = try Self.shown(change.track, transaction)
    let identity = track?.identity ?? change.identity
    let isSame: Bool? = try transaction.value(
      "SELECT plays = ? AND imported_at = ? FROM imported_plays WHERE identity = ?", change.value, change.at, identity)
    return isSame == true ? identity : nil
  }

  /// Returns the track that stands for one by now; nil if it has left.
  private static func shown(
    _ track: Int64, _ transaction: ReadTransaction
  ) throws -> (number: Int64, source: String, identity: Int64)? {
    try transaction.row(
      """
      SELECT s.id, s.source, s.identity FROM tracks t JOIN tracks s ON s.id = t.shown
      WHERE t.id = ifnull((SELECT id FROM tracks WHERE id = ?1), \(Successors.of(.track, "?1")))
      """, track
    ) { (number: try $0.value(0), source: try $0.value(1), identity: try $0.value(2)) }
  }
}
