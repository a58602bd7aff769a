import Bus
import Client
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RoomQueueTests {
  @Test func aQueueIsReadAgainUntilNoItemIsMissing() async throws {
    let bus = try TestBus()
    let (node, room) = (try await bus.node("test@main"), try await bus.node("playback@den"))
    let items = (1...3).map { number in
      let track = Track(
        id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a1"), title: "T",
        artist: "A", albumArtist: "A", album: "B", duration: Milliseconds(1000))
      return QueueItem(entry: EntryID(rawValue: "e\(number)"), track: track, origin: .init(node: "test@main"))
    }
    let pages = Atomic(0)
    await room.serve(Playback.ReadQueue.self) { request, _ in
      let page = pages.add(1, ordering: .relaxed).newValue
      // The second page is empty the first time, as if its rows were being written.
      let shown = page == 2 ? [] : request.first == 0 ? Array(items.prefix(2)) : Array(items.dropFirst(request.first))
      return Playback.QueueState(
        revision: 7, count: 3, current: 0, first: request.first, items: shown)
    }
    let queue = try await Client(node: node).queue(of: RoomName(from: "den"))
    #expect(queue.items == items && queue.count == 3)
    await room.close()
    await node.close()
  }
}
