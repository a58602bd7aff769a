import Messages
import Model
import Testing

@testable import lunara_playback

/// Modes, volume and output settings.
struct RoomModesTests {
  @Test func repeatOnePreparesTheSameTrackAndBeginsAnotherListen() throws {
    var room = try RoomMachineHarness(tracks: 2)
    let first = room.playFirst()
    try room.command(.repeats(.one))
    room.answerFinds()
    #expect(room.engineCommands().prepared == [2, nil, 1])
    #expect(room.state.modes?.repeats == .one)
    let again = try #require(room.machine.tracks.last?.id)
    room.sound(.decoding(again))
    room.sound(.ended(first, Milliseconds(60_000)))
    room.sound(.began(again))
    room.sound(.flowing(again, .zero))
    #expect(room.state.item == .numbered(1) && room.machine.queue.current == 0)
    #expect(room.facts == ["started 1", "ended 1 finished", "started 1"])
    // A person's `next` leaves the track.
    try room.command(.next)
    #expect(room.machine.queue.current == 1)
  }

  @Test func aRoomIsCalledAsTheSettingsSayUntilAPersonCallsItOtherwise() throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.machine.titleOfSettings = "Küche"
    #expect(room.state.title == "Küche")
    try room.machine.setTitle("Kitchen, upstairs")
    #expect(room.state.title == "Kitchen, upstairs")
    try room.machine.setTitle(nil)
    #expect(room.state.title == "Küche")
  }

  @Test func repeatAllGoesOnWithTheFirst() throws {
    var room = try RoomMachineHarness(tracks: 2, startAt: 1)
    let last = room.playFirst()
    #expect(room.engineCommands().prepared == [])
    try room.command(.repeats(.all))
    room.answerFinds()
    #expect(room.engineCommands().prepared == [1])
    let again = try #require(room.machine.tracks.last?.id)
    room.sound(.decoding(again))
    room.answerFinds()
    #expect(room.engineCommands().prepared == [2])
    room.sound(.ended(last, Milliseconds(60_000)))
    #expect(room.machine.queue.current == 0 && room.state.item == .numbered(1))
    try room.command(.jump(to: 1))
    room.answerFinds()
    #expect(room.engineCommands().prepared == [1])
    try room.command(.repeats(.off))
    #expect(room.engineCommands().prepared == [nil])
  }

  @Test func aTrackThatFailsIsNotRepeatedForEver() throws {
    var room = try RoomMachineHarness(tracks: 2)
    try room.command(.repeats(.one))
    room.answerFinds()
    room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError("playback.notAudio", "no")))
    room.answerFinds()
    #expect(room.state.item == .numbered(2))
  }

  @Test func stopAfterCurrentWaitsAtTheNextTrackOnce() throws {
    var room = try RoomMachineHarness(tracks: 3)
    let first = room.playFirst()
    #expect(room.engineCommands().prepared == [2])
    try room.command(.stopAfterCurrent(true))
    #expect(room.engineCommands().prepared == [nil])
    #expect(room.state.modes?.stopsAfterCurrent == true)
    room.sound(.ended(first, Milliseconds(60_000)))
    room.answerFinds()
    #expect(room.state.state == .paused && room.state.item == .numbered(2))
    #expect(room.state.position.offset == .zero)
    #expect(room.engineCommands() == [.stop])
    #expect(room.state.modes?.stopsAfterCurrent == false)
    #expect(room.facts == ["started 1", "ended 1 finished"])
    try room.command(.resume)
    let second = room.playFirst()
    room.sound(.ended(second, Milliseconds(60_000)))
    #expect(room.state.item == .numbered(3) && room.state.state != .paused)
  }

  @Test func stopAfterCurrentEndsWithAStopAndWithWhatIsPlayedNext() throws {
    for ends in [
      { (room: inout RoomMachineHarness) in try room.command(.stop) },
      { room in _ = try room.load(3, .now) },
      { room in room.edit { $0.clear() } },
    ] as [(inout RoomMachineHarness) throws -> Void] {
      var room = try RoomMachineHarness(tracks: 3)
      room.playFirst()
      try room.command(.stopAfterCurrent(true))
      try ends(&room)
      #expect(room.state.modes?.stopsAfterCurrent == false)
    }
    // Further music for later is no reason to play on.
    var room = try RoomMachineHarness(tracks: 3)
    room.playFirst()
    try room.command(.stopAfterCurrent(true))
    _ = try room.load(2, .later)
    _ = try room.load(2, .next)
    #expect(room.state.modes?.stopsAfterCurrent == true)
  }

  @Test func stopAfterAlbumWaitsAtTheNextAlbumOnce() throws {
    var room = try RoomMachineHarness(tracks: 4)
    let first = room.playFirst()
    try room.command(.stopAfterAlbum(true))
    #expect(room.state.modes?.stopsAfterAlbum == true && room.state.modes?.stopsAfterCurrent == false)
    // The album has the first two tracks.
    room.foundAlbumEnd(2)
    #expect(room.engineCommands().prepared == [2])
    room.sound(.decoding(try #require(room.machine.tracks.last?.id)))
    room.sound(.ended(first, Milliseconds(60_000)))
    #expect(room.state.item == .numbered(2) && room.state.state != .paused)
    room.foundAlbumEnd(2)
    let second = room.playFirst()
    // The third track is not prepared, because none of it may play.
    #expect(!room.engineCommands().prepared.contains(3))
    room.sound(.ended(second, Milliseconds(60_000)))
    room.answerFinds()
    #expect(room.state.state == .paused && room.state.item == .numbered(3))
    #expect(room.state.modes?.stopsAfterAlbum == nil)
    #expect(room.facts == ["started 1", "ended 1 finished", "started 2", "ended 2 finished"])
    try room.command(.resume)
    let third = room.playFirst()
    room.sound(.ended(third, Milliseconds(60_000)))
    #expect(room.state.item == .numbered(4) && room.state.state != .paused)
  }

  @Test func theEndOfTheAlbumFollowsTheQueueAndTheOneModeEndsTheOther() throws {
    var room = try RoomMachineHarness(tracks: 4)
    room.playFirst()
    try room.command(.stopAfterAlbum(true))
    room.foundAlbumEnd(2)
    let before = room.albumEnds.count
    room.edit { try $0.move(from: 1, to: 3) }
    #expect(room.albumEnds.count == before + 1)
    // An answer about an earlier queue is ignored.
    let old = try #require(room.albumEnds.first)
    room.machine.foundAlbumEnd(4, from: old, at: room.now)
    room.foundAlbumEnd(1)
    #expect(room.machine.stopsAfterCurrent)
    try room.command(.stopAfterCurrent(true))
    #expect(room.state.modes?.stopsAfterAlbum == nil && room.state.modes?.stopsAfterCurrent == true)
    try room.command(.stopAfterAlbum(false))
    #expect(room.state.modes?.stopsAfterCurrent == true)
    try room.command(.stopAfterAlbum(true))
    #expect(room.state.modes?.stopsAfterAlbum == true && room.state.modes?.stopsAfterCurrent == false)
    try room.command(.stopAfterAlbum(false))
    #expect(room.state.modes?.stopsAfterAlbum == nil)
  }

  @Test func onlyAListedOutputCanBeChosen() {
    var output = OutputControl(settings: OutputSettings(device: "alsa/gone"))
    let room = RoomName(from: "kitchen")
    #expect(!output.mustBeListed("auto") && !output.mustBeListed("alsa/gone") && output.mustBeListed("bogus"))
    let error = #expect(throws: LunaraError.self) { try output.requireListed("pulse/a", in: room) }
    #expect(error?.message.contains("found none") == true)
    _ = output.set(devices: ["pulse/a", "pulse/b"].map { Playback.OutputDevice(name: $0, title: "") })
    for name in ["pulse/a", "pulse/b", "pulse"] {
      #expect(throws: Never.self) { try output.requireListed(name, in: room) }
    }
    for name in ["bogus", "pulse/", "pulse/A", "puls", "alsa/hw"] {
      let error = #expect(throws: LunaraError.self) { try output.requireListed(name, in: room) }
      #expect(error?.code == "playback.badSetting" && error?.message.contains("It has pulse/a, pulse/b;") == true)
    }
  }

  @Test func stopAfterCurrentHoldsThoughTheEngineHasGoneOn() throws {
    var room = try RoomMachineHarness(tracks: 3)
    let first = room.playFirst()
    let second = try #require(room.machine.tracks.last?.id)
    room.sound(.decoding(second))
    try room.command(.stopAfterCurrent(true))
    // The end of the first track is still heard.
    #expect(room.state.item == .numbered(1) && room.state.state == .playing)
    _ = room.engineCommands()
    room.sound(.ended(first, Milliseconds(60_000)))
    #expect(room.engineCommands().contains(.stop))
    #expect(room.state.state == .paused && room.machine.queue.current == 1)
  }

  @Test func theNextTrackIsNotHeardWhereTheEngineHasGoneOn() throws {
    var room = try RoomMachineHarness(tracks: 3)
    let first = room.playFirst()
    room.sound(.duration(first, Milliseconds(60_000)))
    room.pass(59)
    room.sound(.position(first, Milliseconds(59_700)))
    room.sound(.decoding(try #require(room.machine.tracks.last?.id)))
    try room.command(.stopAfterCurrent(true))
    _ = room.engineCommands()
    room.passToDeadline()
    #expect(room.now.moment == MonotonicTime(nanoseconds: 59_300_000_000))
    #expect(room.engineCommands() == [.stop] && room.state.state == .paused && room.machine.queue.current == 1)
    #expect(room.facts.suffix(1) == ["ended 1 finished"])
    // A late report of the engine about the first track changes nothing.
    room.sound(.ended(first, Milliseconds(60_000)))
    #expect(room.machine.queue.current == 1)
  }

  @Test func stopAfterTheLastTrackIsTheEnd() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    try room.command(.stopAfterCurrent(true))
    room.sound(.ended(first, Milliseconds(60_000)))
    #expect(room.state.state == .idle)
  }

  @Test func muteIsSentOnceAndTheListenGoesOn() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    _ = room.engineCommands()
    for _ in 0..<2 { try room.command(.mute(true)) }
    #expect(room.engineCommands() == [.mute(true)])
    #expect(room.state.modes?.isMuted == true && room.state.state == .playing && room.state.volume == 100)
    room.pass(5)
    room.sound(.position(first, Milliseconds(5000)))
    #expect(room.machine.meter.listen?.heard == Milliseconds(5000))
    try room.command(.mute(false))
    #expect(room.engineCommands() == [.mute(false)])
  }

  @Test func theSleepTimerFadesOutAndPausesAndTheVolumeComesBack() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    try room.command(.volume(60))
    try room.command(.sleep(after: Milliseconds(60_000)))
    #expect(room.state.modes?.sleepsAt == Timestamp(seconds: 1060))
    _ = room.engineCommands()
    room.passToDeadline()
    #expect(room.seconds == 50)
    #expect(room.engineCommands() == [.volume(0, over: Milliseconds(10_000))])
    #expect(room.state.volume == 60 && room.state.state == .playing)
    room.passToDeadline()
    #expect(room.seconds == 60 && room.state.state == .paused)
    #expect(room.engineCommands() == [.pause(true)])
    #expect(room.state.modes?.sleepsAt == nil)
    // The volume is restored only after the sound is paused, since the change would be heard before.
    room.sound(.halted(first, Milliseconds(60_000), .pause))
    #expect(room.engineCommands() == [.volume(60, over: .zero)])
    #expect(room.machine.deadline == nil)
  }

  @Test func whoResumesWhileItFadesHasTheVolumeBack() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    try room.command(.sleep(after: Milliseconds(5000)))
    room.passToDeadline()
    #expect(room.engineCommands().last == .volume(0, over: Milliseconds(5000)))
    try room.command(.sleep(after: nil))
    #expect(room.engineCommands() == [.volume(100, over: .zero)])
    #expect(room.machine.deadline == nil && room.state.modes?.sleepsAt == nil)
    // A timer that is set again fades again.
    try room.command(.sleep(after: Milliseconds(5000)))
    room.passToDeadline()
    room.sound(.halted(first, Milliseconds(100), .starved))
    try room.command(.pause)
    try room.command(.resume)
    #expect(room.engineCommands().contains(.volume(100, over: .zero)))
  }

  @Test(arguments: [Int64.min, -5, 0])
  func aSleepTimerOfNoTimePausesAtOnce(time: Int64) throws {
    var room = try RoomMachineHarness(tracks: 1)
    room.playFirst()
    try room.command(.sleep(after: Milliseconds(time)))
    room.passToDeadline()
    #expect(room.state.state == .paused && room.seconds == 0)
  }

  @Test func aSleepTimerIsLimitedToADay() throws {
    var room = try RoomMachineHarness(tracks: 1)
    try room.command(.sleep(after: Milliseconds(Int64.max)))
    #expect(room.state.modes?.sleepsAt == Timestamp(seconds: 1000 + 24 * 3600))
  }

  @Test func theSleepTimerLastsOverARestart() throws {
    var checkpoint = Checkpoint(volume: 40, plannedStop: .afterTrack, sleepsAt: Timestamp(seconds: 1030), isMuted: true)
    var room = RoomMachineHarness(restoring: checkpoint)
    #expect(room.state.modes?.sleepsAt == Timestamp(seconds: 1030))
    #expect(room.state.modes?.isMuted == true && room.state.modes?.stopsAfterCurrent == true)
    #expect(room.engineCommands() == [.volume(40, over: .zero), .mute(true)])
    #expect(room.machine.deadline == MonotonicTime(nanoseconds: 30_000_000_000))
    checkpoint.sleepsAt = Timestamp(seconds: 999)
    #expect(RoomMachineHarness(restoring: checkpoint).state.modes?.sleepsAt == nil)
  }

  @Test func theVolumeHasAMaximumAndAStart() throws {
    var room = try RoomMachineHarness(tracks: 1)
    try room.set(Playback.SetOutput(maximumVolume: 70))
    #expect(room.state.volume == 70 && room.state.modes?.maximumVolume == 70)
    #expect(room.engineCommands().last == .volume(70, over: .zero))
    try room.command(.volume(200))
    #expect(room.state.volume == 70)
    for (asked, set) in [(-8, 1), (400, 100)] {
      try room.set(Playback.SetOutput(maximumVolume: asked))
      #expect(room.machine.output.settings.maximumVolume == set)
    }
    var checkpoint = Checkpoint(volume: 90)
    checkpoint.output.startVolume = 30
    #expect(RoomMachineHarness(restoring: checkpoint).state.volume == 30)
    checkpoint.output = OutputSettings(maximumVolume: 50)
    #expect(RoomMachineHarness(restoring: checkpoint).state.volume == 50)
  }

  @Test(arguments: [
    Playback.SetOutput(device: ""), Playback.SetOutput(device: "a\nb"), Playback.SetOutput(levelling: .unknown),
    Playback.SetOutput(preamp: .nan), Playback.SetOutput(preamp: .infinity),
    Playback.SetOutput(device: String(repeating: "x", count: 501)),
  ])
  func whatIsNoSettingIsRefusedAndChangesNothing(request: Playback.SetOutput) throws {
    var room = try RoomMachineHarness(tracks: 0)
    let before = room.machine.output
    #expect(throws: LunaraError.self) { try room.set(request) }
    #expect(room.machine.output == before)
  }

  @Test func modesOfANewerVersionAreRefused() throws {
    var room = try RoomMachineHarness(tracks: 1)
    #expect(throws: LunaraError.self) { try room.command(.repeats(.unknown)) }
  }

  @Test func theChosenOutputIsToldToTheEngineAndWhatIsUsedIsPublished() throws {
    var room = try RoomMachineHarness(tracks: 1)
    _ = room.engineCommands()
    try room.set(Playback.SetOutput(device: "pulse/kitchen", preamp: 99))
    #expect(room.engineCommands() == [.output("pulse/kitchen")])
    #expect(room.machine.outputState.chosen == "pulse/kitchen" && room.machine.outputState.preamp == 15)
    room.sound(.devices([Playback.OutputDevice(name: "pulse/kitchen", title: "Kitchen")]))
    room.sound(.output(used: "pulse/hall", problem: LunaraError("playback.noOutput", "The kitchen is gone.")))
    #expect(room.machine.outputState.devices.map(\.title) == ["Kitchen"])
    #expect(room.machine.outputState.used == "pulse/hall")
    #expect(room.state.notice?.message == "The kitchen is gone.")
    room.playFirst()
    #expect(room.machine.meter.listen?.subject.device == "pulse/hall")
    room.sound(.output(used: "pulse/kitchen", problem: nil))
    #expect(room.state.notice == nil)
    try room.set(Playback.SetOutput(device: "auto"))
    #expect(room.engineCommands().contains(.output(nil)))
  }

  @Test func theBufferedPartIsPublished() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let first = room.playFirst()
    #expect(room.state.buffered == nil)
    room.shows = 0
    room.sound(.buffered(first, upTo: Milliseconds(9000)))
    room.sound(.buffered(first, upTo: Milliseconds(9500)))
    #expect(room.state.buffered == Milliseconds(9500) && room.shows == 1)
    room.sound(.buffered(first, upTo: Milliseconds(60_000)))
    #expect(room.shows == 2)
  }

  @Test func aSeekMeantForAnotherTrackDoesNothing() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.playFirst()
    _ = room.engineCommands()
    try room.command(.seek(to: Milliseconds(30_000), of: EntryID(rawValue: "entry-2")))
    #expect(room.engineCommands().isEmpty && room.state.position.offset == .zero)
    try room.command(.seek(to: Milliseconds(30_000), of: EntryID(rawValue: "entry-1")))
    #expect(room.state.position.offset == Milliseconds(30_000))
  }

  @Test(arguments: [Int64.min, -1, 0, Int64.max])
  func anyJumpIsSomewhereInTheQueue(distance: Int64) throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.playFirst()
    try room.command(.skip(by: Milliseconds(distance)))
    #expect(room.machine.queue.current == (distance > 0 ? 1 : 0))
    try room.command(.seek(to: Milliseconds(distance)))
    #expect(room.machine.position(at: room.now) >= .zero)
    // Before its item is read the track has no length; a seek gives a valid position all the same.
    var blind = try RoomMachineHarness(tracks: 2)
    try blind.command(.seek(to: Milliseconds(distance)))
    try blind.command(.skip(by: Milliseconds(distance)))
    #expect(blind.machine.position(at: blind.now) >= .zero)
    blind.passToDeadline()
  }
}
