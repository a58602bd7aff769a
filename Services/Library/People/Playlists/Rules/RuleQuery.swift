import Catalogue
import Messages
import Model
import Records
import Storage
import Text

/// The values that rules take from outside of them.
struct RuleContext: Sendable {
  /// The moment from which days are counted back.
  var now: Timestamp = .now()
  /// The seed of random orders that have none of their own.
  var seed: Int64 = 0
  /// The number of the playlist whose rules they are; nil while it is not made yet.
  var playlist: Int64?
  /// Returns the rules of a smart playlist; nil for other playlists.
  var rules: @Sendable (Int64, ReadTransaction) throws -> PlaylistRules? = { _, _ in nil }
}

/// Rules as one statement, whose rows are tracks in the order of the rules: number, album and duration.
struct RuleQuery {
  /// Some of the rows of a statement.
  struct Window: Hashable {
    var offset: Int64 = 0
    var count: Int64
  }

  private let rules: PlaylistRules
  private let seed: Int64
  private let tables: RuleTables
  /// The rest of a SELECT behind its columns, which finds what the conditions describe.
  private let found: RuleSQL

  /// Returns the statement for the tracks of rules. Throws `library.badRules`.
  static func list(
    _ rules: PlaylistRules, _ context: RuleContext, window: Window? = nil, _ transaction: ReadTransaction
  ) throws -> RuleSQL {
    let query = try RuleQuery(rules, context, transaction, RuleTables(), in: context.playlist.map { [$0] } ?? [])
    let tracks = query.tracks(isOrdered: true, window)
    return query.tables.statement(tracks)
  }

  /// Returns the statement for the number of tracks, of their albums, and their duration. Throws `library.badRules`.
  static func count(
    _ rules: PlaylistRules, _ context: RuleContext, _ transaction: ReadTransaction
  ) throws -> RuleSQL {
    let query = try RuleQuery(rules, context, transaction, RuleTables(), in: context.playlist.map { [$0] } ?? [])
    let name = query.tables.add(query.tracks(isOrdered: false))
    return query.tables.statement("SELECT count(*), count(DISTINCT shelf), ifnull(sum(duration), 0) FROM \(name)")
  }

  /// Reads the conditions. Throws `library.badRules`.
  ///
  /// - Parameter playlists: the numbers of the playlists that contain the rules, the outermost first.
  init(
    _ rules: PlaylistRules, _ context: RuleContext, _ transaction: ReadTransaction, _ tables: RuleTables,
    in playlists: [Int64]
  ) throws {
    try transaction.define(RuleFunctions.all)
    let conditions = RuleConditions(context, transaction, tables, in: playlists)
    let holds = try conditions.sql(rules.condition)
    let isByCounts = rules.order.contains { $0.field == .playCount || $0.field == .skips }
    let counts = isByCounts ? " LEFT JOIN \(tables.counts()) h ON h.track = t.id" : ""
    found = "FROM tracks t CROSS JOIN albums a ON a.id = t.shelf\(counts) WHERE t.shelf IS NOT NULL AND \(holds)"
    self.rules = rules
    self.tables = tables
    seed = rules.seed ?? context.seed
  }

  /// True where not all that the conditions find is in the list.
  private var isLimited: Bool { rules.limit != nil || isCut }

  /// True where the place of each row is needed to know whether it is in the list.
  private var isCut: Bool { rules.limitMinutes != nil || rules.limitPercent != nil }

  /// Returns a SELECT whose first columns are `id`, `shelf` and `duration`. Where the order is not asked for, the rows
  /// come in any.
  func tracks(isOrdered: Bool, _ window: Window? = nil) -> RuleSQL {
    var window = window ?? Window(count: .max)
    if rules.unit == .albums {
      return """
        SELECT s.id AS id, s.shelf AS shelf, s.duration AS duration FROM \(cut(albums)) x
        CROSS JOIN tracks s ON s.shelf = x.item
        ORDER BY x.place, s.disc, ifnull(s.number, 1000000), s.title_sort, s.id
        LIMIT \(bound: window.count) OFFSET \(bound: window.offset)
        """
    }
    if isCut {
      return """
        SELECT item AS id, shelf, duration FROM \(cut(tracks)) ORDER BY place
        LIMIT \(bound: window.count) OFFSET \(bound: window.offset)
        """
    }
    guard isOrdered || isLimited else { return "SELECT t.id AS id, t.shelf AS shelf, t.duration AS duration \(found)" }
    if let limit = rules.limit { window.count = max(0, min(window.count, limit - window.offset)) }
    let order = tracks.order
    return """
      SELECT item AS id, shelf, duration FROM (\(tracks.rows)) ORDER BY \(order)
      LIMIT \(bound: window.count) OFFSET \(bound: window.offset)
      """
  }

  /// Rows with the columns `item` and `duration`, and the columns of their order.
  private typealias Rows = (rows: RuleSQL, columns: String, order: String)

