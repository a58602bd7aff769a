import Messages
import Model
import ServiceKit

/// What happens to the host rather than to the queue.
extension Room {
  /// For so long the engine is waited for to hold the sound; what delays a host's sleep must not do so for long
  /// (`InhibitDelayMaxSec` of logind.conf(5) is 5 s).
  private static let quietLimit = Duration.seconds(1)

  /// Pauses if there is sound; returns when it holds and where it held is stored.
  nonisolated func interrupt(_ reason: Interruption) async {
    do {
      _ = try await ask { .interrupt(reason, $0) }
    } catch {
      // A room that is being stopped has stored all, and is as quiet.
      log.debug("\(LunaraError(error))")
    }
  }

  /// What paused the room is over.
  nonisolated func interruptionOver(_ reason: Interruption) { inbox.yield(.interruptionOver(reason)) }

  /// Answers when the engine holds the sound, or takes too long.
  func waitForQuiet(_ reply: Reply<Done>) {
    awaitingQuiet.append(reply)
    guard machine.isFlowing else { return }
    Task { [inbox] in
      // A task that is cancelled answers at once.
      do { try await Task.sleep(for: Self.quietLimit) } catch {}
      inbox.yield(.quietIsDue)
    }
  }

  /// Answers those who wait, once all is stored.
  func answerQuiet() {
    guard !awaitingQuiet.isEmpty else { return }
    let replies = awaitingQuiet
    awaitingQuiet = []
    Task { [ledger] in
      await ledger.settled()
      for reply in replies { reply.continuation.resume(returning: Done()) }
    }
  }
}
