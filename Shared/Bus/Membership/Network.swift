public import Model

/// The settings by which a node reaches beyond its machine, and the folder in which it keeps what it learned.
public struct Network: Sendable {
  /// The address to listen on, `tcp://ADDRESS[:BASE]`; nil for this machine alone.
  public var listen: String?
  /// The address under which others reach this machine, where that is not the one it listens on.
  public var advertise: String?
  /// Addresses or names of machines of the household; one that is there is enough.
  public var seeds: [String]
  /// Finds more of them while the node runs; nil for those that are named alone.
  public var finder: (any SeedFinder)?
  /// The household's keys; without them nothing but ipc and loopback is used.
  public var keys: KeyRing?
  /// The folder in which the roster and the terms are kept; nil keeps nothing.
  public var folder: String?
  /// The identity of a node without a journal, which stays from start to start: that of its host.
  public var identity: String
  /// True if a name that another holds is to be taken from it.
  public var takesOver: Bool
  /// The name that was taken from this node, which only serves its journal now; nil for one that has its own.
  public var formerName: NodeID?

  /// Makes a network; by default a node meets those of its own machine only.
  public init(
    listen: String? = nil, advertise: String? = nil, seeds: [String] = [], keys: KeyRing? = nil, folder: String? = nil,
    identity: String = "", takesOver: Bool = false, formerName: NodeID? = nil, finder: (any SeedFinder)? = nil
  ) {
    self.listen = listen
    self.advertise = advertise
    self.seeds = seeds
    self.keys = keys
    self.folder = folder
    self.identity = identity
    self.takesOver = takesOver
    self.formerName = formerName
    self.finder = finder
  }
}

extension Network {
  /// Checks the settings without asking other machines.
  ///
  /// - Throws: `bus.badAddress`; `bus.keyNeeded` where more than this machine is meant and there is no key.
  public func check() throws {
    for seed in seeds {
      guard let address = TCPAddress(seed) else { throw Self.badAddress(seed, "LUNARA_SEEDS") }
      guard keys != nil || address.isLoopback else { throw Self.keyNeeded("connect to \(address)") }
    }
    // A node that looks for others listens on all addresses, unless one is named.
    guard keys != nil || finder == nil || listen != nil else { throw Self.keyNeeded("look for other machines") }
    for (text, name) in [(listen, "LUNARA_LISTEN"), (advertise, "LUNARA_ADVERTISE")] {
      guard let text else { continue }
      guard let address = TCPAddress(text) else { throw Self.badAddress(text, name) }
      // The address of a name is known once the node listens on it.
      guard keys != nil || address.isLoopback || (!address.isNumeric && !address.isWildcard) else {
        throw Self.keyNeeded("listen on \(address)")
      }
    }
  }

  static func keyNeeded(_ what: String) -> LunaraError {
    LunaraError(
      "bus.keyNeeded",
      "Without the household's key Lunara does not \(what): anyone on the network could read and control everything. `lunara pair` on a machine of the household and `lunara join CODE` here bring it; `lunara key new` makes one for a new household."
    )
  }

  static func badAddress(_ text: String, _ name: String) -> LunaraError {
    LunaraError(
      "bus.badAddress",
      "\(name) says “\(text)”, which is no address of a machine. Write tcp://ADDRESS or tcp://ADDRESS:PORT, such as tcp://192.168.1.10 or tcp://*:7700."
    )
  }
}

extension Network {
  /// The address of this machine for others, in the form of `LUNARA_SEEDS`; nil where it is on no network. What was set
  /// comes first, then the address by which this machine reaches others.
  public var ownSeed: String? {
    let base = listen.flatMap { TCPAddress($0) }
    if let told = advertise.flatMap({ TCPAddress($0, port: base?.port ?? TCPAddress.base) }), !told.isWildcard {
      return told.seed
    }
    if let base, !base.isWildcard { return base.seed }
    // The route to a reserved address (RFC 5737) shows by which interface this machine reaches others.
    guard let host = HostAddress.local(towards: "192.0.2.1") ?? HostAddress.own() else { return nil }
    return TCPAddress(host: host, port: base?.port ?? TCPAddress.base).seed
  }

  /// Returns the address of this machine for a peer that has reached it at the address `local`, in the form of
  /// `LUNARA_SEEDS`: a machine on several networks has more than `ownSeed`. Nil if the settings fix the address, or if
  /// `local` is of no use to others. Both arguments are numeric.
  public func seed(reachedAt local: String, from peer: String) -> String? {
    let base = listen.flatMap { TCPAddress($0) }
    if let told = advertise.flatMap({ TCPAddress($0) }), !told.isWildcard { return nil }
    if let base, !base.isWildcard || (base.host == "0.0.0.0" && local.contains(":")) { return nil }
    let port = base?.port ?? TCPAddress.base
    // A link-local address needs a zone, which nanomsg refuses.
    guard !local.lowercased().hasPrefix("fe80:"), TCPAddress(local)?.isWildcard == false else { return nil }
    let address = TCPAddress(host: local, port: port)
    guard !address.isLoopback || TCPAddress(host: peer, port: port).isLoopback else { return nil }
    return address.seed
  }

  /// The host and the first port of a seed; nil for what is none.
  public static func place(_ seed: String) -> (host: String, port: UInt16)? {
    TCPAddress(seed).map { ($0.host, $0.port) }
  }
}

extension TCPAddress {
  /// As short as it can be said: without `tcp://`, and without a port that is the usual one.
  var seed: String {
    if port == Self.base { return host }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// Finds machines of the household while a node runs, and lets them find this one.
///
/// An address that it finds is used as a seed is: it is probed, and nothing else of it is believed.
public protocol SeedFinder: Sendable {
  /// Begins to search, and to announce this machine; a search that is under way ends. It returns at once.
  ///
  /// - Parameters:
  ///   - announcement: the things that others may learn of this machine.
  ///   - found: told of all addresses that are known by now, each time they change: `tcp://ADDRESS:PORT`.
  ///   - report: told of problems; none of them is the node's.
  func start(
    _ announcement: Announcement, found: @escaping @Sendable ([String]) -> Void,
    report: @escaping @Sendable (LunaraError) -> Void)

  /// Ends the search and withdraws the announcement.
  func stop()
}

/// The announcement by which others find a machine's node.
public struct Announcement: Sendable {
  /// The first port of the machine's nodes.
  public var port: UInt16
  /// The household's keys, whose tags tell who is of it.
  public var keys: KeyRing
  /// True if other machines can reach the node at all.
  public var isReachable: Bool
}
