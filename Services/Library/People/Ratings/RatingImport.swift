import Bus
import Messages
import Model
import MusicTags
import Records
import Storage

/// Takes over ratings that other players wrote into tags, where a person asks for it.
struct RatingImport: Sendable {
  /// A track that is shown, and the rating in the tags of its files.
  private struct TaggedRating: Sendable {
    var track: Int64
    /// Nil where it is written in a way that is not known.
    var rating: Rating?
  }

  /// The number of tracks that one transaction rates, so that others can write in between.
  private static let batch = 500

  let database: Database
  let kinds: SourceKinds
  let journal: Journal?
  let now: @Sendable () -> Timestamp

  /// Rates the tracks of a folder, or of all folders, as the tags say that the last scan read.
  ///
  /// A track that a server rates, too, is left out: the server's rating counts. Throws `library.unknownFolder`.
  func run(_ request: Library.ImportRatings) async throws -> Library.ImportedRatings {
    let found = try await database.read {
      try Self.ratings(in: request.folder.map { MusicFolders.plain($0.bytes) }, $0)
    }
    var result = Library.ImportedRatings(found: found.count)
    result.unclear = found.count { $0.rating == nil }
    let (kinds, journal, now) = (kinds, journal, now())
    for start in stride(from: 0, to: found.count, by: Self.batch) {
      let part = Array(found[start..<min(start + Self.batch, found.count)])
      let before = result
      if request.isDryRun {
        result = try await database.read { transaction in
          var result = before
          for found in part { _ = try Self.plan(found, request, kinds, &result, transaction) }
          return result
        }
      } else {
        result = try await database.write(.power) { transaction in
          var result = before
          for found in part {
            guard let plan = try Self.plan(found, request, kinds, &result, transaction) else { continue }
            if result.rated == 1 { try ImportChanges.forget(.ratings, transaction) }
            try ImportChanges.record(
              .init(
                track: found.track, identity: plan.identity,
                former: try transaction.value("SELECT rating FROM tracks WHERE id = ?", found.track),
                value: found.rating.map { Int64($0.rawValue) } ?? 0, at: now), of: .ratings, transaction)
            try Ratings.write(plan, found.rating, at: now, journal, transaction)
          }
          return result
        }
      }
    }
    return result
  }

  /// Returns the tracks whose files have ratings in their tags. Of the copies of a track the highest rating counts.
  private static func ratings(in folder: [UInt8]?, _ transaction: ReadTransaction) throws -> [TaggedRating] {
    // `ra` is the field of the ratings.
    let rows = try TaggedValues.rows("ra", in: folder, transaction) { $0.owner.ratings }
    let ofTen = Set(
      rows.filter { $0.value.contains { TagRating($0)?.showsTen == true } }.map(\.folder))
    var found: [Int64: TaggedRating] = [:]
    for row in rows {
      // A value of 0 means that the person has not rated the track.
      if row.value.allSatisfy({ TagRating($0)?.isNone == true }) { continue }
      let rating = TagRating.rating(of: row.value, isOfTen: ofTen.contains(row.folder))
      let before = found[row.track]?.rating
      found[row.track] = TaggedRating(
        track: row.track, rating: [before, rating].compactMap { $0 }.max { $0.rawValue < $1.rawValue })
    }
    return found.values.sorted { $0.track < $1.track }
  }

  /// Returns the plan by which a track gets its rating; nil if it keeps what it has. Counts what becomes of it.
  private static func plan(
    _ found: TaggedRating, _ request: Library.ImportRatings, _ kinds: SourceKinds,
    _ result: inout Library.ImportedRatings,
    _ transaction: ReadTransaction
  ) throws -> RatingPlan? {
    guard let rating = found.rating else { return nil }
    let row = try transaction.row("SELECT source, rating FROM tracks WHERE id = ?", found.track) { row in
      (source: try row.value(0) as String, rating: try row.value(1) as Rating?)
    }
    // The track may have left since.
    guard let row else { return nil }
    let plan = try RatingPlan(PlayableID(source: row.source, native: "t\(found.track)"), kinds, transaction)
    if !plan.members.isEmpty {
      result.atServers += 1
    } else if row.rating == rating {
      result.same += 1
    } else if row.rating != nil, !request.replaces {
      result.kept += 1
    } else {
      result.rated += 1
      return plan
    }
    return nil
  }
}
