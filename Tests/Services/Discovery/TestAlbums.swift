import Messages
import Model
import TestSupport

@testable import Discovery

/// Shelves of invented albums for tests of walls and feeds.
enum TestAlbums {
  /// The moment at which tests look at shelves.
  static let now = Int64(1_796_000_000)

  static func taxonomy() throws -> Taxonomy { try Taxonomy(Taxonomy.builtIn) }

  /// Returns a shelf on which every signal has plenty: a third of the albums was played, a tenth rated, a twentieth
  /// liked, and a quarter came in the last 90 days.
  static func full(_ count: Int = 3000, seed: UInt64 = 1) throws -> OwnedAlbums {
    let taxonomy = try taxonomy()
    var random = Seeded(seed)
    let albums = (0..<count).map { number -> OwnedAlbum in
      let genre = Int.random(in: 0..<9, using: &random)
      var album = album(number, artist: Int64.random(in: 0..<Int64(max(1, count / 4)), using: &random))
      album.set = GenreSet()
      let parts = taxonomy.genres[genre].subcategories
      album.set.insert(subcategory: parts.randomElement(using: &random) ?? parts.lowerBound, ofGenre: genre)
      album.year = Int16.random(in: 1955...2026, using: &random)
      album.addedAt = now - Int64.random(in: 0...(360 * Ages.day), using: &random)
      if Int.random(in: 0..<3, using: &random) == 0 {
        album.playedAt = now - Int64.random(in: 0...(900 * Ages.day), using: &random)
        album.plays = Int32.random(in: 1...60, using: &random)
      }
      if Int.random(in: 0..<10, using: &random) == 0 { album.rating = Int8.random(in: 1...10, using: &random) }
      if Int.random(in: 0..<20, using: &random) == 0 { album.opinion = .liked }
      return album
    }
    return OwnedAlbums(
      albums: albums, genreCount: taxonomy.genres.count, subcategoryCount: taxonomy.subcategories.count)
  }

  /// Returns an album that was added two years ago and never played, in no genre.
  static func album(_ number: Int, artist: Int64? = nil) -> OwnedAlbum {
    var set = GenreSet()
    set.insert(genre: 15)
    return OwnedAlbum(
      number: Int32(number + 1), artist: artist ?? Int64(number), set: set, addedAt: now - 730 * Ages.day)
  }

  /// Returns a view of albums, each changed by `change`.
  static func view(_ count: Int, _ change: (Int, inout OwnedAlbum) -> Void) throws -> RankedAlbums {
    let taxonomy = try taxonomy()
    let albums = (0..<count).map { number -> OwnedAlbum in
      var album = album(number)
      change(number, &album)
      return album
    }
    return RankedAlbums(
      OwnedAlbums(albums: albums, genreCount: taxonomy.genres.count, subcategoryCount: taxonomy.subcategories.count),
      now: now)
  }
}

extension OwnedAlbum {
  /// Puts the album into a genre, and into one of its subcategories where that is named.
  mutating func put(into genre: Int, _ subcategory: Int? = nil) {
    set = GenreSet()
    if let subcategory { set.insert(subcategory: subcategory, ofGenre: genre) } else { set.insert(genre: genre) }
  }
}

extension PagePicks {
  /// The number of albums of each signal.
  func counts(_ signals: [Discovery.Signal]) -> [Int] {
    signals.map { signal in picks.count { $0.signal == signal } }
  }
}
