import Glibc
import Messages
import Model

/// A listen, with what the statistics count of it.
struct CountedListen {
  /// The day in the library's time zone, such as 20261120.
  var day: Int
  var startedAt: Timestamp
  var places: HeardItems.Places
  var outcome: Int
  /// The milliseconds for which it was played.
  var heard: Int64
}

/// Plays and the milliseconds for which they were played.
struct StatisticsTally {
  var plays = 0
  var heard: Int64 = 0

  mutating func add(_ listen: CountedListen) {
    plays += 1
    heard += listen.heard
  }
}

/// The sums of a period, to which listens are added one after the other.
struct StatisticsTotals {
  private(set) var totals = Library.Statistics.Totals()
  private var tracks: [Bool]
  private var albums: [Bool]
  private var artists: [Bool]
  private var days: Set<Int> = []

  init(_ items: HeardItems) {
    tracks = Array(repeating: false, count: items.tracks.count)
    albums = Array(repeating: false, count: items.albums.count)
    artists = Array(repeating: false, count: items.artists.count)
  }

  /// - Parameter isFirst: true for the first play of its track of all.
  mutating func add(_ listen: CountedListen, isFirst: Bool) {
    totals.heard.rawValue += listen.heard
    if listen.outcome == ListenOutcome.skipped.rawValue { totals.skips += 1 }
    guard listen.outcome == ListenOutcome.counted.rawValue else { return }
    totals.plays += 1
    if isFirst { totals.firstHeard += 1 }
    if days.insert(listen.day).inserted { totals.days += 1 }
    Self.mark(&tracks, listen.places.track, &totals.tracks)
    Self.mark(&albums, listen.places.album, &totals.albums)
    Self.mark(&artists, listen.places.artist, &totals.artists)
  }

  private static func mark(_ marks: inout [Bool], _ place: Int, _ count: inout Int) {
    guard !marks[place] else { return }
    marks[place] = true
    count += 1
  }
}

/// The sums of the plays of a period by what was played and when.
struct StatisticsSums {
  private(set) var tracks: [StatisticsTally]
  private(set) var albums: [StatisticsTally]
  private(set) var artists: [StatisticsTally]
  private(set) var genres: [StatisticsTally]
  private(set) var steps: [StatisticsTally]
  /// The milliseconds by the hour in which a play began, and by the day of the week.
  private(set) var hours = [Int64](repeating: 0, count: 24)
  private(set) var weekdays = [Int64](repeating: 0, count: 7)
  /// The plays by step and genre.
  private var genresOfSteps: [Int32]
  private let period: StatisticsPeriod
  private let genresOfAlbums: [[Int]]
  private var clock = HourClock()
  /// The day of the last play with its step and weekday, as plays mostly come in order.
  private var lastDay = (packed: 0, step: 0, weekday: 0)

  init(_ items: HeardItems, _ period: StatisticsPeriod, steps count: Int) {
    func tallies(_ count: Int) -> [StatisticsTally] { Array(repeating: StatisticsTally(), count: count) }
    tracks = tallies(items.tracks.count)
    albums = tallies(items.albums.count)
    artists = tallies(items.artists.count)
    genres = tallies(items.genres.count)
    steps = tallies(count)
    genresOfSteps = Array(repeating: 0, count: count * items.genres.count)
    genresOfAlbums = items.genresOfAlbums
    self.period = period
  }

  /// Adds a play of the period.
  mutating func add(_ listen: CountedListen) {
    guard showDay(listen.day) else { return }
    tracks[listen.places.track].add(listen)
    albums[listen.places.album].add(listen)
    artists[listen.places.artist].add(listen)
    steps[lastDay.step].add(listen)
    weekdays[lastDay.weekday] += listen.heard
    hours[clock.hour(of: listen.startedAt.seconds)] += listen.heard
    for genre in genresOfAlbums[listen.places.album] {
      genres[genre].add(listen)
      genresOfSteps[lastDay.step * genres.count + genre] += 1
    }
  }

  /// Returns the plays of a step by some genres.
  func plays(of step: Int, by chosen: [Int]) -> [Int] {
    chosen.map { Int(genresOfSteps[step * genres.count + $0]) }
  }

  /// Finds the step and the weekday of a day; returns false if it is no day.
  private mutating func showDay(_ packed: Int) -> Bool {
    if packed == lastDay.packed { return true }
    guard let day = CalendarDay(packed: packed) else { return false }
    lastDay = (packed, period.place(of: day), day.weekday)
    return true
  }
}

/// Returns the hours of moments in the library's time zone.
///
/// The zone is asked once for the plays of a quarter of an hour, as every zone differs from UTC by a number of these.
private struct HourClock {
  private var quarter = Int64.min
  private var hour = 0

  mutating func hour(of seconds: Int64) -> Int {
    let quarter = seconds / 900
    guard quarter != self.quarter else { return hour }
    var (time, local) = (time_t(seconds), tm())
    localtime_r(&time, &local)
    self.quarter = quarter
    hour = min(23, max(0, Int(local.tm_hour)))
    return hour
  }
}
