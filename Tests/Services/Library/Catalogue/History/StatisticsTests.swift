import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue

/// Statistics of the history, compared with a recount of its listens one by one.
@Suite(.timeLimit(.minutes(2)))
struct StatisticsTests {
  private static let start: Int64 = 1_800_000_000
  private static let now = Timestamp(seconds: start + 600 * 86_400)

  /// A listen with its day, hour and weekday in the time zone of the library, as SQLite finds them.
  private struct Heard {
    var play: Library.Play
    var day: String
    var hour: Int
    /// From 0 for Sunday.
    var weekday: Int
  }

  private func catalogue() async throws -> (TestCatalogue, [Track]) {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A", "GENRE=Jazz"])
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=B", "GENRE=Folk", "GENRE=Jazz"])
    try await catalogue.refresh()
    return (catalogue, try await catalogue.tracks())
  }

  /// Adds a listen some days after the start.
  private func hear(
    _ track: Track, _ listen: String, after days: Int64, hours: Int64 = 0, isSkipped: Bool = false,
    _ catalogue: TestCatalogue
  ) async throws {
    let seconds = Self.start + days * 86_400 + hours * 3600
    if isSkipped {
      let ended = try ListenTests.ended(track, listen: listen, .skipped, at: seconds)
      try await catalogue.database.write { try ListenRows.record(ended, $0) }
    } else {
      let counted = try PlaysTests.counted(track, listen: listen, at: seconds)
      try await catalogue.database.write { try ListenRows.record(counted, at: counted.subject.startedAt, $0) }
    }
  }

  /// Adds two hundred listens within 500 days, a fifth of which were skipped.
  private func hearMuch(_ tracks: [Track], _ catalogue: TestCatalogue) async throws {
    for index in 0..<200 {
      try await hear(
        tracks[index * index % tracks.count], "l\(index)", after: Int64(index * 37 % 500),
        hours: Int64(index * 5 % 24), isSkipped: index % 5 == 0, catalogue)
    }
  }

  private func statistics(
    _ catalogue: TestCatalogue, from: String? = nil, to: String? = nil, limit: Int = 100
  ) async throws -> Library.Statistics {
    try await catalogue.database.read {
      try StatisticsQueries.read(.init(from: from, to: to, limit: limit), at: Self.now, $0)
    }
  }

