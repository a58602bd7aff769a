import Messages
import Model
import Testing

/// Lists as long as playlists may be.
@Suite(.timeLimit(.minutes(5)))
struct LongListTests {
  @Test func aListOfFiftyThousandEntriesComesAndFollowsChanges() async throws {
    let house = try await ProviderHouse()
    let titles = (0..<50_000).map { "t\($0)" }
    house.provider.make("L1", "Long", titles)
    try await house.run()
    #expect(try await house.playlist("Long").trackCount == 50_000)
    var changed = titles
    changed.remove(at: 25_000)
    changed.append("new")
    house.provider.set("L1", changed)
    for _ in 0..<2 { try await house.run() }
    #expect(try await house.titles("Long") == changed)
    // One more does not fit, which is said; nothing else happens.
    house.provider.set("L1", ["one too many"] + changed)
    let report = try await house.run()
    #expect(report.lines.contains { $0.text.contains("at most 50000 entries") })
    #expect(try await house.titles("Long") == changed)
  }
}
