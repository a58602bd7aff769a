import System
import Testing

@testable import lunara_playback

@Suite("The heap of a player's process")
struct DecoderHeapTests {
  @Test("It is trimmed where it has grown, measured from when it was smallest")
  func aHeapThatHasGrownIsTrimmed() {
    var heap = DecoderHeap()
    #expect(!hasGrown(&heap, to: 40 << 20))
    #expect(!hasGrown(&heap, to: 60 << 20))
    #expect(!hasGrown(&heap, to: 30 << 20))
    #expect(hasGrown(&heap, to: 55 << 20))
  }

  @Test("What it cannot give back is taken as in use")
  func memoryInUseIsNoReasonToTrimAgain() {
    var heap = DecoderHeap()
    // Nothing of these is free.
    let used = [UInt8](repeating: 1, count: 2 * DecoderHeap.slack)
    _ = hasGrown(&heap, to: 0)
    heap.trimIfGrown()
    #expect(!hasGrown(&heap, to: (ProcessMemory.of("self")?.own ?? 0) + DecoderHeap.slack / 2))
    #expect(used.last == 1)
  }

  @Test("The memory of a process is read, and that of one which has ended is unknown")
  func theMemoryOfAProcessIsRead() throws {
    let memory = try #require(ProcessMemory.of("self"))
    #expect(memory.shared > 0)
    #expect(memory.own > 1 << 20)
    #expect(ProcessMemory.of("0") == nil)
  }

  private func hasGrown(_ heap: inout DecoderHeap, to memory: Int) -> Bool { heap.hasGrown(to: memory) }
}
