import Bus
import Catalogue
import Glibc
import Messages
import Model
import People
import Records
import Storage

/// Measures searches within the library, without the bus; `Tests/Bench/library.py` drives it.
///
///     lunara-search-bench FILE [NOTES] < WORDS
///
/// Reads one search from each line of standard input, asks for 50 hits of each kind as the service does, and prints the
/// times as JSON in milliseconds: elapsed time and processor time. A line that begins with a brace has the rules of a
/// smart playlist instead, whose tracks are found; `Tests/Bench/rules.py` gives such lines. With a number of NOTES it
/// first writes that many, of words of titles, and searches in notes as well.
@main struct SearchBench {
  /// The cost of one search; times in nanoseconds.
  private struct Cost {
    var clock: Int64
    var processor: Int64
    var hits: Int
  }

  static func main() async {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      guard (1...2).contains(arguments.count), let notes = arguments.count == 2 ? Int(arguments[2]) : 0 else {
        throw LunaraError("bench.badCommand", "Give the path of a library's database, and a number of notes.")
      }
      try await measure(arguments[1], notes: notes)
    } catch {
      let error = LunaraError(error)
      let line = Array("lunara-search-bench: \(error.code): \(error.message) \(error.cause ?? "")\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(1)
    }
  }

  private static func measure(_ path: String, notes: Int) async throws {
    let database = try Database(at: path, migrations: Journal.migrations + Catalogue.migrations)
    if notes > 0 { try await plant(notes, database) }
    var searches: [String] = []
    while let line = readLine() { searches.append(line) }
    let cache = SearchCache(.ofPeople())
    // The first searches load the pages and prepare the statements.
    for words in searches.prefix(20) { _ = try await cost(of: words, inNotes: notes > 0, cache, database) }
    var costs: [Cost] = []
    for words in searches { costs.append(try await cost(of: words, inNotes: notes > 0, cache, database)) }
    await database.close()
    guard !costs.isEmpty else { return }
    print(
      """
      {"searches":\(costs.count),"hits":\(costs.reduce(0) { $0 + $1.hits }),\
      "clock":\(quantiles(costs.map(\.clock))),"processor":\(quantiles(costs.map(\.processor)))}
      """)
  }

  /// Writes notes about albums, each with the words of twelve titles.
  private static func plant(_ count: Int, _ database: Database) async throws {
    try await database.write { transaction in
      let albums: [Int64] = try transaction.values("SELECT id FROM albums WHERE shelf = id ORDER BY id LIMIT 5000")
      let titles: [String] = try transaction.values(
        "SELECT title FROM tracks WHERE shelf IS NOT NULL ORDER BY id LIMIT 20000")
      let notes = NoteStore(now: .now(), journal: nil, transaction: transaction)
      for number in 0..<count {
        let album = CatalogueID(.album, albums[number % albums.count])
        let text = (0..<12).map { titles[(number * 31 + $0 * 7919) % titles.count] }.joined(separator: " ")
        _ = try notes.insert(
          uid: "bench-\(number)", try Subjects(transaction).subject(for: album), text,
          at: Timestamp(seconds: 1_600_000_000 + Int64(number) * 3600), nil, position: nil)
      }
    }
  }

  private static func cost(
    of words: String, inNotes: Bool, _ cache: SearchCache, _ database: Database
  ) async throws -> Cost {
    let began = nanoseconds(CLOCK_MONOTONIC)
    let (processor, hits) = try await database.read { transaction in
      let began = nanoseconds(CLOCK_THREAD_CPUTIME_ID)
      if words.hasPrefix("{") {
        let rules = try PlaylistRules(json: Array(words.utf8))
        let found = try Catalogue.tracks(of: rules, transaction).count
        return (nanoseconds(CLOCK_THREAD_CPUTIME_ID) - began, found)
      }
      let found = try Catalogue.search(
        Library.Search(words: words, limit: 50, inNotes: inNotes ? true : nil), keeping: cache, transaction)
      return (
        nanoseconds(CLOCK_THREAD_CPUTIME_ID) - began,
        found.artists.count + found.albums.count + found.tracks.count + (found.notes?.count ?? 0)
      )
    }
    return Cost(clock: nanoseconds(CLOCK_MONOTONIC) - began, processor: processor, hits: hits)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static func quantiles(_ nanoseconds: [Int64]) -> String {
    let sorted = nanoseconds.sorted()
    func milliseconds(_ share: Double) -> Double { Double(sorted[Int(Double(sorted.count - 1) * share)]) / 1e6 }
    return #"{"p50":\#(milliseconds(0.5)),"p99":\#(milliseconds(0.99)),"most":\#(milliseconds(1))}"#
  }
}
