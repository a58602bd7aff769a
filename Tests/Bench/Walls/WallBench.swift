import Bus
import Discovery
import Glibc
import Messages
import Model
import Storage
import System

/// Measures walls within the discovery service, without the bus.
///
///     lunara-wall-bench FILE ALBUMS
///
/// The program makes the database FILE with albums, and prints as JSON: the times of first walls with albums that are
/// read again, of walls with albums in memory, of further pages and of albums near another one, in milliseconds, and
/// the memory of the process before and after them in MB.
@main struct WallBench {
  static func main() async {
    do {
      guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]) else {
        throw LunaraError("bench.badCommand", "Give the path of a new database and the number of albums.")
      }
      try await measure(CommandLine.arguments[1], count, try Taxonomy(Taxonomy.builtIn))
    } catch {
      let error = LunaraError(error)
      let line = Array("lunara-wall-bench: \(error.code): \(error.message) \(error.cause ?? "")\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(1)
    }
  }

  private static func measure(_ path: String, _ count: Int, _ taxonomy: Taxonomy) async throws {
    let database = try Database(at: path, migrations: Journal.migrations + DiscoverySchema.migrations)
    let store = OwnedAlbumStore(database: database)
    let now = Timestamp.now()
    var random = SplitMix64(state: 1)
    let reading = try await store.beginReading()
    for start in stride(from: 0, to: count, by: 400) {
      let page = (start..<min(count, start + 400)).map { album($0, taxonomy, now, &random) }
      try await store.store(page, run: reading.run, taxonomy)
    }
    try await store.end(reading, generation: 1, at: now, taxonomy)
    let idle = memory()
    var (first, again, further): ([Double], [Double], [Double]) = ([], [], [])
    for seed in 0..<20 {
      let cache = OwnedAlbumCache(database)
      let walls = WallStore(database: database, taxonomy: taxonomy)
      func wall(_ name: Discovery.WallName, from place: Int, _ count: Int) async throws -> Double {
        let began = ContinuousClock.now
        let view = try await cache.view(taxonomy, at: now)
        let wall = try await walls.page(
          WallRequest(name: name, isDrawn: true), from: place, count: count, view, at: now)
        guard wall.tiles.count == count else { throw LunaraError("bench.badWall", "A page has \(wall.tiles.count).") }
        return (ContinuousClock.now - began) / .milliseconds(1)
      }
      let name = Discovery.WallName(seed: Int64(seed), dial: 3, first: 100)
      first.append(try await wall(name, from: 0, 100))
      again.append(try await wall(.init(seed: Int64(seed) + 1000, dial: 3, first: 100), from: 0, 100))
      further.append(try await wall(name, from: 100, 50))
    }
    let similar = SimilarAlbumStore(database: database, taxonomy: taxonomy)
    var near: [Double] = []
    for number in 0..<50 {
      let began = ContinuousClock.now
      let found = try await similar.similar(
        to: Discovery.ListSimilarAlbums(album: AlbumID(source: "files", native: "a\(number * 17 % count)"), limit: 12))
      near.append((ContinuousClock.now - began) / .milliseconds(1))
      guard !found.items.isEmpty else { throw LunaraError("bench.badAlbums", "No album is near album \(number).") }
    }
    print(
      """
      {"albums":\(count),"first":\(quantiles(first)),"again":\(quantiles(again)),"further":\(quantiles(further)),\
      "similar":\(quantiles(near)),\
      "memory":{"before":\(idle),"after":\(memory())}}
      """)
    await database.close()
  }

  private static func album(
    _ number: Int, _ taxonomy: Taxonomy, _ now: Timestamp, _ random: inout SplitMix64
  ) -> Library.AlbumFeatures {
    let part = taxonomy.subcategories.randomElement(using: &random)
    var album = Library.AlbumFeatures(
      id: AlbumID(source: "files", native: "a\(number)"), title: "Album \(number)", artist: "Artist \(number / 5)",
      year: 1955 + number % 72, tags: [part?.name ?? "Rock"],
      addedAt: now - Milliseconds(Int64.random(in: 0..<31_536_000_000, using: &random)))
    if Int.random(in: 0..<3, using: &random) == 0 {
      album.plays = Int.random(in: 1...40, using: &random)
      album.lastPlayedAt = now - Milliseconds(Int64.random(in: 0..<63_072_000_000, using: &random))
    }
    if Int.random(in: 0..<8, using: &random) == 0 {
      album.rating = Rating(rawValue: .random(in: 1...10, using: &random))
    }
    return album
  }

  private static func quantiles(_ times: [Double]) -> String {
    let sorted = times.sorted()
    func at(_ share: Double) -> Double { (sorted[Int(Double(sorted.count - 1) * share)] * 10).rounded() / 10 }
    return #"{"median":\#(at(0.5)),"most":\#(at(1))}"#
  }

  /// The memory of the process alone, in MB.
  private static func memory() -> Double {
    ((Double(ProcessMemory.of("self")?.own ?? 0) / 1e6) * 10).rounded() / 10
  }
}
