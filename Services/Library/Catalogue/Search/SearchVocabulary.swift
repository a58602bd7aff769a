package import Messages
package import Model
import Records
package import Storage
import Synchronization
import Text

/// The parts of a search's results that are beyond the catalogue's own tables.
package struct SearchAdditions: Sendable {
  /// Returns a playlist with the count of what its rules find now.
  var counted: @Sendable (Playlist, ReadTransaction) throws -> Playlist
  /// Returns the notes with some words.
  var notes: @Sendable (_ words: String, _ limit: Int, ReadTransaction) throws -> [Library.Note]

  package init(
    counted: @escaping @Sendable (Playlist, ReadTransaction) throws -> Playlist,
    notes: @escaping @Sendable (_ words: String, _ limit: Int, ReadTransaction) throws -> [Library.Note]
  ) {
    self.counted = counted
    self.notes = notes
  }

  /// Playlists as they are stored, and no notes.
  package static let none = SearchAdditions(counted: { playlist, _ in playlist }, notes: { _, _, _ in [] })
}

/// Keeps what searches need of the whole catalogue until it changes.
package final class SearchCache: Sendable {
  let additions: SearchAdditions
  private let kept = Mutex<SearchVocabulary?>(nil)

  package init(_ additions: SearchAdditions) { self.additions = additions }

  /// Returns the vocabulary of the catalogue and its lists as they are.
  func vocabulary(_ transaction: ReadTransaction) throws -> SearchVocabulary {
    let revision = try Catalogue.revisionOfAll(transaction)
    if let found = kept.withLock({ $0 }), found.revision == revision { return found }
    let vocabulary = try SearchVocabulary(revision, additions, transaction)
    kept.withLock { $0 = vocabulary }
    return vocabulary
  }
}

/// The genres, styles and moods of the catalogue, and what was counted since it changed: albums of tags, and entries of
/// lists.
final class SearchVocabulary: Sendable {
  /// A genre, style or mood.
  struct Word: Hashable {
    var kind: Library.Tag.Kind
    /// The name as `album_tags` has it, folded.
    var folded: String
    /// The words of the name.
    var parts: [String]
  }

  private struct Counted {
    var tags: [Word: Library.TagCount] = [:]
    var people: [ArtistID: [Library.CreditGroup]] = [:]
    /// Lists by their numbers, whose entries are counted.
    var collections: [Int64: MusicCollection] = [:]
    var playlists: [Int64: Playlist] = [:]
    /// The corrections of misspelt words whose results are played, of which some are kept.
    var corrections: [String: String] = [:]
  }

  /// The most tags in the results of a search.
  private static let mostTags = 8
  /// The most people in the results of a search.
  private static let mostPeople = 4
  /// The most corrections that are kept.
  private static let mostCorrections = 32
  /// The most lists of a kind that are kept.
  private static let mostLists = 1000

  let revision: Int64
  let words: [Word]
  private let counted = Mutex(Counted())
  private let additions: SearchAdditions

  /// Reads the tags. Each of them is looked up in the index behind the one before, as few tags have many albums.
  fileprivate init(_ revision: Int64, _ additions: SearchAdditions, _ transaction: ReadTransaction) throws {
    self.revision = revision
    self.additions = additions
    words = try [Library.Tag.Kind.genre, .style, .mood].flatMap { kind in
      try transaction.rows(
        """
        WITH RECURSIVE words (folded) AS (
          SELECT (SELECT folded FROM album_tags WHERE kind = ?1 ORDER BY folded LIMIT 1)
          UNION ALL SELECT (SELECT folded FROM album_tags WHERE kind = ?1 AND folded > w.folded ORDER BY folded LIMIT 1)
          FROM words w WHERE w.folded IS NOT NULL)
        SELECT folded FROM words WHERE folded IS NOT NULL
        """, AlbumTags.number(of: kind)
      ) { row in
        let folded: String = try row.value(0)
        return Word(kind: kind, folded: folded, parts: SearchText.words(of: folded))
      }
    }
  }

  /// Returns the words of the catalogue that are meant by misspelt ones, as `SpellingCorrection` does. They are found
  /// once while the catalogue stays as it is, since the results of a search are played page by page.
  func corrected(_ words: String, _ transaction: ReadTransaction) throws -> String? {
    if let known = counted.withLock({ $0.corrections[words] }) { return known }
    guard let found = try SpellingCorrection(self, transaction).corrected(words) else { return nil }
    counted.withLock { counted in
      if counted.corrections.count >= Self.mostCorrections { counted.corrections = [:] }
      counted.corrections[words] = found
    }
    return found
  }

  /// Returns the tags all of whose words begin with the words of a search, those that are the words first, and the year
  /// or decade that the words name.
  func tags(for text: String, _ transaction: ReadTransaction) throws -> [Library.TagCount] {
    let wanted = SearchText.words(of: text)
    let years = try YearWords.tags(for: wanted).compactMap { try Self.count($0, transaction) }
    let words = try matches(wanted).prefix(Self.mostTags).compactMap { word -> Library.TagCount? in
      if let known = counted.withLock({ $0.tags[word] }) { return known }
      let found = try Self.count(word, transaction)
      counted.withLock { $0.tags[word] = found }
      return found
    }
    return years + words.filter { $0.albums > 0 }
  }

