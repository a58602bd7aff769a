// Generated from Shared/Bus by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension ForgetNode {
  public init(node: NodeID, _: Void = ()) { self.node = node }
}

extension Network {
  public init(
    listen: String? = nil, advertise: String? = nil, seeds: [String] = [], keys: KeyRing? = nil, folder: String? = nil,
    identity: String = "", formerIdentities: [String] = [], takesOver: Bool = false, formerName: NodeID? = nil,
    finder: (any SeedFinder)? = nil, _: Void = ()
  ) {
    self.listen = listen
    self.advertise = advertise
    self.seeds = seeds
    self.keys = keys
    self.folder = folder
    self.identity = identity
    self.formerIdentities = formerIdentities
    self.takesOver = takesOver
    self.formerName = formerName
    self.finder = finder
  }
}

extension PairingSearch.Place {
  public init(port: UInt16, host: UInt64, _: Void = ()) {
    self.port = port
    self.host = host
  }
}

extension RequestContext {
  public init(id: RequestID, from: NodeID, _: Void = ()) {
    self.id = id
    self.from = from
  }
}

extension Observed {
  public init(
    node: NodeID, value: Value, age: Milliseconds, readAt: ContinuousClock.Instant = .now, saidAt: Timestamp,
    away: Bool, _: Void = ()
  ) {
    self.node = node
    self.value = value
    self.age = age
    self.readAt = readAt
    self.saidAt = saidAt
    self.away = away
  }
}
