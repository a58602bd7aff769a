import Bus
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback
@testable import lunara_router

/// Moves whose rooms neither answer nor publish for a while.
@Suite(.timeLimit(.minutes(2)))
struct UnfinishedMoveRecoveryTests {
  private let rooms = FakeRooms()
  private let context = RequestContext(id: RequestID("intent"), from: .web)

  private func moves() -> MoveCoordinator { MoveCoordinator(sender: rooms, log: .quiet, pause: .milliseconds(1)) }

  private func move(by moves: MoveCoordinator) async throws -> Playback.RoomState {
    try await moves.move(Router.Move(from: rooms.kitchen, to: rooms.den), in: rooms.choice, asked: context)
  }

  /// Returns true once the move has ended: no room is marked as moving, and one room has the queue.
  private func settles(in den: Bool) async -> Bool {
    await eventually {
      rooms.contents.withLock {
        $0.kitchen.book.outgoing == nil && $0.kitchen.hasQueue == !den && $0.den.hasQueue == den
          && $0.kitchen.isPlaying == !den && $0.den.isPlaying == den
      }
    }
  }

  @Test func aMoveIsDoneOnceItsTargetHasSaidSoThoughItIsSilentThen() async throws {
    rooms.silence(Playback.CommitMove.self, in: rooms.den, after: 1)
    #expect(try await move(by: moves()).room == rooms.den)
    #expect(await settles(in: true))
  }

  @Test(arguments: [true, false]) func aTargetThatWasSilentIsAskedAgainByItself(commits: Bool) async throws {
    rooms.contents.withLock { $0.isHeard = commits }
    rooms.silence(Playback.CommitMove.self, in: rooms.den)
    rooms.silence(Playback.EndMove.self, in: rooms.den, times: 3)
    let moves = moves()
    let error = await #expect(throws: LunaraError.self) { try await move(by: moves) }
    #expect(error?.code == "router.moveUnsettled")
    #expect(await settles(in: commits))
    await moves.stop()
  }

  @Test func aSourceThatCouldNotBeClearedIsClearedSoon() async throws {
    rooms.silence(Playback.EndMove.self, in: rooms.kitchen, times: 3)
    let moves = moves()
    _ = try await move(by: moves)
    #expect(await settles(in: true))
    await moves.stop()
  }

  @Test func aSourceThatIsThereAndDoesNotAnswerIsAskedAgain() async throws {
    rooms.contents.withLock {
      _ = $0.kitchen.answer(.offer, move: "m")
      _ = $0.kitchen.answer(.hold, move: "m")
    }
    rooms.silence(Playback.ReadQueue.self, in: rooms.kitchen, times: 3)
    let moves = moves()
    await moves.update([rooms.observed])
    #expect(await settles(in: false))
    await moves.stop()
  }

  @Test func aSourceThatIsNotHeldIsFreedThoughTheTargetIsAway() async throws {
    rooms.contents.withLock { _ = $0.kitchen.answer(.offer, move: "m") }
    rooms.silence(Playback.EndMove.self, in: rooms.den, times: .max)
    let moves = moves()
    await moves.update([rooms.observed])
    #expect(await settles(in: false))
    await moves.stop()
  }

  @Test func whereThereIsNothingToMoveThatIsSaidThoughTheTargetIsSlow() async throws {
    rooms.contents.withLock { $0.kitchen = MoveModel.Room(hasQueue: false) }
    rooms.silence(Playback.EndMove.self, in: rooms.den, times: .max)
    let moves = moves()
    let error = await #expect(throws: LunaraError.self) { try await move(by: moves) }
    #expect(error?.code == "playback.nothingToMove")
    await moves.stop()
  }
}