  /// The tracks that the conditions find. Tracks that the rules do not tell apart come as in their albums.
  private var tracks: Rows {
    let places = [
      ("a.artist_sort", "p0"), ("a.title_sort", "p1"), ("t.disc", "p2"), ("ifnull(t.number, 1000000)", "p3"),
      ("t.title_sort", "p4"),
    ]
    let keys = self.keys("t.id") { key, _ in key }
    let ties = rules.isRandom ? [] : places
    let columns = keys.columns + ties.map { RuleSQL("\($0.0) AS \($0.1)", []) }
    let order = keys.order + (rules.isRandom ? ["item"] : ["p0", "p1", "shelf", "p2", "p3", "p4", "item"])
    return (
      "SELECT t.id AS item, t.shelf AS shelf, t.duration AS duration, \(.joined(columns, by: ", ")) \(found)",
      "item, shelf, duration", order.joined(separator: ", ")
    )
  }

  /// The albums of the tracks that the conditions find. An album has the least value of these tracks, and in a
  /// descending order the greatest.
  private var albums: Rows {
    let keys = self.keys("t.shelf") { key, isDescending in "\(isDescending ? "max" : "min")(\(key))" }
    let columns = keys.columns + ["a.artist_sort AS p0", "a.title_sort AS p1"]
    return (
      "SELECT t.shelf AS item, a.duration AS duration, \(.joined(columns, by: ", ")) \(found) GROUP BY t.shelf",
      "item", (keys.order + (rules.isRandom ? ["item"] : ["p0", "p1", "item"])).joined(separator: ", ")
    )
  }

  private func keys(
    _ number: String, _ make: (RuleSQL, _ isDescending: Bool) -> RuleSQL
  ) -> (columns: [RuleSQL], order: [String]) {
    if rules.isRandom { return (["shuffled(\(number), \(bound: seed)) AS k0"], ["k0"]) }
    return (
      rules.order.enumerated().map { "\(make($1.field.key, $1.isDescending)) AS \("k\($0)")" },
      rules.order.enumerated().map { "k\($0)\($1.isDescending ? " DESC" : "") NULLS LAST" }
    )
  }

  /// Adds the rows that are within the limits, with their places, and returns the name of the table.
  private func cut(_ rows: Rows) -> String {
    var columns = "\(rows.columns), row_number() OVER o AS place"
    var limits: [RuleSQL] = []
    if let limit = rules.limit { limits.append("place <= \(bound: limit)") }
    if let minutes = rules.limitMinutes {
      columns += ", sum(duration) OVER (o ROWS UNBOUNDED PRECEDING) AS until"
      limits.append("until <= \(bound: minutes * 60_000)")
    }
    if let percent = rules.limitPercent {
      columns += ", count(*) OVER () AS total"
      limits.append("place <= (total * \(bound: percent) + 99) / 100")
    }
    let found = tables.add(rows.rows)
    let placed = tables.add("SELECT \(columns) FROM \(found) WINDOW o AS (ORDER BY \(rows.order))")
    return limits.isEmpty ? placed : tables.add("SELECT * FROM \(placed) WHERE \(.joined(limits, by: " AND "))")
  }
}

extension RuleField {
  /// SQL for the value by which tracks `t` are sorted, NULL if there is none.
  fileprivate var key: RuleSQL {
    if let kind = tag {
      return """
        (SELECT min(g.folded) FROM albums m CROSS JOIN album_tags g
          ON g.album = m.id AND g.kind = \("\(AlbumTags.number(of: kind))")
          WHERE m.merge_key = a.merge_key AND m.shelf = a.id)
        """
    }
    if let role = role?.number {
      return """
        (SELECT r.sort FROM credits c CROSS JOIN artists r ON r.id = c.artist
          WHERE c.track = t.id AND c.role = \("\(role)") ORDER BY c.place LIMIT 1)
        """
    }
    switch self {
    case .title: return "t.title_sort"
    case .album: return "a.title_sort"
    case .artist:
      return "CASE WHEN t.artist = a.artist THEN a.artist_sort ELSE sort_key(ifnull(t.artist_sort, t.artist)) END"
    case .albumArtist: return "a.artist_sort"
    case .rating: return "t.rating"
    case .work: return "(SELECT w.sort FROM track_works c CROSS JOIN works w ON w.id = c.work WHERE c.track = t.id)"
    case .source: return "t.source"
    case .filePath: return Self.ofFile(Self.pathOfFile)
    case .folder: return Self.ofFile("CAST(d.path AS TEXT)")
    default: return RuleSQL(column ?? "NULL", [])
    }
  }

  private static func ofFile(_ column: String) -> RuleSQL {
    """
    folded(ifnull((SELECT \(column) FROM files f CROSS JOIN folders d ON d.id = f.folder WHERE f.track = t.id), t.file))
    """
  }
}
