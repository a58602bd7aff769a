import TestSupport
import Testing

/// Every parser of outside bytes gives a value or a typed error. `make fuzz` runs longer, guided by coverage.
@Suite struct EntryTests {
  @Test(arguments: Entry.allCases)
  func everySeedIsAccepted(entry: Entry) throws {
    for seed in try Corpus.seeds(of: entry) { #expect(try entry.check(seed), "\(entry)") }
  }

  @Test(arguments: Entry.allCases)
  func tenThousandMutationsDoNoHarm(entry: Entry) async throws {
    let seeds = try Corpus.seeds(of: entry)
    var mutator = Mutator(seed: 20_261_120 + UInt64(entry.rawValue))
    var (accepted, refused) = (0, 0)
    for number in 0..<10_000 {
      // Lets other tests run meanwhile.
      if number.isMultiple(of: 200) { await Task.yield() }
      let input = mutator.mutate(mutator.pick(seeds))
      if try entry.check(input) { accepted += 1 } else { refused += 1 }
    }
    // Mutations that all fail, or all pass, would show nothing. Sealed frames are the exception: a changed one never
    // opens.
    if entry != .sealed { #expect(accepted > 50) }
    if entry != .resealed { #expect(refused > 500) }
  }

  /// Every input that once crashed or broke a rule is kept in `Tests/Fuzz/Regressions`.
  @Test func inputsThatOnceDidHarmAreHarmless() throws {
    for (name, bytes) in try files(in: "Tests/Fuzz/Regressions") where name != "README.md" {
      do { _ = try Entry.feed(bytes) } catch { Issue.record("\(name): \(error)") }
    }
  }
}
