import Glibc
import Testing

@testable import Sync

/// Random edits on both sides of a stand-in provider, with failures at any step.
///
/// `LUNARA_SYNC_SEEDS` says how many seeds are run; the long form has 10,000.
@Suite struct SyncModelTests {
  private static let seeds = getenv("LUNARA_SYNC_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 500

  @Test(arguments: 0..<4) func noEntryOfAListIsLostOrDoubledAndBothSidesAreEqual(_ part: UInt64) {
    run(part) { seed, tell in
      var world = ListWorld(seed: seed, tell: tell)
      try world.run()
    }
  }

  @Test(arguments: 0..<4) func noItemIsLostAndNoneComesBack(_ part: UInt64) {
    run(part) { seed, tell in
      var world = ItemWorld(seed: seed, tell: tell)
      try world.run()
    }
  }

  /// Runs a quarter of the seeds. The first one that breaks a promise is run again, for its story.
  private func run(_ part: UInt64, _ world: (_ seed: UInt64, _ tell: ((String) -> Void)?) throws -> Void) {
    for seed in stride(from: part + 1, through: Self.seeds, by: 4) {
      do { try world(seed, nil) } catch {
        var story: [String] = []
        do { try world(seed) { story.append($0) } } catch { story.append("\(error)") }
        Issue.record("seed \(seed):\n\(story.joined(separator: "\n"))")
        return
      }
    }
  }

  @Test func aSeedGivesTheSameRunTwice() throws {
    func story(_ seed: UInt64) throws -> [String] {
      var lines: [String] = []
      var world = ListWorld(seed: seed) { lines.append($0) }
      try world.run()
      return lines
    }
    for seed: UInt64 in 1...3 {
      let first = try story(seed)
      #expect(first.count > 20)
      #expect(try story(seed) == first)
    }
  }
}
