import Bus
import Messages
import Model
import ServiceKit
import Storage

extension Scrobbler {
  /// Sends the current track to all accounts whenever it changes, until the task is cancelled.
  func announceTracks(to senders: DeliverySenders) async {
    var choice = NowPlayingChoice()
    for await observed in await node.states(Playback.RoomState.self) {
      guard let change = choice.update(observed.map(NowPlayingChoice.Room.init)) else { continue }
      do { await senders.announce(try await submission(of: change)) } catch { accounts.log.error(error) }
    }
  }

  private func submission(of change: NowPlayingChoice.Change) async throws -> Submission? {
    guard case .playing(let track, let room) = change else { return nil }
    let now = Timestamp.now()
    let heard = PrivateListening.HeardTrack(track: track, room: room, began: now, ended: now, now: now)
    guard try await accounts.database.read(PrivateListening.read).reason(heard) == nil else { return nil }
    // A track that no service would accept is not sent.
    do { return try Submission(track, startedAt: now) } catch { return nil }
  }
}
