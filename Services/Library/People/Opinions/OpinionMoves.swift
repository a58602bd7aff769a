import Catalogue
import Messages
import Model
import Records
import Storage

/// Decides which opinions stand at the albums that subjects left and came to. An album that is away keeps its opinion.
struct OpinionMoves: CatalogueFollower {
  func follow(_ moves: [SubjectMove], at now: Timestamp, _ transaction: Transaction) throws
    -> [Library.OpinionChanged]
  {
    var affected: Set<Int64> = []
    var before: [Int64: OpinionStore.Standing] = [:]
    for move in moves where move.kind == .album {
      let one = try transaction.row("SELECT opinion, stands FROM album_opinions WHERE subject = ?", move.subject) {
        (opinion: Library.Opinion(rawValue: try $0.value(0)) ?? .unknown, stands: try $0.value(1) as Bool)
      }
      guard let one, let after = move.after else { continue }
      affected.formUnion([move.before, after])
      if one.stands { before[move.before] = OpinionStore.Standing(names: move.former, opinion: one.opinion) }
    }
    guard !affected.isEmpty else { return [] }
    let moved = Set(moves.filter { $0.after != nil }.map(\.subject))
    for album in affected where before[album] == nil {
      before[album] = try OpinionStore.standing(at: album, without: moved, transaction)
    }
    for album in affected.sorted() {
      try transaction.execute(
        """
        UPDATE album_opinions SET stands = (subject = (SELECT subject FROM album_opinions
          WHERE subject IN (\(OpinionStore.subjectsOfAlbum)) ORDER BY given_at DESC, subject DESC LIMIT 1))
        WHERE subject IN (\(OpinionStore.subjectsOfAlbum))
        """, album)
    }
    let after = try affected.compactMap { try OpinionStore.standing(at: $0, transaction) }
    let changes = Self.changes(from: Array(before.values), to: after)
    if !changes.isEmpty { try OpinionStore.advanceRevision(at: now, transaction) }
    return changes
  }

  private static func changes(
    from before: [OpinionStore.Standing], to after: [OpinionStore.Standing]
  ) -> [Library.OpinionChanged] {
    func byID(_ all: [OpinionStore.Standing]) -> [PlayableID: OpinionStore.Standing] {
      Dictionary(all.map { ($0.names.id, $0) }) { first, _ in first }
    }
    let (former, now) = (byID(before), byID(after))
    let ended = former.filter { now[$0.key] == nil }.values.map { Library.OpinionChanged($0.names, nil) }
    let begun = now.filter { former[$0.key]?.opinion != $0.value.opinion }.values.map {
      Library.OpinionChanged($0.names, $0.opinion)
    }
    return ended.sorted { $0.id < $1.id } + begun.sorted { $0.id < $1.id }
  }
}
