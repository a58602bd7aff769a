import Messages
import Model

/// The input of a page of a wall: what it is a function of.
struct PageInput: Sendable {
  var seed: Int64
  /// The number of the page, from 0.
  var page: Int
  var dial: Int
  /// The number of albums.
  var count: Int
  /// The albums that were shown before.
  var shown: Set<Int32> = []
  /// The albums that are held back while there are others.
  var held: Set<Int32> = []
  /// The pools of sources outside.
  var pools: [SignalPool] = []
  /// Albums that are not in the library and can be shown.
  var missing: [MissingCandidate] = []

  /// Returns the generator of a page; `kind` tells walls and feeds of one seed apart.
  func random(_ kind: String) -> SplitMix64 {
    var hash = FNV1a()
    hash.combine(littleEndian: seed)
    hash.combine(littleEndian: Int64(page))
    hash.combine(littleEndian: Int64(dial))
    hash.combine(kind.utf8)
    return SplitMix64(state: SplitMix64.mix(hash.value))
  }
}

/// Makes the pages of walls. It is a pure function: the same input and shelf give the same page.
struct WallPage {
  private let input: PageInput
  private var selection: Selection
  private var view: RankedAlbums { selection.view }
  /// The genres that a signal has picked so far.
  private var pickedGenres: Set<Int> = []

  private init(_ input: PageInput, _ view: RankedAlbums) {
    self.input = input
    selection = Selection(view, without: input.shown.union(input.held), random: input.random("wall"))
  }

  /// Returns a page of a wall.
  static func make(_ input: PageInput, _ view: RankedAlbums) -> PagePicks {
    var page = WallPage(input, view)
    var buckets = page.fill(Shares.counts(Dial.wallWeights(at: input.dial), total: input.count))
    let missing = input.count - buckets.reduce(0) { $0 + $1.count }
    var held = input.held.subtracting(input.shown)
    if missing > 0, !held.isEmpty {
      // Albums that were shown lately come once nothing else is left.
      page.selection.release(held)
      held = []
      let more = page.fill(Shares.counts(Dial.wallWeights(at: input.dial), total: missing))
      for index in buckets.indices { buckets[index] += more[index] }
    }
    MissingShare.place(input, in: &buckets, of: Dial.wallSignals, &page.selection)
    let weights = Dial.wallWeights(at: input.dial)
    let mixed = Interleaving.mix(
      buckets.indices.map { (weights[$0], buckets[$0]) }, using: &page.selection.random)
    return PagePicks(picks: mixed, isExhausted: page.selection.isExhausted && held.isEmpty)
  }

  /// Returns a bucket of albums for each signal, with these counts. A signal that has too few gives its places on.
  private mutating func fill(_ counts: [Int]) -> [[Pick]] {
    var (history, recommended, charts, new, wild) = (counts[0], counts[1], counts[2], counts[3], counts[4])
    let fromHistory = takeHistory(history)
    recommended += history - fromHistory.count
    history = fromHistory.count
    let fromRecommended = takeRecommended(recommended)
    // A personal source that has nothing gives its places to the charts.
    charts += recommended - fromRecommended.count
    let fromCharts = takeCharts(charts)
    let fromNew = takeNew(new)
    wild += charts - fromCharts.count + new - fromNew.count
    let fromWild = takeWild(wild)
    return [fromHistory, fromRecommended, fromCharts, fromNew, fromWild]
  }

  /// Returns popular albums in three of the genres that are played, or in two of all where nothing was played. A pool
  /// under 15 gives its places to recommendations.
  private mutating func takeHistory(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    let genres =
      view.playedGenres.isEmpty
      ? selection.draw(2, of: view.genres) : selection.draw(3, of: view.playedGenres)
    let pool = unique(outside(.history, count) + pool(.history, view.rediscoveries, genres, count))
    guard pool.count >= 15 else { return [] }
    pickedGenres.formUnion(genres)
    return selection.cut(pool, to: count)
  }

  private mutating func takeRecommended(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    let near = selection.candidates(view.recommended, limit: 2 * count).map {
      Pick(album: $0.album, signal: .recommended)
    }
    return selection.cut(unique(outside(.recommended, count) + near), to: count)
  }

  private mutating func takeCharts(_ count: Int) -> [Pick] {
    takeFromGenres(count, .charts, view.charts, genres: 3, offset: Dial.chartOffset(at: input.dial))
  }

  private mutating func takeNew(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    // Genres that have something new come before those that have not.
    let fresh = view.genres.filter { view.newCounts[$0] > 0 }
    return takeFromGenres(count, .new, view.newOrNewest, genres: 2, of: fresh.isEmpty ? nil : fresh, offset: 80)
  }

  /// Returns albums that were never played, or not for a year, of two genres that no signal above picked; and at the
  /// end any album that is left.
  private mutating func takeWild(_ count: Int) -> [Pick] {
    guard count > 0 else { return [] }
    let unpicked = view.genres.filter { !pickedGenres.contains($0) }
    let forgotten = view.forgotten.map { $0.shuffled(using: &selection.random) }
    var found = takeFromGenres(count, .wild, forgotten, genres: 2, of: unpicked.isEmpty ? nil : unpicked)
    if found.count < count {
      let left = selection.isTaken.indices.filter { !selection.isTaken[$0] }.map {
        Pick(album: Int32($0), signal: .wild)
      }
      found += selection.cut(left, to: count - found.count)
    }
    return found
  }

  /// Takes albums of some genres, drawn at random, and of further ones where they have too few.
  private mutating func takeFromGenres(
    _ count: Int, _ signal: Discovery.Signal, _ lists: [[Int32]], genres: Int, of preferred: [Int]? = nil,
    offset: Int = 0
  ) -> [Pick] {
    guard count > 0 else { return [] }
    var order = (preferred ?? view.genres).shuffled(using: &selection.random)
    if let preferred {
      order += view.genres.filter { !preferred.contains($0) }.shuffled(using: &selection.random)
    }
    var found = selection.cut(outside(signal, count), to: count / 2)
    while found.count < count, !order.isEmpty {
      let drawn = Array(order.prefix(genres))
      order.removeFirst(drawn.count)
      pickedGenres.formUnion(drawn)
      found += selection.cut(
        pool(signal, lists, drawn, count - found.count, offset: offset), to: count - found.count)
    }
    return found
  }

  /// Returns the albums that genres give: each is asked for its part of the places and at least 5, and gives twice as
  /// many, from which is drawn.
  private mutating func pool(
    _ signal: Discovery.Signal, _ lists: [[Int32]], _ genres: [Int], _ count: Int, offset: Int = 0
  ) -> [Pick] {
    guard !genres.isEmpty else { return [] }
    let asked = max((count + genres.count - 1) / genres.count, 5)
    var picks: [Pick] = []
    for genre in genres {
      for (album, place) in selection.candidates(lists[genre], limit: 2 * asked, offset: offset) {
        picks.append(Pick(album: album, signal: signal, genre: genre, place: signal == .charts ? place : nil))
      }
    }
    return unique(picks)
  }

  private func unique(_ picks: [Pick]) -> [Pick] {
    var seen: Set<Int32> = []
    return picks.filter { seen.insert($0.album).inserted }
  }

  /// Returns what sources outside found for a signal, twice as many as are drawn.
  private func outside(_ signal: Discovery.Signal, _ count: Int) -> [Pick] {
    selection.outside(signal, in: input.pools, limit: 2 * count)
  }
}
