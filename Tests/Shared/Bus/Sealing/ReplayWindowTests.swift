import TestSupport
import Testing

@testable import Bus

@Suite struct ReplayWindowTests {
  @Test func aCounterIsTakenOnce() {
    var window = ReplayWindow()
    for counter: UInt64 in [1, 2, 5, 3] {
      #expect(window.admits(counter))
      window.insert(counter)
      #expect(!window.admits(counter))
    }
    #expect(window.admits(4))
    #expect(!window.admits(0))
  }

  @Test func fourThousandNinetyFiveBehindIsInTheWindowAndOneMoreIsNot() {
    var window = ReplayWindow()
    window.insert(10_000)
    #expect(window.admits(10_000 - 4095))
    #expect(!window.admits(10_000 - 4096))
    window.insert(10_000 - 4096)
    #expect(window.admits(10_000 - 4095))
    window.insert(10_000 - 4095)
    #expect(!window.admits(10_000 - 4095))
    window.insert(10_001)
    #expect(!window.admits(10_000 - 4095))
    #expect(window.admits(10_000 - 4094))
  }

  @Test func aHugeJumpForgetsNothingWithinTheWindow() {
    var window = ReplayWindow()
    for counter: UInt64 in 1...5000 { window.insert(counter) }
    window.insert(.max)
    #expect(!window.admits(.max))
    #expect(window.admits(.max - 4095))
    #expect(!window.admits(.max - 4096))
    #expect(!window.admits(5000))
    window.insert(.max - 1)
    #expect(!window.admits(.max - 1))
  }

  @Test(arguments: [1, 63, 64, 65, 4094, 4095, 4096, 4097, 100_000])
  func afterAJumpSkippedCountersAreAcceptedAndSeenOnesAreNot(of jump: UInt64) {
    var window = ReplayWindow()
    for counter: UInt64 in 1...8192 { window.insert(counter) }
    let highest = 8192 + jump
    window.insert(highest)
    for counter in highest - 4095...highest {
      #expect(window.admits(counter) == (counter > 8192 && counter != highest), "\(counter)")
    }
  }

  @Test func itAgreesWithASetOfAllThatWasSeen() {
    var generator = Seeded(4096)
    var window = ReplayWindow()
    var seen: Set<UInt64> = []
    var highest: UInt64 = 0
    for _ in 0..<50_000 {
      let back = UInt64.random(in: 0...4200, using: &generator)
      let counter = max(1, highest + UInt64.random(in: 0...60, using: &generator) &- min(back, highest))
      let isNew = counter > highest || highest - counter < 4096 && !seen.contains(counter)
      #expect(window.admits(counter) == isNew)
      if isNew {
        window.insert(counter)
        seen.insert(counter)
        highest = max(highest, counter)
      }
    }
  }
}
