import Catalogue
import Messages
import Model
import Storage

/// The lists of opinions.
extension OpinionStore {
  private static let order = ListOrder("opinions", .number("o.given_at"), .number("o.subject"), isDescending: true)
  private static let longestPage = 500
  /// The most ids of a page.
  static let mostIDs = 2000

  /// Returns a page of the opinions that stand, the latest first. Throws `library.badCursor`.
  static func page(_ request: Library.ListOpinions, _ transaction: ReadTransaction) throws -> Library.OpinionPage {
    let problems = try OpinionOutbox.problems(transaction)
    let opinion = request.opinion?.rawValue
    let page = try transaction.page(
      order, after: request.after, PageBudget(items: min(max(1, request.limit), longestPage)),
      """
      s.reference, s.title, s.artist, s.year, (SELECT art FROM albums WHERE id = s.shown), o.opinion, o.given_at,
        s.shown IS NOT NULL, o.subject
      """,
      """
      FROM \(rows) WHERE o.stands = 1 AND o.opinion = ifnull(?, o.opinion)
      """, [opinion]
    ) { row in
      let isHere: Bool = try row.value(7)
      return Library.AlbumOpinion(
        id: try row.value(0), title: try row.value(1), artist: try row.value(2), year: try row.value(3),
        art: try row.value(4), opinion: Library.Opinion(rawValue: try row.value(5)) ?? .unknown, at: try row.value(6),
        isHere: isHere ? nil : false, problems: problems[try row.value(8) as Int64])
    }
    return Library.OpinionPage(items: page.items, next: page.next)
  }

  /// Returns a page of the ids of albums that have an opinion. Throws `library.badCursor`.
  static func ids(_ request: Library.ReadOpinions, _ transaction: ReadTransaction) throws -> Library.OpinionIDs {
    let revision: Int64 = try transaction.value("SELECT opinions_revision FROM catalogue") ?? 0
    var ids = Library.OpinionIDs(revision: revision)
    if request.after == nil, request.since == revision {
      ids.isSame = true
      return ids
    }
    let last = try Cursor(request.after, of: "opinion-ids", count: 1)?.number(0) ?? 0
    let rows = try transaction.rows(
      "SELECT o.subject, s.reference, o.opinion FROM \(rows) WHERE o.stands = 1 AND subject > ? ORDER BY subject LIMIT ?",
      last, mostIDs + 1
    ) { (subject: try $0.value(0) as Int64, id: try $0.value(1) as AlbumID, opinion: try $0.value(2) as String) }
    let shown = rows.prefix(mostIDs)
    ids.likes = shown.filter { $0.opinion == Library.Opinion.like.rawValue }.map(\.id)
    ids.dislikes = shown.filter { $0.opinion == Library.Opinion.dislike.rawValue }.map(\.id)
    if rows.count > shown.count, let last = shown.last?.subject { ids.next = Cursor("opinion-ids", [last]).text }
    return ids
  }
}

extension Library.AlbumOpinion: SizedItem {
  /// The most bytes that its JSON takes.
  var size: Int {
    let errors = (problems ?? []).reduce(0) { size, problem in
      size + 100
        + PageBudget.size([problem.service, problem.error.code, problem.error.message, problem.error.cause ?? ""])
    }
    return 200 + PageBudget.size([id.description, title, artist, art?.description ?? ""]) + errors
  }
}
