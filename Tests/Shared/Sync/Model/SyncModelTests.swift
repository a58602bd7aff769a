import Glibc
import Testing

@testable import Sync

/// Random edits on both sides of a stand-in provider, with failures at any step.
///
/// `LUNARA_SYNC_SEEDS` says how many seeds are run; the long form has 10,000.
@Suite struct SyncModelTests {
  private static let seeds = getenv("LUNARA_SYNC_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 500

  @Test(arguments: 0..<4) func noEntryOfAListIsLostOrDoubledAndBothSidesAreEqual(_ part: UInt64) {
    for seed in stride(from: part + 1, through: Self.seeds, by: 4) {
      var world = ListWorld(seed: seed)
      do { try world.run() } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
  }

  @Test(arguments: 0..<4) func noItemIsLostAndNoneComesBack(_ part: UInt64) {
    for seed in stride(from: part + 1, through: Self.seeds, by: 4) {
      var world = ItemWorld(seed: seed)
      do { try world.run() } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
  }

  /// Prints the story of a seed: `LUNARA_SYNC_SEED=N`, and `LUNARA_SYNC_ITEMS=1` for that of items.
  @Test(.enabled(if: getenv("LUNARA_SYNC_SEED") != nil)) func theStoryOfASeed() throws {
    let seed = getenv("LUNARA_SYNC_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
    var lists = ListWorld(seed: seed) { print($0) }
    var items = ItemWorld(seed: seed) { print($0) }
    if getenv("LUNARA_SYNC_ITEMS") == nil { try lists.run() } else { try items.run() }
  }
}
