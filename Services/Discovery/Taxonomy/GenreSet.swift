/// A set of genres and subcategories, by their indices in the taxonomy.
struct GenreSet: Hashable, Sendable {
  /// A bit for each genre. The bit behind the last genre stands for albums without any.
  var genres: UInt32 = 0
  /// A bit for each of the first 64 subcategories.
  var low: UInt64 = 0
  /// A bit for each further subcategory.
  var high: UInt64 = 0

  /// The largest number of subcategories.
  static let mostSubcategories = 128
  /// The largest number of genres, without the one of albums that have none.
  static let mostGenres = 31

  var isEmpty: Bool { genres == 0 }

  mutating func insert(genre: Int) { genres |= 1 << UInt32(genre) }

  mutating func insert(subcategory: Int, ofGenre genre: Int) {
    insert(genre: genre)
    if subcategory < 64 { low |= 1 << UInt64(subcategory) } else { high |= 1 << UInt64(subcategory - 64) }
  }

  func contains(genre: Int) -> Bool { genres & (1 << UInt32(genre)) != 0 }

  func contains(subcategory: Int) -> Bool {
    subcategory < 64 ? low & (1 << UInt64(subcategory)) != 0 : high & (1 << UInt64(subcategory - 64)) != 0
  }

  mutating func formUnion(_ other: GenreSet) {
    genres |= other.genres
    low |= other.low
    high |= other.high
  }

  /// Removes a genre; its subcategories stay, as only a genre without any is removed.
  mutating func remove(genre: Int) { genres &= ~(1 << UInt32(genre)) }

  /// Returns the number of subcategories that both sets have.
  func sharedSubcategories(with other: GenreSet) -> Int {
    (low & other.low).nonzeroBitCount + (high & other.high).nonzeroBitCount
  }

  /// True if the set has a subcategory.
  var hasSubcategory: Bool { low | high != 0 }

  /// The indices of the subcategories, in their order.
  var subcategories: [Int] {
    var found: [Int] = []
    var (low, high) = (low, high)
    while low != 0 {
      found.append(low.trailingZeroBitCount)
      low &= low - 1
    }
    while high != 0 {
      found.append(64 + high.trailingZeroBitCount)
      high &= high - 1
    }
    return found
  }

  /// The indices of the genres, in their order.
  var genreIndices: [Int] {
    var found: [Int] = []
    var genres = genres
    while genres != 0 {
      found.append(genres.trailingZeroBitCount)
      genres &= genres - 1
    }
    return found
  }
}
