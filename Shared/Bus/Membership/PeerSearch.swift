import Model

/// The search for other machines of the household: probes of addresses at which a node may be, and the seeds, which are
/// the first addresses to try.
struct PeerSearch {
  /// A probe of an address; it asks which node is there, and in which run.
  struct PendingProbe {
    let socket: Socket
    let descriptor: Int32
    let number: UInt32
    let id: String
    let frame: [UInt8]
    /// The time when the probe is tried again; nil after a socket took it.
    var sendAt: ContinuousClock.Instant?
    var pause = Duration.milliseconds(1)
    let endsAt: ContinuousClock.Instant
  }

  /// The time limit for the answer to a probe.
  static let patience = Duration.milliseconds(900)
  private static let betweenRounds = Duration.seconds(30)
  /// The time without any answer after which a node reports that.
  private static let silence = Duration.seconds(10)

  /// The seeds from the settings.
  let named: [String]
  /// The seeds that were found while the node runs. Anyone on the network can announce such an address.
  private var found: [String] = []
  var probes: [String: PendingProbe] = [:]
  private(set) var rounds = 0
  private var nextRound: ContinuousClock.Instant
  private let startedAt: ContinuousClock.Instant
  /// An address that accepted a probe and did not answer it.
  var silent: String?
  /// True once a node elsewhere has answered, or the silence was reported.
  private var isConcluded = false
  var limit: ProbeLimit

  init(seeds: [String], at now: ContinuousClock.Instant) {
    named = seeds
    nextRound = now
    startedAt = now
    limit = ProbeLimit(at: now)
  }

  /// The addresses of machines to probe: those from the settings, then those that were found.
  var seeds: [String] { named + found.filter { !named.contains($0) } }

  /// Replaces the seeds that were found; returns true if one of them is new.
  mutating func replaceFound(_ addresses: [String]) -> Bool {
    let known = seeds
    found = addresses
    return addresses.contains { !known.contains($0) }
  }

  /// Returns true if the seeds should be probed, and schedules the next round: in every call while no peer elsewhere is
  /// known, else every 30 s, so that two parts of a household that do not know each other meet through a seed.
  mutating func isRoundDue(isAlone: Bool, at now: ContinuousClock.Instant) -> Bool {
    guard isAlone || nextRound <= now else { return false }
    nextRound = now + Self.betweenRounds
    return true
  }

  /// Begins a round; returns the numbers of the port pairs to probe on each machine: the first two in every round, the
  /// others in turn.
  mutating func beginRound() -> [Int] {
    rounds += 1
    return [0, 1, 2 + rounds % 30]
  }

  /// Sends the probes that no socket has taken yet; returns those that ended without an answer.
  mutating func sendDue(at now: ContinuousClock.Instant) -> [PendingProbe] {
    var ended: [PendingProbe] = []
    for (address, probe) in probes {
      if probe.endsAt <= now {
        if probe.sendAt == nil { silent = address }
        probes[address] = nil
        ended.append(probe)
      } else if let sendAt = probe.sendAt, sendAt <= now {
        let isTaken = probe.socket.send(probe.frame, header: probe.number.bytes)
        probes[address]?.sendAt = isTaken ? nil : now + probe.pause
        probes[address]?.pause = min(probe.pause * 2, .milliseconds(50))
      }
    }
    return ended
  }

  var nextDue: ContinuousClock.Instant? { probes.values.map { min($0.endsAt, $0.sendAt ?? $0.endsAt) }.min() }

  /// Returns an error, once, if no node elsewhere has answered. Nodes do not answer a host that has another key.
  mutating func complaint(isAnswered: Bool, at now: ContinuousClock.Instant) -> LunaraError? {
    guard !isConcluded, isAnswered || now - startedAt >= Self.silence else { return nil }
    isConcluded = true
    guard !isAnswered, !named.isEmpty else { return nil }
    return LunaraError(
      "bus.seedsSilent",
      silent.map {
        "\($0) takes the connection but does not answer. Do both machines have the same key? `lunara key show` prints its id on each."
      }
        ?? "None of LUNARA_SEEDS (\(named.joined(separator: ", "))) can be reached. Are they on, and is Lunara listening there?"
    )
  }
}

/// Limits the rate of answers to probes: anybody can repeat a captured probe, and an answer costs more than a probe.
///
/// It is a token bucket, stored as the time when the bucket is full again.
struct ProbeLimit {
  /// The time after which a token is added: 100 tokens per second.
  static let interval = Duration.milliseconds(10)
  static let burst = 200

  private var fullAt: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) { fullAt = now }

  /// Takes a token; returns false if there is none.
  mutating func allows(at now: ContinuousClock.Instant) -> Bool {
    let fullAfterwards = max(fullAt, now) + Self.interval
    guard fullAfterwards - now <= Self.interval * Self.burst else { return false }
    fullAt = fullAfterwards
    return true
  }
}
