import Catalogue
import Messages
import Model
import Records
import Storage
import Text

/// Conditions of rules as SQL on tracks `t` and their albums `a`. None is ever NULL, so that each can be denied.
struct RuleConditions {
  let context: RuleContext
  let transaction: ReadTransaction
  let tables: RuleTables
  /// The playlists of which these conditions are a part, the outermost first.
  let playlists: [Int64]

  init(_ context: RuleContext, _ transaction: ReadTransaction, _ tables: RuleTables, in playlists: [Int64]) {
    self.context = context
    self.transaction = transaction
    self.tables = tables
    self.playlists = playlists
  }

  func sql(_ condition: PlaylistRules.Condition) throws -> RuleSQL {
    switch condition {
    case .all(let parts):
      return try parts.isEmpty ? "TRUE" : "(\(RuleSQL.joined(parts.map { try sql($0) }, by: " AND ")))"
    case .any(let parts):
      return try parts.isEmpty ? "FALSE" : "(\(RuleSQL.joined(parts.map { try sql($0) }, by: " OR ")))"
    case .comparison(let field, let comparison, let value):
      let test = RuleTest(comparison: comparison, value: value)
      let holds = try sql(field, test)
      return test.isDenied ? "NOT (\(holds))" : "(\(holds))"
    }
  }

  private func sql(_ field: RuleField, _ test: RuleTest) throws -> RuleSQL {
    if field == .playCount || field == .skips { return counted(field == .skips ? "n.skips" : "n.plays", test) }
    if let column = field.column {
      let holds =
        switch field.kind {
        case .text, .playlist: test.text(column)
        case .number: test.number(column, times: field.scale)
        case .time: test.time(column, now: context.now)
        }
      return "ifnull(\(holds), 0)"
    }
    if let kind = field.tag {
      let isTag: RuleSQL = "g.kind = \(bound: AlbumTags.number(of: kind)) AND \(test.text("g.folded"))"
      return RuleSQL(try TagTerm.word(where: isTag.text, isTag.values) { _, _ in false })
    }
    if let role = field.role?.number { return credited(role, test) }
    switch field {
    case .artist: return artist(test)
    case .albumArtist: return "(\(test.text("folded(a.artist)")) OR \(albumArtist(test)))"
    case .work:
      let works = test.text("folded(w.title)")
      let rows = "works w CROSS JOIN track_works c ON c.work = w.id"
      return RuleSQL(TagTerm.of(true, rows, where: works.text), works.values)
    case .source: return source(test)
    case .filePath: return path(test)
    case .folder: return try folder(test)
    case .playlist: return try playlist(test)
    default: return "FALSE"
    }
  }

  /// The plays or skips. Most tracks have no row with counts, so only those that have one are looked at.
  private func counted(_ column: String, _ test: RuleTest) -> RuleSQL {
    let rows = "SELECT n.track FROM \(tables.counts()) n WHERE"
    return test.holds(for: 0)
      ? "t.id NOT IN (\(rows) NOT (\(test.number(column))))" : "t.id IN (\(rows) \(test.number(column)))"
  }

  /// SQL for the artists with a matching name.
  private func people(_ test: RuleTest) -> RuleSQL {
    "SELECT n.artist FROM artist_names n WHERE \(test.text("folded(n.name)"))"
  }

  private func credited(_ role: Int, _ test: RuleTest) -> RuleSQL {
    let people = people(test)
    return RuleSQL(
      TagTerm.of(true, "credits c", where: "c.role = \(role) AND c.artist IN (\(people.text))"), people.values)
  }

  private func albumArtist(_ test: RuleTest) -> RuleSQL {
    let people = people(test)
    return RuleSQL(
      "a.id IN (\(Catalogue.albumNumbers(whereArtist: "IN (\(people.text))")))", people.values + people.values)
  }

  /// The artists are those that are shown, and each of those whom the track credits. A track whose artists are those of
  /// its album has no credits of its own.
  private func artist(_ test: RuleTest) -> RuleSQL {
    let role = CreditRole.artist.number ?? 0
    return """
      (\(test.text("folded(t.artist)")) OR \(credited(role, test)) OR (\(albumArtist(test))
        AND NOT EXISTS (SELECT 1 FROM credits c WHERE c.track = t.id AND c.role = \("\(role)"))))
      """
  }

  /// The sources of all copies.
  private func source(_ test: RuleTest) -> RuleSQL {
    """
    (\(test.text("folded(t.source)")) OR EXISTS (SELECT 1 FROM tracks c
      WHERE c.shown = t.id AND c.shown <> c.id AND \(test.text("folded(c.source)"))))
    """
  }

