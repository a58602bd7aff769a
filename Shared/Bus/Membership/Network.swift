public import Model

/// The settings by which a node reaches other machines, and the folder in which it keeps its knowledge of them.
public struct Network: Sendable {  // memberwise
  /// The settings of a node that meets only nodes of its own machine.
  public static let local = Network()

  /// The address to listen on, `tcp://ADDRESS[:BASE]`; nil to listen for no other machine, unless there are seeds or a
  /// finder.
  public var listen: String? = nil
  /// The address by which others reach this machine, if it differs from the one it listens on.
  public var advertise: String? = nil
  /// The addresses or names of machines of the household; one that is running is enough.
  public var seeds: [String] = []
  /// The household's keys; without them only ipc and loopback addresses are used.
  public var keys: KeyRing? = nil
  /// The folder in which the roster and the terms are kept; nil to keep nothing.
  public var folder: String? = nil
  /// The identity of a node without a journal: that of its host, which is the same at every start.
  public var identity: String = ""
  /// The identities of hosts whose data was restored here: a node that has no journal continues their nodes.
  public var formerIdentities: [String] = []
  /// True if the name should be taken over from the node that holds it.
  public var takesOver: Bool = false
  /// The former name of this node, which only serves its journal since another node took that name; nil for other
  /// nodes.
  public var formerName: NodeID? = nil
  /// The search for further machines while the node runs; nil to use only `seeds`.
  public var finder: (any SeedFinder)? = nil
}

extension Network {
  /// Checks the settings without contacting other machines.
  ///
  /// - Throws: `bus.badAddress`; `bus.keyNeeded` if other machines should be reached without a key.
  public func check() throws {
    for seed in seeds {
      guard let address = TCPAddress(seed) else { throw Self.badAddress(seed, "LUNARA_SEEDS") }
      guard keys != nil || address.isLoopback else { throw Self.keyNeeded("connect to \(address)") }
    }
    // A node with a finder listens on all interfaces, unless an address is set.
    guard keys != nil || finder == nil || listen != nil else { throw Self.keyNeeded("look for other machines") }
    for (text, name) in [(listen, "LUNARA_LISTEN"), (advertise, "LUNARA_ADVERTISE")] {
      guard let text else { continue }
      guard let address = TCPAddress(text) else { throw Self.badAddress(text, name) }
      // A name can be checked only after it was looked up, when the node starts to listen.
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
  /// The address of this machine for others, in the form of `LUNARA_SEEDS`; nil if it is in no network. An address from
  /// the settings comes first, then the one from which this machine reaches others.
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

  /// Returns the host and the first port of a seed; nil if the text has another form.
  public static func place(_ seed: String) -> (host: String, port: UInt16)? {
    TCPAddress(seed).map { ($0.host, $0.port) }
  }
}

extension TCPAddress {
  /// The shortest form of the address: without `tcp://`, and without the default port.
  var seed: String {
    if port == Self.base { return host }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// Finds machines of the household while a node runs, and announces this machine to them.
///
/// The addresses it finds are used as seeds: they are probed, and nothing else about them is trusted.
public protocol SeedFinder: Sendable {
  /// Starts to search and to announce this machine, and ends a search that is running. It returns at once.
  ///
  /// - Parameters:
  ///   - announcement: the data that is announced of this machine.
  ///   - found: called with all known addresses, `tcp://ADDRESS:PORT`, each time they change.
  ///   - report: called with problems of the search; the node works nevertheless.
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
  /// The household's keys, whose tags identify the household.
  public var keys: KeyRing
  /// True if other machines can reach the node.
  public var isReachable: Bool
}
