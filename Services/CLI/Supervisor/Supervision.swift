import Model

/// Decides what the supervisor does: when each service starts, when the household is ready, and how it stops. It is a
/// state machine without I/O and without a clock.
struct Supervision {
  enum Event: Hashable {
    case began
    case ready(ServiceProgram)
    case ended(ServiceProgram, Ending)
    /// A service that runs only in some households is wanted from now on.
    case wanted(ServiceProgram)
    case stopRequested
    case timePassed
  }

  enum Action: Hashable {
    case start(ServiceProgram)
    case terminate(ServiceProgram)
    case kill(ServiceProgram)
    case report(SupervisorReport)
    case announceReady(Milliseconds)
    case finish(ExitStatus)
  }

  private enum Phase: Equatable {
    case waiting(until: Milliseconds)
    case starting(since: Milliseconds)
    case ready(since: Milliseconds)
    case gone
  }

  private struct Member {
    var phase: Phase
    var policy = RestartPolicy()
    var hasBeenReady = false
    var startedAt = Milliseconds.zero
  }

  /// The time after SIGTERM at which services that still run are killed. The whole stop takes less than 2 s.
  static let grace = Milliseconds(1800)
  /// The time after that in which a killed service has to be gone. One that waits in the kernel for a disk that does
  /// not answer stays until the disk answers, and the stop does not wait for that.
  static let patience = Milliseconds(2000)
  static let slow = Milliseconds(10_000)

  private var services: [ServiceProgram]
  private let preparation: ServiceProgram?
  private var members: [ServiceProgram: Member] = [:]
  private var beganAt = Milliseconds.zero
  private var isAnnounced = false
  private var slowReportAt: Milliseconds?
  private var killAt: Milliseconds?
  private var leaveAt: Milliseconds?
  private var isStopping = false
  private var outcome = ExitStatus.done

  /// Creates a supervision of these services; `preparation` has to end with status 0 before they are started.
  init(services: [ServiceProgram], preparation: ServiceProgram? = nil) {
    self.services = services
    self.preparation = preparation
  }

  var deadline: Milliseconds? {
    let restarts = members.values.compactMap { member in
      if case .waiting(let until) = member.phase { until } else { nil }
    }
    return (restarts + [slowReportAt, killAt, leaveAt].compactMap { $0 }).min()
  }

  /// Returns true if a service has been ready before, so that its next start is a restart.
  func hasBeenReady(_ service: ServiceProgram) -> Bool { members[service]?.hasBeenReady ?? false }

  mutating func handle(_ event: Event, at now: Milliseconds) -> [Action] {
    switch event {
    case .began:
      guard let preparation else { return startAll(at: now) }
      return [start(preparation, at: now)]
    case .ready(let service): return becameReady(service, at: now)
    case .ended(let service, let ending): return ended(service, ending, at: now)
    case .wanted(let service):
      guard !isStopping, !services.contains(service) else { return [] }
      services.append(service)
      // Before the others have begun, it starts with them.
      return members.keys.contains { $0 != preparation } ? [start(service, at: now)] : []
    case .stopRequested: return stop(at: now)
    case .timePassed: return timePassed(at: now)
    }
  }

  private mutating func startAll(at now: Milliseconds) -> [Action] {
    beganAt = now
    slowReportAt = now + Self.slow
    return services.map { start($0, at: now) }
  }

  private mutating func start(_ service: ServiceProgram, at now: Milliseconds) -> Action {
    var member = members[service] ?? Member(phase: .gone)
    member.phase = .starting(since: now)
    member.startedAt = now
    members[service] = member
    return .start(service)
  }

  private mutating func becameReady(_ service: ServiceProgram, at now: Milliseconds) -> [Action] {
    guard !isStopping, var member = members[service], case .starting(let since) = member.phase else { return [] }
    let isBack = member.hasBeenReady
    member.phase = .ready(since: now)
    member.hasBeenReady = true
    members[service] = member
    if isAnnounced { return isBack ? [.report(.back(service, after: now - since))] : [] }
    guard services.allSatisfy({ if case .ready = members[$0]?.phase { true } else { false } }) else { return [] }
    isAnnounced = true
    slowReportAt = nil
    return [.announceReady(now - beganAt)]
  }

  private mutating func ended(_ service: ServiceProgram, _ ending: Ending, at now: Milliseconds) -> [Action] {
    guard var member = members[service], member.phase != .gone else { return [] }
    if isStopping || service == preparation {
      member.phase = .gone
      members[service] = member
      if isStopping { return isEmpty ? [.finish(outcome)] : [] }
      return ending == .exited(0) ? startAll(at: now) : [.report(.notPrepared(ending)), .finish(.failed)]
    }
    let delay = member.policy.delay(afterRunning: now - member.startedAt)
    member.phase = .waiting(until: now + delay)
    members[service] = member
    let report = Action.report(.restarting(service, ending, after: delay))
    return delay == .zero ? [report, start(service, at: now)] : [report]
  }

  private mutating func stop(at now: Milliseconds) -> [Action] {
    // A second request to stop kills the services at once.
    if isStopping { return killRemaining(at: now) }
    isStopping = true
    slowReportAt = nil
    killAt = now + Self.grace
    for (service, member) in members {
      if case .waiting = member.phase { members[service]?.phase = .gone }
    }
    return isEmpty ? [.finish(outcome)] : [.report(.stopping)] + running.map { .terminate($0) }
  }

  private mutating func killRemaining(at now: Milliseconds) -> [Action] {
    killAt = nil
    leaveAt = leaveAt ?? now + Self.patience
    return running.isEmpty ? [] : [.report(.killing(running))] + running.map { .kill($0) }
  }

  private mutating func timePassed(at now: Milliseconds) -> [Action] {
    if let killAt, killAt <= now { return killRemaining(at: now) }
    if let leaveAt, leaveAt <= now { return [.report(.leaving(running)), .finish(.failed)] }
    var actions: [Action] = []
    if let slowReportAt, slowReportAt <= now {
      self.slowReportAt = nil
      let late = services.filter { if case .ready = members[$0]?.phase { false } else { true } }
      actions.append(.report(.slow(late)))
    }
    for service in services {
      if case .waiting(let until) = members[service]?.phase, until <= now { actions.append(start(service, at: now)) }
    }
    return actions
  }

  private var running: [ServiceProgram] {
    ((preparation.map { [$0] } ?? []) + services).filter { service in
      switch members[service]?.phase {
      case .starting, .ready: true
      case .waiting, .gone, nil: false
      }
    }
  }

  private var isEmpty: Bool { running.isEmpty }
}

/// The delay before a service that ended is started again: none the first time, then 1 s, doubling up to 30 s. It
/// starts over after a service has run for 60 s.
struct RestartPolicy: Sendable, Equatable {
  private var failures = 0

  mutating func delay(afterRunning ran: Milliseconds) -> Milliseconds {
    if ran >= Self.well { failures = 0 }
    defer { failures += 1 }
    guard failures > 0 else { return .zero }
    return min(Self.longest, Milliseconds(1000 << Int64(min(failures - 1, 10))))
  }

  private static let well = Milliseconds(60_000)
  private static let longest = Milliseconds(30_000)
}
