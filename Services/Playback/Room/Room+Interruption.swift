import Messages
import Model
import ServiceKit

/// Interruptions by the host: sleep, and headphones that are pulled.
extension Room {
  /// The longest time to wait for the engine to hold the sound. A host's sleep must not be delayed for long
  /// (`InhibitDelayMaxSec` of logind.conf(5) is 5 s).
  private static let holdTimeout = Duration.seconds(1)

  /// Pauses if there is sound; returns when it holds and where it held is stored.
  nonisolated func interrupt(_ reason: Interruption) async {
    do {
      _ = try await ask { .interrupt(reason, $0) }
    } catch {
      // A room that is being stopped has stored all, and is as quiet.
      log.debug("\(LunaraError(error))")
    }
  }

  /// Ends the interruption that paused the room.
  nonisolated func interruptionOver(_ reason: Interruption) { inbox.yield(.interruptionOver(reason)) }

  /// Answers when the engine holds the sound, or takes too long.
  func answerWhenHeld(_ reply: Reply<Done>) {
    interruptionReplies.append(reply)
    guard machine.isFlowing else { return }
    Task { [inbox] in
      // A task that is cancelled answers at once.
      do { try await Task.sleep(for: Self.holdTimeout) } catch {}
      inbox.yield(.holdTimedOut)
    }
  }

  /// Answers those who wait, once all is stored.
  func answerInterruptions() {
    guard !interruptionReplies.isEmpty else { return }
    let replies = interruptionReplies
    interruptionReplies = []
    Task { [writer] in
      await writer.settled()
      for reply in replies { reply.continuation.resume(returning: Done()) }
    }
  }
}
