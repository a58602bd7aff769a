import System
import CPlatform
import Glibc
import Model

/// Runs a household: performs the actions of `Supervision`, with one `poll` for all descriptors, on the thread that
/// calls `run`.
final class Supervisor {
  typealias Launches = (_ service: ServiceProgram, _ isRestart: Bool) -> Child.Launch

  private var supervision: Supervision
  private let launches: Launches
  private let log: HouseholdLog
  private let announce: (Milliseconds) -> String
  private let reportFailing: ([FailingServices.Service]) -> Void
  /// The services that ended several times in a row, and the last line that each wrote.
  private var failing: [FailingServices.Service] = []
  private var lastLines: [ServiceProgram: [UInt8]] = [:]
  private var children: [ServiceProgram: Child] = [:]
  private var finished: ExitStatus?
  private let signals: Descriptor
  // Only this process has the write end. When this process ends, in whatever way, the children read the end of the
  // pipe, and stop.
  private let parent: (read: Descriptor, write: Descriptor)
  private let emptyInput: Descriptor
  private var awaited: [AwaitedFolder]

  /// Creates a supervisor; `announce` returns the text that is printed when all services are ready, and `failing` gets
  /// the services that end again and again whenever these change.
  init(
    _ supervision: Supervision, log: HouseholdLog, awaiting awaited: [AwaitedFolder] = [],
    launches: @escaping Launches, announce: @escaping (Milliseconds) -> String,
    failing: @escaping ([FailingServices.Service]) -> Void = { _ in }
  ) throws {
    self.awaited = awaited
    reportFailing = failing
    self.supervision = supervision
    self.log = log
    self.launches = launches
    self.announce = announce
    signal(SIGPIPE, SIG_IGN)
    let wanted = [SIGINT, SIGTERM, SIGHUP]
    signals = Descriptor(owning: lunara_signal_descriptor(wanted, Int32(wanted.count)))
    parent = try Descriptor.pipe()
    emptyInput = try Descriptor.null()
  }

  func run() -> ExitStatus {
    startAwaited()
    handle(.began)
    while finished == nil { wait() }
    log.finish()
    return finished ?? .done
  }

  private func handle(_ event: Supervision.Event) {
    for action in supervision.handle(event, at: MonotonicClock.milliseconds()) { perform(action) }
  }

  private func perform(_ action: Supervision.Action) {
    switch action {
    case .start(let service): start(service)
    case .terminate(let service): children[service]?.terminate()
    case .kill(let service): children[service]?.killGroup()
    case .report(let report):
      log.add(report)
      if case .restarting(let service, let ending, let delay) = report, delay > .zero { fails(service, ending) }
    case .announceReady(let elapsed):
      log.print(announce(elapsed))
      SystemMemory.giveBack()
    case .finish(let status): finished = status
    }
  }

  private func fails(_ service: ServiceProgram, _ ending: Ending) {
    failing.removeAll { $0.name == service.description }
    failing.append(
      .init(
        name: service.description, ending: ending.description,
        line: String(decoding: lastLines[service] ?? [], as: UTF8.self)))
    reportFailing(failing)
  }

  private func isReady(_ service: ServiceProgram) {
    handle(.ready(service))
    guard failing.contains(where: { $0.name == service.description }) else { return }
    failing.removeAll { $0.name == service.description }
    reportFailing(failing)
  }

  private func record(_ lines: [[UInt8]], of service: ServiceProgram) {
    log.add(lines, of: service)
    if let last = lines.last(where: { !$0.isEmpty }) { lastLines[service] = last }
  }

  private func start(_ service: ServiceProgram) {
    do {
      let launch = launches(service, supervision.hasBeenReady(service))
      children[service] = try Child(launch, parent: parent.read, input: emptyInput)
    } catch {
      log.add(LunaraError(error))
      handle(.ended(service, .exited(127)))
    }
  }

  /// Starts the services whose folders are there now.
  private func startAwaited() {
    let wanted = awaited.filter(\.isThere)
    awaited.removeAll { $0.isThere }
    for one in wanted { handle(.wanted(one.service)) }
  }

  private func wait() {
    var polled: [pollfd] = []
    func watch(_ descriptor: Int32?, for events: Int32 = POLLIN) {
      // `poll` ignores a negative descriptor, so each descriptor keeps its index.
      polled.append(pollfd(fd: descriptor ?? -1, events: Int16(events), revents: 0))
    }
    watch(signals.number)
    let awaited = awaited
    for one in awaited { watch(one.changes?.number) }
    for output in log.outputs { watch(output.hasPending ? output.number : nil, for: POLLOUT) }
    let services = Array(children.keys)
    for service in services {
      watch(children[service]?.log?.number)
      watch(children[service]?.readiness?.number)
      watch(children[service]?.end.number)
    }
    let timeout = supervision.deadline.map { max(0, $0.rawValue - MonotonicClock.milliseconds().rawValue) }
    guard poll(&polled, nfds_t(polled.count), timeout.map { Int32(clamping: $0) } ?? -1) >= 0 else { return }

    var rest = polled.map { $0.revents != 0 }[...]
    if rest.popFirst() == true, lunara_next_signal(signals.number) != 0 { handle(.stopRequested) }
    for one in awaited where rest.popFirst() == true && one.changes?.read() != nil { startAwaited() }
    for output in log.outputs where rest.popFirst() == true { output.writeSome() }
    for service in services {
      let (hasLog, hasReadiness, hasEnded) = (rest.popFirst(), rest.popFirst(), rest.popFirst())
      guard let child = children[service] else { continue }
      if hasLog == true { record(child.readLog(), of: service) }
      if hasReadiness == true, child.readReadiness() { isReady(service) }
      if hasEnded == true { reap(service, child) }
    }
    if let deadline = supervision.deadline, deadline <= MonotonicClock.milliseconds() { handle(.timePassed) }
  }

  private func reap(_ service: ServiceProgram, _ child: Child) {
    guard let ending = child.reap() else { return }
    record(child.readLog(), of: service)
    children[service] = nil
    handle(.ended(service, ending))
  }
}
