import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_nowplaying

/// A desktop's players on a private session bus, read with `playerctl` and `busctl`.
@Suite(.timeLimit(.minutes(3)))
struct MPRISPlayersTests {
  @Test func playerctlSeesWhatPlays() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show(
      "living-room", roomState(.playing, item: item(1), at: Milliseconds(30_000)), current: 0, of: 3)
    #expect(try await bus.playerctl("lunara.living_room", "status") == "Playing")
    let format =
      "{{title}}|{{artist}}|{{album}}|{{mpris:length}}|{{xesam:albumArtist}}|{{xesam:trackNumber}}|{{mpris:trackid}}"
    let metadata = try await bus.playerctl("lunara.living_room", "metadata", "--format", format)
    #expect(
      metadata
        == "Track 1|Ada|First Light|200000000|Ada & Band|1|'/org/lunara/entry/e1'")
    fixture.clock.advance(by: Milliseconds(2500))
    #expect(try await bus.property("Position", of: "living_room") == "x 32500000")
    #expect(try await bus.playerctl("lunara.living_room", "position").hasPrefix("32.5"))
    #expect(try await bus.playerctl("lunara.living_room", "volume") == "0.800000")
  }

  @Test func allPropertiesHaveTheTypesOfTheStandard() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.paused, item: item(1)), current: 0, of: 3)
    for (name, value) in [
      ("PlaybackStatus", "s \"Paused\""), ("LoopStatus", "s \"None\""), ("Shuffle", "b false"), ("Rate", "d 1"),
      ("MinimumRate", "d 1"), ("MaximumRate", "d 1"),
      ("Volume", "d 0.8"), ("Position", "x 0"), ("CanGoNext", "b true"), ("CanGoPrevious", "b true"),
      ("CanPlay", "b true"), ("CanPause", "b true"), ("CanSeek", "b true"), ("CanControl", "b true"),
    ] { #expect(try await bus.property(name, of: "den") == value) }
    for (name, value) in [
      ("CanQuit", "b false"), ("CanRaise", "b false"), ("HasTrackList", "b false"), ("Identity", "s \"Lunara (den)\""),
      ("SupportedUriSchemes", "as 0"), ("SupportedMimeTypes", "as 0"),
    ] {
      #expect(
        try await bus.busctl(
          "get-property", "org.mpris.MediaPlayer2.lunara.den", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2", name
        )
          == value)
    }
  }

  @Test func theInterfaceIsTheOneOfTheStandard() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.paused, item: item(1)), current: 0, of: 3)
    let xml = try await bus.busctl(
      "introspect", "--xml-interface", "org.mpris.MediaPlayer2.lunara.den", "/org/mpris/MediaPlayer2")
    let (published, standard) = (
      MPRISSpecification.members(of: xml), MPRISSpecification.members(of: MPRISSpecification.xml)
    )
    #expect(standard.count == 33)
    #expect(published.subtracting(standard) == [], "this is not in the standard")
    #expect(standard.subtracting(published) == [], "this is missing")
  }

  @Test func onlyWhatChangedIsAnnounced() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    let monitor = try await SignalMonitor.start(on: bus)
    try await fixture.show("den", roomState(.paused, item: item(1), at: Milliseconds(200)), current: 1, of: 3)
    let paused = try await monitor.next()
    #expect(paused.member == "PropertiesChanged")
    #expect(paused.payload.type == "sa{sv}as")
    #expect(paused.payload.data.first == .string("org.mpris.MediaPlayer2.Player"))
    let expected: JSON = .object(["PlaybackStatus": .object(["type": .string("s"), "data": .string("Paused")])])
    #expect(paused.payload.data.dropFirst().first == expected)
    #expect(paused.payload.data.last == .array([]))
    try await fixture.show("den", roomState(.paused, item: item(1), at: Milliseconds(200)), current: 0, of: 3)
    try await fixture.show("den", roomState(.paused, item: item(2), volume: 20), current: 2, of: 3)
    #expect(try await monitor.nextChangedProperties() == ["CanGoNext", "Metadata", "Volume"])
  }

  @Test func aSeekIsAnnouncedAndNormalPlaybackIsNot() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    let monitor = try await SignalMonitor.start(on: bus)
    fixture.clock.advance(by: Milliseconds(10_000))
    try await fixture.show("den", roomState(.playing, item: item(1), at: Milliseconds(10_050)), current: 0, of: 3)
    try await fixture.show("den", roomState(.playing, item: item(1), at: Milliseconds(90_000)), current: 0, of: 3)
    let seen = try await monitor.next()
    #expect(seen.member == "Seeked")
    #expect(seen.payload.data == [.number(90_000_000)])
    try await fixture.show("den", roomState(.playing, item: item(0)), current: 0, of: 3)
    #expect(try await monitor.nextChangedProperties() == ["Metadata"])
    try await fixture.show("den", roomState(.paused, item: item(0)), current: 0, of: 3)
    #expect(try await monitor.nextChangedProperties() == ["PlaybackStatus"])
  }

  @Test func commandsReachTheRoomInTheirOrderBeforeTheCallReturns() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    for command in ["play-pause", "next", "previous", "stop"] {
      #expect(try await bus.playerctl("lunara.den", command) == "")
    }
    #expect(try await bus.playerctl("lunara.den", "volume", "0.3") == "")
    #expect(try await bus.playerctl("lunara.den", "position", "42") == "")
    #expect(try await bus.call("Seek", of: "den", "x", "-5000000") == "")
    #expect(
      await fixture.room.actions == [
        .toggle, .next, .previous, .stop, .volume(30), .seek(to: Milliseconds(42_000), of: EntryID(rawValue: "e1")),
        .skip(by: Milliseconds(-5000)),
      ])
    #expect(await fixture.room.rooms == [room("den")])
  }

  @Test func playerctlSeeksByOffsetsAndFollows() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    let follower = try TestProcess(
      ["playerctl", "--player=lunara.den", "--follow", "status"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]
    )
    var seen = follower.lines.makeAsyncIterator()
    #expect(await seen.next() == "Playing")
    #expect(try await bus.playerctl("lunara.den", "position", "15+") == "")
    #expect(try await bus.playerctl("lunara.den", "position", "3-") == "")
    #expect(await fixture.room.actions == [.skip(by: Milliseconds(15_000)), .skip(by: Milliseconds(-3000))])
    for (state, status) in [(PlaybackState.paused, "Paused"), (.buffering, "Playing"), (.idle, "Stopped")] {
      try await fixture.show("den", roomState(state, item: state == .idle ? nil : item(1)), current: 1, of: 3)
      #expect(await seen.next() == status)
    }
    await follower.stop(SIGKILL)
  }

  @Test func aSetPositionForAnotherTrackIsIgnored() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(2)), current: 0, of: 3)
    #expect(try await bus.call("SetPosition", of: "den", "ox", "/org/lunara/entry/e1", "5000000") == "")
    #expect(try await bus.call("SetPosition", of: "den", "ox", "/org/lunara/entry/e2", "5000000") == "")
    #expect(await fixture.room.actions == [.seek(to: Milliseconds(5000), of: EntryID(rawValue: "e2"))])
  }

  @Test func aRoomsErrorIsTheCallersError() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    await fixture.room.refuse(with: LunaraError("bus.timeout", "The room den does not answer."))
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    #expect(try await bus.call("Next", of: "den").contains("The room den does not answer."))
    let notice = await fixture.notice {
      if case .commandFailed(let room, let error) = $0 { (room, error.code) } else { nil }
    }
    #expect(notice?.0 == room("den") && notice?.1 == "bus.timeout")
  }

  @Test func tooManyWaitingCommandsAreRefused() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    await fixture.room.hold()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    // The room is busy with one command, `commandLimit` commands wait behind it, and three are refused.
    let calls = RoomPlayer.commandLimit + 4
    let (answers, answered) = AsyncStream.makeStream(of: String.self)
    let call: @Sendable () async -> Void = {
      do { answered.yield(try await bus.call("Next", of: "den")) } catch { answered.yield("not called: \(error)") }
    }
    await withTaskGroup { group in
      group.addTask(operation: call)
      #expect(await eventually(equals: 1) { await fixture.room.actions.count })
      for _ in 1..<calls { group.addTask(operation: call) }
      var refusals: [String] = []
      var done = 0
      for await answer in answers {
        if answer.isEmpty { done += 1 } else { refusals.append(answer) }
        if refusals.count == 3, done == 0 { await fixture.room.release() }
        if refusals.count + done == calls { break }
      }
      #expect(refusals.count == 3)
      for refusal in refusals { #expect(refusal.contains("Too many commands wait")) }
    }
    #expect(await fixture.room.actions.count == calls - 3)
  }
}
