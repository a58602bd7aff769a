import Messages
import Model
import Testing

@testable import lunara_playback

/// Tracks of 20 minutes or more that go on where the room left them, if a person wants that.
struct LongTrackTests {
  private static let mix = QueueItem.numbered(1, seconds: 3600)
  private static let book = QueueItem.numbered(2, seconds: 3600)
  private static let left = Milliseconds(600_000)

  /// A room with a long track and two short ones, of which the long one has played for ten minutes.
  private static func room(wanted: Bool = true) throws -> RoomMachineHarness {
    var room = try RoomMachineHarness(tracks: 3)
    if wanted { try room.set(Playback.SetOutput(resumesLongTracks: true)) }
    play(&room, 1, mix)
    hear(&room, at: left)
    return room
  }

  /// Answers the lookup of the current row, and has its sound flow.
  private static func play(_ room: inout RoomMachineHarness, _ row: Int64, _ item: QueueItem? = nil) {
    room.answerFinds(only: row, item: item)
    guard let first = room.machine.tracks.first else { return }
    room.sound(.began(first.id))
    room.sound(.flowing(first.id, first.start))
  }

  private static func hear(_ room: inout RoomMachineHarness, at position: Milliseconds) {
    guard let first = room.machine.tracks.first else { return }
    room.sound(.position(first.id, position))
  }

  @Test func aLongTrackGoesOnWhereItWasLeft() throws {
    var room = try Self.room()
    try room.command(.next)
    Self.play(&room, 2)
    Self.hear(&room, at: Milliseconds(40_000))
    _ = room.engineCommands()
    try room.command(.jump(to: 0))
    room.answerFinds(only: 1, item: Self.mix)
    #expect(room.engineCommands().cues.first?.start == Self.left)
    #expect(room.state.position.offset == Self.left)
    // A short track begins anew.
    try room.command(.next)
    room.answerFinds(only: 2)
    #expect(room.engineCommands().cues.first?.start == .zero && room.state.position.offset == .zero)
  }

  @Test func withoutThatSettingATrackBeginsAnew() throws {
    var room = try Self.room(wanted: false)
    try room.command(.next)
    _ = room.engineCommands()
    try room.command(.jump(to: 0))
    room.answerFinds(only: 1, item: Self.mix)
    #expect(room.engineCommands().cues.first?.start == .zero)
    #expect(room.machine.leftTracks.places.isEmpty)
  }

  @Test func aStoppedTrackGoesOnToo() throws {
    var room = try Self.room()
    try room.command(.stop)
    _ = room.engineCommands()
    try room.command(.resume)
    room.answerFinds(only: 1, item: Self.mix)
    #expect(room.engineCommands().cues.first?.start == Self.left)
  }