  /// Returns the tags that fit words: first those that are the words, then those that begin with them, then others.
  func matches(_ wanted: [String]) -> [Word] {
    guard let longest = wanted.map(\.unicodeScalars.count).max(), longest > 1 else { return [] }
    let joined = wanted.joined(separator: " ")
    let found = words.compactMap { word -> (word: Word, rank: Int)? in
      guard wanted.allSatisfy({ part in word.parts.contains { $0.hasPrefix(part) } }) else { return nil }
      let name = word.parts.joined(separator: " ")
      return (word, name == joined ? 0 : name.hasPrefix(joined) ? 1 : 2)
    }
    return found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element.word)
  }

  /// Returns the number of listed albums with a tag, under the name that the first of them gives it.
  private static func count(_ word: Word, _ transaction: ReadTransaction) throws -> Library.TagCount? {
    // The name is that of the row with the smallest album (sqlite.org/lang_select.html#bareagg).
    try transaction.row(
      """
      SELECT g.name, count(DISTINCT a.id), min(g.album) FROM album_tags g CROSS JOIN albums m ON m.id = g.album
      CROSS JOIN albums a ON a.id = m.shelf WHERE g.kind = ? AND g.folded = ? AND a.listed = 1
      """, AlbumTags.number(of: word.kind), word.folded
    ) { row in
      Library.TagCount(name: try row.value(0) as String? ?? word.folded, albums: try row.value(1), kind: word.kind)
    }
  }

  private static func count(_ tag: Library.Tag, _ transaction: ReadTransaction) throws -> Library.TagCount? {
    let albums = try ListMarks(of: .albums, [tag], transaction).total()
    return albums > 0 ? Library.TagCount(name: tag.name, albums: albums, kind: tag.kind) : nil
  }
}

/// Lists. Counting one of 5,000 entries takes longer than all the rest of a search.
extension SearchVocabulary {
  func collection(_ number: Int64, _ transaction: ReadTransaction) throws -> MusicCollection? {
    try kept(number, \.collections) {
      try transaction.row(
        "SELECT \(Catalogue.collectionColumns) FROM collections c WHERE c.id = ?", number, as: Catalogue.collection)
    }
  }

  func playlist(_ number: Int64, _ transaction: ReadTransaction) throws -> Playlist? {
    let found = try kept(number, \.playlists) {
      try transaction.row(
        "SELECT \(Catalogue.playlistColumns) FROM playlists p WHERE p.id = ?", number, as: Catalogue.playlist)
    }
    // The tracks of a smart playlist depend on more than the catalogue.
    return try found.map { try additions.counted($0, transaction) }
  }

  private func kept<List: Sendable>(
    _ number: Int64, _ lists: WritableKeyPath<Counted, [Int64: List]>, _ read: () throws -> List?
  ) rethrows -> List? {
    if let known = counted.withLock({ $0[keyPath: lists][number] }) { return known }
    let found = try read()
    counted.withLock { counted in
      if counted[keyPath: lists].count >= Self.mostLists { counted[keyPath: lists] = [:] }
      counted[keyPath: lists][number] = found
    }
    return found
  }
}

/// People.
extension SearchVocabulary {
  /// Returns what the artists among the results did otherwise than as artists, those with the most tracks first.
  func people(among artists: [Artist], _ transaction: ReadTransaction) throws -> [Library.CreditGroup] {
    let credited = artists.filter { $0.roles?.contains { !$0.isOfArtist } == true }
      .sorted { ($1.trackCount ?? 0) < ($0.trackCount ?? 0) }
    return try credited.prefix(Self.mostPeople).flatMap { artist -> [Library.CreditGroup] in
      if let known = counted.withLock({ $0.people[artist.id] }) { return known }
      guard let number = CatalogueID(artist.id)?.number else { return [] }
      let groups = try Catalogue.appearances(of: number, transaction).filter { !$0.role.isOfArtist }.map { group in
        var group = group
        group.person = ArtistName(name: artist.name, id: artist.id)
        return group
      }
      counted.withLock { $0.people[artist.id] = groups }
      return groups
    }
  }
}

extension CreditRole {
  /// True for the roles of artists, who are found as such.
  fileprivate var isOfArtist: Bool { self == .artist || self == .albumArtist }
}

/// Years and decades as people write them.
enum YearWords {
  /// Returns the year or the decades that a search for one word means: `1977`, `1970s`, `70s`.
  static func tags(for words: [String]) -> [Library.Tag] {
    guard words.count == 1, let word = words.first, word.utf8.count <= 5 else { return [] }
    let digits = word.utf8.last == UInt8(ascii: "s") ? String(word.dropLast()) : word
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits) else {
      return []
    }
    if digits == word {
      return digits.utf8.count == 4 && number > 0 ? [Library.Tag(kind: .year, name: "\(number)")] : []
    }
    guard number.isMultiple(of: 10) else { return [] }
    let decades = digits.utf8.count == 2 ? [2000 + number, 1900 + number] : digits.utf8.count == 4 ? [number] : []
    return decades.map { Library.Tag(kind: .decade, name: "\($0)") }
  }
}
