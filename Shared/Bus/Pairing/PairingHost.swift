import CSodium
public import Model

/// The side that has a household and lets machines join. It decides what to do with the bytes of any number of
/// connections; it does no I/O, and its caller has to end connections that stay silent.
///
/// A machine is sent nothing about the household before it has proven that it knows the code, and everything after that
/// is sealed. A wrong proof counts as a guess: after five the code is void. A machine that only opens connections
/// learns nothing, and costs this one two multiplications each.
public struct PairingHost: Sendable {
  /// The number of wrong codes after which the code is void.
  public static let tries = 5

  private let code: PairingCode
  private let household: PairedHousehold
  private let ends: ContinuousClock.Instant
  private var machines: Int
  private var triesLeft = Self.tries
  private var connections: [Int: Connection] = [:]

  /// The actions that concern one connection.
  public enum Action: Sendable, Equatable {
    /// Send these bytes.
    case send([UInt8])
    /// Close the connection after the bytes are sent.
    case close
    /// A wrong code was given; the number is the number of wrong ones that are still allowed.
    case guessed(Int)
    /// A machine proved the code, but has the key of another household and did not say that it would give that up.
    case keptOut(PairingMachine)
    /// A machine was sent the household and has confirmed that it stored it.
    case joined(PairingMachine)
    /// A machine was sent the household, but did not confirm that it stored it. It may try again.
    case lost(PairingMachine)
  }

  private struct Connection: Sendable {
    var stream = PairingStream()
    var state = State.silent
    /// The address by which the other machine reached this one.
    var seed: String?
  }

  private enum State: Sendable {
    case silent
    case answered(PairingSecret)
    case told(PairingSecret, PairingMachine)
    case over
  }

  /// Creates a host that sends the household to this number of machines, if they prove that they know the code before
  /// `ends`.
  public init(code: PairingCode, household: PairedHousehold, machines: Int, ends: ContinuousClock.Instant) {
    self.code = code
    self.household = household
    self.machines = machines
    self.ends = ends
  }

  /// True if the code is no longer valid because too many wrong ones were given.
  public var isVoid: Bool { triesLeft == 0 }
  /// True if all machines have joined.
  public var isDone: Bool { machines == 0 }

  /// Records a new connection; `seed` is an address that the machine is sent before all others.
  public mutating func open(_ connection: Int, seed: String? = nil) { connections[connection] = Connection(seed: seed) }

  /// Returns the connection to close in favour of a new one: the oldest silent one, else the oldest that has not proven
  /// the code. Nil if all have proven it. The numbers have to be in the order in which the connections began.
  public func leastWanted(of connections: some Sequence<Int>) -> Int? {
    func rank(_ connection: Int) -> Int? {
      switch self.connections[connection]?.state {
      case .silent, .over, nil: 0
      case .answered: 1
      case .told: nil
      }
    }
    return connections.compactMap { connection in rank(connection).map { (rank: $0, connection: connection) } }.min {
      $0 < $1
    }?.connection
  }

  /// Records that a connection was closed.
  public mutating func close(_ connection: Int) -> [Action] {
    guard case .told(_, let machine) = connections.removeValue(forKey: connection)?.state else { return [] }
    return [.lost(machine)]
  }

  /// Handles the bytes of one connection; any bytes are accepted.
  ///
  /// - Parameters:
  ///   - bytes: the bytes as they arrived.
  ///   - connection: the number of the connection.
  ///   - now: the current time, by which the code expires.
  ///   - clock: the time of this machine's clock, which is sent to the other machine for comparison.
  /// - Throws: `bus.noSodium`.
  public mutating func receive(
    _ bytes: [UInt8], of connection: Int, at now: ContinuousClock.Instant, clock: Timestamp
  ) throws -> [Action] {
    guard var current = connections[connection] else { return [] }
    var actions: [Action] = []
    for (kind, body) in current.stream.decode(bytes) {
      if case .over = current.state { break }
      let (state, more) = try step(kind, body, current, at: now, clock)
      current.state = state
      actions += more
    }
    if current.stream.isBroken {
      switch current.state {
      case .over: break
      case .told(_, let machine): actions += [.lost(machine), .close]
      case .silent, .answered: actions.append(.close)
      }
      current.state = .over
    }
    connections[connection] = current
    return actions
  }

