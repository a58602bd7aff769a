import Messages
import Model
import Records
package import Storage
import Text

/// The condition that albums or tracks have some tags, as SQL to put behind other conditions, with its values.
///
/// Tags of several kinds must all hold; of several tags of one kind one is enough; none of the excluded tags may hold.
/// Each tag is a comparison of a column, or a set of albums or tracks. A small set is read by an index and then sorted.
/// For a page of a wide set the list is read in its order and each row is looked up until the page is full, which takes
/// as long whatever the size of the library; to count a wide set, the set is read.
struct TagConditions {
  /// The list whose rows are narrowed.
  enum Subject {
    /// Albums `a`.
    case albums
    /// Tracks `t` on their albums `a`.
    case tracks
  }

  /// The use of the rows.
  enum Purpose {
    /// Some of them are read in the order of a list.
    case page
    /// All of them are read.
    case count
  }

  /// The condition, which begins with `AND`; empty if there are no tags.
  private(set) var sql = ""
  /// The values of its parameters.
  private(set) var values: [(any SQLBindable)?] = []
  /// True if there are no tags.
  var isEmpty: Bool { sql.isEmpty }

  private static let mostTags = 50

  /// Throws `library.unknownTag`, `library.badTag`.
  init(
    _ tags: [Library.Tag], of subject: Subject = .albums, for purpose: Purpose = .page, _ transaction: ReadTransaction
  ) throws {
    guard tags.count <= Self.mostTags else {
      throw LunaraError(
        "library.badTag", "\(tags.count) tags at once are too many. Narrow a list by at most \(Self.mostTags).")
    }
    var kinds: [Library.Tag.Kind] = []
    for tag in tags where tag.isExcluded != true && !kinds.contains(tag.kind) { kinds.append(tag.kind) }
    for kind in kinds {
      let terms = try tags.filter { $0.kind == kind && $0.isExcluded != true }.map {
        try TagTerm($0, of: subject, for: purpose, transaction)
      }
      sql += " AND (\(terms.map(\.sql).joined(separator: " OR ")))"
      values += terms.flatMap(\.values)
    }
    for tag in tags where tag.isExcluded == true {
      let term = try TagTerm(tag, of: subject, for: purpose, transaction)
      sql += " AND NOT (\(term.sql))"
      values += term.values
    }
  }
}

