import Bus
import Messages
import Model
import ServiceKit

/// Listens to the states of rooms and tells servers what is played of theirs. Best effort: what is not told is lost, and
/// what counts goes another way. Servers hand on what they are told, so nothing is told while listening is private, nor
/// before the scrobbler has said whether it is.
actor PlayReporter {
  private let log: Log
  /// The servers that have a track, each once, with their own ids of it.
  private let find: @Sendable (TrackID) async -> [(server: any MusicServer, native: String)]
  private var reporting = PlayReporting()
  private var rooms: [PlayReporting.Room] = []
  /// What the scrobbler said of privacy; nil where nothing yet.
  private var privacy: Privacy?
  private var work: [Task<Void, Never>] = []

  /// For how long listening is private.
  struct Privacy: Hashable, Sendable {
    /// Nil where it is not.
    var until: ContinuousClock.Instant?

    /// As the scrobbler says it: by its own clock, which is another host's, or may have been set since.
    init(_ observed: Observed<Scrobble.OutboxState>, at now: ContinuousClock.Instant) {
      guard let end = observed.value.privateUntil else { return }
      let left = (end - observed.saidAt).rawValue - observed.age.rawValue
      until = now + .milliseconds(left)
    }

    init(until: ContinuousClock.Instant?) { self.until = until }
  }

  init(log: Log, find: @escaping @Sendable (TrackID) async -> [(server: any MusicServer, native: String)]) {
    self.log = log
    self.find = find
  }

  /// Follows the rooms until it is stopped.
  func start(on node: Node) {
    guard work.isEmpty else { return }
    work = [
      Task {
        for await observed in await node.states(Playback.RoomState.self) {
          await take(observed.map { Self.room($0) }, at: .now)
        }
      },
      Task {
        for await observed in await node.states(Scrobble.OutboxState.self) {
          // What was said last holds while the scrobbler is away.
          if let last = observed.last { await take(Privacy(last, at: .now), at: .now) }
        }
      },
    ]
  }

  func stop() {
    for task in work { task.cancel() }
    work = []
  }

  private static func room(_ observed: Observed<Playback.RoomState>) -> PlayReporting.Room {
    let state = observed.value
    let duration = state.duration ?? state.item?.track.duration ?? .zero
    return PlayReporting.Room(
      room: state.room, state: state.state, track: state.item?.track.id, entry: state.item?.entry,
      position: state.position.after(observed.age, upTo: duration), duration: duration, isAway: observed.away)
  }

  /// Takes in whether listening is private.
  func take(_ privacy: Privacy, at now: ContinuousClock.Instant) async {
    self.privacy = privacy
    await tell(at: now)
  }

  /// Rooms say how they stand on every change and every ten seconds while they play, so nothing else has to tick.
  func take(_ rooms: [PlayReporting.Room], at now: ContinuousClock.Instant) async {
    self.rooms = rooms
    await tell(at: now)
  }

  private func isPrivate(at now: ContinuousClock.Instant) -> Bool {
    privacy.map { $0.until.map { $0 > now } ?? false } ?? true
  }

  /// Asked before each report: a server may be slow, and listening may have become private while it was waited for.
  private func mayTell(_ report: PlayReporting.Report, at now: ContinuousClock.Instant) -> Bool {
    report.state == .stopped || !isPrivate(at: now)
  }

  private func tell(at now: ContinuousClock.Instant) async {
    for report in reporting.take(rooms, isPrivate: isPrivate(at: now), at: now) {
      guard mayTell(report, at: now) else { continue }
      for (server, native) in await find(report.track) {
        guard mayTell(report, at: now) else { break }
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
