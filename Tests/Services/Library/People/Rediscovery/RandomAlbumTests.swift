import Model
import Testing

@testable import People

@Suite struct RandomAlbumTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  private static func entry(_ number: Int64, _ days: Int64?) -> RandomAlbum.Entry {
    .init(number: number, playedAt: days.map { Timestamp(seconds: now.seconds - $0 * 86_400) })
  }

  @Test func whatWasNotHeardLatelyIsDrawnMoreOften() {
    var generator = SplitMix64(state: 3)
    let entries = [Self.entry(1, 0), Self.entry(2, 5), Self.entry(3, 30), Self.entry(4, 400), Self.entry(5, nil)]
    var counts: [Int64: Int] = [:]
    for _ in 0..<20_000 {
      let drawn = RandomAlbum.draw(entries, drawn: [], at: Self.now, using: &generator)
      counts[drawn ?? 0, default: 0] += 1
    }
    // The chances are 0, 1, 3, 8 and 8 of 20.
    #expect(counts[1] == nil)
    #expect((900...1100).contains(counts[2] ?? 0) && (2800...3200).contains(counts[3] ?? 0))
    #expect((7700...8300).contains(counts[4] ?? 0) && (7700...8300).contains(counts[5] ?? 0))
  }

  @Test func noAlbumComesAgainSoon() throws {
    var generator = SplitMix64(state: 5)
    let draws = RecentDraws()
    let entries = (1...40).map { Self.entry($0, nil) }
    var last: [Int64] = []
    for _ in 0..<400 {
      let number = try #require(draws.draw(entries, at: Self.now, using: &generator))
      #expect(!last.contains(number))
      last = (last + [number]).suffix(20)
    }
  }

  @Test func theOnlyAlbumIsDrawnAgainAndAgain() {
    var generator = SplitMix64(state: 5)
    let draws = RecentDraws()
    for days: Int64? in [nil, 0, 400] {
      #expect(draws.draw([Self.entry(1, days)], at: Self.now, using: &generator) == 1)
    }
    #expect(draws.draw([], at: Self.now, using: &generator) == nil)
  }

  @Test func whereAllWereHeardTodayOneOfThemIsDrawn() {
    var generator = SplitMix64(state: 5)
    let entries = (1...4).map { Self.entry($0, 0) }
    let drawn = Set((0..<50).compactMap { _ in RandomAlbum.draw(entries, drawn: [1], at: Self.now, using: &generator) })
    #expect(drawn == [2, 3, 4])
  }
}
