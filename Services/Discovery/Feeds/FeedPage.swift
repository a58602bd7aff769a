import Messages
import Model

/// Makes the pages of a genre's feed. It is a pure function: the same input and shelf give the same page.
struct FeedPage {
  private let input: PageInput
  private let genre: Int
  private var selection: Selection
  private var view: RankedAlbums { selection.view }

  /// Returns a page of the feed of a genre.
  ///
  /// - Parameter subcategories: the subcategories that were chosen; empty for all of the genre.
  static func make(
    _ input: PageInput, genre: Int, subcategories: [Int], of taxonomy: Range<Int>, _ view: RankedAlbums
  ) -> PagePicks {
    let members = Set(
      view.charts[genre].filter { index in
        subcategories.isEmpty || subcategories.contains { view.albums[Int(index)].set.contains(subcategory: $0) }
      })
    let outside = view.albums.indices.map { Int32($0) }.filter { !members.contains($0) }
    let kind = "feed \(genre) \(subcategories)"
    var page = FeedPage(
      input: input, genre: genre,
      selection: Selection(
        view, without: input.shown.union(input.held).union(outside), random: input.random(kind)))
    let weights =
      subcategories.isEmpty ? Dial.feedWeights(at: input.dial) + [1] : subcategories.map { _ in 1 } + [1]
    func fill(_ page: inout FeedPage, _ count: Int) -> [[Pick]] {
      subcategories.isEmpty
        ? page.fill(Shares.counts(Dial.feedWeights(at: input.dial), total: count), within: taxonomy)
        : page.fill(subcategories, total: count)
    }
    var buckets = fill(&page, input.count)
    let missing = input.count - buckets.reduce(0) { $0 + $1.count }
    var held = input.held.subtracting(input.shown).intersection(members)
    if missing > 0, !held.isEmpty {
      page.selection.release(held)
      held = []
      let more = fill(&page, missing)
      for index in buckets.indices { buckets[index] += more[index] }
    }
    if subcategories.isEmpty {
      var own = input
      own.missing.removeAll { !$0.set.contains(genre: genre) }
      MissingShare.place(own, in: &buckets, of: Dial.feedSignals, &page.selection)
    }
    let mixed = Interleaving.mix(buckets.indices.map { (weights[$0], buckets[$0]) }, using: &page.selection.random)
    return PagePicks(picks: mixed, isExhausted: page.selection.isExhausted && held.isEmpty)
  }

  /// Returns a bucket for each of the six signals with these counts, and one of what is left of the genre.
  private mutating func fill(_ counts: [Int], within taxonomy: Range<Int>) -> [[Pick]] {
    var (charts, rotation, seeds) = (counts[2], counts[4], counts[5])
    let history = takeHistory(counts[0])
    charts += counts[0] - history.count
    let recommended = takeRecommended(counts[1])
    charts += counts[1] - recommended.count
    let favourites = view.favourites.filter { view.albums[Int($0)].set.contains(genre: genre) }
    if favourites.isEmpty {
      // Without favourites half of their places go to the rotation, and the rest to what is played most.
      rotation += seeds / 2
      charts += seeds - seeds / 2
      seeds = 0
    }
    // The order of the signals decides which of two keeps an album that both found.
    var played = takeCharts(charts)
    let new = takeNew(counts[3])
    let rotated = takeRotation(rotation, within: taxonomy)
    let near = takeSeeds(seeds, favourites)
    let taken = [history, recommended, played, new, rotated, near].reduce(0) { $0 + $1.count }
    let missing = counts.reduce(0, +) - taken
    let more = takeCharts(missing)
    played += more
    let left = takeRest(missing - more.count)
    return [history, recommended, played, new, rotated, near, left]
  }

  /// Returns the albums of the genre that were played last, are played most and were added last, 25 of each.
  private mutating func takeHistory(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    let lately = view.charts[genre].filter {
      let playedAt = view.albums[Int($0)].playedAt
      return playedAt > 0 && view.now - playedAt <= Ages.recent
    }
    let elsewhere = outside(.history, count)
    guard !lately.isEmpty else { return selection.cut(elsewhere, to: count) }
    let recent = lately.sorted { (-view.albums[Int($0)].playedAt, $0) < (-view.albums[Int($1)].playedAt, $1) }
    let added = view.newest[genre].sorted { (-view.albums[Int($0)].addedAt, $0) < (-view.albums[Int($1)].addedAt, $1) }
    let pool = unique(recent.prefix(25) + lately.prefix(25) + added.prefix(25))
    return selection.cut(unique(elsewhere + picks(pool, .history)), to: count)
  }

  private mutating func takeRecommended(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    let near = selection.candidates(view.recommended, limit: 2 * count).map(\.album)
    return selection.cut(unique(outside(.recommended, count) + picks(near, .recommended)), to: count)
  }

  private mutating func takeCharts(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    let world = selection.cut(outside(.charts, count), to: count / 2)
    let pool = selection.candidates(view.charts[genre], limit: 2 * count, offset: 50).map {
      Pick(album: $0.album, signal: .charts, genre: genre, place: $0.place)
    }
    return world + selection.cut(pool, to: count - world.count)
  }

