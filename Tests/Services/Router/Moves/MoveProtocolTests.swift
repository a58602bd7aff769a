import Messages
import Model
import Testing

@testable import lunara_playback
@testable import lunara_router

/// Every possible run of a move: messages that are late, lost or duplicated, a kill of each of the three processes at
/// every step, and an intent that is sent again.
struct MoveProtocolTests {
  typealias Trouble = MoveModel.Trouble

  @Test(
    arguments: [
      Trouble(), Trouble(timeouts: 2, doubles: 1), Trouble(timeouts: 1, doubles: 1, kills: 1),
      Trouble(timeouts: 1, kills: 2), Trouble(kills: 3), Trouble(doubles: 2, kills: 1, intents: 1),
      Trouble(timeouts: 1, doubles: 1, intents: 1), Trouble(timeouts: 1, kills: 1, edits: 1),
    ], [true, false])
  func neverTwoRoomsPlayAndTheQueueIsNeverLost(trouble: Trouble, playing: Bool) async {
    let start = MoveModel(playing: playing, trouble: trouble)
    var seen: Set<MoveModel> = [start]
    var waiting = [start]
    var ends = 0
    while let world = waiting.popLast() {
      for next in world.nexts where seen.insert(next).inserted {
        check(next)
        waiting.append(next)
      }
      ends += 1
      settle(world)
      // Lets other tests run, which share two threads with this one.
      if ends % 50 == 0 { await Task.yield() }
      if seen.count > 400_000 { return #expect(Bool(false), "more than can be tried: \(trouble)") }
    }
    #expect(ends > 10)
  }

  /// Checks what must hold at every moment.
  private func check(_ world: MoveModel) {
    #expect(!(world.source.isPlaying && world.target.isPlaying), "two rooms play: \(world)")
    #expect(world.source.hasQueue || world.target.hasQueue, "the queue is lost: \(world)")
    // A room that plays has the queue.
    #expect(!world.source.isPlaying || world.source.hasQueue)
    // Nothing plays that was paused before the move.
    #expect(world.wasPlaying || !(world.source.isPlaying || world.target.isPlaying))
  }

  /// Checks that from any moment on, once nothing fails any more, exactly one room has the queue, and neither room is
  /// marked as moving.
  private func settle(_ world: MoveModel) {
    // Late messages either arrive first, or not at all.
    for comes in [true, false] {
      var end = world
      if !comes { end.messages = [] }
      var steps = 0
      repeat {
        while let message = end.messages.first { end.deliver(message) }
        if end.leader != nil {
          end.hear(.failed(LunaraError("bus.timeout", "")))
        } else if end.isMarked {
          end.recover()
        }
        steps += 1
      } while steps < 100 && (!end.messages.isEmpty || end.leader != nil || end.isMarked)
      #expect(!end.isMarked && end.leader == nil, "it does not come to an end: \(world)")
      check(end)
      #expect(end.source.hasQueue != end.target.hasQueue, "both have the queue, or none: \(world)")
    }
  }

  @Test func withoutFailuresTheQueueMovesAndPlaysOn() {
    for playing in [true, false] {
      var world = MoveModel(playing: playing, trouble: Trouble())
      while let message = world.messages.first { world.deliver(message) }
      #expect(world.leader == nil && !world.isMarked)
      #expect(!world.source.hasQueue && world.target.hasQueue && world.target.isPlaying == playing)
      #expect(world.target.book.ending(of: "m") == .committed && world.source.book.ending(of: "m") == .handedOn)
    }
  }

  @Test func aQueueChangedSinceTheMoveBeganIsNotHeld() {
    var world = MoveModel(playing: true, trouble: Trouble())
    while let message = world.messages.first {
      if case .question(.hold, _, _) = message { world.source.queueRevision = 2 }
      world.deliver(message)
    }
    #expect(world.source.hasQueue && world.source.isPlaying && !world.target.hasQueue && !world.isMarked)
  }
}

extension MoveModel {
  /// Every step that can happen next.
  var nexts: [MoveModel] {
    var nexts: [MoveModel] = []
    func add(_ change: (inout MoveModel) -> Void) {
      var next = self
      change(&next)
      nexts.append(next)
    }
    for message in messages {
      add { $0.deliver(message) }
      if trouble.doubles > 0 {
        add {
          $0.trouble.doubles -= 1
          $0.deliver(message, keeping: true)
        }
      }
    }
    if trouble.timeouts > 0, leader != nil {
      add {
        $0.trouble.timeouts -= 1
        $0.hear(.failed(LunaraError("bus.timeout", "")))
      }
    }
    if trouble.kills > 0 {
      add {
        $0.trouble.kills -= 1
        $0.source.restart()
      }
      add {
        $0.trouble.kills -= 1
        $0.target.restart()
      }
      if leader != nil {
        add {
          $0.trouble.kills -= 1
          $0.leader = nil
        }
      }
    }
    if trouble.intents > 0, leader == nil {
      add {
        $0.trouble.intents -= 1
        $0.begin()
      }
    }
    if trouble.edits > 0 {
      add {
        $0.trouble.edits -= 1
        $0.source.queueRevision += 1
      }
    }
    if leader == nil, isMarked { add { $0.recover() } }
    return nexts
  }
}
