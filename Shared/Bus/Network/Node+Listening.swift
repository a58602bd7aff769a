import Model

/// A PUB to one node on another machine: what it is told is sealed for it alone.
struct RemoteVoice {
  let socket: Socket
  var endpoint: Socket.Endpoint
  let address: String
}

/// The pair of ports that a node listens on.
struct BoundPair {
  let host: String
  let inbox: TCPAddress
  let desk: TCPAddress
  let number: Int
}

/// Being reachable from other machines.
extension Node {
  /// The household's keys; nil without any.
  public nonisolated var keys: KeyRing? { network.keys }

  /// The numeric address that this node listens on for other machines, `*` for all there are; nil where it does not.
  public var listeningHost: String? { bound?.host }

  /// The name or address by which other machines reach this one; nil where it does not listen for them.
  public var advertisedHost: String? { endpoints.flatMap { TCPAddress($0.desk)?.host } }

  /// How many pairs of ports are tried.
  private static let pairs = 32

  /// Binds the first free pair of ports, where other machines are to be met.
  func listen() throws {
    try network.check()
    guard let text = network.listen ?? implied, let base = TCPAddress(text) else { return }
    let found = base.isWildcard ? [] : HostAddress.resolve(base.host)
    guard base.isWildcard || !found.isEmpty else { throw Network.badAddress(text, "LUNARA_LISTEN") }
    let isLoopback = !base.isWildcard && found.allSatisfy { TCPAddress(host: $0, port: 1).isLoopback }
    guard sealer != nil || isLoopback else { throw Network.keyNeeded("listen on \(base)") }
    let host = found.first ?? "*"
    for pair in 0..<Self.pairs {
      guard let inbox = TCPAddress(host: host, port: base.port).port(plus: 2 * pair), let desk = inbox.port(plus: 1)
      else { break }
      guard try bind(inbox: inbox, desk: desk) else { continue }
      let bound = BoundPair(host: host, inbox: inbox, desk: desk, number: pair)
      self.bound = bound
      endpoints = try advertised(bound)
      return
    }
    throw LunaraError(
      "bus.noPort",
      "All \(Self.pairs) pairs of ports from \(base.port) on are in use. Choose another base: LUNARA_LISTEN=tcp://ADDRESS:BASE."
    )
  }

  /// Who has seeds, or looks for some, wants to hear them, so it listens without being told.
  private var implied: String? {
    guard !network.seeds.isEmpty else { return network.finder == nil ? nil : "tcp://*" }
    let areHere = network.finder == nil && network.seeds.allSatisfy { TCPAddress($0)?.isLoopback == true }
    return areHere ? "tcp://127.0.0.1" : "tcp://*"
  }

  private func bind(inbox: TCPAddress, desk: TCPAddress) throws -> Bool {
    let hears = try Socket(.inbox, bufferSize: tuning.bufferSize)
    let answers = try Socket(.desk, bufferSize: tuning.bufferSize)
    guard try hears.bind(tcp: inbox), try answers.bind(tcp: desk) else { return false }
    (remoteInbox, remoteDesk) = (hears, answers)
    watch(try hears.descriptor()) { $0.readRemoteInbox() }
    watch(try answers.descriptor()) { $0.readRemoteDesk() }
    return true
  }

  /// The addresses that others are told.
  private func advertised(_ bound: BoundPair) throws -> Endpoints {
    let (host, inbox, desk, pair) = (bound.host, bound.inbox, bound.desk, bound.number)
    if let text = network.advertise {
      guard let address = TCPAddress(text, port: inbox.port - UInt16(2 * pair)), !address.isWildcard,
        let inbox = address.port(plus: 2 * pair), let desk = inbox.port(plus: 1)
      else { throw Network.badAddress(text, "LUNARA_ADVERTISE") }
      return Endpoints(inbox: inbox.description, requests: desk.description)
    }
    guard host == "*" || TCPAddress(host: host, port: 1).isWildcard else {
      return Endpoints(inbox: inbox.description, requests: desk.description)
    }
    // The address on the way to a seed is one that the seed can answer to. A name would have to be looked up first.
    let towards = network.seeds.lazy.compactMap { TCPAddress($0) }.filter { !$0.isLoopback && $0.isNumeric }
      .compactMap { HostAddress.local(towards: $0.host) }.first
    let own = towards ?? HostAddress.own() ?? "127.0.0.1"
    return Endpoints(
      inbox: TCPAddress(host: own, port: inbox.port).description,
      desk: TCPAddress(host: own, port: desk.port).description)
  }

  /// Tells others another address where this machine's has changed, or came only after the start.
  func refreshEndpoints() {
    guard let bound, network.advertise == nil, bound.host == "*" || TCPAddress(host: bound.host, port: 1).isWildcard
    else { return }
    do {
      let fresh = try advertised(bound)
      guard fresh != endpoints else { return }
      endpoints = fresh
      ownWord = nil
      renewHellos()
    } catch {
      report(LunaraError(error))
    }
  }

  /// Whether an address may be dialled: without a key only this machine's own.
  func mayDial(_ address: TCPAddress) -> Bool { sealer != nil || address.isLoopback }

  /// What others on the network need of this node to reach it was said; without it their hellos cannot be answered.
  static func unreachable(_ inbox: String) -> LunaraError {
    LunaraError(
      "bus.inboxUnreachable",
      "The address \(inbox) cannot be reached from there. Is a firewall in between? Name one that can with LUNARA_ADVERTISE."
    )
  }
}

extension Socket {
  /// Binds an address of tcp; false where another has it. A machine without IPv6 listens by IPv4 alone.
  fileprivate func bind(tcp address: TCPAddress) throws -> Bool {
    do {
      return try bindUnlessTaken(address.description) != nil
    } catch  where address.host == "*" {
      return try bindUnlessTaken(TCPAddress(host: "0.0.0.0", port: address.port).description) != nil
    }
  }
}