  private mutating func takeNew(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    let new = Array(view.newest[genre].prefix(view.newCounts[genre]))
    let released = selection.cut(outside(.new, count), to: count / 2)
    let pool = selection.candidates(new, limit: 2 * count).map(\.album)
    return released + selection.cut(picks(pool, .new), to: count - released.count)
  }

  /// Returns albums of three subcategories that the library has, at least 5 of each.
  private mutating func takeRotation(_ count: Int, within taxonomy: Range<Int>) -> [Pick] {
    guard count > 0 else { return [] }
    var members: [Int: [Int32]] = [:]
    for index in view.charts[genre] where !selection.isTaken[Int(index)] {
      for part in view.albums[Int(index)].set.subcategories where taxonomy.contains(part) {
        members[part, default: []].append(index)
      }
    }
    let drawn = selection.draw(3, of: members.keys.sorted())
    guard !drawn.isEmpty else { return [] }
    let asked = max((count + drawn.count - 1) / drawn.count, 5)
    var pool: [Pick] = []
    for part in drawn {
      pool += selection.draw(2 * asked, of: members[part] ?? []).map {
        Pick(album: $0, signal: .rotation, genre: genre, subcategory: part)
      }
    }
    return selection.cut(unique(pool), to: count)
  }

  /// Returns albums near three favourites of the genre: 10 by the same artist, and 10 that share the most with it.
  private mutating func takeSeeds(_ count: Int, _ favourites: [Int32]) -> [Pick] {
    guard count > 0 else { return [] }
    var pool: [Pick] = []
    for favourite in selection.draw(3, of: favourites) {
      let seed = view.albums[Int(favourite)]
      let free = view.charts[genre].filter { !selection.isTaken[Int($0)] && $0 != favourite }
      let sameArtist = free.filter { view.albums[Int($0)].artist == seed.artist }.prefix(10)
      let related = free.filter { view.albums[Int($0)].artist != seed.artist }
        .map { (index: $0, nearness: Self.nearness(view.albums[Int($0)], seed)) }.filter { $0.nearness > 0 }
        .sorted { (-$0.nearness, $0.index) < (-$1.nearness, $1.index) }.prefix(10)
      pool += (Array(sameArtist) + related.map(\.index)).map {
        Pick(album: $0, signal: .seeds, genre: genre, favourite: favourite)
      }
    }
    return selection.cut(unique(pool), to: count)
  }

  /// Returns how near two albums are: by the subcategories that they share, and by their years.
  private static func nearness(_ album: OwnedAlbum, _ seed: OwnedAlbum) -> Int {
    let shared = album.set.sharedSubcategories(with: seed.set)
    guard shared > 0 else { return 0 }
    let isOfTime = album.year > 0 && seed.year > 0 && abs(Int(album.year) - Int(seed.year)) <= 5
    return 2 * shared + (isOfTime ? 1 : 0)
  }

  private mutating func takeRest(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    return selection.cut(
      picks(view.charts[genre].filter { !selection.isTaken[Int($0)] }, .wild), to: count)
  }

  private func picks(_ albums: [Int32], _ signal: Discovery.Signal) -> [Pick] {
    albums.filter { !selection.isTaken[Int($0)] }.map { Pick(album: $0, signal: signal, genre: genre) }
  }

  /// Returns what sources outside found for a signal within the genre, twice as many as are drawn.
  private func outside(_ signal: Discovery.Signal, _ count: Int) -> [Pick] {
    selection.outside(signal, in: input.pools, limit: 2 * count)
  }

  private func unique(_ albums: some Sequence<Int32>) -> [Int32] {
    var seen: Set<Int32> = []
    return albums.filter { seen.insert($0).inserted }
  }

  private func unique(_ picks: [Pick]) -> [Pick] {
    var seen: Set<Int32> = []
    return picks.filter { seen.insert($0.album).inserted }
  }

  /// Returns a bucket for each chosen subcategory, each with its part of the page and at least 10, cut to the page;
  /// and one of what is left of them.
  private mutating func fill(_ subcategories: [Int], total: Int) -> [[Pick]] {
    let asked = max((total + subcategories.count - 1) / subcategories.count, 10)
    var buckets: [[Pick]] = []
    for part in subcategories {
      let free = view.charts[genre].filter {
        !selection.isTaken[Int($0)] && view.albums[Int($0)].set.contains(subcategory: part)
      }
      let pool = free.map { Pick(album: $0, signal: .rotation, genre: genre, subcategory: part) }
      buckets.append(selection.cut(pool, to: asked))
    }
    var surplus = buckets.reduce(0) { $0 + $1.count } - total
    while surplus > 0, let longest = buckets.indices.max(by: { buckets[$0].count < buckets[$1].count }),
      let spare = buckets[longest].popLast()
    {
      selection.release(CollectionOfOne(spare.album))
      surplus -= 1
    }
    let missing = total - buckets.reduce(0) { $0 + $1.count }
    let left = selection.isTaken.indices.filter { !selection.isTaken[$0] }.map { index in
      let part = subcategories.first { view.albums[index].set.contains(subcategory: $0) }
      return Pick(album: Int32(index), signal: .rotation, genre: genre, subcategory: part)
    }
    return buckets + [missing > 0 ? selection.cut(left, to: missing) : []]
  }
}
