import Messages
import Model
import Records
import Storage
import Text

/// Chooses the result that fits the words of a search best: one whose name is the words; else one whose name and artist
/// have all of them; else one that begins with them. Artists come before albums, and those before playlists and tracks;
/// what a person rated well, or has played, comes before others.
///
/// A list of results is sorted by names and ends at its limit, so those whose names begin with the words are looked up
/// by the indexes of the lists.
struct BestMatch {
  /// An item that may be the best.
  private struct Candidate {
    var kind: Library.BestResult.Kind
    var id: PlayableID
    var name: String
    /// The artist of an album or track.
    var artist: String?
    var rating: Rating?
    var isHeard = false
    /// The key by which it is sorted, of one that was looked up by its beginning; nil for others.
    var key: String?
  }

  /// The largest number of items of each kind that are looked up, and of the hits of each kind that are compared.
  private static let most = 20

  private let words: [String]
  private let joined: String
  private let sortKey: String
  private let exactKey: String
  private let transaction: ReadTransaction

  init(_ text: String, _ transaction: ReadTransaction) {
    words = SearchText.words(of: text)
    joined = words.joined(separator: " ")
    sortKey = SortKey.of(text.trimmed)
    exactKey = ArtistRows.key(of: text)
    self.transaction = transaction
  }

  /// Finds the best result, and puts it into the list of its kind where that ended before it.
  func add(to results: inout Library.SearchResults, limit: Int) throws {
    guard !words.isEmpty, !sortKey.isEmpty else { return }
    var best: (candidate: Candidate, score: Int)?
    for candidate in try lookedUp() + Self.hits(of: results) {
      let score = score(of: candidate, isPrefixKnown: best?.score ?? 0 >= Self.prefix)
      if score > best?.score ?? 0 { best = (candidate, score) }
    }
    guard let best = best?.candidate else { return }
    let isListed =
      switch best.kind {
      case .artist: try put(best.id, .artist, into: &results.artists, limit, id: \.id.playable, Catalogue.artist)
      case .album: try put(best.id, .album, into: &results.albums, limit, id: \.id.playable, Catalogue.album)
      case .track: try put(best.id, .track, into: &results.tracks, limit, id: \.id.playable, Catalogue.track)
      case .playlist, .unknown: true
      }
    if isListed { results.best = Library.BestResult(kind: best.kind, id: best.id) }
  }

  /// Puts an item into a list in the place of the last one, which sorts before it. Returns false if it is gone.
  private func put<Item>(
    _ wanted: PlayableID, _ kind: CatalogueID.Kind, into items: inout [Item], _ limit: Int,
    id: (Item) -> PlayableID, _ read: (Int64, ReadTransaction) throws -> Item?
  ) throws -> Bool {
    if items.contains(where: { id($0) == wanted }) { return true }
    guard let number = CatalogueID.number(of: wanted, kind), let item = try read(number, transaction) else {
      return false
    }
    if items.count >= limit { items.removeLast() }
    items.append(item)
    return true
  }

  private static func hits(of results: Library.SearchResults) -> [Candidate] {
    var hits = results.artists.prefix(most).map { Candidate(kind: .artist, id: $0.id.playable, name: $0.name) }
    hits += results.albums.prefix(most).map { album in
      Candidate(
        kind: .album, id: album.id.playable, name: album.title, artist: album.artist, rating: album.rating,
        isHeard: album.lastPlayedAt != nil)
    }
    hits += (results.playlists ?? []).prefix(most).map { list in
      Candidate(kind: .playlist, id: list.id.playable, name: list.title)
    }
    hits += results.tracks.prefix(most).map { track in
      Candidate(kind: .track, id: track.id.playable, name: track.title, artist: track.artist, rating: track.rating)
    }
    return hits
  }
}

