import Messages
import Model
import Testing

@testable import lunara_playback

/// Retries of a room that gets no sound.
struct RoomRetryTests {
  private let unreachable = LunaraError("playback.streamUnreachable", "The stream cannot be opened.")

  private func stream(_ number: Int64, lasting time: Int64? = nil) -> Result<Library.Locator, LunaraError> {
    .success(.url("http://media/\(number)", headers: [:], expiresIn: time.map { Milliseconds($0) }))
  }

  /// A room with two streams that plays the first.
  private func streaming() throws -> (room: RoomMachineHarness, first: CueID) {
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds { stream($0) }
    let id = try #require(room.machine.tracks.first?.id)
    room.sound(.began(id))
    room.sound(.flowing(id, .zero))
    _ = room.engineCommands()
    return (room, id)
  }

  @Test func anOutageIsTriedAgainInGrowingStepsForTenMinutes() throws {
    var room = try RoomMachineHarness(tracks: 2)
    var waits: [Int64] = []
    while room.state.state.name != "error" || room.state.retriesAt != nil {
      room.answerFinds()
      let before = room.seconds
      room.sound(.failed(try #require(room.machine.tracks.first?.id), unreachable))
      guard case .error(let error) = room.state.state else { return #expect(Bool(false), "\(room.state.state)") }
      #expect(error == unreachable && room.state.item == .numbered(1))
      guard let date = room.state.retriesAt else { break }
      let due = try #require(room.machine.retry?.due?.moment)
      #expect(date == Timestamp(seconds: 1000 + due.nanoseconds / 1_000_000_000))
      room.passToDeadline()
      waits.append(room.seconds - before)
      #expect(room.state.state == .buffering && room.state.notice == unreachable)
    }
    #expect(Array(waits.prefix(6)) == [2, 4, 8, 16, 30, 30])
    #expect(room.seconds > 570 && room.seconds <= 600)
    #expect(room.machine.deadline == nil)
    // The outage is not the track's fault, so no failure is recorded for it.
    #expect(room.facts.isEmpty)
    try room.command(.resume)
    room.playFirst()
    #expect(room.state.state == .playing && room.state.notice == nil)
  }

  @Test(arguments: ["library.signedOut", "library.serverUntrusted", "library.wrongServerKind"])
  func aServerThatRefusesTheSignInIsSaidAndNoTrackIsPassedOver(code: String) throws {
    var room = try RoomMachineHarness(tracks: 5)
    let refused = LunaraError(code, "Nas no longer takes the sign-in. Sign in again.")
    room.answerFinds { _ in .failure(refused) }
    #expect(room.state.state == .error(refused) && room.state.item == .numbered(1) && room.facts.isEmpty)
    // Once a person has signed in again, the room plays by itself.
    room.passToDeadline()
    room.answerFinds()
    room.playFirst()
    #expect(room.state.state == .playing && room.state.item == .numbered(1))
  }

  @Test(arguments: ["playback.fileMissing", "playback.fileUnreadable", "playback.notAudio"])
  func aDamagedCopyIsGivenUpAndItsStreamIsPlayed(code: String) throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.machine.isPrefetched = { $0.description.hasPrefix("/ahead/") }
    let copy = LocalPath("/ahead/1")
    room.answerFinds { _ in .success(.file(copy)) }
    room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError(code, "It is damaged.")))
    #expect(room.dropped == [copy] && room.facts == [])
    room.answerFinds { stream($0) }
    guard case .play(let cue, paused: false)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    #expect(cue.locator == .url("http://media/1", headers: [:]))
    // A failure of the stream is final.
    room.sound(.failed(cue.id, LunaraError("playback.notAudio", "It is noise.")))
    #expect(room.facts == ["failed 1 playback.notAudio"])
  }

