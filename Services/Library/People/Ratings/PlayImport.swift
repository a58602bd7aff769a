import Bus
import Catalogue
import Messages
import Model
import MusicTags
import Records
import Storage

/// Takes over the counts of plays that other players wrote into tags, where a person asks for it.
///
/// A count stands beside the listens of the household and is added to them wherever plays are counted. It is kept by
/// the track's names, as a rating is.
struct PlayImport: Sendable {
  /// The number of tracks that one transaction changes, so that others can write in between.
  private static let batch = 500

  let database: Database
  let publisher: ChangePublisher
  let now: @Sendable () -> Timestamp

  /// Raises the counts of a folder's tracks, or of all tracks, to those in their tags; none is lowered.
  ///
  /// Of the copies of a track the highest count is taken. Throws `library.unknownFolder`.
  func run(_ request: Library.ImportPlays) async throws -> Library.ImportedPlays {
    let counts = try await database.read { transaction in
      // `pc` is the field of the counts.
      try TaggedValues.rows("pc", in: request.folder.map { MusicFolders.plain($0.bytes) }, transaction) {
        $0.owner.playCount ?? 0
      }.reduce(into: [Int64: Int]()) { $0[$1.track] = max($1.value, $0[$1.track] ?? 0) }
    }
    let found = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { (track: $0.key, plays: $0.value) }
    var result = Library.ImportedPlays(found: found.count)
    let (publisher, now) = (publisher, now())
    for start in stride(from: 0, to: found.count, by: Self.batch) {
      let part = Array(found[start..<min(start + Self.batch, found.count)])
      let before = result
      if request.isDryRun {
        result = try await database.read { transaction in
          var result = before
          for (track, plays) in part { _ = try Self.count(plays, of: track, &result, transaction) }
          return result
        }
      } else {
        result = try await database.write(.power) { transaction in
          var (result, changes) = (before, CatalogueWriter.Changes())
          for (track, plays) in part {
            guard let identity = try Self.count(plays, of: track, &result, transaction) else { continue }
            if result.raised == 1 { try ImportChanges.forget(.plays, transaction) }
            let former: Int64? = try transaction.value("SELECT plays FROM imported_plays WHERE identity = ?", identity)
            try ImportChanges.record(
              .init(track: track, identity: identity, former: former, value: Int64(plays), at: now), of: .plays,
              transaction)
            try transaction.execute(
              "INSERT OR REPLACE INTO imported_plays (identity, plays, imported_at) VALUES (?, ?, ?)", identity, plays,
              now)
            try ImportChanges.addAlbum(of: track, &changes, transaction)
          }
          // Lists of what was never played are other ones now.
          if !changes.isEmpty { try Catalogue.countAndPublish(changes, publisher, transaction) }
          return result
        }
      }
    }
    return result
  }

  /// Returns the identity of a track whose count is raised; nil if it stays. Counts what becomes of it.
  private static func count(
    _ plays: Int, of track: Int64, _ result: inout Library.ImportedPlays, _ transaction: ReadTransaction
  ) throws -> Int64? {
    // The track may have left since.
    let identity: Int64? = try transaction.value("SELECT identity FROM tracks WHERE id = ?", track)
    guard let identity else { return nil }
    let before: Int? = try transaction.value(
      """
      SELECT max(p.plays) FROM tracks c JOIN imported_plays p ON p.identity = c.identity
      WHERE c.id = ?1 OR (c.shown = ?1 AND c.shown <> c.id)
      """, track)
    guard plays > before ?? 0 else {
      result.same += 1
      return nil
    }
    result.raised += 1
    result.plays += plays - (before ?? 0)
    return identity
  }
}