/// The condition that an album or a track has one tag. It is never NULL, so that it can be negated.
package struct TagTerm {
  package var sql: String
  package var values: [(any SQLBindable)?]

  private init(_ sql: String, _ values: (any SQLBindable)?...) {
    self.sql = sql
    self.values = values
  }

  /// Throws `library.unknownTag`, `library.badTag`.
  init(
    _ tag: Library.Tag, of subject: TagConditions.Subject, for purpose: TagConditions.Purpose,
    _ transaction: ReadTransaction
  ) throws {
    let isOfTracks = subject == .tracks
    /// Returns true for a page of a set that has more than some hundred rows.
    func isWide(_ rows: String, _ values: [(any SQLBindable)?]) throws -> Bool {
      guard purpose == .page else { return false }
      let count = try transaction.rows("SELECT count(*) FROM (SELECT 1 FROM \(rows) LIMIT 500)", values: values) {
        try $0.value(0) as Int
      }
      return count.first == 500
    }
    switch tag.kind {
    case .genre, .mood, .style, .label, .media, .country, .language, .grouping, .key:
      self = try Self.word(tag.kind, tag.name, isWide)
    case .type: self = try Self.type(tag.name, isWide)
    case .format where isOfTracks: self.init("ifnull(t.codec, '') = ?", tag.name.trimmed.folded)
    case .sampleRate where isOfTracks: self.init("ifnull(t.sample_rate, 0) = ?", try tag.number("44100"))
    case .bitDepth where isOfTracks: self.init("ifnull(t.bit_depth, 0) = ?", try tag.number("24"))
    case .format, .sampleRate, .bitDepth: self = try Self.word(tag.kind, tag.name, isWide)
    case .year: self.init("a.year_order = ?", -(try tag.number("1997")))
    case .decade:
      // The word may be that of people, `1970s`.
      let first = try Library.Tag(kind: .decade, name: tag.name.trimmed.filter { $0 != "s" }).number("1970")
      self.init("a.year_order BETWEEN ? AND ?", -(first / 10 * 10 + 9), min(-1, -(first / 10 * 10)))
    case .rating:
      guard let rating = Double(tag.name.trimmed).flatMap(Rating.init(stars:)) else {
        throw tag.malformed("stars from 0 to 5 in halves, such as rating:4")
      }
      self.init("ifnull(\(isOfTracks ? "t" : "a").rating, -1) >= ?", rating)
    case .unplayed: self.init(isOfTracks ? ImportedPlays.unplayedTracks : ImportedPlays.unplayedAlbums)
    case .added: self = try Self.added(tag, in: isOfTracks ? "t.added_at" : "a.added_at")
    case .source: self = isOfTracks ? Self.copy(from: tag.name) : Self.member(from: tag.name)
    case .folder:
      guard let path = MusicFolders.named(tag.name) else {
        throw tag.malformed("the path of a folder, such as folder:/music")
      }
      self = try Self.folder(FolderRange(LinkRows.resolve(path, transaction)), isOfTracks, isWide)
    case .artist, .albumArtist, .composer, .conductor, .lyricist, .remixer, .performer:
      self = try Self.credited(tag, isOfTracks, isWide, transaction)
    case .work:
      let works = try WorkRow.numbers(of: tag.name, transaction)
      let list = works.isEmpty ? "NULL" : works.map { _ in "?" }.joined(separator: ", ")
      self.init(Self.of(isOfTracks, "track_works c", where: "c.work IN (\(list))"))
      values = works
    case .unknown: throw Library.Tag.Kind.unknownTag
    }
  }

  package typealias WideTest = (_ rows: String, _ values: [(any SQLBindable)?]) throws -> Bool

  private static func word(_ kind: Library.Tag.Kind, _ name: String, _ isWide: WideTest) throws -> TagTerm {
    try word(where: "g.kind = ? AND g.folded = ?", [AlbumTags.number(of: kind), name.trimmed.folded], isWide)
  }

  /// The albums that have a row `g` of `album_tags` with a condition.
  package static func word(where isTag: String, _ values: [(any SQLBindable)?], _ isWide: WideTest) throws -> TagTerm {
    let sql =
      try isWide("album_tags g WHERE \(isTag)", values)
      ? """
      EXISTS (SELECT 1 FROM albums m CROSS JOIN album_tags g ON g.album = m.id AND \(isTag)
        WHERE m.merge_key = a.merge_key AND m.shelf = a.id)
      """
      : "a.id IN (SELECT m.shelf FROM album_tags g CROSS JOIN albums m ON m.id = g.album WHERE \(isTag))"
    var term = TagTerm(sql)
    term.values = values
    return term
  }

  /// An album of which nothing else is known counts as `album`.
  private static func type(_ name: String, _ isWide: WideTest) throws -> TagTerm {
    var term = try word(.type, name, isWide)
    if name.trimmed.folded == ReleaseType.album.rawValue {
      term.sql += " OR NOT EXISTS (SELECT 1 FROM album_tags g WHERE g.album = a.id AND g.kind = ?)"
      term.values.append(AlbumTags.number(of: .type))
    }
    return term
  }

  /// A number of days before now, such as `30d`, or a year.
  private static func added(_ tag: Library.Tag, in column: String) throws -> TagTerm {
    let text = tag.name.trimmed.folded
    if text.last == "d", let days = Int64(text.dropLast()), (0...100_000).contains(days) {
      return TagTerm("\(column) >= (unixepoch() - ?) * 1000000", days * 86_400)
    }
    guard let year = Int(text), (1...9998).contains(year),
      let start = Timestamp("\(PaddedYear(year))-01-01T00:00:00Z"),
      let end = Timestamp("\(PaddedYear(year + 1))-01-01T00:00:00Z")
    else { throw tag.malformed("days such as added:30d, or a year such as added:2025") }
    return TagTerm("\(column) >= ? AND \(column) < ?", start, end)
  }

  private static func member(from source: String) -> TagTerm {
    TagTerm(
      "EXISTS (SELECT 1 FROM albums m WHERE m.merge_key = a.merge_key AND m.shelf = a.id AND m.source = ?)", source)
  }

  private static func copy(from source: String) -> TagTerm {
    TagTerm(
      """
      (t.source = ? OR EXISTS (SELECT 1 FROM tracks c WHERE c.shown = t.id AND c.shown <> c.id AND c.source = ?))
      """, source, source)
  }

  /// The albums of an artist, or the tracks and albums with a person in a role.
  private static func credited(
    _ tag: Library.Tag, _ isOfTracks: Bool, _ isWide: WideTest, _ transaction: ReadTransaction
  ) throws -> TagTerm {
    let artist = try ArtistNames.number(of: tag.name, transaction) ?? -1
    let own = Catalogue.albumNumbers(ofArtist: "?")
    guard let role = tag.kind.role?.number, tag.kind != .albumArtist else {
      return TagTerm("a.id IN (\(own))", artist, artist)
    }
    let isCredit = "c.artist = ? AND c.role = ?"
    let credited =
      if try !isWide("credits c WHERE \(isCredit)", [artist, role]) {
        of(isOfTracks, "credits c", where: isCredit)
      } else if isOfTracks {
        "EXISTS (SELECT 1 FROM credits c WHERE c.track = t.id AND \(isCredit))"
      } else {
        """
        EXISTS (SELECT 1 FROM tracks s CROSS JOIN credits c ON c.track = s.id AND \(isCredit) WHERE s.shelf = a.id)
        """
      }
    guard tag.kind == .artist else { return TagTerm(credited, artist, role) }
    // A track whose artists are those of its album has no credits of its own.
    let implied =
      isOfTracks
      ? "a.id IN (\(own)) AND NOT EXISTS (SELECT 1 FROM credits c WHERE c.track = t.id AND c.role = \(role))"
      : "a.id IN (\(own))"
    return TagTerm("\(implied) OR \(credited)", artist, artist, artist, role)
  }

  /// Returns the condition for tracks that rows `c` name by their column `track`, or for the albums on which those
  /// tracks are shown.
  package static func of(_ isOfTracks: Bool, _ rows: String, where condition: String) -> String {
    """
    \(isOfTracks ? "t.id IN (SELECT s.id" : "a.id IN (SELECT s.shelf") FROM \(rows) CROSS JOIN tracks s ON s.id = c.track
      WHERE \(condition) AND s.shelf IS NOT NULL)
    """
  }

  /// The tracks, or the albums of the tracks, of which a copy is in a folder or below it.
  package static func folder(_ range: FolderRange, _ isOfTracks: Bool, _ isWide: WideTest) throws -> TagTerm {
    let sql =
      try isWide("folders d WHERE \(range.condition)", range.values)
      ? """
      EXISTS (SELECT 1 FROM tracks s CROSS JOIN files f
        ON f.track IN (SELECT s.id UNION ALL SELECT k.id FROM tracks k WHERE k.shown = s.id AND k.shown <> k.id)
        CROSS JOIN folders d ON d.id = f.folder WHERE \(isOfTracks ? "s.id = t.id" : "s.shelf = a.id")
        AND \(range.condition))
      """
      : """
      \(isOfTracks ? "t.id IN (SELECT s.id" : "a.id IN (SELECT s.shelf") FROM folders d CROSS JOIN files f
        ON f.folder = d.id CROSS JOIN tracks k ON k.id = f.track CROSS JOIN tracks s ON s.id = k.shown
        WHERE \(range.condition) AND s.shelf IS NOT NULL)
      """
    var term = TagTerm(sql)
    term.values = range.values
    return term
  }
}

