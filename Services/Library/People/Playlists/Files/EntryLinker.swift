import Catalogue
import Messages
import Model
package import Records
package import ServiceKit
package import Storage

/// Finds the tracks of entries that are only described: those of list files in music folders after a scan, and those
/// of playlists and listens whose music came only later. Marks the wishes that have come true.
package struct EntryLinker: Sendable {
  let database: Database
  let folders: MusicFolders
  let log: Log

  package init(database: Database, folders: MusicFolders, log: Log) {
    self.database = database
    self.folders = folders
    self.log = log
  }

  private struct Unlinked {
    var entry: Int64
    var wanted: TrackMatcher.Wanted
  }

  /// Looks for the tracks of entries and for wishes, and returns true if some were found.
  ///
  /// - Parameter isCatalogueChanged: false to look only for entries that were never looked for.
  package func run(isCatalogueChanged: Bool) async throws -> Bool {
    let areWishesChanged =
      isCatalogueChanged ? try await database.write { try WishList(transaction: $0).update() } : false
    let areListensChanged =
      isCatalogueChanged ? try await DescribedListenLinker(database: database, log: log).run() : false
    return try await link(isCatalogueChanged: isCatalogueChanged) || areWishesChanged || areListensChanged
  }

  private func link(isCatalogueChanged: Bool) async throws -> Bool {
    let roots = folders.paths
    let found = try await database.read { transaction in
      let unlinked = try unlinked(isCatalogueChanged: isCatalogueChanged, transaction)
      let matches = try TrackMatcher(roots: roots, transaction: transaction).matches(of: unlinked.map(\.wanted))
      return zip(unlinked, matches).map { (entry: $0.entry, track: $1.track) }
    }
    guard !found.isEmpty else { return false }
    return try await database.write { transaction in
      var isAnyFound = false
      for (entry, track) in found {
        // 0 marks an entry that was looked for.
        try transaction.execute(
          """
          UPDATE playlist_entries SET added_at = ifnull(added_at, 0), track = ?2,
            identity = (SELECT identity FROM tracks WHERE id = ?2) WHERE id = ?1 AND track IS NULL
          """, entry, track)
        isAnyFound = isAnyFound || track != nil
      }
      if isAnyFound { try Catalogue.countListChange(transaction) }
      return isAnyFound
    }
  }

  private func unlinked(isCatalogueChanged: Bool, _ transaction: ReadTransaction) throws -> [Unlinked] {
    var folders: [Int64: LocalPath] = [:]
    let rows: [(id: Int64, body: String)] = try transaction.rows(
      """
      SELECT e.id, e.described, (SELECT d.path FROM list_files l JOIN folders d ON d.id = l.folder
        WHERE l.playlist = e.playlist)
      FROM playlist_entries e WHERE e.track IS NULL AND e.described IS NOT NULL AND (?1 OR e.added_at IS NULL)
      ORDER BY e.playlist, e.place
      """, isCatalogueChanged
    ) { row in
      let entry: Int64 = try row.value(0)
      folders[entry] = (try row.value(2) as [UInt8]?).map { LocalPath(bytes: $0) }
      return (entry, try row.value(1))
    }
    return StoredDescriptions(kind: "playlist entries", log: log).decode(DescribedTrack.self, of: rows).map {
      Unlinked(entry: $0.id, wanted: TrackMatcher.Wanted(track: $0.value, folder: folders[$0.id]))
    }
  }
}
