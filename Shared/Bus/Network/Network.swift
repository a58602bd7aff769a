/// How a node reaches beyond its machine, and what it keeps of that from run to run.
public struct Network: Sendable {
  /// Where to listen, `tcp://ADDRESS[:BASE]`; nil for this machine alone.
  public var listen: String?
  /// The address under which others reach this machine, where that is not the one it listens on.
  public var advertise: String?
  /// Addresses or names of machines of the household; one that is there is enough.
  public var seeds: [String]
  /// The household's keys; without them nothing but ipc and loopback is used.
  public var keys: KeyRing?
  /// The folder in which the roster and the terms are kept; nil keeps nothing.
  public var folder: String?
  /// What identifies a node without a journal from start to start: that of its host.
  public var identity: String
  /// Whether a name that another holds is taken from it.
  public var takesOver: Bool
  /// The name that was taken from this node, which only serves its journal now; nil for one that has its own.
  public var standsFor: NodeID?

  /// Makes a network; by default a node meets those of its own machine only.
  public init(
    listen: String? = nil, advertise: String? = nil, seeds: [String] = [], keys: KeyRing? = nil, folder: String? = nil,
    identity: String = "", takesOver: Bool = false, standsFor: NodeID? = nil
  ) {
    self.listen = listen
    self.advertise = advertise
    self.seeds = seeds
    self.keys = keys
    self.folder = folder
    self.identity = identity
    self.takesOver = takesOver
    self.standsFor = standsFor
  }
}
