import Messages
import Model
import Testing

@testable import lunara_playback

/// The engine gets the next track of a server once it was fetched in advance.
@Suite struct RoomPrefetchingTests {
  private let second = QueueItem.numbered(2).track.id
  private let url = Library.Locator.url("http://server/2", headers: [:])

  /// A room in which the first of three tracks plays, each of a minute. The others are fetched.
  private func playing() throws -> RoomMachineHarness {
    var room = try RoomMachineHarness(tracks: 3)
    room.machine.isPrefetching = { _, locator in if case .url = locator { true } else { false } }
    room.answerFinds(only: 1)
    let first = try #require(room.machine.tracks.first?.id)
    room.sound(.began(first))
    room.sound(.flowing(first, .zero))
    room.answerFinds { .success(.url("http://server/\($0)", headers: [:])) }
    return room
  }

  private func playUpTo(_ seconds: Int64, _ room: inout RoomMachineHarness) throws {
    let first = try #require(room.machine.tracks.first?.id)
    room.pass(Milliseconds(seconds * 1000) - room.machine.position(at: room.now))
    room.sound(.position(first, Milliseconds(seconds * 1000)))
  }

  @Test func theNextTrackIsGivenToThePlayerAsAFileOnceItIsFetched() throws {
    var room = try playing()
    #expect(room.engineCommands().cues.map(\.locator) == [.file(LocalPath("/1"))])
    #expect(room.machine.streamedRows.isEmpty)
    room.machine.prefetchSettled(second, isFetched: true, at: room.now)
    try room.command(.volume(50))
    #expect(room.asked == [2])
    room.answerFinds()
    #expect(room.engineCommands().prepared == [2])
    #expect(room.machine.streamedRows.isEmpty)
  }

  @Test func aTrackThatCannotBeFetchedIsStreamed() throws {
    var room = try playing()
    _ = room.engineCommands()
    room.machine.isPrefetching = { _, _ in false }
    room.machine.prefetchSettled(second, isFetched: false, at: room.now)
    try room.command(.volume(50))
    room.answerFinds { _ in .success(url) }
    #expect(room.engineCommands().cues.map(\.locator) == [url])
    // The room does not fetch what the player streams.
    #expect(room.machine.streamedRows == [2])
  }

  @Test func aTrackThatIsNotFetchedInTimeIsStreamed() throws {
    var room = try playing()
    _ = room.engineCommands()
    try playUpTo(54, &room)
    room.answerFinds { _ in .success(url) }
    #expect(room.engineCommands().cues.isEmpty)
    try playUpTo(55, &room)
    room.machine.wake(at: room.now)
    try room.command(.volume(50))
    room.answerFinds { _ in .success(url) }
    #expect(room.engineCommands().cues.map(\.locator) == [url] && room.machine.streamedRows == [2])
  }

  @Test func theRoomWakesInTimeForTheStream() throws {
    var room = try playing()
    _ = room.engineCommands()
    // Other deadlines come before, such as that of the next published position.
    while room.seconds < 55 { room.passToDeadline() }
    #expect(room.seconds == 55)
    room.answerFinds { _ in .success(url) }
    #expect(room.engineCommands().cues.map(\.locator) == [url])
  }

  @Test func aTrackThatIsStillFetchedAtTheEndOfTheCurrentOneIsStreamed() throws {
    var room = try playing()
    _ = room.engineCommands()
    let first = try #require(room.machine.tracks.first?.id)
    room.pass(60)
    room.sound(.ended(first, Milliseconds(60_000)))
    #expect(room.state.item?.track.number == 2)
    guard case .play(let cue, paused: false)? = room.engineCommands().first(where: \.isPlay) else {
      Issue.record("The second track does not play.")
      return
    }
    #expect(cue.locator == url)
  }
}