  @Test func aTrackThatWasHeardToItsEndBeginsAnew() throws {
    var room = try Self.room()
    try room.command(.next)
    try room.command(.jump(to: 0))
    Self.play(&room, 1, Self.mix)
    room.sound(.ended(try #require(room.machine.tracks.first?.id), Milliseconds(3_600_000)))
    #expect(room.machine.leftTracks.places.isEmpty)
    _ = room.engineCommands()
    try room.command(.jump(to: 0))
    room.answerFinds(only: 1, item: Self.mix)
    #expect(room.engineCommands().cues.first?.start == .zero)
  }

  @Test func aTrackThatFollowsItselfBeginsAnew() throws {
    var room = try RoomMachineHarness(tracks: 1)
    try room.set(Playback.SetOutput(resumesLongTracks: true))
    try room.command(.repeats(.all))
    Self.play(&room, 1, Self.mix)
    Self.hear(&room, at: Self.left)
    _ = room.engineCommands()
    try room.command(.next)
    room.answerFinds(only: 1, item: Self.mix)
    #expect(room.engineCommands().cues.first?.start == .zero && room.state.position.offset == .zero)
  }

  @Test func theSameTrackTwiceInARowBeginsAnewTheSecondTime() throws {
    var room = try Self.room()
    try room.command(.next)
    try room.command(.jump(to: 0))
    Self.play(&room, 1, Self.mix)
    room.answerFinds(only: 2, item: Self.mix)
    #expect(room.machine.tracks.count == 2 && room.machine.tracks.last?.start == .zero)
  }

  @Test func whoeverChoosesTheTrackThatPlaysHearsItFromItsBeginning() throws {
    var room = try Self.room()
    _ = room.engineCommands()
    try room.command(.jump(to: 0))
    #expect(room.engineCommands().cues.first?.start == .zero && room.state.position.offset == .zero)
  }

  @Test func thatHoldsAlsoWhileTheTrackIsLookedUp() throws {
    var room = try Self.room()
    try room.command(.next)
    try room.command(.jump(to: 0))
    try room.command(.jump(to: 0))
    _ = room.engineCommands()
    room.answerFinds(only: 1, item: Self.mix)
    #expect(room.engineCommands().cues.first?.start == .zero)
  }

  @Test func previousStartsATrackThatGoesOnFromItsBeginning() throws {
    var room = try Self.room()
    try room.command(.next)
    try room.command(.jump(to: 0))
    Self.play(&room, 1, Self.mix)
    try room.command(.previous)
    #expect(room.state.position.offset == .zero && room.state.item == Self.mix)
  }

  @Test func aPositionThatIsSetBeforeTheTrackIsReadCounts() throws {
    var room = try Self.room()
    try room.command(.next)
    _ = room.engineCommands()
    try room.command(.jump(to: 0))
    try room.command(.seek(to: Milliseconds(90_000)))
    room.answerFinds(only: 1, item: Self.mix)
    #expect(room.engineCommands().cues.first?.start == Milliseconds(90_000))
  }

  @Test func aTrackThatIsLeftBeforeItWasReadKeepsItsPlace() throws {
    var room = try Self.room()
    try room.command(.next)
    try room.command(.jump(to: 0))
    try room.command(.next)
    #expect(room.machine.leftTracks.position(of: Self.mix.track.id) == Self.left)
  }

  @Test func theNextTrackIsPreparedWhereItWasLeft() throws {
    var room = try RoomMachineHarness(tracks: 2, startAt: 1)
    try room.set(Playback.SetOutput(resumesLongTracks: true))
    Self.play(&room, 2, Self.book)
    Self.hear(&room, at: Self.left)
    try room.command(.jump(to: 0))
    Self.play(&room, 1)
    room.answerFinds(only: 2, item: Self.book)
    let next = try #require(room.machine.tracks.last)
    #expect(next.row == 2 && next.start == Self.left && room.engineCommands().cues.last?.start == Self.left)
    let first = try #require(room.machine.tracks.first?.id)
    room.sound(.decoding(next.id))
    room.sound(.ended(first, Milliseconds(60_000)))
    #expect(room.state.item == Self.book && room.state.position.offset == Self.left)
  }

  @Test func aPausedRoomGoesToThePlaceToo() throws {
    var room = RoomMachineHarness(
      restoring: Checkpoint(row: 2, output: OutputSettings(resumesLongTracks: true)), tracks: 2)
    room.machine.leftTracks.leave(Self.book.track.id, at: Self.left, of: Milliseconds(3_600_000))
    try room.command(.next)
    room.answerFinds(only: 2, item: Self.book)
    #expect(room.state.state == .paused && room.state.position.offset == Self.left)
    try room.command(.resume)
    room.answerFinds(only: 2, item: Self.book)
    #expect(room.engineCommands().cues.last?.start == Self.left)
  }

  @Test func turningItOffForgetsThePlaces() throws {
    var room = try Self.room()
    try room.command(.next)
    #expect(room.machine.checkpoint(at: room.now).leftTracks.places.count == 1)
    try room.set(Playback.SetOutput(resumesLongTracks: false))
    #expect(room.machine.checkpoint(at: room.now).leftTracks.places.isEmpty)
  }

  @Test(arguments: [
    (29_999, 1_200_000, false), (30_000, 1_200_000, true), (1_170_000, 1_200_000, true), (1_170_001, 1_200_000, false),
    (600_000, 1_199_999, false),
  ])
  func aPlaceIsKeptWhereItIsWorthIt(position: Int64, length: Int64, isKept: Bool) {
    var tracks = LeftTracks()
    let track = TrackID(source: "files", native: "t")
    tracks.leave(track, at: Milliseconds(60_000), of: Milliseconds(3_600_000))
    tracks.leave(track, at: Milliseconds(position), of: Milliseconds(length))
    #expect(tracks.position(of: track) == (isKept ? Milliseconds(position) : nil))
  }

  @Test func thePlacesAreBounded() {
    var tracks = LeftTracks()
    for number in 0...LeftTracks.limit {
      tracks.leave(
        TrackID(source: "files", native: "\(number)"), at: Milliseconds(60_000), of: Milliseconds(3_600_000))
    }
    #expect(tracks.places.count == LeftTracks.limit && tracks.places.first?.track.native == "1")
  }
}
