import Messages
import Model
import Storage

/// Reads the statistics of a period. The listens are read once, in one pass, and only sums are kept: a million of them
/// take less than a second.
enum StatisticsQueries {
  private static let mostRows = 100
  private static let dayLength = 86_400
  /// The seconds for which an album was not played before it counts as rediscovered.
  private static let longAgo = 365 * 86_400

  /// Throws `library.badDay`.
  static func read(
    _ request: Library.ReadStatistics, at now: Timestamp, _ transaction: ReadTransaction
  ) throws -> Library.Statistics {
    let firstDay: Int? = try transaction.value(
      "SELECT day FROM listens INDEXED BY listens_by_time WHERE outcome = 1 ORDER BY started_at LIMIT 1")
    let firstListen = firstDay.flatMap { CalendarDay(packed: $0) }
    let today: String? = try transaction.value("SELECT date(? / 1000000, 'unixepoch', 'localtime')", now)
    let period = try StatisticsPeriod(
      request, firstListen: firstListen, today: try CalendarDay(today ?? ""))
    let items = try HeardItems(transaction)
    let past = try period.isWhole ? nil : PastListens(items, before: period.first, transaction)
    let names = period.names
    var (sums, totals) = (StatisticsSums(items, period, steps: names.count), StatisticsTotals(items))
    var before = StatisticsTotals(items)
    var isKnown = [Bool](repeating: false, count: items.tracks.count)
    let first = period.first.packed
    try listens(of: period, items, transaction) { listen in
      let track = listen.places.track
      var isFirst = false
      if listen.outcome == ListenOutcome.counted.rawValue, !isKnown[track] {
        isFirst = past.map { $0.firstPlays[track] == listen.startedAt.microseconds } ?? true
        isKnown[track] = isFirst
      }
      if listen.day < first { return before.add(listen, isFirst: isFirst) }
      totals.add(listen, isFirst: isFirst)
      if listen.outcome == ListenOutcome.counted.rawValue { sums.add(listen) }
    }
    var statistics = Library.Statistics(
      from: period.first.name, to: period.last.name, firstDay: firstListen?.name, totals: totals.totals,
      before: period.isWhole ? nil : before.totals, hours: sums.hours.map { Milliseconds($0) },
      weekdays: sums.weekdays.map { Milliseconds($0) })
    try fill(&statistics, sums, names, items, past, limit: min(max(1, request.limit), mostRows), transaction)
    return statistics
  }

  /// Calls a closure for each listen of the period and, unless it is the whole history, of the one before it.
  private static func listens(
    of period: StatisticsPeriod, _ items: HeardItems, _ transaction: ReadTransaction,
    _ body: (CountedListen) -> Void
  ) throws {
    let (last, from) = (period.last, period.firstBefore)
    var source = "NOT INDEXED WHERE l.day <= ?"
    var values: [(any SQLBindable)?] = [last.packed]
    if !period.isWhole {
      // The zone may have been another one when a day was noted, so the times go beyond the days.
      source = "INDEXED BY listens_by_time WHERE l.started_at >= ? AND l.started_at < ? AND l.day BETWEEN ? AND ?"
      values = [
        Timestamp(seconds: Int64((from.number - 2) * dayLength)),
        Timestamp(seconds: Int64((last.number + 3) * dayLength)), from.packed, last.packed,
      ]
    }
    _ = try transaction.rows(
      "SELECT l.day, l.started_at, l.track, l.outcome, l.heard FROM listens l \(source)", values: values
    ) { row in
      let track: Int64 = try row.value(2)
      guard let places = items.places[track] else { return }
      body(
        CountedListen(
          day: try row.value(0), startedAt: try row.value(1), places: places, outcome: try row.value(3),
          heard: try row.value(4)))
    }
  }

