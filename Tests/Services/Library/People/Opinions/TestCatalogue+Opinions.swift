import Bus
import Messages
import Model
import Storage

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

extension SourceKinds {
  /// The kinds of sources, of which Plex and Subsonic are told of likes.
  static let toldOfLikes = SourceKinds([
    FilesSource.descriptor, SourceDescriptor(PlexServer.sourceKind, sendsOfLikes: "Plex is told."),
    SourceDescriptor(SubsonicServer.sourceKind, sendsOfLikes: "Subsonic is told."),
  ])
}

extension TestCatalogue {
  /// Gives or takes back an opinion, and returns the one before.
  @discardableResult
  func opine(_ id: AlbumID, _ opinion: Library.Opinion?) async throws -> Library.Opinion? {
    let now = time
    return try await database.write {
      try OpinionStore.set(.init(id: id, opinion: opinion), at: now, .toldOfLikes, nil, $0).before
    }
  }

  /// All opinions, the latest first.
  func opinions() async throws -> [Library.AlbumOpinion] {
    try await database.read { try OpinionStore.page(.init(limit: 500), $0).items }
  }

  /// The opinions as `title opinion`, with a question mark after those of albums that are not here.
  func opinionWords() async throws -> [String] {
    try await opinions().map { "\($0.title) \($0.opinion.rawValue)\($0.isHere == false ? "?" : "")" }.sorted()
  }

  func opinionIDs(since: Int64? = nil) async throws -> Library.OpinionIDs {
    try await database.read { try OpinionStore.ids(.init(since: since), $0) }
  }

  func sharing() async throws -> [String: Library.OpinionSharing.Service] {
    let services = try await database.read { try OpinionServices.list(.toldOfLikes, $0).services }
    return Dictionary(uniqueKeysWithValues: services.map { ($0.service, $0) })
  }

  /// The number of stored opinions, also of those that do not stand.
  func storedOpinions() async throws -> Int {
    try await database.read { try $0.value("SELECT count(*) FROM album_opinions") } ?? 0
  }

  /// The condition for subjects to which nothing refers.
  private static let isUnused = Subjects.referrers.map { "id NOT IN (SELECT subject FROM \($0))" }.joined(
    separator: " AND ")

  /// Returns contradictions among the stored opinions; none is right.
  func opinionFaults() async throws -> [String] {
    try await database.read { transaction in
      try transaction.rows(
        """
        WITH o AS (SELECT * FROM album_opinions x JOIN subjects s ON s.id = x.subject)
        SELECT 'not one stands at ' || last_shown FROM o GROUP BY last_shown HAVING sum(stands) <> 1
        UNION ALL SELECT 'an earlier one stands at ' || last_shown FROM o WHERE stands = 1 AND EXISTS
          (SELECT 1 FROM o l WHERE l.last_shown = o.last_shown AND l.given_at > o.given_at)
        UNION ALL SELECT 'shown at another album than its own: ' || item FROM o
          JOIN albums a ON a.id = o.item WHERE o.shown IS NOT a.shelf
        UNION ALL SELECT 'shown at a part of an album: ' || item FROM o
          JOIN albums a ON a.id = o.last_shown WHERE a.shelf <> a.id
        UNION ALL SELECT 'with the id of another: ' || item FROM o
          JOIN albums a ON a.id = o.shown WHERE o.reference <> a.source || ':a' || a.id
        UNION ALL SELECT 'said of nothing: ' || subject FROM album_opinions
          WHERE subject NOT IN (SELECT id FROM subjects WHERE kind = 2)
        UNION ALL SELECT 'nothing is said of ' || id FROM subjects WHERE \(Self.isUnused)
        """
      ) { try $0.value(0) as String }
    }
  }
}
