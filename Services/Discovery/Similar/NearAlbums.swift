import Messages
import Model

/// Finds albums that are near another one: by the subcategories and tags that they share, by their years, and by the
/// artists that listeners of the artist also play. It is a pure function of the library.
enum NearAlbums {
  /// An album with what is compared.
  struct Candidate: Hashable, Sendable {
    /// Its row.
    var number: Int64
    /// A number for its artist.
    var artist: Int64
    /// The year of the original release; 0 if unknown.
    var year: Int
    var set: GenreSet
  }

  /// A candidate with its nearness.
  struct RankedCandidate: Hashable, Sendable {
    var candidate: Candidate
    var score: Double
    /// The words of a source outside about its artist; nil if none named the artist.
    var clue: Clue?
    /// The tags that both albums have.
    var tags: [String] = []
    var isSameArtist = false
  }

  /// The most albums of one other artist.
  private static let mostOfArtist = 2

  /// The place of a candidate in the order. Albums of equal nearness are in the order of a hash, so that they are not
  /// always the first ones of the library.
  private struct Rank: Comparable {
    var score: Double
    var hash: UInt64
    var index: Int

    static func < (first: Rank, second: Rank) -> Bool {
      first.score == second.score ? first.hash < second.hash : first.score > second.score
    }
  }

  /// Returns the nearest candidates, the nearest first: at most `limit` of other artists, and as many of the same.
  ///
  /// - Parameters:
  ///   - clues: by row, the words of sources outside about the artists of albums.
  ///   - unsorted: the index of the genre that stands for none, which says nothing about nearness.
  static func nearest(
    to album: Candidate, among candidates: [Candidate], clues: [Int64: Clue] = [:], limit: Int, unsorted: Int
  ) -> [RankedCandidate] {
    var (others, own): ([Rank], [Rank]) = ([], [])
    for (index, candidate) in candidates.enumerated() where candidate.number != album.number {
      let score = nearness(candidate, album, hasClue: clues[candidate.number] != nil, unsorted: unsorted)
      guard score > 0 else { continue }
      let rank = Rank(
        score: score, hash: SplitMix64.mix(UInt64(bitPattern: candidate.number)), index: index)
      if candidate.artist == album.artist { own.append(rank) } else { others.append(rank) }
    }
    return (others.sorted().prefix(limit) + own.sorted().prefix(limit)).map { rank in
      let candidate = candidates[rank.index]
      return RankedCandidate(
        candidate: candidate, score: rank.score, clue: clues[candidate.number],
        isSameArtist: candidate.artist == album.artist)
    }
  }

  /// Returns how near two albums are: 4 for an artist that listeners also play, 2 for each subcategory that they
  /// share and 1 for having the same ones, 1 for a genre of albums without subcategories, and up to 1 for their years.
  private static func nearness(
    _ candidate: Candidate, _ album: Candidate, hasClue: Bool, unsorted: Int
  ) -> Double {
    var score = hasClue ? 4.0 : 0
    let shared = candidate.set.sharedSubcategories(with: album.set)
    score += 2 * Double(min(shared, 3))
    if shared > 0, (candidate.set.low, candidate.set.high) == (album.set.low, album.set.high) { score += 1 }
    if shared == 0, !album.set.hasSubcategory {
      let common = candidate.set.genres & album.set.genres & ~(1 << UInt32(unsorted))
      if common != 0 { score += 1 }
    }
    guard score > 0 || candidate.artist == album.artist else { return 0 }
    return score + years(candidate, album) + 0.1
  }

  private static func years(_ candidate: Candidate, _ album: Candidate) -> Double {
    guard candidate.year > 0, album.year > 0 else { return 0 }
    let distance = abs(candidate.year - album.year)
    return distance <= 2 ? 1 : distance <= 5 ? 0.5 : 0
  }

  /// Returns albums for people: their shared tags count half a point each, albums of the same artist come last, and no
  /// other artist has more than two.
  static func arranged(_ found: [RankedCandidate], limit: Int) -> [RankedCandidate] {
    let scored = found.enumerated().map { place, one in
      var one = one
      one.score += 0.5 * Double(min(one.tags.count, 4))
      return (place: place, found: one)
    }.sorted { ($1.found.score, $0.place) < ($0.found.score, $1.place) }.map(\.found)
    var counts: [Int64: Int] = [:]
    var others: [RankedCandidate] = []
    for one in scored where !one.isSameArtist && others.count < limit {
      guard counts[one.candidate.artist, default: 0] < mostOfArtist else { continue }
      counts[one.candidate.artist, default: 0] += 1
      others.append(one)
    }
    return others + scored.filter(\.isSameArtist).prefix(limit - others.count)
  }
}

/// The sentences that say why an album is near another one.
extension Reason {
  /// - Parameters:
  ///   - artist: the name of the album's artist.
  ///   - names: the names of the subcategories that both have, or of their genre.
  init(
    near album: NearAlbums.Candidate, _ found: NearAlbums.RankedCandidate, artist: String, names: [String],
    rating: Rating?
  ) {
    let candidate = found.candidate
    var evidence = Discovery.Evidence(genre: names.first, rating: rating)
    let isOfTime = candidate.year > 0 && album.year > 0 && abs(candidate.year - album.year) <= 5
    let rated = rating.flatMap { $0.rawValue >= 8 ? ", and you rated it \(Self.stars($0))" : nil } ?? ""
    let time = isOfTime ? ", from \(candidate.year)" : ""
    if found.isSameArtist {
      sentence = "By the same artist\(time)\(rated)."
    } else if let clue = found.clue {
      let reason = Reason(clue, artist: artist, genre: names.first, album: nil)
      sentence = reason.sentence
      evidence.source = reason.evidence.source
      evidence.place = nil
    } else if !names.isEmpty {
      sentence = "\(Self.listed(names)) as well\(time)\(rated)."
    } else if found.tags.isEmpty {
      sentence = "Of the same kind\(time)\(rated)."
    } else {
      sentence = "Tagged \(Self.listed(found.tags.prefix(3).map { "“\($0)”" })) as well\(time)\(rated)."
    }
    self.evidence = evidence
  }

  /// Returns names as people list them: `Bebop`, `Bebop and Swing`, `Bebop, Swing and Fusion`.
  private static func listed(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }
}
