import Model

/// The search for other machines of the household: probes of addresses at which a node may be, and the seeds from which
/// the search begins.
struct Discovery {
  /// A probe of an address whose node is not known yet, or whose start is not: it asks who is there.
  struct PendingProbe {
    let socket: Socket
    let descriptor: Int32
    let number: UInt32
    let id: String
    let frame: [UInt8]
    /// The moment at which the probe is tried again; nil once a socket took it.
    var sendAt: ContinuousClock.Instant?
    var pause = Duration.milliseconds(1)
    let endsAt: ContinuousClock.Instant
  }

  /// The time for which the answer to one probe is waited for.
  static let patience = Duration.milliseconds(900)
  private static let betweenRounds = Duration.seconds(30)
  /// The time for which a node that nobody answers waits before it complains.
  private static let silence = Duration.seconds(10)

  /// The seeds that were named, and those that were found while the node runs.
  private let named: [String]
  private var found: [String] = []
  var probes: [String: PendingProbe] = [:]
  private(set) var rounds = 0
  private var nextRound: ContinuousClock.Instant
  private let startedAt: ContinuousClock.Instant
  /// An address at which somebody took a probe and did not answer it.
  var silent: String?
  /// True once somebody elsewhere has answered, or a person was told that nobody does.
  private var isSettled = false
  var limit: ProbeLimit

  init(seeds: [String], at now: ContinuousClock.Instant) {
    named = seeds
    nextRound = now
    startedAt = now
    limit = ProbeLimit(at: now)
  }

  /// The addresses of machines to probe: those that were named, then those that were found.
  var seeds: [String] { named + found.filter { !named.contains($0) } }

  /// Replaces the seeds that were found; returns true if one of them is new.
  mutating func replaceFound(_ addresses: [String]) -> Bool {
    let known = seeds
    found = addresses
    return addresses.contains { !known.contains($0) }
  }

  /// True where the seeds are to be probed: always while no peer elsewhere is known, else every 30 s, as two halves of
  /// a household that met elsewhere find each other through a seed as well.
  mutating func isRoundDue(isAlone: Bool, at now: ContinuousClock.Instant) -> Bool {
    guard isAlone || nextRound <= now else { return false }
    nextRound = now + Self.betweenRounds
    return true
  }

  /// Begins a round; returns the numbers of the port pairs to probe on each machine: the first ones each time, the
  /// others in turns.
  mutating func beginRound() -> [Int] {
    rounds += 1
    return [0, 1, 2 + rounds % 30]
  }

  /// Sends the probes that no socket took yet; returns those that ended without an answer.
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

  /// Returns the error where nobody elsewhere has answered, once: a host with
  /// another key is told nothing by the others.
  mutating func complaint(isAnswered: Bool, at now: ContinuousClock.Instant) -> LunaraError? {
    guard !isSettled, isAnswered || now - startedAt >= Self.silence else { return nil }
    isSettled = true
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

/// Limits the probes that a node answers: anybody can repeat one, and each answer costs more than the probe.
///
/// A bucket of tokens, kept as the moment at which it is full again.
struct ProbeLimit {
  /// The time that a token takes to come: 100 come in a second.
  static let interval = Duration.milliseconds(10)
  static let burst = 200

  private var fullAt: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) { fullAt = now }

  /// Takes a token; false where there is none.
  mutating func allows(at now: ContinuousClock.Instant) -> Bool {
    let fullAfterwards = max(fullAt, now) + Self.interval
    guard fullAfterwards - now <= Self.interval * Self.burst else { return false }
    fullAt = fullAfterwards
    return true
  }
}
