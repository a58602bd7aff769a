package import Messages
import Model
package import Records
package import Storage
import Text

/// Searches of the catalogue.
extension Catalogue {
  /// Returns the query and the kind of items to play when a person plays all results of a search: tracks if there are
  /// any, else albums, else artists; nil if nothing is found. Words are corrected as in `search`; `cache` keeps what
  /// that needs, and the corrected words, from one page of tracks to the next.
  package static func found(
    by words: String, keeping cache: SearchCache = SearchCache(.none), _ transaction: ReadTransaction
  ) throws -> (kind: CatalogueID.Kind, query: String)? {
    for words in [words] + SearchText.alternatives(words) {
      if let found = try tracksOrOthers(of: words, transaction) { return found }
    }
    guard let corrected = try cache.vocabulary(transaction).corrected(words, transaction) else { return nil }
    return try tracksOrOthers(of: corrected, transaction)
  }

  /// Does the same for words as they are.
  private static func tracksOrOthers(
    of words: String, _ transaction: ReadTransaction
  ) throws -> (kind: CatalogueID.Kind, query: String)? {
    guard let query = SearchText.query(words) else { return nil }
    for kind in [CatalogueID.Kind.track, .album, .artist] {
      if try isFound(query, of: kind, transaction) { return (kind, query) }
    }
    return nil
  }

  /// Returns true if a query finds an item of a kind, or of any kind for nil.
  static func isFound(_ query: String, of kind: CatalogueID.Kind? = nil, _ transaction: ReadTransaction) throws -> Bool
  {
    let hit: Int64? = try transaction.value(
      "SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1", query, kind?.first ?? 0,
      kind?.last ?? Int64.max)
    return hit != nil
  }

  private static let mostHits = 100

  /// Returns the items that match all words: each word is a prefix; case and diacritics are ignored. Hits come in the
  /// sorted order of their kind, which is that of the index, so no further hits are read. Where nothing but notes fits,
  /// words that are spelt alike are searched.
  package static func search(
    _ request: Library.Search, keeping cache: SearchCache, _ transaction: ReadTransaction
  ) throws -> Library.SearchResults {
    var results = Library.SearchResults(
      artists: [], albums: [], tracks: [], collections: [], playlists: [], tags: [], people: [])
    if request.inNotes ?? false { results.notes = [] }
    guard SearchText.query(request.words) != nil else { return results }
    let vocabulary = try cache.vocabulary(transaction)
    var reader = SearchReader(
      limit: min(max(1, request.limit), mostHits), budget: PageBudget(items: 5 * mostHits), vocabulary: vocabulary,
      transaction: transaction)
    try reader.read(request.words, into: &results)
    for words in SearchText.alternatives(request.words) where results.isEmpty {
      try reader.read(words, into: &results)
    }
    if results.isEmpty, let words = try SpellingCorrection(vocabulary, transaction).corrected(request.words) {
      results.searchedWords = words
      try reader.read(words, into: &results)
    }
    if request.inNotes ?? false {
      let notes = try cache.additions.notes(request.words, reader.limit, transaction)
      results.notes = notes.filter { reader.budget.admits($0.size) }
    }
    return results
  }
}

extension Library.SearchResults {
  /// True if neither items nor tags were found.
  fileprivate var isEmpty: Bool {
    artists.isEmpty && albums.isEmpty && tracks.isEmpty && (collections ?? []).isEmpty && (playlists ?? []).isEmpty
      && (tags ?? []).isEmpty
  }
}

/// Reads the results of a search.
private struct SearchReader {
  /// The largest number of items of each kind.
  let limit: Int
  var budget: PageBudget
  let vocabulary: SearchVocabulary
  let transaction: ReadTransaction

  mutating func read(_ words: String, into results: inout Library.SearchResults) throws {
    guard let query = SearchText.query(words) else { return }
    results.artists = try hits(
      .artist, query, "\(Catalogue.artistColumns) FROM search CROSS JOIN artists r ON r.id = search.item",
      as: Catalogue.artist)
    results.albums = try hits(
      .album, query, "\(Catalogue.albumColumns) FROM search CROSS JOIN albums a ON a.id = search.item",
      as: Catalogue.album)
    results.tracks = try hits(
      .track, query,
      """
      \(Catalogue.trackColumns) FROM search CROSS JOIN tracks t ON t.id = search.item
      CROSS JOIN albums a ON a.id = t.shelf
      """, as: Catalogue.track)
    results.collections = try lists(.collection, query, vocabulary.collection)
    results.playlists = try lists(.playlist, query, vocabulary.playlist)
    results.tags = try vocabulary.tags(for: words, transaction).filter { budget.admits($0.size) }
    results.people = try vocabulary.people(among: results.artists, transaction).filter { budget.admits($0.size) }
    try BestMatch(words, transaction).add(to: &results, limit: limit)
  }

  private mutating func hits<Item: SizedItem>(
    _ kind: CatalogueID.Kind, _ query: String, _ select: String, as read: (borrowing Row) throws -> Item
  ) throws -> [Item] {
    let found = try transaction.rows(
      """
      SELECT \(select) WHERE search.search MATCH ? AND search.rowid BETWEEN ? AND ? ORDER BY search.rowid LIMIT ?
      """, query, kind.first, kind.last, limit, as: read)
    return found.filter { budget.admits($0.size) }
  }

  private mutating func lists<List: SizedItem>(
    _ kind: CatalogueID.Kind, _ query: String, _ read: (Int64, ReadTransaction) throws -> List?
  ) throws -> [List] {
    let numbers: [Int64] = try transaction.values(
      "SELECT item FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT ?", query,
      kind.first, kind.last, limit)
    return try numbers.compactMap { try read($0, transaction) }.filter { budget.admits($0.size) }
  }
}

extension Library.CreditGroup: SizedItem {
  package var size: Int { 120 + PageBudget.size(person?.name) }
}

extension Library.Note: SizedItem {
  package var size: Int {
    300 + PageBudget.size([text, on.title, on.artist, on.id.description]) + 24 * (session?.listens.count ?? 0)
  }
}