  /// The files of all copies, and the paths that servers give.
  private func path(_ test: RuleTest) -> RuleSQL {
    """
    t.id IN (SELECT k.shown FROM files f CROSS JOIN folders d ON d.id = f.folder CROSS JOIN tracks k ON k.id = f.track
      WHERE \(test.text("folded(\(RuleField.pathOfFile))"))
      UNION ALL SELECT k.shown FROM tracks k WHERE \(test.text("folded(k.file)")))
    """
  }

  /// A track is in its folder and in all above it; other comparisons are those of the path of its own folder. Throws
  /// `library.badRules`.
  private func folder(_ test: RuleTest) throws -> RuleSQL {
    guard test.comparison == .is || test.comparison == .isNot, case .text(let name) = test.value else {
      return """
        t.id IN (SELECT k.shown FROM folders d CROSS JOIN files f ON f.folder = d.id
          CROSS JOIN tracks k ON k.id = f.track WHERE \(test.text("folded(CAST(d.path AS TEXT))")))
        """
    }
    guard let path = MusicFolders.named(name) else {
      throw PlaylistRules.bad("the folder \(name.prefix(80)) is not a path. Give one that begins with a slash")
    }
    return RuleSQL(try TagTerm.folder(FolderRange(LinkRows.resolve(path, transaction)), true) { _, _ in false })
  }

  /// The tracks of a playlist. Those of a smart one are what its rules give now. Throws `library.badRules`.
  private func playlist(_ test: RuleTest) throws -> RuleSQL {
    guard case .text(let text) = test.value, let id = PlaylistID(text.trimmed),
      let number = try Catalogue.find(.playlist, id, transaction)
    else {
      throw PlaylistRules.bad("the playlist they name is not here. Leave the condition out, or choose another playlist")
    }
    guard !playlists.contains(number) else {
      throw PlaylistRules.bad("the playlist \(id) would contain itself. Leave the condition out")
    }
    guard let rules = try context.rules(number, transaction) else {
      return """
        t.id IN (SELECT shown FROM (SELECT \(Catalogue.shownTrack) AS shown FROM playlist_entries e
          WHERE e.playlist = \(bound: number)) WHERE shown IS NOT NULL)
        """
    }
    let name = try tables.playlist(number) {
      try RuleQuery(rules, context, transaction, tables, in: playlists + [number]).tracks(isOrdered: false)
    }
    return "t.id IN (SELECT id FROM \(name))"
  }
}

extension PlaylistRules {
  /// Returns the error for rules that cannot be used.
  static func bad(_ problem: String) -> LunaraError {
    LunaraError("library.badRules", "The rules cannot be used: \(problem).")
  }
}

extension RuleField {
  /// SQL for the path of the file `f` in the folder `d`.
  static let pathOfFile = "CAST(rtrim(CAST(d.path AS TEXT), '/') || '/' || CAST(f.name AS TEXT) AS TEXT)"

  /// SQL for the one value of a track; nil for fields with several. A track without a rating has none, which is 0.
  var column: String? {
    switch self {
    case .title: "folded(t.title)"
    case .album: "folded(a.title)"
    case .year: "ifnull(t.year, a.year)"
    case .date: "folded(a.date)"
    case .rating: "ifnull(t.rating, 0)"
    case .playCount: "ifnull(h.plays, 0)"
    case .skips: "ifnull(h.skips, 0)"
    case .lastPlayed: "nullif(t.played_at, 0)"
    case .dateAdded: "t.added_at"
    case .duration: "t.duration"
    case .bitRate: "t.bit_rate"
    case .fileType: "folded(t.format)"
    case .format: "folded(t.codec)"
    case .sampleRate: "t.sample_rate"
    case .bitDepth: "t.bit_depth"
    case .trackNumber: "t.number"
    case .discNumber: "t.disc"
    default: nil
    }
  }

  /// The units of the column of which rules have one: ratings are half stars, and durations milliseconds.
  var scale: Double {
    switch self {
    case .rating: 2
    case .duration: 1000
    default: 1
    }
  }

  /// The tag of albums; nil for other fields.
  var tag: Library.Tag.Kind? {
    switch self {
    case .genre: .genre
    case .style: .style
    case .mood: .mood
    case .label: .label
    default: nil
    }
  }

  /// The role of the people on tracks; nil for other fields, and for artists.
  var role: CreditRole? {
    switch self {
    case .composer: .composer
    case .conductor: .conductor
    case .performer: .performer
    default: nil
    }
  }
}