/// A year as four digits.
private struct PaddedYear: CustomStringConvertible {
  var year: Int

  init(_ year: Int) { self.year = year }

  var description: String { String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)" }
}

extension Library.Tag {
  /// The name as a whole number. Throws `library.badTag` with an example.
  fileprivate func number(_ example: String) throws(LunaraError) -> Int {
    guard let number = Int(name.trimmed), (0...10_000_000).contains(number) else {
      throw malformed("a number, such as \(kind.rawValue):\(example)")
    }
    return number
  }

  fileprivate func malformed(_ expected: String) -> LunaraError {
    LunaraError("library.badTag", "\(kind.rawValue):\(name.prefix(80)) is not understood. It must be \(expected).")
  }
}

extension Library.Tag.Kind {
  /// The role of people whom tags of this kind name; nil for other kinds.
  var role: CreditRole? {
    switch self {
    case .artist: .artist
    case .albumArtist: .albumArtist
    case .composer: .composer
    case .conductor: .conductor
    case .lyricist: .lyricist
    case .remixer: .remixer
    case .performer: .performer
    default: nil
    }
  }

  /// The error for a kind of tag that only newer versions know.
  static let unknownTag = LunaraError(
    "library.unknownTag", "This library does not know tags of that kind, as it is older than the program that asks.")
}

extension Library.ListAlbums {
  /// All tags of the request.
  var allTags: [Library.Tag] { (tag.map { [$0] } ?? []) + (tags ?? []) }
}

extension Library.ReadAlbumWindow {
  /// All tags of the request.
  var allTags: [Library.Tag] { (tag.map { [$0] } ?? []) + (tags ?? []) }
}

extension Library.IndexAlbums {
  /// All tags of the request.
  var allTags: [Library.Tag] { (tag.map { [$0] } ?? []) + (tags ?? []) }
}
