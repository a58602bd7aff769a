import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_nowplaying

/// Players come and go with rooms and with the bus.
@Suite(.timeLimit(.minutes(3)))
struct MPRISPlayersLifecycleTests {
  @Test func eachRoomHasAPlayerAndARoomThatGoesTakesItAlong() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    try await fixture.show("bath", roomState(.paused, item: item(2)), current: 0, of: 3)
    #expect(try await bus.players() == ["lunara.bath", "lunara.den"])
    #expect(try await bus.playerctl("lunara.bath", "metadata", "title") == "Track 2")
    #expect(try await bus.playerctl("lunara.den", "metadata", "title") == "Track 1")
    await fixture.hide("den")
    #expect(try await bus.players() == ["lunara.bath"])
  }

  @Test func aRoomThatGoesWhileACommandIsUnderWayIsGoneAtOnce() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    await fixture.room.hold()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    let call = Task { try await bus.call("Next", of: "den") }
    #expect(await eventually(equals: [.next]) { await fixture.room.actions })
    await fixture.hide("den")
    #expect(try await bus.players() == [])
    #expect(try await !call.value.isEmpty)
    await fixture.room.release()
  }

  /// A process that is being started holds copies of all descriptors for a moment.
  @Test func aPlayerLeavesAtOnceWhileThereIsACopyOfItsDescriptor() async throws {
    let bus = try await PrivateBus.start()
    let snapshot = PlayerSnapshot(
      properties: PlayerProperties(
        state: roomState(.playing, item: item(1)), queue: queueState(current: 0, count: 3),
        extras: MPRISMetadata.Extras(cover: nil)),
      anchor: PositionAnchor(offset: 0, rate: 1, at: 0), isComplete: true, item: item(1), cover: nil)
    let player = try RoomPlayer(
      room: RoomName(from: "den"), snapshot: snapshot, raise: nil, address: bus.address, monotonic: { 0 })
    #expect(
      try await eventually {
        try player.process()
        return player.name != nil
      })
    #expect(try await bus.players() == ["lunara.den"])
    let copy = dup(try player.bus.descriptor().number)
    defer { close(copy) }
    player.close()
    #expect(try await bus.players() == [])
  }

  @Test func aTakenNameLeadsToAnInstanceOfItsOwn() async throws {
    let (bus, first) = try await PlayersFixture.onABus()
    try await first.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    let second = PlayersFixture(bus: bus.address)
    let name = try await second.show("den", roomState(.paused, item: item(1)), current: 0, of: 3)
    #expect(name?.hasPrefix("org.mpris.MediaPlayer2.lunara.den.instance") == true)
    #expect(try await bus.players().count == 2)
  }

  @Test func aBusThatRestartsGetsAllPlayersBack() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    await bus.stop()
    let missing = await fixture.notice { if case .busMissing(let error) = $0 { error.code } else { nil } }
    #expect(missing == "nowplaying.noSessionBus")
    let again = try await PrivateBus.start(in: bus.directory)
    let name = await fixture.notice { if case .appeared(_, let name) = $0 { name } else { nil } }
    #expect(name == "org.mpris.MediaPlayer2.lunara.den")
    #expect(try await again.playerctl("lunara.den", "status") == "Playing")
  }

  @Test func withoutABusThatIsSaidOnceAndItIsFoundWhenItComes() async throws {
    let directory = TemporaryDirectory()
    let fixture = PlayersFixture(bus: "unix:path=\(directory.path)/bus")
    await fixture.put("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    await fixture.put("den", roomState(.paused, item: item(1)), current: 0, of: 3)
    var notices: [String] = []
    let bus = try await PrivateBus.start(in: directory)
    for await notice in fixture.notices {
      switch notice {
      case .busMissing(let error): notices.append(error.code)
      case .appeared(_, let name): notices.append(name)
      case .commandFailed: notices.append("command failed")
      }
      if notices.last != "nowplaying.noSessionBus" { break }
    }
    #expect(notices == ["nowplaying.noSessionBus", "org.mpris.MediaPlayer2.lunara.den"])
    #expect(try await bus.playerctl("lunara.den", "status") == "Paused")
  }

  @Test func aDesktopThatIsLetGoLeavesTheBus() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 0, of: 3)
    await fixture.desktop.show([:])
    #expect(try await bus.players() == [])
  }
}