  @Test func soundResetsTheRetries() throws {
    var (room, first) = try streaming()
    room.pass(20)
    room.sound(.position(first, Milliseconds(20_000)))
    room.sound(.failed(first, unreachable))
    room.passToDeadline()
    room.answerFinds { stream($0) }
    guard case .play(let cue, paused: false)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    #expect(cue.start == Milliseconds(20_000))
    room.sound(.flowing(cue.id, Milliseconds(20_000)))
    #expect(room.state.notice == nil && room.machine.retry == nil)
    room.sound(.failed(cue.id, unreachable))
    #expect(room.machine.retry?.attempts == 1)
    // The whole is one listen.
    #expect(room.facts.filter { $0.hasPrefix("started") }.count == 1 && !room.facts.contains { $0.hasPrefix("ended") })
  }

  @Test func aPauseAStopOrALoadEndsTheRetries() throws {
    for command: Playback.Transport.Action in [.pause, .stop, .jump(to: 1), .next] {
      var (room, first) = try streaming()
      room.sound(.failed(first, unreachable))
      #expect(room.state.retriesAt != nil)
      try room.command(command)
      #expect(room.machine.retry == nil && room.state.retriesAt == nil)
      #expect(room.state.state.name != "error")
      if case .pause = command { #expect(room.state.state == .paused && room.machine.deadline == nil) }
    }
  }

  @Test func resumeTriesAtOnce() throws {
    var (room, first) = try streaming()
    room.sound(.outputFailed(LunaraError("playback.noOutput", "none")))
    #expect(room.state.retriesAt != nil)
    try room.command(.resume)
    room.answerFinds { stream($0) }
    #expect(room.engineCommands().contains { $0.isPlay })
    #expect(room.machine.tracks.first?.id != first)
  }

  @Test func aRouterThatIsAwayIsAskedAgainAfterTheErrorToo() throws {
    var room = try RoomMachineHarness(tracks: 1)
    let away = LunaraError("bus.unreachable", "away")
    while room.state.state == .buffering {
      room.answerFinds { _ in .failure(away) }
      room.passToDeadline()
    }
    #expect(room.state.state.name == "error" && room.state.retriesAt != nil)
    room.passToDeadline()
    room.answerFinds()
    #expect(room.engineCommands().contains { $0.isPlay })
  }

  @Test func aServerThatIsAwayIsAnErrorAtOnceAndNoFaultOfItsTracks() throws {
    let away = LunaraError("library.sourceAway", "The server cannot be reached.")
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds { _ in .failure(away) }
    #expect(room.state.state == .error(away) && room.state.retriesAt != nil && room.facts.isEmpty)
    room.passToDeadline()
    // A failed preparation of the next track is no error, and it is looked for again before its turn.
    room.answerFinds(only: 1)
    let first = try #require(room.machine.tracks.first?.id)
    room.sound(.began(first))
    room.sound(.flowing(first, .zero))
    room.answerFinds { _ in .failure(away) }
    #expect(room.state.state == .playing && room.machine.deadline == room.now.moment + Milliseconds(10_000))
    room.passToDeadline()
    room.answerFinds()
    #expect(room.engineCommands().prepared.last == 2)
  }

  @Test func threeTracksThatFailInARowAreNotTriedAgain() throws {
    var room = try RoomMachineHarness(tracks: 5)
    for _ in 0..<3 {
      room.answerFinds()
      room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError("playback.notAudio", "no")))
    }
    #expect(room.state.state.name == "error" && room.state.retriesAt == nil && room.machine.deadline == nil)
  }

  @Test func aRefusedStreamIsAskedForOnceMoreWhereItWas() throws {
    var (room, first) = try streaming()
    room.pass(30)
    room.sound(.position(first, Milliseconds(30_000)))
    let refused = LunaraError("playback.streamRefused", "The server wants another token.")
    room.sound(.failed(first, refused))
    #expect(room.state.state == .buffering)
    room.answerFinds { stream($0 + 100) }
    guard case .play(let cue, paused: false)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    #expect(cue.locator == .url("http://media/101", headers: [:]) && cue.start == Milliseconds(30_000))
    room.sound(.failed(cue.id, refused))
    #expect(room.facts.contains("failed 1 playback.streamRefused") && room.machine.queue.current == 1)
  }

  @Test func aCutStreamGoesOnWhereItBrokeAndGivesUpWhereItStands() throws {
    var (room, first) = try streaming()
    var id = first
    var position = Milliseconds(10_000)
    room.pass(10)
    // Each retry plays a little further, so the retries go on without a limit.
    for _ in 0..<5 {
      room.sound(.position(id, position))
      room.sound(.ended(id, position))
      #expect(room.state.state == .buffering && room.machine.queue.current == 0)
      room.answerFinds { stream($0) }
      let cue = try #require(room.engineCommands().last { $0.isPlay }?.cue)
      #expect(cue.start == position)
      id = cue.id
      room.sound(.flowing(id, position))
      room.pass(5)
      position += Milliseconds(5000)
    }
    #expect(room.facts.filter { $0.hasPrefix("started") }.count == 1)
    for _ in 0..<4 {
      room.sound(.ended(id, position))
      room.answerFinds { stream($0) }
      id = try #require(room.machine.tracks.first?.id)
    }
    #expect(room.facts.contains("failed 1 playback.cutShort") && room.facts.contains("ended 1 failed"))
    #expect(room.machine.queue.current == 1)
  }

  @Test func aStreamThatHasNothingMoreWhereItBrokeIsCutShort() throws {
    var (room, first) = try streaming()
    room.pass(10)
    room.sound(.ended(first, Milliseconds(10_000)))
    for _ in 0..<3 {
      #expect(room.machine.queue.current == 0)
      room.answerFinds { stream($0) }
      room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError("playback.notAudio", "no")))
    }
    #expect(room.facts.contains("failed 1 playback.cutShort") && room.machine.queue.current == 1)
    // Another track that is no audio fails as usual.
    room.answerFinds { stream($0) }
    room.sound(.failed(try #require(room.machine.tracks.first?.id), LunaraError("playback.notAudio", "no")))
    #expect(room.facts.last == "failed 2 playback.notAudio")
  }

  @Test func anAddressIsRequestedAgainBeforeItExpires() throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds { stream($0, lasting: 60_000) }
    let first = try #require(room.machine.tracks.first?.id)
    room.sound(.began(first))
    room.sound(.flowing(first, .zero))
    let prepared = try #require(room.machine.tracks.last?.id)
    _ = room.engineCommands()
    room.passToDeadline()
    #expect(room.seconds == 40)
    // The old address is used until a new one is there.
    #expect(room.machine.tracks.last?.id == prepared && room.engineCommands().isEmpty)
    room.answerFinds { _ in .failure(LunaraError("bus.unreachable", "away")) }
    #expect(room.machine.tracks.last?.id == prepared)
    room.passToDeadline()
    #expect(room.seconds == 45)
    room.answerFinds { stream($0 + 100, lasting: 60_000) }
    let cue = try #require(room.engineCommands().cues.first)
    #expect(cue.locator == .url("http://media/102", headers: [:], expiresIn: Milliseconds(60_000)))
    #expect(room.machine.tracks.last?.id == cue.id)
    room.sound(.decoding(cue.id))
    room.sound(.ended(first, Milliseconds(60_000)))
    #expect(room.machine.tracks.first?.id == cue.id && room.machine.queue.current == 1)
  }

  @Test(arguments: [Int64.min, -1, 0, Int64.max])
  func anAddressWithAnAbsurdLifetimeIsNotRequestedWithoutEnd(life: Int64) throws {
    var room = try RoomMachineHarness(tracks: 2)
    room.answerFinds { stream($0, lasting: life) }
    let first = try #require(room.machine.tracks.first?.id)
    room.sound(.flowing(first, .zero))
    for _ in 0..<3 {
      let before = room.seconds
      room.passToDeadline()
      room.answerFinds { stream($0, lasting: life) }
      #expect(room.seconds >= before + 5)
    }
  }

  @Test func aRoomThatWasKilledWhilePlayingPlaysOnUnlessThatIsSwitchedOff() throws {
    func checkpoint(resumes: Bool? = nil, isPlaying: Bool = true, at seconds: Int64 = 990) -> Checkpoint {
      Checkpoint(
        progress: .init(position: Milliseconds(7000), takenAt: Timestamp(seconds: seconds)), isPlaying: isPlaying,
        boot: "this boot", output: resumes.map { OutputSettings(resumesAfterCrash: $0) } ?? OutputSettings())
    }
    var room = RoomMachineHarness(restoring: checkpoint(), tracks: 2)
    #expect(room.state.state == .buffering)
    room.answerFinds()
    guard case .play(let cue, paused: false)? = room.engineCommands().last(where: \.isPlay) else {
      return #expect(Bool(false))
    }
    #expect(cue.start == Milliseconds(7000))
    #expect(room.machine.checkpoint(at: room.now).isPlaying)
    room.machine.suspend(at: room.now)
    #expect(!room.machine.checkpoint(at: room.now).isPlaying)
    for other in [checkpoint(resumes: false), checkpoint(isPlaying: false), checkpoint(at: 300)] {
      #expect(RoomMachineHarness(restoring: other, tracks: 2).state.state == .paused)
    }
  }

  @Test func aRoomStaysPausedAfterAPowerCut() {
    var checkpoint = Checkpoint(isPlaying: true, boot: "another boot")
    checkpoint.progress.takenAt = Timestamp(seconds: 990)
    #expect(RoomMachineHarness(restoring: checkpoint, tracks: 2).state.state == .paused)
    // An unknown boot may be another one.
    checkpoint.boot = nil
    #expect(RoomMachineHarness(restoring: checkpoint, tracks: 2).state.state == .paused)
    checkpoint.boot = "this boot"
    #expect(RoomMachineHarness(restoring: checkpoint, tracks: 2).state.state == .buffering)
  }

  @Test func aRoomThatWasRestoredFromABackupStaysPausedUntilItPlayedAgain() {
    var checkpoint = Checkpoint(isPlaying: true, boot: "this boot")
    checkpoint.progress.takenAt = Timestamp(seconds: 980)
    checkpoint.restoredAt = Timestamp(seconds: 990)
    let room = RoomMachineHarness(restoring: checkpoint, tracks: 2)
    #expect(room.state.state == .paused)
    // A later start does not play either.
    #expect(!room.machine.checkpoint(at: room.now).isPlaying)
    checkpoint.progress.takenAt = Timestamp(seconds: 991)
    #expect(RoomMachineHarness(restoring: checkpoint, tracks: 2).state.state == .buffering)
  }

  @Test func aRoomThatCrashesAgainAtTheSameTrackStaysPaused() {
    var stored = Checkpoint(isPlaying: true, boot: "this boot")
    stored.progress.takenAt = Timestamp(seconds: 990)
    let room = RoomMachineHarness(restoring: stored, tracks: 2)
    stored = room.machine.checkpoint(at: room.now)
    #expect(stored.isPlaying && stored.resumption == .init(row: 1, date: room.now.date))
    // The harness starts at the same time, within the minute.
    let again = RoomMachineHarness(restoring: stored, tracks: 2)
    #expect(again.state.state == .paused)
    #expect(!again.machine.checkpoint(at: again.now).isPlaying)
    stored.resumption?.date = Timestamp(seconds: 939)
    #expect(RoomMachineHarness(restoring: stored, tracks: 2).state.state == .buffering)
    stored.resumption = .init(row: 2, date: room.now.date)
    #expect(RoomMachineHarness(restoring: stored, tracks: 2).state.state == .buffering)
  }
}

extension EngineCommand {
  /// The cue that the command plays.
  var cue: Cue? { if case .play(let cue, _) = self { cue } else { nil } }
}
