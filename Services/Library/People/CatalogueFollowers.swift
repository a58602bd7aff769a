import Bus
package import Catalogue
import Messages
import Model
import Storage

/// The followers that keep opinions, notes, marks, todos and themes with the music.
package enum CatalogueFollowers {
  package static let all: [any CatalogueFollower] = [
    OpinionLinkFollower(), GardenFollower(), ThemeFollower(),
  ]
}

/// Keeps opinions with their albums.
private struct OpinionLinkFollower: CatalogueFollower {
  func follow(_ merge: AlbumMerge, _ transaction: Transaction) throws -> [Library.OpinionChanged] {
    try OpinionLinks(successors: merge.successors, transaction).relink(keys: merge.keys, at: merge.time)
  }
}

/// Keeps notes, marks and todos with what they are about, and ends the todos that are done.
private struct GardenFollower: CatalogueFollower {
  func settle(_ changes: CatalogueWriter.Changes, isWide: Bool, _ transaction: Transaction) throws {
    try GardenSubjects.settle(changes.albums, isWide: isWide, transaction)
  }

  func notice(at now: Timestamp, _ journal: Journal?, _ transaction: Transaction) throws {
    try TodoStore(now: now, journal: journal, transaction: transaction).notice()
  }
}

/// Keeps the albums of themes in them.
private struct ThemeFollower: CatalogueFollower {
  func settle(_ changes: CatalogueWriter.Changes, isWide: Bool, _ transaction: Transaction) throws {
    try ThemeAlbums.settle(transaction)
  }
}
