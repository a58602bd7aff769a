import Messages
import Model
import Testing

/// Items that a room has played.
struct PlayedItemTests {
  @Test func aListenThatCountedIsNoSkip() {
    func isSkipped(after heard: Int64, of seconds: Int64, _ reason: Playback.EndReason = .skipped) -> Bool {
      var item = Samples.bareItem
      item.track.duration = Milliseconds(seconds * 1000)
      return Playback.PlayedItem(
        item: item, startedAt: Samples.moment, heard: Milliseconds(heard * 1000), reason: reason
      ).isSkipped
    }
    #expect(isSkipped(after: 19, of: 40) && !isSkipped(after: 20, of: 40))
    #expect(isSkipped(after: 239, of: 3000) && !isSkipped(after: 240, of: 3000))
    #expect(!isSkipped(after: 5, of: 40, .finished) && !isSkipped(after: 5, of: 40, .failed))
  }
}