/// Looking up by indexes.
extension BestMatch {
  private func lookedUp() throws -> [Candidate] {
    let (end, most) = (sortKey.lastWithPrefix, Self.most)
    let isHeard = "EXISTS (SELECT 1 FROM albums WHERE artist_id = r.id AND played_at > 0)"
    let artist = "SELECT r.source || ':r' || r.id, r.name, NULL, r.rating, \(isHeard)"
    let isShown = "r.albums + r.credits > 0"
    var found = try candidates(
      .artist,
      "\(artist), NULL FROM artist_names n CROSS JOIN artists r ON r.id = n.artist WHERE n.key = ? AND \(isShown)",
      exactKey)
    found += try candidates(
      .artist,
      "\(artist), r.sort FROM artists r WHERE r.sort >= ? AND r.sort < ? AND \(isShown) ORDER BY r.sort LIMIT ?",
      sortKey, end, most)
    found += try candidates(
      .album,
      """
      SELECT a.source || ':a' || a.id, a.title, a.artist, a.rating, a.played_at > 0, a.title_sort FROM albums a
      WHERE a.listed = 1 AND a.title_sort >= ? AND a.title_sort < ? ORDER BY a.title_sort LIMIT ?
      """, sortKey, end, most)
    found += try candidates(
      .track,
      """
      SELECT t.source || ':t' || t.id, t.title, t.artist, t.rating, t.played_at > 0, t.title_sort FROM tracks t
      WHERE t.shelf IS NOT NULL AND t.title_sort = ? ORDER BY t.title_sort LIMIT ?
      """, sortKey, most)
    return found
  }

  private func candidates(
    _ kind: Library.BestResult.Kind, _ sql: String, _ values: (any SQLBindable)?...
  ) throws -> [Candidate] {
    try transaction.rows(sql, values: values) { row in
      Candidate(
        kind: kind, id: try row.value(0), name: try row.value(1), artist: try row.value(2), rating: try row.value(3),
        isHeard: try row.value(4), key: try row.value(5))
    }
  }
}

/// Comparing.
extension BestMatch {
  /// The score of a name that is the words.
  private static let whole = 100
  /// The score of a name that is some of the words, if the artist has the others.
  private static let withArtist = 80
  /// The score of a name that begins with the words.
  private static let prefix = 60

  /// Returns how well an item fits, 0 where only something else than its name does. With `isPrefixKnown` items whose
  /// names have more than the words need not be compared, as none of them is better than one that begins with them.
  private func score(of candidate: Candidate, isPrefixKnown: Bool) -> Int {
    let fit = fit(of: candidate, isPrefixKnown: isPrefixKnown)
    guard fit > 0 else { return 0 }
    let kind =
      switch candidate.kind {
      case .artist: 6
      case .album: 4
      case .playlist: 2
      case .track, .unknown: 0
      }
    return fit + kind + (candidate.rating.map { ($0.rawValue + 2) / 4 } ?? 0) + (candidate.isHeard ? 3 : 0)
  }

  private func fit(of candidate: Candidate, isPrefixKnown: Bool) -> Int {
    if candidate.key == sortKey { return Self.whole }
    // Splitting names into words is most of the work, and a name that is much longer than the words has others.
    let isLong = isLonger(candidate.name)
    if isLong, candidate.key != nil { return Self.prefix }
    if isLong, isPrefixKnown { return 0 }
    let name = SearchText.words(of: candidate.name)
    let text = name.joined(separator: " ")
    if text == joined { return Self.whole }
    if let artist = candidate.artist, covers(name, SearchText.words(of: artist)) { return Self.withArtist }
    if candidate.key != nil { return Self.prefix }
    if text.hasPrefix(joined) { return candidate.kind == .track ? 40 : Self.prefix }
    return words.allSatisfy { word in name.contains { $0.hasPrefix(word) } } ? 20 : 0
  }

  /// Returns true for a name of plain letters that has more of them than the words, and a few for punctuation.
  private func isLonger(_ name: String) -> Bool {
    name.utf8.count > joined.utf8.count + 6 && name.utf8.allSatisfy { $0 < 128 }
  }

  /// Returns true if the words are all those of the name, and others that the artist has.
  private func covers(_ name: [String], _ artist: @autoclosure () -> [String]) -> Bool {
    guard !name.isEmpty, name.allSatisfy(words.contains) else { return false }
    let artist = artist()
    return words.allSatisfy { word in name.contains(word) || artist.contains { $0.hasPrefix(word) } }
  }
}
