import Bus
import Messages
import Model
import Records
import ServiceKit

/// Observes the states of rooms and reports to servers which of their tracks play. A report that fails is lost; plays
/// that count are sent by `PlaySender`. Servers may pass reports on to others, so none is sent while listening is
/// private, or before the scrobbler has published whether it is.
actor NowPlayingReporter {
  private let log: Log
  private let now: @Sendable () -> ContinuousClock.Instant
  /// Returns the servers that have a track, each once.
  private let find: @Sendable (TrackID) async -> [ServerFinder.Copy]
  private var plan = NowPlayingPlan()
  private var rooms: [NowPlayingPlan.Room] = []
  /// The privacy as the scrobbler last published it; nil before the first time.
  private var privacy: Privacy?
  private var work: [Task<Void, Never>] = []
  /// Reports whose servers are still to be found, in order.
  private var unaddressed: [NowPlayingPlan.Report] = []
  private var finding: Task<Void, Never>?
  private var destinations: [Address: Destination] = [:]

  private struct Address: Hashable {
    var room: RoomName
    var source: String
  }

  private struct Destination {
    var queue = NowPlayingQueue()
    var server: any MusicServer
    var sending: Task<Void, Never>?
  }

  /// The time until which listening is private.
  struct Privacy: Hashable, Sendable {
    /// Nil where listening is not private.
    var until: ContinuousClock.Instant?

    /// Converts the end that the scrobbler published to this host's clock: the scrobbler's clock may be another host's.
    init(_ observed: Observed<Scrobble.OutboxState>, at now: ContinuousClock.Instant) {
      guard let end = observed.value.privateUntil else { return }
      let left = (end - observed.saidAt).rawValue - observed.age.rawValue
      until = now + .milliseconds(left)
    }

    init(until: ContinuousClock.Instant?) { self.until = until }
  }

  init(
    log: Log, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    find: @escaping @Sendable (TrackID) async -> [ServerFinder.Copy]
  ) {
    self.log = log
    self.now = now
    self.find = find
  }

  /// Follows the rooms until it is stopped.
  func start(on node: Node) {
    guard work.isEmpty else { return }
    work = [
      Task {
        for await observed in await node.states(Playback.RoomState.self) {
          update(observed.map { Self.room($0) })
        }
      },
      Task {
        for await observed in await node.states(Scrobble.OutboxState.self) {
          // The last known state holds while the scrobbler is away.
          if let last = observed.last { update(Privacy(last, at: now())) }
        }
      },
    ]
  }

  func stop() {
    for task in work { task.cancel() }
    work = []
    finding?.cancel()
    for destination in destinations.values { destination.sending?.cancel() }
  }

  private static func room(_ observed: Observed<Playback.RoomState>) -> NowPlayingPlan.Room {
    let state = observed.value
    let duration = state.duration ?? state.item?.track.duration ?? .zero
    return NowPlayingPlan.Room(
      room: state.room, state: state.state, track: state.item?.track.id, entry: state.item?.entry,
      position: state.position.after(observed.age, upTo: duration), duration: duration, isAway: observed.away)
  }

  func update(_ privacy: Privacy) {
    self.privacy = privacy
    report()
  }

  /// Reports the rooms' states. Rooms publish them on every change and every ten seconds while they play, so no timer
  /// is needed.
  func update(_ rooms: [NowPlayingPlan.Room]) {
    self.rooms = rooms
    report()
  }

  private var isPrivate: Bool {
    let now = now()
    return privacy.map { $0.until.map { $0 > now } ?? false } ?? true
  }

  private func report() {
    unaddressed += plan.update(rooms, isPrivate: isPrivate, at: now())
    guard finding == nil, !unaddressed.isEmpty else { return }
    finding = Task { await address() }
  }

  /// Adds reports to the queues of their servers, one after the other so that they stay in order.
  private func address() async {
    while !Task.isCancelled, !unaddressed.isEmpty {
      let report = unaddressed.removeFirst()
      for copy in await find(report.track) {
        enqueue(
          NowPlayingReport(
            native: copy.native, state: report.state, position: report.position, duration: report.duration,
            room: report.room, listen: ListenID(rawValue: report.entry.rawValue),
            isContinuing: report.isContinuing), to: copy)
      }
    }
    finding = nil
  }

  private func enqueue(_ report: NowPlayingReport, to copy: ServerFinder.Copy) {
    let address = Address(room: report.room, source: copy.source)
    var destination = destinations[address] ?? Destination(server: copy.server)
    destination.server = copy.server
    destination.queue.add(report)
    if destination.sending == nil { destination.sending = Task { await send(at: address) } }
    destinations[address] = destination
  }

  /// Sends the reports that wait for a server. Checks before each request that listening is not private: it may have
  /// become private while a slow server answered.
  private func send(at address: Address) async {
    while !Task.isCancelled, let report = destinations[address]?.queue.next(isPrivate: isPrivate),
      let server = destinations[address]?.server
    {
      do { try await server.report(report) } catch {
        log.debug(
          "the server refused a now-playing report", ["room": report.room.rawValue, "code": LunaraError(error).code])
      }
    }
    destinations[address]?.sending = nil
    if destinations[address]?.queue.isOver == true { destinations[address] = nil }
  }
}
