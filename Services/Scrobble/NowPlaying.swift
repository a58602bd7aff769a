import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Chooses the one track that is sent as playing now: that of the room that started last.
struct NowPlayingChoice {
  struct Room: Hashable, Sendable {
    var room: RoomName
    /// True if sound reaches the output.
    var isPlaying: Bool
    var track: Track?
    /// The id of the listen, or else of the queue entry.
    var hearing: String?
  }

  enum Change: Hashable, Sendable {
    case playing(Track, in: RoomName)
    case nothing
  }

  /// The ids of the tracks that play, in the order in which they started.
  private var order: [String] = []
  private var current: String?

  /// Updates the choice from the states of all rooms; returns nil if it has not changed.
  mutating func update(_ rooms: [Room]) -> Change? {
    let playing = rooms.filter { $0.isPlaying && $0.track != nil && $0.hearing != nil }
    order.removeAll { hearing in !playing.contains { $0.hearing == hearing } }
    for room in playing {
      if let hearing = room.hearing, !order.contains(hearing) { order.append(hearing) }
    }
    guard order.last != current else { return nil }
    current = order.last
    guard let room = playing.first(where: { $0.hearing == current }), let track = room.track else { return .nothing }
    return .playing(track, in: room.room)
  }
}

extension NowPlayingChoice.Room {
  init(_ observed: Observed<Playback.RoomState>) {
    let state = observed.value
    let isPlaying = if case .playing = state.state { !observed.away } else { false }
    self.init(
      room: state.room, isPlaying: isPlaying, track: state.item?.track,
      hearing: state.listen?.listen.rawValue ?? state.item?.entry.rawValue)
  }
}

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
