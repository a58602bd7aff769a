import Bus
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback
@testable import lunara_router

/// Moves whose leader was killed, and rooms that were killed during a move.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct UnfinishedMoveTests {
  @Test func aMoveThatNobodyLeadsIsCalledOffAndTheSourcePlaysOn() async throws {
    try await RealRooms.with { rooms in
      let (kitchen, den) = (try await rooms.room("kitchen"), try await rooms.room("den"))
      try await kitchen.load(rooms.items(2))
      #expect(await kitchen.becomes("playing"))
      await rooms.stopRouter()
      let moved = try await rooms.prepare("m", kitchen, den)
      #expect(moved.isPlaying)
      #expect(await kitchen.state().state == .paused)
      #expect(try await kitchen.queue().moving?.heldAt != nil)
      for action in [Playback.Transport.Action.resume, .next, .jump(to: 1)] {
        let error = await #expect(throws: LunaraError.self) { try await kitchen.command(action) }
        #expect(error?.code == "playback.moving")
      }
      try await rooms.startRouter()
      #expect(await kitchen.becomes("playing"))
      #expect(try await kitchen.queue().moving == nil)
      // The target has forgotten the prepared queue, and refuses a late commit.
      let late = await #expect(throws: LunaraError.self) {
        try await rooms.client.request(Playback.CommitMove(move: "m", moved: moved), to: den.node.id)
      }
      #expect(late?.code == "playback.moveOutdated")
      #expect(await den.state().state == .idle)
      await kitchen.stop()
      await den.stop()
    }
  }

  @Test func aCommittedMoveIsFinishedByTheNextRouter() async throws {
    try await RealRooms.with { rooms in
      let (kitchen, den) = (try await rooms.room("kitchen"), try await rooms.room("den"))
      try await kitchen.load(rooms.items(2))
      #expect(await kitchen.becomes("playing"))
      await rooms.stopRouter()
      let moved = try await rooms.prepare("m", kitchen, den)
      _ = try await rooms.client.request(Playback.CommitMove(move: "m", moved: moved), to: den.node.id)
      #expect(await den.becomes("playing"))
      #expect(try await kitchen.queue().count == 2)
      try await rooms.startRouter()
      #expect(await eventually(equals: .idle) { await kitchen.state().state })
      #expect(await den.state().state == .playing)
      #expect(try await kitchen.facts().allSatisfy { $0.kind != Playback.ListenEnded.kind })
      await kitchen.stop()
      await den.stop()
    }
  }

  @Test func aHeldSourceThatIsKilledIsHeldStillAndWaitsWhereItWas() async throws {
    try await RealRooms.with { rooms in
      let (before, den) = (try await rooms.room("kitchen"), try await rooms.room("den"))
      try await before.load(rooms.items(2))
      #expect(await before.becomes("playing"))
      await rooms.stopRouter()
      let moved = try await rooms.prepare("m", before, den)
      await before.kill()
      let kitchen = try await rooms.room("kitchen")
      let error = await #expect(throws: LunaraError.self) { try await kitchen.command(.resume) }
      #expect(error?.code == "playback.moving")
      try await rooms.startRouter()
      #expect(try await eventually(equals: nil) { try await kitchen.queue().moving })
      #expect(await kitchen.state().state == .paused)
      #expect(abs((await kitchen.position() - moved.position).rawValue) < 100)
      try await kitchen.command(.resume)
      #expect(await kitchen.becomes("playing"))
      #expect(await den.state().state == .idle)
      let facts = try await kitchen.facts()
      #expect(facts.filter { $0.kind == Playback.ListenStarted.kind }.count == 1)
      await kitchen.stop()
      await den.stop()
    }
  }

  @Test func aTargetThatIsKilledAfterItsCommitHasTheQueueAndTheListen() async throws {
    try await RealRooms.with { rooms in
      let kitchen = try await rooms.room("kitchen")
      var den = try await rooms.room("den")
      try await kitchen.load(rooms.items(2))
      #expect(await kitchen.becomes("playing"))
      #expect(await eventually(above: Milliseconds(500)) { await kitchen.position() })
      await rooms.stopRouter()
      let moved = try await rooms.prepare("m", kitchen, den)
      _ = try await rooms.client.request(Playback.CommitMove(move: "m", moved: moved), to: den.node.id)
      await den.kill()
      den = try await rooms.room("den")
      try await rooms.startRouter()
      #expect(await eventually(equals: .idle) { await kitchen.state().state })
      #expect(try await kitchen.queue().count == 0)
      #expect(try await den.queue().count == 2)
      // It was killed while it played, so it plays on by itself.
      #expect(await den.becomes("playing"))
      #expect(await den.position() >= moved.position)
      #expect(await den.service.room.machine.meter.listen?.subject.listen == moved.listen?.listen)
      await kitchen.stop()
      await den.stop()
    }
  }

  @Test func aTargetThatIsKilledBeforeItsCommitLeavesTheSourcePlaying() async throws {
    try await RealRooms.with { rooms in
      let kitchen = try await rooms.room("kitchen")
      var den = try await rooms.room("den")
      try await kitchen.load(rooms.items(2))
      #expect(await kitchen.becomes("playing"))
      await rooms.stopRouter()
      _ = try await rooms.prepare("m", kitchen, den)
      await den.kill()
      try await rooms.startRouter()
      den = try await rooms.room("den")
      #expect(await kitchen.becomes("playing"))
      #expect(try await den.queue().count == 0)
      await kitchen.stop()
      await den.stop()
    }
  }
}

extension RealRooms {
  /// Performs a move up to the kill of its leader, with the source held.
  func prepare(_ move: String, _ from: RunningRoom, _ to: RunningRoom) async throws -> Playback.Moved {
    let offered = try await client.request(Playback.OfferMove(move: move, to: to.name), to: from.node.id)
    let items = try await from.queue().items
    _ = try await client.request(
      Playback.PrepareMove(move: move, moved: offered, part: 0, isLast: true, items: items), to: to.node.id)
    return try await client.request(Playback.HoldForMove(move: move), to: from.node.id)
  }
}