  private mutating func step(
    _ kind: PairingWire.Kind, _ body: [UInt8], _ connection: Connection, at now: ContinuousClock.Instant,
    _ clock: Timestamp
  ) throws -> (State, [Action]) {
    switch (connection.state, kind) {
    case (.silent, .offer): try answer(body, at: now)
    case (.answered(let secret), .proof): judge(body, secret, connection.seed, at: now, clock)
    case (.told(let secret, let machine), .kept):
      secret.accepts(body, .kept) ? finish(machine) : (.over, [.lost(machine), .close])
    case (.told(_, let machine), _): (.over, [.lost(machine), .close])
    default: (.over, [.close])
    }
  }

  /// Answers an offer with this side's share, from which nothing can be learnt about the code.
  private func answer(_ body: [UInt8], at now: ContinuousClock.Instant) throws -> (State, [Action]) {
    let head = PairingWire.magic.count
    guard body.starts(with: PairingWire.magic), body.count > head else { return (.over, [.close]) }
    guard body[head] == PairingWire.version else { return refuse(.otherVersion) }
    guard body.count == head + 1 + PairingWire.sessionSize + CPace.shareSize else { return (.over, [.close]) }
    guard isOpen(at: now) else { return refuse(.over) }
    let session = Array(body[(head + 1)...].prefix(PairingWire.sessionSize))
    var exchange = try CPace(password: code.password, channel: PairingWire.channel, session: session)
    let answer = PairingWire.message(.answer, exchange.share)
    let share = Array(body.suffix(CPace.shareSize))
    guard let secret = exchange.finish(share, as: .responder, PairingWire.joiner, PairingWire.host) else {
      return (.over, [.close])
    }
    return (.answered(PairingSecret(secret)), [.send(answer)])
  }

  /// Checks the proof that the other side knows the code; if it is right, the household is sent.
  private mutating func judge(
    _ body: [UInt8], _ secret: PairingSecret, _ seed: String?, at now: ContinuousClock.Instant, _ clock: Timestamp
  ) -> (State, [Action]) {
    guard isOpen(at: now) else { return refuse(.over) }
    guard secret.accepts(body.prefix(PairingSecret.proofSize), .joinerProof) else {
      triesLeft -= 1
      return refuse(triesLeft == 0 ? .over : .wrongCode, after: [.guessed(triesLeft)])
    }
    guard let plain = secret.open(body.dropFirst(PairingSecret.proofSize), .introduction),
      let machine = PairingMachine(reading: plain)
    else { return (.over, [.close]) }
    let ids = household.keys.entries.map(\.key.id)
    guard machine.keys.isEmpty || machine.gives || machine.keys.contains(where: { ids.contains($0) }) else {
      return refuse(.otherKey, after: [.keptOut(machine)])
    }
    var household = household
    if let seed { household.seeds = [seed] + household.seeds.filter { $0 != seed } }
    var told = household.bytes(at: clock)
    defer { sodium_memzero(&told, told.count) }
    let sealed = secret.proof(.hostProof) + secret.seal(told, .household)
    return (.told(secret, machine), [.send(PairingWire.message(.household, sealed))])
  }

  private mutating func finish(_ machine: PairingMachine) -> (State, [Action]) {
    machines = max(0, machines - 1)
    return (.over, [.joined(machine), .close])
  }

  private func refuse(_ why: PairingWire.Refusal, after actions: [Action] = []) -> (State, [Action]) {
    (.over, actions + [.send(PairingWire.message(why)), .close])
  }

  /// Returns true if the code is valid: in time, not guessed too often, and with a machine left that may use it.
  private func isOpen(at now: ContinuousClock.Instant) -> Bool {
    let told = connections.values.count { if case .told = $0.state { true } else { false } }
    return now < ends && !isVoid && told < machines
  }
}
