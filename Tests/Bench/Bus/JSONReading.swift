import Glibc
import Messages
import Model
import Programs
import System

/// Measures the parsing of JSON texts; `Tests/Bench/json.cpp` does the same with simdjson.
///
///     lunara-bus-bench json write=FOLDER      writes an answer of 100 albums and an envelope with a small state there
///     lunara-bus-bench json parse=FILE        parses a file again and again
///     lunara-bus-bench json read=FILE         parses it and reads each value of it
///     lunara-bus-bench json albums=FILE       decodes it as the answer that `write` has written
struct JSONReading {
  let options: Options

  func run() throws {
    if let folder = options["write"] { return try write(to: folder) }
    if let path = options["albums"] {
      let bytes = try Files.read(path, limit: 1 << 28)
      return try measure(bytes.count) { () throws -> Int in
        try MessageCoding.decode(Library.Page<Album>.self, from: bytes).items.count
      }
    }
    if let path = options["parse"] {
      let bytes = try Files.read(path, limit: 1 << 28)
      return measure(bytes.count) { JSONView(bytes) == nil ? 0 : 1 }
    }
    let bytes = try Files.read(try options.text("read"), limit: 1 << 28)
    measure(bytes.count) { JSONView(bytes).map(Self.sum) ?? 0 }
  }

  /// Repeats `body` in five parts of 0.4 s of processor time, and prints the fastest of them.
  private func measure(_ size: Int, _ body: () throws -> Int) rethrows {
    var (best, sum) = (Double.infinity, 0)
    for _ in 0..<5 {
      var (rounds, seconds) = (0, 0.0)
      let began = clock()
      while seconds < 0.4 {
        for _ in 0..<20 { sum = try body() }
        rounds += 20
        seconds = Double(clock() - began) / Double(CLOCKS_PER_SEC)
      }
      best = min(best, seconds / Double(rounds))
    }
    say(
      """
      {"bytes":\(size),"microseconds":\(best * 1e6),"megabytesPerSecond":\(Double(size) / best / 1e6),"sum":\(sum)}
      """)
  }

  /// Reads each value of a text: the bytes of its strings and the sum of its numbers.
  private static func sum(_ value: JSONView) -> Int {
    if value.isObject { return value.members.reduce(0) { $0 &+ $1.name.utf8.count &+ sum($1.value) } }
    let elements = value.elements
    if !elements.isEmpty { return elements.reduce(0) { $0 &+ sum($1) } }
    if let number = value.integer { return Int(truncatingIfNeeded: number) }
    return value.string?.utf8.count ?? 0
  }

  private func write(to folder: String) throws {
    let albums = try (1...100).map { number in
      Album(
        id: try id("files:a\(number * 37)"), title: "Blue Train, Take \(number)", artist: "John Coltrane",
        artistID: ArtistID("files:r\(number)"), year: 1958, genres: ["Jazz", "Hard Bop"], trackCount: 9,
        duration: Milliseconds(2_574_000), addedAt: Timestamp(seconds: 1_700_000_000 + Int64(number)),
        lastPlayedAt: number % 3 == 0 ? Timestamp(seconds: 1_750_000_000) : nil, art: ArtID("files:c\(number).1f2e3d"),
        palette: Palette(first: "#1a2b3c", second: "#d0c0b0", dark: "#0a0a0f"))
    }
    try Files.replace("\(folder)/albums.json", with: MessageCoding.encode(Library.Page(items: albums, next: "bmFtZQ")))
    let state = Library.CatalogueState(generation: 41, albums: 1204, tracks: 15_033, sources: [])
    let payload = String(decoding: try MessageCoding.encode(state), as: UTF8.self)
    try Files.replace(
      "\(folder)/envelope.json",
      with:
        #"{"class":"state","epoch":7,"from":"library@main","id":"0198c7d2","kind":"library.catalogue","payload":\#(payload),"seq":1204,"time":"2026-11-20T08:15:30.123456Z","topic":"library.main.catalogue.","v":1}"#
    )
  }

  private func id(_ text: String) throws -> AlbumID {
    guard let id = AlbumID(text) else { throw LunaraError("bench.badID", "\(text) is no id.") }
    return id
  }
}
