public import Model

/// The name of a node, which is one process on the bus: its role and its own name (`playback@kitchen`).
public struct NodeID: Hashable, Comparable, Sendable, TextCodable {
  /// The role: `library`, `playback`, `router` …; the first word of all its topics.
  public let role: String
  /// Which one it is; `main` for roles that exist once a household.
  public let name: String

  /// Makes an id; nil unless both parts are 1 to 32 of `a-z`, `0-9` and `-`.
  public init?(role: String, name: String) {
    guard RoomName.isName(role), RoomName.isName(name) else { return nil }
    self.role = role
    self.name = name
  }

  /// Reads `role@name`.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(role: String(parts[0]), name: String(parts[1]))
  }

  private init(only role: String, named name: String = "main") {
    self.role = role
    self.name = name
  }

  /// The library.
  public static let library = NodeID(only: "library")
  /// The router.
  public static let router = NodeID(only: "router")
  /// The scrobbler.
  public static let scrobble = NodeID(only: "scrobble")
  /// The lock screen.
  public static let nowplaying = NodeID(only: "nowplaying")
  /// The page.
  public static let web = NodeID(only: "web")
  /// The playback node of a room.
  public static func playback(_ room: RoomName) -> NodeID { NodeID(only: "playback", named: room.rawValue) }

  /// The name under which a node serves its journal when another has its own; nil where the identity gives none.
  public func retired(with identity: String) -> NodeID? {
    let mark = identity.lowercased().utf8.filter { (97...122).contains($0) || (48...57).contains($0) }.prefix(12)
    return NodeID(role: role, name: "retired-" + String(decoding: mark, as: UTF8.self))
  }

  /// True if it only serves the journal of one whose name was taken.
  public var isRetired: Bool { name.hasPrefix("retired-") }

  /// True if nodes of this role come for one command and are forgotten when they have gone.
  public var isTransient: Bool { ["tap", "guest", "replay", "sync"].contains(role) }

  /// True if it plays a recording to a node under test.
  public var isReplay: Bool { role == "replay" }

  public var description: String { "\(role)@\(name)" }

  /// Orders by role, then name.
  public static func < (left: NodeID, right: NodeID) -> Bool { (left.role, left.name) < (right.role, right.name) }
}

/// A run of a node: its start number, and the journal in which that counts. A node that was wiped counts from one
/// again.
struct NodeRun: Hashable, Sendable {
  var epoch: Int64
  /// Nil for a node without a journal, and where an older asker does not say it.
  var journal: String?

  /// True if this names the run `other`, as far as it says.
  func means(_ other: NodeRun) -> Bool { epoch == other.epoch && (journal == nil || journal == other.journal) }
}

extension Envelope {
  /// The run of its node that a command is meant for; nil where its asker does not know.
  var targetRun: NodeRun? {
    get { target.map { NodeRun(epoch: $0, journal: journal) } }
    set { (target, journal) = (newValue?.epoch, newValue?.journal) }
  }
}
