import Messages
import Model
import Testing

@testable import lunara_playback

struct UnknownLengthTests {
  /// The length that a listen is reported with, of a track whose library and file say these lengths.
  private func reported(library: Double, file: Int64?) throws -> Milliseconds? {
    var room = try RoomBench(tracks: 0)
    try room.loadFresh(1, .numbered(1, path: LocalPath("/own"), seconds: library))
    let id = try #require(room.machine.tracks.first?.id)
    if let file { room.sound(.duration(id, Milliseconds(file))) }
    room.sound(.began(id))
    room.sound(.flowing(id, .zero))
    return room.machine.checkpoint(at: room.now).listen?.subject.item.track.duration
  }

  @Test func whereTheLibraryKnowsNoLengthTheFilesOwnDecidesWhetherAListenCounts() throws {
    #expect(try reported(library: 0, file: 90_000) == Milliseconds(90_000))
    #expect(try reported(library: 100, file: 90_000) == Milliseconds(100_000))
    #expect(try reported(library: 0, file: nil) == .zero)
  }
}
