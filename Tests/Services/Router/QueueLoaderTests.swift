import Messages
import Model
import Testing

@testable import lunara_router

struct QueueLoaderTests {
  private func items(_ count: Int, title: String = "Title") -> [QueueItem] {
    (0..<count).map {
      var track = anyTrack($0).track
      track.title = title
      return QueueItem(entry: EntryID(rawValue: "e\($0)"), track: track, origin: QueueItem.Origin(node: "web@main"))
    }
  }

  @Test(arguments: [(1, [1]), (100, [100]), (101, [100, 1]), (250, [100, 100, 50])])
  func partsHoldAHundredItems(count: Int, sizes: [Int]) throws {
    let items = items(count)
    let parts = try LoadParts.split(items)
    #expect(parts.map(\.count) == sizes)
    #expect(parts.flatMap(\.self) == items)
  }

  @Test func longTextsMakeSmallerPartsInTheSameOrder() throws {
    let items = items(100, title: String(repeating: "\"é", count: 2000))
    let parts = try LoadParts.split(items)
    #expect(parts.count > 4)
    #expect(parts.flatMap(\.self) == items)
    for part in parts { #expect(try MessageCoding.encode(part).count <= LoadParts.sizeLimit + 2) }
  }

  @Test func anItemOverTheLimitIsSentAlone() throws {
    let large = items(1, title: String(repeating: "x", count: LoadParts.sizeLimit + 1))
    #expect(try LoadParts.split(items(1) + large + items(1)).map(\.count) == [1, 1, 1])
  }
}
