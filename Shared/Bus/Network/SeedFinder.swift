public import Model

/// Finds machines of the household while a node runs, and lets them find this one.
///
/// What it finds is used as a seed is: it is knocked at, and nothing else of it is believed.
public protocol SeedFinder: Sendable {
  /// Begins to search, and to announce this machine; a search that is under way ends. It returns at once.
  ///
  /// - Parameters:
  ///   - announcement: what others may learn of this machine.
  ///   - found: told of all addresses that are known by now, each time they change: `tcp://ADDRESS:PORT`.
  ///   - report: told of trouble. None of it is the node's.
  func start(
    _ announcement: Announcement, found: @escaping @Sendable ([String]) -> Void,
    report: @escaping @Sendable (LunaraError) -> Void)

  /// Ends the search and withdraws the announcement.
  func stop()
}

/// What a machine's node lets others find.
public struct Announcement: Sendable {
  /// The first port of the machine's nodes.
  public var port: UInt16
  /// The household's keys, whose tags tell who is of it.
  public var keys: KeyRing
  /// Whether other machines can reach the node at all.
  public var isReachable: Bool

  /// Makes an announcement.
  public init(port: UInt16, keys: KeyRing, isReachable: Bool) {
    self.port = port
    self.keys = keys
    self.isReachable = isReachable
  }
}
