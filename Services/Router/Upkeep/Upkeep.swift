import Bus
import Messages
import Model
import ServiceKit

/// Keeps the queues of rooms in step with the library: gives them what they go on with, and takes out what is no more.
///
/// It keeps nothing that the newest states do not tell, and what it sends does no harm when it is sent twice; so it can
/// be ended between any two steps, and two of them at once are as good as one.
actor Upkeep {
  /// How long it waits.
  struct Pauses: Sendable {
    /// After a failure; doubled with each further one.
    var first = Duration.seconds(1)
    /// The longest that becomes.
    var longest = Duration.seconds(30)
    /// Before queues are compared with a new catalogue, which may change once more.
    var settling = Duration.seconds(2)
    /// How many times as long as a comparison took none is made: one of 100,000 tracks takes seconds.
    var rest = 20
  }

  private let asking: any Asking
  private let log: Log
  private let pauses: Pauses
  private var plan = UpkeepPlan()
  private var workers: [RoomName: Task<Void, Never>] = [:]
  private var resting: [RoomName: ContinuousClock.Instant] = [:]
  private var followers: [Task<Void, Never>] = []

  init(asking: any Asking, log: Log, pauses: Pauses = Pauses()) {
    self.asking = asking
    self.log = log
    self.pauses = pauses
  }

  /// Follows the states on the bus from now on.
  func follow(_ node: Node) {
    followers = [
      Task { for await queues in await node.states(Playback.QueueState.self) { take(queues) } },
      Task {
        for await catalogues in await node.states(Library.CatalogueState.self) {
          for observed in catalogues where observed.node == .library && !observed.away { take(observed.value) }
        }
      },
    ]
  }

  /// Ends all work.
  func stop() async {
    for task in followers { task.cancel() }
    let ending = Array(workers.values)
    for task in ending { task.cancel() }
    for task in ending { await task.value }
  }

  /// Takes in the queues as they stand.
  func take(_ queues: [Observed<Playback.QueueState>]) {
    plan.take(queues)
    begin()
  }

  /// Takes in the catalogue as it stands.
  func take(_ catalogue: Library.CatalogueState) {
    plan.take(catalogue)
    begin()
  }

  /// Returns when there is nothing left to do.
  func settled() async {
    while let worker = workers.values.first { await worker.value }
  }

  private func begin() {
    for room in plan.busy where workers[room] == nil { workers[room] = Task { await work(for: room) } }
  }

  /// Does what there is to do for a room, one thing after the other.
  private func work(for room: RoomName) async {
    var pause = pauses.first
    var tells = true
    while !Task.isCancelled {
      do {
        if let want = plan.want(of: room) {
          try await answer(want)
          plan.answered(want)
        } else if plan.uncompared(room) != nil {
          try await rest(for: room, until: max(.now + pauses.settling, resting[room] ?? .now))
          guard let edition = plan.uncompared(room), plan.want(of: room) == nil else { continue }
          let began = ContinuousClock.now
          try await Comparison(asking: asking, room: room).run(log)
          resting[room] = .now + began.duration(to: .now) * pauses.rest
          plan.compared(room, with: edition)
        } else {
          break
        }
        (pause, tells) = (pauses.first, true)
      } catch {
        guard !Task.isCancelled else { break }
        if tells { log.warning(LunaraError(error)) }
        tells = false
        do { try await rest(for: room, until: .now + pause) } catch { break }
        pause = min(pause * 2, pauses.longest)
      }
    }
    workers[room] = nil
  }

  private func answer(_ want: UpkeepPlan.Want) async throws {
    do {
      let count = try await Continuing(asking: asking, want: want).run()
      log.debug("goes on", ["room": want.room.rawValue, "tracks": "\(count)"])
    } catch let error as LunaraError where error.code == "playback.queueMoved" {
      // Somebody was quicker, or the queue is another by now: its newest state says what it wants.
      log.debug("came too late", ["room": want.room.rawValue])
    }
  }

  /// Waits, yet not where the room wants something else meanwhile.
  private func rest(for room: RoomName, until end: ContinuousClock.Instant) async throws {
    let want = plan.want(of: room)
    while ContinuousClock.now < end, plan.want(of: room) == want {
      try await Task.sleep(for: min(.milliseconds(200), end - .now))
    }
  }
}
