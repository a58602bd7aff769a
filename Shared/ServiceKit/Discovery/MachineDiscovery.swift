import Model

/// Decides which requests to send to Avahi's daemon, and converts its answers to seeds. Pure.
///
/// The daemon and the bus may be missing, stop and return at any time. Found machines stay in use meanwhile.
struct MachineDiscovery {
  enum Event {
    /// The search begins, or time has passed.
    case passed
    /// There is no connection to the system bus, or it was lost.
    case disconnected
    case daemonAway
    /// The daemon is not ready, as it is still choosing the name of its host.
    case daemonBusy
    case daemonReady(host: String)
    case announced
    /// The announcement was refused: another process of this machine has made it, or the daemon accepts none.
    case refused
    case browserFailed
    /// A service was found. `isOwn` is true if a process of this machine announces it.
    case appeared(DiscoveredService, isOwn: Bool)
    case vanished(DiscoveredService)
    /// The details of a service came; nil if they could not be read.
    case resolved(DiscoveredService, ServiceDetails?)
    case tags([String])
  }

  enum Action: Equatable {
    /// Connect to the system bus, again if there is a connection.
    case connect
    case browse
    case announce(name: String, port: UInt16, txtRecords: [String])
    case withdraw
    case resolve(DiscoveredService)
    /// Report the known addresses.
    case reportSeeds([String])
    /// Report that the daemon is missing, so that no machines are found.
    case reportMissing
  }

  /// The time after which a missing daemon is reported: it may start later than this process.
  static let patience = Duration.seconds(10)
  /// The time for which former results are kept after the daemon has returned.
  static let memory = Duration.seconds(30)
  /// The times after which a service is resolved again, if its details are known and if they are not.
  static let renewal = (known: Duration.seconds(120), unknown: Duration.seconds(15))
  static let retry = Duration.seconds(30)
  static let longestPause = Duration.seconds(60)
  /// The largest numbers of services and seeds, as a network may contain many services, or somebody who forges them.
  static let limit = (services: 64, seeds: 16)

  private struct Candidate {
    var seed: String?
    var askAt: ContinuousClock.Instant?
    /// The time when it is forgotten unless it is found again.
    var endsAt: ContinuousClock.Instant?
  }

  private enum AnnouncementState { case none, asked, made, refused(until: ContinuousClock.Instant) }

  private let port: UInt16
  private var tags: [String]
  private var host: String?
  private var connectAt: ContinuousClock.Instant?
  /// The number of connections that ended since the daemon was ready last.
  private var failures = 0
  private var announcement = AnnouncementState.none
  private var isBrowsing = false
  private var browseAt: ContinuousClock.Instant?
  private var complainAt: ContinuousClock.Instant?
  private var hasComplained = false
  private var candidates: [DiscoveredService: Candidate] = [:]
  private var told: [String] = []

  /// Creates a search in which nothing is known; the first `passed` connects.
  ///
  /// - Parameters:
  ///   - port: the first port of this machine's nodes.
  ///   - tags: the tags of the household's keys.
  ///   - now: the current time.
  init(port: UInt16, tags: [String], at now: ContinuousClock.Instant) {
    self.port = port
    self.tags = tags
    connectAt = now
    complainAt = now + Self.patience
  }

  /// The name under which this machine is announced, of at most 63 bytes.
  private var name: String {
    let short = String(String.UnicodeScalarView((host ?? "").unicodeScalars.filter(\.isASCII))).prefix(24)
    return "Lunara on \(short), port \(port) (\((tags.first ?? "").prefix(8)))"
  }

  mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .passed: break
    case .disconnected:
      leave(at: now)
      failures += 1
      connectAt = now + RetryPolicy(first: .seconds(1), longest: Self.longestPause).pause(after: failures)
    case .daemonAway:
      leave(at: now)
      // The bus reports the daemon's return. If the daemon was only too busy to answer, it is tried again later.
      connectAt = now + Self.longestPause
    case .daemonBusy:
      actions += withdraw()
      host = nil
    case .daemonReady(let host):
      if host != self.host { actions += withdraw() }
      self.host = host
      failures = 0
      connectAt = nil
      complainAt = nil
    case .announced: if case .asked = announcement { announcement = .made }
    case .refused: announcement = .refused(until: now + Self.retry)
    case .browserFailed:
      isBrowsing = false
      browseAt = now + Self.retry
    case .appeared(let service, let isOwn): appeared(service, isOwn: isOwn, at: now)
    case .vanished(let service):
      // The process that announced this machine may have ended.
      if service.name == name, case .refused = announcement { announcement = .none }
      candidates[service] = nil
    case .resolved(let service, let details):
      guard candidates[service] != nil else { break }
      if let details { candidates[service]?.seed = details.seed(ofOneOf: tags) }
      candidates[service]?.askAt = now + (details == nil ? Self.renewal.unknown : Self.renewal.known)
    case .tags(let tags):
      guard tags != self.tags else { break }
      actions += withdraw()
      self.tags = tags
      for service in candidates.keys { candidates[service]?.askAt = now }
    }
    return actions + due(at: now)
  }

  /// The next time at which `handle` has something to do without another event.
  var nextDue: ContinuousClock.Instant? {
    var moments = [connectAt, complainAt]
    if host != nil {
      moments.append(browseAt)
      if case .refused(let end) = announcement { moments.append(end) }
      moments += candidates.values.flatMap { [$0.askAt, $0.endsAt] }
    }
    return moments.compactMap(\.self).min()
  }

  private mutating func due(at now: ContinuousClock.Instant) -> [Action] {
    func isDue(_ moment: ContinuousClock.Instant?) -> Bool { moment.map { $0 <= now } ?? false }
    var actions: [Action] = []
    if isDue(connectAt) {
      connectAt = nil
      actions.append(.connect)
    }
    if isDue(complainAt) {
      complainAt = nil
      hasComplained = true
      actions.append(.reportMissing)
    }
    guard host != nil else { return actions }
    if isDue(browseAt) { browseAt = nil }
    if !isBrowsing, browseAt == nil {
      isBrowsing = true
      // Machines that are present are reported again; services that disappeared while the daemon was away are not.
      candidates = candidates.mapValues { Candidate(seed: $0.seed, endsAt: now + Self.memory) }
      actions.append(.browse)
    }
    if case .refused(let end) = announcement, end <= now { announcement = .none }
    if case .none = announcement {
      announcement = .asked
      actions.append(.announce(name: name, port: port, txtRecords: ServiceDetails.txtRecords(tags: tags)))
    }
    candidates = candidates.filter { !isDue($1.endsAt) }
    for (service, candidate) in candidates where isDue(candidate.askAt) {
      candidates[service]?.askAt = nil
      actions.append(.resolve(service))
    }
    let seeds = Array(Set(candidates.values.compactMap(\.seed)).sorted().prefix(Self.limit.seeds))
    if seeds != told {
      told = seeds
      actions.append(.reportSeeds(seeds))
    }
    return actions
  }

  private mutating func appeared(_ service: DiscoveredService, isOwn: Bool, at now: ContinuousClock.Instant) {
    // The nodes of this machine find each other in the runtime directory.
    guard !isOwn, candidates[service] != nil || candidates.count < Self.limit.services else { return }
    candidates[service, default: Candidate()].askAt = now
    candidates[service]?.endsAt = nil
  }

  private mutating func withdraw() -> [Action] {
    defer { announcement = .none }
    switch announcement {
    case .asked, .made: return [.withdraw]
    case .none, .refused: return []
    }
  }

  /// Forgets the browser and the announcement, which ended with the daemon.
  private mutating func leave(at now: ContinuousClock.Instant) {
    if !hasComplained, complainAt == nil { complainAt = now + Self.patience }
    host = nil
    isBrowsing = false
    browseAt = nil
    announcement = .none
  }
}

/// A service that the daemon found: one for each network device and protocol by which it is visible.
struct DiscoveredService: Hashable, Sendable {
  /// The number of the network device.
  var interface: Int32
  /// 0 for IPv4, 1 for IPv6.
  var family: Int32
  var name: String
  var domain: String
}

/// The details of a service, as the daemon resolved them.
struct ServiceDetails: Equatable, Sendable {
  var address: String
  var port: UInt16
  /// The service's TXT records, each `name=value`.
  var txtRecords: [String]

  /// The name of the TXT record that contains the tags of the household.
  static let mark = "tag"

  /// Returns the TXT records that announce a machine.
  ///
  /// - Parameter tags: the tags of the household's keys, at most eight of 16 letters, as a TXT record has at most 255
  ///   bytes.
  static func txtRecords(tags: [String]) -> [String] { ["\(mark)=\(tags.joined(separator: ","))"] }

  /// Returns the address to probe; nil if the machine is not of the household, or cannot be connected to.
  func seed(ofOneOf tags: [String]) -> String? {
    let said = txtRecords.first { $0.hasPrefix("\(Self.mark)=") }?.dropFirst(Self.mark.count + 1).split(separator: ",")
    guard port > 0, let said, said.contains(where: { tags.contains(String($0)) }) else { return nil }
    // A link-local IPv6 address needs a zone, which nanomsg does not accept.
    guard !address.isEmpty, !address.lowercased().hasPrefix("fe80:") else { return nil }
    return address.contains(":") ? "tcp://[\(address)]:\(port)" : "tcp://\(address):\(port)"
  }
}
