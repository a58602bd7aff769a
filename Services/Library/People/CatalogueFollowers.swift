import Bus
package import Catalogue
import Messages
import Model
import Storage

/// The followers that keep opinions, marks, todos and themes right when their subjects move.
package enum CatalogueFollowers {
  package static let all: [any CatalogueFollower] = [OpinionMoves(), GardenFollower(), ThemeFollower()]
}

/// Asks again about deletions that now mean other music, and ends the todos that are done.
private struct GardenFollower: CatalogueFollower {
  func follow(_ moves: [SubjectMove], at now: Timestamp, _ transaction: Transaction) throws
    -> [Library.OpinionChanged]
  {
    for move in moves where move.after != nil { try MarkStore.unconfirm(markOf: move.subject, transaction) }
    return []
  }

  func notice(at now: Timestamp, _ journal: Journal?, _ transaction: Transaction) throws {
    try TodoStore(now: now, journal: journal, transaction: transaction).notice()
  }
}

/// Picks another edition for themes where the picked one left the library.
private struct ThemeFollower: CatalogueFollower {
  func follow(_ moves: [SubjectMove], at now: Timestamp, _ transaction: Transaction) throws
    -> [Library.OpinionChanged]
  {
    try ThemeAlbums.pickEditions(transaction)
    return []
  }
}
