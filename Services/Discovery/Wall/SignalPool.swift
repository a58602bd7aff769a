import Messages
import Model

/// An album that a signal found, with what it was found by.
struct Pick: Hashable, Sendable {
  /// The index of the album in the library.
  var album: Int32
  var signal: Discovery.Signal
  /// The index of the genre for which it was taken; nil for none.
  var genre: Int?
  /// The index of the subcategory for which it was taken; nil for none.
  var subcategory: Int?
  /// Its place in a chart, from 1; nil if it was not taken from one.
  var place: Int?
  /// The index of the favourite near which it is; nil for none.
  var favourite: Int32?
  /// The words of a source outside about it; nil for an album that the house's own data gave.
  var clue: Clue?
  /// The row of an album that is not in the library; nil for others. `album` is -1 then.
  var missing: Int32?
}

/// Albums that a source outside the household found for a signal, such as the world's favourites among the household's
/// albums. They come before those that the house's own data gives. Workers fill the tables from which pools are made,
/// so nobody outside is asked while a person waits.
struct SignalPool: Sendable {
  var signal: Discovery.Signal
  /// The albums, the best first, by their indices in the library.
  var albums: [Int32]
  /// By album, what the source said of it.
  var clues: [Int32: Clue] = [:]
}

/// The albums that can still be taken for a page, and the random choices among them.
struct Selection {
  let view: RankedAlbums
  var random: SplitMix64
  /// By album: true if it cannot be taken, as it was shown, was taken by an earlier signal, or is held back.
  private(set) var isTaken: [Bool]

  init(_ view: RankedAlbums, without excluded: some Sequence<Int32>, random: SplitMix64) {
    self.view = view
    self.random = random
    isTaken = view.albums.map { $0.opinion == .disliked }
    for index in excluded { isTaken[Int(index)] = true }
  }

  /// Marks an album as taken; false if it was before.
  mutating func markTaken(_ index: Int32) -> Bool {
    guard !isTaken[Int(index)] else { return false }
    isTaken[Int(index)] = true
    return true
  }

  /// Allows albums to be taken again.
  mutating func release(_ indices: some Sequence<Int32>) {
    for index in indices where view.albums[Int(index)].opinion != .disliked { isTaken[Int(index)] = false }
  }

  /// True if no album is left.
  var isExhausted: Bool { !isTaken.contains(false) }

  /// Returns the albums of a list that can be taken, at most `limit`, from a random place on that is at most `offset`
  /// and leaves enough behind it. `places` are the places in the list, from 1.
  mutating func candidates(
    _ list: [Int32], limit: Int, offset: Int = 0
  ) -> [(album: Int32, place: Int)] {
    var start = 0
    if offset > 0 {
      let free = list.count { !isTaken[Int($0)] }
      let latest = min(offset, max(0, free - limit))
      start = latest > 0 ? Int.random(in: 0...latest, using: &random) : 0
    }
    var found: [(Int32, Int)] = []
    for (place, index) in list.enumerated() where !isTaken[Int(index)] {
      if start > 0 {
        start -= 1
        continue
      }
      found.append((index, place + 1))
      if found.count == limit { break }
    }
    return found
  }

  /// Cuts a pool over its size at random, and takes what is left of it.
  mutating func cut(_ pool: [Pick], to count: Int) -> [Pick] {
    let kept = pool.count > count ? Array(pool.shuffled(using: &random).prefix(count)) : pool
    return kept.filter { markTaken($0.album) }
  }

  /// Returns what sources outside found for a signal and can be taken: the best of each source in turn.
  func outside(_ signal: Discovery.Signal, in pools: [SignalPool], limit: Int) -> [Pick] {
    let lists = pools.filter { $0.signal == signal }.map { pool in
      Array(pool.albums.lazy.filter { !isTaken[Int($0)] }.prefix(limit)).map { (album: $0, clue: pool.clues[$0]) }
    }
    var found: [Pick] = []
    var seen: Set<Int32> = []
    for place in 0..<(lists.map(\.count).max() ?? 0) {
      for list in lists where place < list.count && found.count < limit {
        guard seen.insert(list[place].album).inserted else { continue }
        found.append(Pick(album: list[place].album, signal: signal, clue: list[place].clue))
      }
    }
    return found
  }

  /// Returns some of the values, drawn at random.
  mutating func draw<Value>(_ count: Int, of values: [Value]) -> [Value] {
    Array(values.shuffled(using: &random).prefix(count))
  }
}

/// A page of a wall or feed, before its tiles are described.
struct PagePicks: Sendable {
  var picks: [Pick]
  /// True if every album of the library, or of the genre, has been shown with this page.
  var isExhausted: Bool
}