  /// Returns the day some days after the start.
  private func day(_ days: Int, _ catalogue: TestCatalogue) async throws -> String {
    let first: String? = try await catalogue.database.read {
      try $0.value("SELECT date(?, 'unixepoch', 'localtime')", Self.start)
    }
    return CalendarDay(number: try CalendarDay(try #require(first)).number + days).name
  }

  private func listens(_ catalogue: TestCatalogue) async throws -> [Heard] {
    try await catalogue.database.read { transaction in
      var found: [Heard] = []
      var after: String?
      repeat {
        let page = try History.plays(.init(after: after, limit: 200), transaction)
        for play in page.items {
          let moment = try transaction.row(
            "SELECT date(?1, 'unixepoch', 'localtime'), strftime('%H %w', ?1, 'unixepoch', 'localtime')",
            play.startedAt.seconds
          ) { (day: try $0.value(0) as String, clock: try $0.value(1) as String) }
          let parts = (moment?.clock ?? "").split(separator: " ").compactMap { Int($0) }
          found.append(Heard(play: play, day: moment?.day ?? "", hour: parts[0], weekday: parts[1]))
        }
        after = page.next
      } while after != nil
      return found
    }
  }

  @Test(arguments: [(nil, nil), (100, 130), (0, 499), (250, 250), (30, 400)] as [(Int?, Int?)])
  func theSumsAreThoseOfARecount(first: Int?, last: Int?) async throws {
    let (catalogue, tracks) = try await catalogue()
    try await hearMuch(tracks, catalogue)
    var (from, to): (String?, String?) = (nil, nil)
    if let first { from = try await day(first, catalogue) }
    if let last { to = try await day(last, catalogue) }
    let found = try await statistics(catalogue, from: from, to: to)
    let all = try await listens(catalogue)
    let inPeriod = all.filter { $0.day >= found.from && $0.day <= found.to }
    let counted = inPeriod.filter(\.play.counted)

    #expect(found.totals.plays == counted.count && found.totals.skips == inPeriod.count { $0.play.skipped })
    #expect(found.totals.heard.rawValue == inPeriod.reduce(0) { $0 + $1.play.heard.rawValue })
    #expect(found.totals.tracks == Set(counted.map(\.play.track.id)).count)
    #expect(found.totals.albums == Set(counted.map(\.play.track.albumID)).count)
    #expect(found.totals.days == Set(counted.map(\.day)).count)
    let firstDays = Dictionary(grouping: all.filter(\.play.counted), by: \.play.track.id).compactMapValues {
      $0.map(\.day).min()
    }
    #expect(found.totals.firstHeard == firstDays.values.count { $0 >= found.from && $0 <= found.to })
    #expect(found.firstDay == all.filter(\.play.counted).map(\.day).min())

    let byTrack = Dictionary(grouping: counted, by: \.play.track.id.description).mapValues(\.count)
    #expect(Dictionary(uniqueKeysWithValues: found.tracks.map { ($0.key, $0.plays) }) == byTrack)
    #expect(found.tracks.map(\.plays) == found.tracks.map(\.plays).sorted(by: >))
    let folk = counted.count { $0.play.track.album == "Y" }
    #expect(found.genres.first { $0.title == "Jazz" }?.plays ?? 0 == counted.count)
    #expect(found.genres.first { $0.title == "Folk" }?.plays ?? 0 == folk)

    for step in found.steps {
      let own = counted.filter { $0.day.hasPrefix(step.name) }
      #expect(step.plays == own.count, "\(step.name)")
      #expect(step.heard.rawValue == own.reduce(0) { $0 + $1.play.heard.rawValue }, "\(step.name)")
      let jazz = found.genres.firstIndex { $0.title == "Jazz" }
      if let jazz { #expect(step.genres[jazz] == own.count, "\(step.name)") }
    }
    #expect(found.steps.reduce(0) { $0 + $1.plays } == counted.count)
    #expect(found.hours.count == 24 && found.weekdays.count == 7)
    for hour in 0..<24 {
      let heard = counted.filter { $0.hour == hour }.reduce(0) { $0 + $1.play.heard.rawValue }
      #expect(found.hours[hour].rawValue == heard, "\(hour)")
    }
    for weekday in 0..<7 {
      let heard = counted.filter { ($0.weekday + 6) % 7 == weekday }.reduce(0) { $0 + $1.play.heard.rawValue }
      #expect(found.weekdays[weekday].rawValue == heard, "\(weekday)")
    }
  }

  @Test func aPeriodIsComparedWithTheOneBeforeAndTheWholeHistoryWithNone() async throws {
    let (catalogue, tracks) = try await catalogue()
    try await hearMuch(tracks, catalogue)
    let (from, to) = (try await day(200, catalogue), try await day(229, catalogue))
    let earlier = (try await day(170, catalogue), try await day(199, catalogue))
    let before = try await statistics(catalogue, from: earlier.0, to: earlier.1).totals
    #expect(before.plays > 0)
    #expect(try await statistics(catalogue, from: from, to: to).before == before)
    #expect(try await statistics(catalogue).before == nil)
  }

  @Test func anAlbumThatWasNotHeardForAYearIsRediscovered() async throws {
    let (catalogue, tracks) = try await catalogue()
    try await hear(tracks[0], "x0", after: 0, catalogue)
    try await hear(tracks[3], "y0", after: 390, catalogue)
    try await hear(tracks[1], "x1", after: 400, catalogue)
    try await hear(tracks[4], "y1", after: 401, catalogue)
    let (from, to) = (try await day(395, catalogue), try await day(405, catalogue))
    let found = try await statistics(catalogue, from: from, to: to)
    #expect(found.rediscovered.map(\.title) == ["X"])
    #expect(found.rediscovered.first?.lastBefore == Timestamp(seconds: Self.start))
    #expect(found.totals.firstHeard == 2)
    #expect(try await statistics(catalogue).rediscovered.isEmpty)
  }

  @Test func removedMusicKeepsItsNamesAndIsMarked() async throws {
    let (catalogue, tracks) = try await catalogue()
    try await hear(tracks[0], "x0", after: 0, catalogue)
    try await hear(tracks[0], "x1", after: 1, catalogue)
    try await hear(tracks[3], "y0", after: 1, catalogue)
    try catalogue.tree.remove("x")
    try await catalogue.refresh(accepting: true)
    let found = try await statistics(catalogue)
    #expect(found.albums.map { "\($0.title) \($0.plays) \($0.isHere ?? true)" } == ["X 2 false", "Y 1 true"])
    #expect(found.artists.map(\.title) == ["A", "B"] && found.tracks.first?.title == "Song 1 of x")
    #expect(found.genres.first { $0.title == "Jazz" }?.plays == 3)
  }

  @Test func aRemovedTrackCountsForItsAlbumThatIsStillHere() async throws {
    let (catalogue, tracks) = try await catalogue()
    try await hear(tracks[0], "x0", after: 0, catalogue)
    try await hear(tracks[1], "x1", after: 1, catalogue)
    try catalogue.tree.remove("x/01.flac")
    try await catalogue.refresh(accepting: true)
    let found = try await statistics(catalogue)
    #expect(found.albums.map { "\($0.title) \($0.plays) \($0.isHere ?? true)" } == ["X 2 true"])
    #expect(found.artists.map { "\($0.title) \($0.plays) \($0.isHere ?? true)" } == ["A 2 true"])
    #expect(Set(found.tracks.map { "\($0.title) \($0.isHere ?? true)" }) == ["Song 1 of x false", "Song 2 of x true"])
    #expect(found.genres.map { "\($0.title) \($0.plays)" } == ["Jazz 2"])
    #expect(found.totals.albums == 1 && found.totals.artists == 1 && found.totals.tracks == 2)
  }

  @Test func aRemovedAlbumCountsForItsArtistWhoIsStillHere() async throws {
    let (catalogue, tracks) = try await catalogue()
    try catalogue.tree.album("z", ["ALBUM=Z", "ARTIST=B"])
    try await catalogue.refresh()
    let other = try #require(try await catalogue.tracks(of: try await catalogue.album("Z")).first)
    try await hear(tracks[3], "y0", after: 0, catalogue)
    try await hear(other, "z0", after: 1, catalogue)
    try catalogue.tree.remove("y")
    try await catalogue.refresh(accepting: true)
    let found = try await statistics(catalogue)
    #expect(found.artists.map { "\($0.title) \($0.plays) \($0.isHere ?? true)" } == ["B 2 true"])
    #expect(Set(found.albums.map { "\($0.title) \($0.isHere ?? true)" }) == ["Y false", "Z true"])
    #expect(found.totals.albums == 2 && found.totals.artists == 1)
  }

  @Test func aHouseholdWithoutListensHasEmptyStatistics() async throws {
    let (catalogue, _) = try await catalogue()
    let found = try await statistics(catalogue)
    #expect(found.firstDay == nil && found.totals == .init() && found.steps.count == 1 && found.tracks.isEmpty)
  }

  @Test func aListHasAsManyRowsAsWereAskedFor() async throws {
    let (catalogue, tracks) = try await catalogue()
    try await hearMuch(tracks, catalogue)
    let found = try await statistics(catalogue, limit: 1)
    #expect(found.tracks.count == 1 && found.albums.count == 1 && found.genres.count == 1)
    #expect(found.steps.allSatisfy { $0.genres.count == 1 })
  }

  @Test(
    arguments: [("2026-02-30", nil), ("2026-1-1", nil), ("2027-01-02", "2027-01-01"), ("1900-01-01", "2027-01-01")]
      as [(String, String?)])
  func aPeriodThatTheCalendarDoesNotHaveIsRefused(from: String, to: String?) async throws {
    let (catalogue, _) = try await catalogue()
    await #expect {
      _ = try await statistics(catalogue, from: from, to: to)
    } throws: { LunaraError($0).code == "library.badDay" }
  }
}

/// The parts into which periods are divided, and days of the calendar.
struct StatisticsPeriodTests {
  private func period(_ from: String, _ to: String) throws -> StatisticsPeriod {
    try StatisticsPeriod(.init(from: from, to: to), firstListen: nil, today: CalendarDay("2026-11-27"))
  }

  @Test func aPeriodHasDaysThenMonthsThenYears() throws {
    #expect(try period("2026-02-27", "2026-03-02").names == ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"])
    #expect(try period("2025-12-31", "2026-03-10").names == ["2025-12", "2026-01", "2026-02", "2026-03"])
    #expect(try period("2019-05-01", "2026-03-10").names == (2019...2026).map(String.init))
    #expect(try period("2026-01-01", "2026-03-03").names.count == 62)
    #expect(try period("2025-12-31", "2026-03-10").place(of: CalendarDay("2026-02-28")) == 2)
  }

  @Test func thePeriodBeforeIsAsLong() throws {
    #expect(try period("2026-03-01", "2026-03-31").firstBefore.name == "2026-01-29")
  }

  @Test func aDayIsReadAndWrittenInBothForms() throws {
    for name in ["1970-01-01", "1999-12-31", "2024-02-29", "2026-11-20"] {
      let day = try CalendarDay(name)
      #expect(day.name == name && CalendarDay(packed: day.packed) == day)
    }
    #expect(try CalendarDay("2026-11-27").weekday == 4 && CalendarDay("1970-01-01").weekday == 3)
    #expect(CalendarDay(packed: 20_260_230) == nil && CalendarDay(packed: 7) == nil)
  }
}
