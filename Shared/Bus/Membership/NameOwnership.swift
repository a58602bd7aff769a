import Model

/// A node's ownership of its name in a household of several machines. It does no I/O; it stores the callbacks of the
/// service.
struct NameOwnership {
  enum Status {
    /// The node is still asking if another node has the name.
    case inquiring
    case holder
    case displaced
  }

  /// The longest time for which a node asks if another node has its name.
  static let inquiry = Duration.seconds(1)
  static let takeOverInquiry = Duration.seconds(3)

  var claim: Claim
  var status: Status
  /// Other nodes that claim this node's name while this node inquires, by the identity of their claims.
  var rivals: [String: RosterEntry] = [:]
  var handoverData: String?
  var hasTakenOver = false
  /// The service's callbacks; each is called at most once.
  var onDisplaced: (@Sendable (LunaraError) async -> Void)?
  var onHandOver: (@Sendable () async throws -> String?)?

  var strongestRival: RosterEntry? { rivals.values.max { $1.claim.beats($0.claim) } }

  /// Returns the node's reaction to another claim to its name.
  mutating func answer(to entry: RosterEntry) -> Claim.Answer {
    guard !entry.claim.isOfSameOwner(as: claim) else { return .keep }
    if status == .inquiring { rivals[entry.claim.identity] = entry }
    return status == .holder ? claim.answer(to: entry) : .keep
  }

  static func nameTaken(_ id: NodeID, by entry: RosterEntry?) -> LunaraError {
    let holder = entry.map { " at \($0.endpoints.requests)\($0.away ? ", which is away" : "")" } ?? ""
    return LunaraError(
      "bus.nameTaken",
      "\(id) is held by another machine\(holder). Use another name, or start with --take-over to take this one from it."
    )
  }
}
