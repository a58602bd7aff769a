import Model

/// The library at one moment, with its albums in the orders from which signals take them. It is made once for many
/// walls.
///
/// Albums are named by their index in `albums`. Disliked albums are in no order.
package struct RankedAlbums: Sendable {
  let albums: [OwnedAlbum]
  /// The moment, in seconds since 1970.
  let now: Int64
  /// The index of the genre that stands for none.
  let unsorted: Int
  /// By genre: the best rated first, and of equal ratings the most played; those played in the last 30 days come last.
  let rediscoveries: [[Int32]]
  /// By genre: the most played first, then the best rated, then those of the artists with most albums.
  let charts: [[Int32]]
  /// By genre: those that were added or released lately, the newest first; then all others by their addition.
  let newest: [[Int32]]
  /// By genre: those of `newest` that were added or released lately; all where there are none.
  let newOrNewest: [[Int32]]
  /// By genre: the number of albums in `newest` that were added or released lately.
  let newCounts: [Int]
  /// By genre: those that were never played, or not for a year.
  let forgotten: [[Int32]]
  /// All albums but the favourites that are like favourites, the nearest first.
  let recommended: [Int32]
  /// The genres of the albums that were played last, that are played most, and that were added last, 25 of each.
  let playedGenres: [Int]
  /// The genres that have albums.
  let genres: [Int]
  /// The albums that a person likes or rated with 4 stars or more.
  let favourites: [Int32]
  let likeness: Likeness
  /// The albums that are like one of which less is wanted.
  let unwanted: Set<Int32>
  /// By artist: the number of albums.
  let artistAlbums: [Int64: Int32]
  /// The albums that sources outside the house named.
  let outside: OutsideAlbums

  init(_ owned: OwnedAlbums, now: Int64) {
    let albums = owned.albums
    let shown = albums.indices.filter { albums[$0].opinion != .disliked }.map { Int32($0) }
    let thisYear = Ages.year(of: now)
    let unsorted = owned.genreCount
    func album(_ index: Int32) -> OwnedAlbum { albums[Int(index)] }
    func byGenre(_ order: [Int32]) -> [[Int32]] {
      var lists = [[Int32]](repeating: [], count: unsorted + 1)
      for index in order {
        var genres = album(index).set.genres
        while genres != 0 {
          lists[genres.trailingZeroBitCount].append(index)
          genres &= genres - 1
        }
      }
      return lists
    }
    func isNew(_ album: OwnedAlbum) -> Bool {
      now - album.addedAt <= Ages.recent || Int(album.year) >= thisYear - 1
    }
    func sorted(_ key: (OwnedAlbum) -> (Int64, Int64, Int64)) -> [Int32] {
      let keyed = shown.map { (key: key(album($0)), index: $0) }
      return keyed.sorted { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }.map(\.index)
    }
    var artistAlbums: [Int64: Int32] = [:]
    for index in shown { artistAlbums[album(index).artist, default: 0] += 1 }
    rediscoveries = byGenre(
      sorted { (now - $0.playedAt < Ages.rested ? 1 : 0, -Int64($0.rating), -Int64($0.plays)) })
    charts = byGenre(
      sorted { (-Int64($0.plays), -Int64($0.rating), -Int64(artistAlbums[$0.artist] ?? 0)) })
    let newest = byGenre(sorted { (isNew($0) ? 0 : 1, -$0.addedAt, 0) })
    let newCounts = newest.map { list in list.prefix { isNew(album($0)) }.count }
    newOrNewest = zip(newest, newCounts).map { $1 > 0 ? Array($0.prefix($1)) : $0 }
    self.newest = newest
    self.newCounts = newCounts
    forgotten = byGenre(shown.filter { now - album($0).playedAt > Ages.forgotten })
    genres = newest.indices.filter { !newest[$0].isEmpty }
    favourites = shown.filter { album($0).isFavourite }
    let likeness = Likeness(of: favourites.map(album), subcategories: owned.subcategoryCount)
    let liked = likeness
    recommended =
      likeness.isEmpty
      ? []
      : shown.filter { !album($0).isFavourite }.map { (score: liked.score(album($0)), index: $0) }
        .filter { $0.score > 0 }.sorted { ($1.score, $0.index) < ($0.score, $1.index) }.map(\.index)
    self.likeness = likeness
    let lately = shown.filter { now - album($0).playedAt <= Ages.recent && album($0).playedAt > 0 }
    var played = GenreSet()
    if !lately.isEmpty {
      let recent = lately.sorted { (-album($0).playedAt, $0) < (-album($1).playedAt, $1) }.prefix(25)
      let heavy = lately.sorted { (-album($0).plays, $0) < (-album($1).plays, $1) }.prefix(25)
      let added = shown.sorted { (-album($0).addedAt, $0) < (-album($1).addedAt, $1) }.prefix(25)
      for index in Array(recent) + heavy + added { played.formUnion(album(index).set) }
    }
    playedGenres = played.genreIndices
    let disliked = albums.filter { owned.unwanted.contains($0.number) }
    unwanted = Set(
      disliked.isEmpty
        ? []
        : shown.filter { index in
          disliked.contains {
            $0.artist == album(index).artist
              || ($0.set.hasSubcategory && ($0.set.low, $0.set.high) == (album(index).set.low, album(index).set.high))
          }
        })
    self.albums = albums
    self.now = now
    self.unsorted = unsorted
    self.artistAlbums = artistAlbums
    outside = owned.outside
  }

  /// Returns the index of the album of a row; nil if it is not in the library. The albums are sorted by their rows.
  func index(ofNumber number: Int32) -> Int32? { Self.index(ofNumber: number, in: albums) }

  /// Returns the index of the album of a row among albums that are sorted by their rows; nil if it is not there.
  static func index(ofNumber number: Int32, in albums: [OwnedAlbum]) -> Int32? {
    var (low, high) = (0, albums.count)
    while low < high {
      let middle = (low + high) / 2
      if albums[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < albums.count && albums[low].number == number ? Int32(low) : nil
  }

  /// The number of albums that are not disliked.
  var shownCount: Int { albums.count { $0.opinion != .disliked } }
}

/// The artists, subcategories and years that favourites have in common.
struct Likeness: Sendable {
  /// The number of favourites by artist.
  let favourites: [Int64: Int]
  /// By subcategory, the number of artists of favourites in it.
  let artistCounts: [Int]
  /// By subcategory, the share of the favourites that are in it.
  private let shares: [Double]
  /// The share of the favourites of each year.
  private let years: [Int16: Double]

  init(of favourites: [OwnedAlbum], subcategories: Int) {
    var artists: [Int64: Int] = [:]
    var counts = [Int](repeating: 0, count: subcategories)
    var artistsOf = [Set<Int64>](repeating: [], count: subcategories)
    var years: [Int16: Double] = [:]
    for album in favourites {
      artists[album.artist, default: 0] += 1
      for part in album.set.subcategories where part < subcategories {
        counts[part] += 1
        artistsOf[part].insert(album.artist)
      }
      if album.year > 0 { years[album.year, default: 0] += 1 / Double(favourites.count) }
    }
    self.favourites = artists
    shares = counts.map { Double($0) / Double(max(1, favourites.count)) }
    artistCounts = artistsOf.map(\.count)
    self.years = years
  }

  var isEmpty: Bool { favourites.isEmpty }

  /// Returns the nearness of an album: 3 for its artist, up to 2 for its subcategories, up to 1 for its years. An album
  /// of which only the year is shared is not near.
  func score(_ album: OwnedAlbum) -> Double {
    let artist = favourites[album.artist] == nil ? 0.0 : 3
    let shared = album.set.subcategories.reduce(0.0) { $0 + ($1 < shares.count ? shares[$1] : 0) }
    guard artist + shared > 0 else { return 0 }
    let year = (-2...2).reduce(0.0) { $0 + (years[album.year &+ Int16($1)] ?? 0) }
    return artist + min(2, 2 * shared) + (album.year > 0 ? min(1, year) : 0)
  }

  /// Returns the largest number of artists of favourites that share a subcategory with an album, and the subcategory.
  func nearArtists(_ album: OwnedAlbum) -> (count: Int, subcategory: Int)? {
    album.set.subcategories.filter { $0 < artistCounts.count }
      .map { (count: artistCounts[$0], subcategory: $0) }.filter { $0.count > 0 }
      .max { ($0.count, $1.subcategory) < ($1.count, $0.subcategory) }
  }
}
