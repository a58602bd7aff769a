public import Model

/// The name of a node, which is one process on the bus: its role and its own name, as in `playback@kitchen`.
public struct NodeID: Hashable, Comparable, Sendable, TextCodable {
  /// The role: `library`, `playback`, `router` …; the first word of the node's topics.
  public let role: String
  /// The name within the role; `main` for roles that exist once in a household.
  public let name: String

  /// Creates an id; nil unless both parts are 1 to 32 characters of `a-z`, `0-9` and `-`.
  public init?(role: String, name: String) {
    guard RoomName.isName(role), RoomName.isName(name) else { return nil }
    self.role = role
    self.name = name
  }

  /// Reads `role@name`; nil if the text has another form.
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
  /// The resolver, in households that use plugins.
  public static let resolver = NodeID(only: "resolver")
  /// The service that makes walls and feeds, in households that use it.
  public static let discovery = NodeID(only: "discovery")
  /// The node that serves audio and pictures to other hosts, in households that have some.
  public static let media = NodeID(only: "media")
  /// The service that talks to providers of lists, in households that link some.
  public static let providers = NodeID(only: "providers")
  /// The router.
  public static let router = NodeID(only: "router")
  /// The scrobbler.
  public static let scrobble = NodeID(only: "scrobble")
  /// The node that shows the playing track on the desktop.
  public static let nowplaying = NodeID(only: "nowplaying")
  /// The node that serves the web page.
  public static let web = NodeID(only: "web")
  /// The node that serves MPD clients, in households that have some.
  public static let mpd = NodeID(only: "mpd")
  /// The playback node of a room.
  public static func playback(_ room: RoomName) -> NodeID { NodeID(only: "playback", named: room.rawValue) }

  /// Returns the name under which a node serves its journal after another node took its name; nil if the identity has
  /// no usable character.
  public func retired(with identity: String) -> NodeID? {
    let mark = identity.lowercased().utf8.filter { (97...122).contains($0) || (48...57).contains($0) }.prefix(12)
    return NodeID(role: role, name: "retired-" + String(decoding: mark, as: UTF8.self))
  }

  /// True if the node only serves its journal, as another node took its name.
  public var isRetired: Bool { name.hasPrefix("retired-") }

  /// True if nodes of this role run for one command only and are forgotten when they end.
  public var isTransient: Bool { ["tap", "guest", "replay", "sync"].contains(role) }

  /// True if the node replays a recording to a node under test.
  public var isReplay: Bool { role == "replay" }

  public var description: String { "\(role)@\(name)" }

  /// Orders by role, then name.
  public static func < (left: NodeID, right: NodeID) -> Bool { (left.role, left.name) < (right.role, right.name) }
}

/// A run of a node: its start number, and the journal to which that number belongs. A node whose data was wiped starts
/// at 1 again.
struct NodeRun: Hashable, Sendable {
  var epoch: Int64
  /// The journal's identity; nil for a node without a journal, and if an older asker did not send it.
  var journal: String?

  /// True if this is the run `other`; a missing journal matches every journal.
  func means(_ other: NodeRun) -> Bool { epoch == other.epoch && (journal == nil || journal == other.journal) }
}

extension Envelope {
  /// The run for which a command is meant; nil if the asker does not know it.
  var targetRun: NodeRun? {
    get { target.map { NodeRun(epoch: $0, journal: journal) } }
    set {
      target = newValue?.epoch
      journal = newValue?.journal
    }
  }
}