  /// Fills the lists and the steps, as far as an answer has room for them.
  private static func fill(
    _ statistics: inout Library.Statistics, _ sums: StatisticsSums, _ names: [String], _ items: HeardItems,
    _ past: PastListens?, limit: Int, _ transaction: ReadTransaction
  ) throws {
    let genres = mostPlayed(sums.genres, limit)
    statistics.steps = names.enumerated().map { index, name in
      Library.Statistics.Step(
        name: name, plays: sums.steps[index].plays, heard: Milliseconds(sums.steps[index].heard),
        genres: sums.plays(of: index, by: genres))
    }
    let rows = StatisticsRows(items: items, transaction: transaction)
    var budget = PageBudget(items: 5 * mostRows, reserved: 4000 + names.count * (60 + 7 * genres.count))
    func fitting(_ rows: [Library.Statistics.Row]) -> [Library.Statistics.Row] {
      Array(rows.prefix { budget.admits($0.size) })
    }
    statistics.genres = fitting(
      genres.map { rows.genre($0, sums.genres[$0]) })
    statistics.artists = fitting(
      try mostPlayed(sums.artists, limit).map { try rows.artist($0, sums.artists[$0]) })
    var albums: [Library.Statistics.Row] = []
    for album in mostPlayed(sums.albums, limit + mostRows) where albums.count < limit {
      let row = try rows.album(album, sums.albums[album])
      // Imports may name no album.
      if row.isHere != false || !row.title.isEmpty { albums.append(row) }
    }
    statistics.albums = fitting(albums)
    statistics.tracks = fitting(try mostPlayed(sums.tracks, limit).map { try rows.track($0, sums.tracks[$0]) })
    guard let past else { return }
    let rediscovered = sums.albums.indices.filter { album in
      sums.albums[album].plays > 0
        && past.lastPlays[album].map { past.start.seconds - $0.seconds >= Int64(longAgo) } ?? false
    }.sorted { (past.lastPlays[$0] ?? past.start, $0) < (past.lastPlays[$1] ?? past.start, $1) }
    statistics.rediscovered = fitting(
      try rediscovered.prefix(limit).map { album in
        var row = try rows.album(album, sums.albums[album])
        row.lastBefore = past.lastPlays[album]
        return row
      })
  }

  /// Returns the places of the items that were played most, of which those that were played longer come first.
  private static func mostPlayed(_ tallies: [StatisticsTally], _ limit: Int) -> [Int] {
    let played = tallies.indices.filter { tallies[$0].plays > 0 }
    return Array(
      played.sorted {
        (tallies[$1].plays, tallies[$1].heard, $0) < (tallies[$0].plays, tallies[$0].heard, $1)
      }.prefix(limit))
  }
}

/// The plays before a period: the first play of each track, and the last one of each album.
struct PastListens {
  /// The first moment of the period.
  let start: Timestamp
  /// The microseconds of the first play of each track, be it in the period or before; nil for none.
  private(set) var firstPlays: [Int64?]
  /// The last play of each album before the period.
  private(set) var lastPlays: [Timestamp?]

  init(_ items: HeardItems, before day: CalendarDay, _ transaction: ReadTransaction) throws {
    start = Timestamp(seconds: try transaction.value("SELECT unixepoch(?, 'utc')", day.name) ?? 0)
    var firstPlays = [Int64?](repeating: nil, count: items.tracks.count)
    var lastPlays = [Timestamp?](repeating: nil, count: items.albums.count)
    _ = try transaction.rows(
      """
      SELECT track, min(started_at), max(CASE WHEN started_at < ? THEN started_at END)
      FROM listens INDEXED BY listens_of_track WHERE outcome = 1 GROUP BY track
      """, start
    ) { row in
      let track: Int64 = try row.value(0)
      guard let places = items.places[track] else { return }
      let first: Int64 = try row.value(1)
      firstPlays[places.track] = min(firstPlays[places.track] ?? first, first)
      let before: Timestamp? = try row.value(2)
      guard let last = before else { return }
      lastPlays[places.album] = max(lastPlays[places.album] ?? last, last)
    }
    self.firstPlays = firstPlays
    self.lastPlays = lastPlays
  }
}
