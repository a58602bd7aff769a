import Model

/// How a node reaches beyond its machine, and what it keeps of that from run to run.
public struct Network: Sendable {
  /// Where to listen, `tcp://ADDRESS[:BASE]`; nil for this machine alone.
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
  /// What identifies a node without a journal from start to start: that of its host.
  public var identity: String
  /// Whether a name that another holds is taken from it.
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
  /// Looks, without asking anybody, whether this can work.
  ///
  /// - Throws: `bus.badAddress`; `bus.keyNeeded` where more than this machine is meant and there is no key.
  public func check() throws {
    for seed in seeds {
      guard let address = TCPAddress(seed) else { throw Self.badAddress(seed, "LUNARA_SEEDS") }
      guard keys != nil || address.isLoopback else { throw Self.keyNeeded("connect to \(address)") }
    }
    // Who looks for others listens on all addresses, unless another is named.
    guard keys != nil || finder == nil || listen != nil else { throw Self.keyNeeded("look for other machines") }
    for (text, name) in [(listen, "LUNARA_LISTEN"), (advertise, "LUNARA_ADVERTISE")] {
      guard let text else { continue }
      guard let address = TCPAddress(text) else { throw Self.badAddress(text, name) }
      // What a name stands for is known when it is listened on.
      guard keys != nil || address.isLoopback || (!address.isNumeric && !address.isWildcard) else {
        throw Self.keyNeeded("listen on \(address)")
      }
    }
  }

  static func keyNeeded(_ what: String) -> LunaraError {
    LunaraError(
      "bus.keyNeeded",
      "Without the household's key Lunara does not \(what): anyone on the network could listen and steer. `lunara pair` on a machine of the household and `lunara join CODE` here bring it; `lunara key new` makes one for a new household."
    )
  }

  static func badAddress(_ text: String, _ name: String) -> LunaraError {
    LunaraError(
      "bus.badAddress",
      "\(name) says “\(text)”, which is no address of a machine. Write tcp://ADDRESS or tcp://ADDRESS:PORT, such as tcp://192.168.1.10 or tcp://*:7700."
    )
  }
}
