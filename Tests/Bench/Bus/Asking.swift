import Bus
import Messages
import Model
import Programs

/// Requests pages of albums from the library of a running household, one after the other, and prints how long each
/// request took.
///
///     lunara-bus-bench ask run=FOLDER node=bench@ask count=1000 page=100
struct Asking {
  let options: Options

  func run() async throws {
    let node = try await Start.node(options, journal: nil)
    let (count, page) = (options.number("count", else: 1000), options.number("page", else: 100))
    var latencies: [Int64] = []
    latencies.reserveCapacity(count)
    var cursor: String?
    var albums = 0
    // The first 20 requests establish the connection and are not measured.
    for turn in -20..<count {
      let began = monotonicNanoseconds()
      let answer = try await node.request(Library.ListAlbums(after: cursor, limit: page), to: .library)
      if turn >= 0 { latencies.append(monotonicNanoseconds() - began) }
      albums += answer.items.count
      cursor = answer.next
    }
    latencies.sort()
    func milliseconds(_ share: Double) -> Double { Double(latencies[Int(Double(count - 1) * share)]) / 1e6 }
    say(
      #"{"p50":\#(milliseconds(0.5)),"p99":\#(milliseconds(0.99)),"most":\#(milliseconds(1)),"albums":\#(albums)}"#)
    await node.close()
  }
}
