import Bus
import Messages
import Model
import ServiceKit

/// Listens to the states of rooms and tells servers what is played of theirs. Best effort: what is not told is lost, and
/// what counts goes another way.
actor PlayReporter {
  private let log: Log
  /// The servers that have a track, each once, with their own ids of it.
  private let find: @Sendable (TrackID) async -> [(server: any MusicServer, native: String)]
  private var reporting = PlayReporting()
  private var rooms: [PlayReporting.Room] = []
  private var work: Task<Void, Never>?

  init(log: Log, find: @escaping @Sendable (TrackID) async -> [(server: any MusicServer, native: String)]) {
    self.log = log
    self.find = find
  }

  /// Follows the rooms until it is stopped.
  func start(on node: Node) {
    guard work == nil else { return }
    work = Task {
      for await observed in await node.states(Playback.RoomState.self) {
        await take(observed.map { Self.room($0) }, at: .now)
      }
    }
  }

  func stop() {
    work?.cancel()
    work = nil
  }

  private static func room(_ observed: Observed<Playback.RoomState>) -> PlayReporting.Room {
    let state = observed.value
    let duration = state.duration ?? state.item?.track.duration ?? .zero
    return PlayReporting.Room(
      room: state.room, state: state.state, track: state.item?.track.id, entry: state.item?.entry,
      position: state.position.after(observed.age, upTo: duration), duration: duration, isAway: observed.away)
  }

  /// Rooms say how they stand on every change and every ten seconds while they play, so nothing else has to tick.
  func take(_ rooms: [PlayReporting.Room], at now: ContinuousClock.Instant) async {
    for report in reporting.take(rooms, at: now) {
      for (server, native) in await find(report.track) {
        do {
          try await server.report(
            PlayReport(
              native: native, state: report.state, position: report.position, duration: report.duration,
              room: report.room, listen: ListenID(rawValue: report.entry.rawValue)))
        } catch {
          log.debug("a report was not taken", ["room": report.room.rawValue, "code": LunaraError(error).code])
        }
      }
    }
  }
}
