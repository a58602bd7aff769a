import Model
import Testing

@testable import lunara

/// Places of a list as words name them.
struct PlacesTests {
  private func indices(_ words: String...) throws -> [Int] {
    try Places(words).indices(of: 8, entry: { $0 == "last" ? 7 : 0 }) { LunaraError("x", "no \($0)") }
  }

  @Test func placesAndRangesCountFromOneAndEachIsTakenOnce() throws {
    #expect(try indices("2", "5-7", "6", "last") == [1, 4, 5, 6, 7])
    #expect(try indices("3-3") == [2])
  }

  @Test func aPlaceBeyondTheListIsNamed() {
    for (word, place) in [("9", 9), ("0", 0), ("7-12", 12), ("10-12", 10)] {
      let error = #expect(throws: LunaraError.self) { try indices(word) }
      #expect(error?.message == "no \(place)")
    }
  }

  @Test func aRangeThatEndsBeforeItBeginsIsAMistake() {
    let error = #expect(throws: UsageError.self) { try Places(["7-3"]) }
    #expect(error?.message == "“7-3” ends before it begins. Write 3-7.")
  }
}
