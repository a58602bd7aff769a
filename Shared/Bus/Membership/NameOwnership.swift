import Model

/// A node's hold on its name in a household of several machines. Pure but for the callbacks of the service that it
/// keeps.
struct NameOwnership {
  enum Status {
    /// The node is still asking whether another has the name.
    case unsettled
    case holder
    case displaced
  }

  /// The action that a claim to the node's name asks for.
  enum Action: Equatable {
    case none
    /// Take a higher term, and tell it once that is on the disk.
    case raise(Claim)
    /// Leave the name to its rival.
    case leave(LunaraError)
  }

  /// The time for which a node asks whether another has its name, where there is nobody to say.
  static let inquiry = Duration.seconds(1)
  static let takeOverInquiry = Duration.seconds(3)

  let id: NodeID
  var claim: Claim
  var status: Status
  /// Others that claim this node's name while it is unsettled, by the identity of their claims.
  var rivals: [String: RosterEntry] = [:]
  var inheritance: String?
  var hasTakenOver = false
  /// The service's callbacks: each is called once.
  var onDisplaced: (@Sendable (LunaraError) async -> Void)?
  var onHandOver: (@Sendable () async throws -> String?)?

  init(of id: NodeID, claim: Claim, status: Status) {
    self.id = id
    self.claim = claim
    self.status = status
  }

  var strongestRival: RosterEntry? { rivals.values.max { $1.claim.beats($0.claim) } }

  mutating func handle(_ entry: RosterEntry) -> Action {
    guard !entry.claim.isOfSameOwner(as: claim) else { return .none }
    switch status {
    case .unsettled:
      rivals[entry.claim.identity] = entry
      return .none
    case .displaced: return .none
    case .holder:
      switch claim.answer(to: entry) {
      case .stays: return .none
      case .rises(let raised): return .raise(raised)
      case .leaves: return .leave(Self.nameTaken(id, by: entry))
      }
    }
  }

  static func nameTaken(_ id: NodeID, by entry: RosterEntry?) -> LunaraError {
    let holder = entry.map { " at \($0.endpoints.requests)\($0.away ? ", which is away" : "")" } ?? ""
    return LunaraError(
      "bus.nameTaken",
      "\(id) is held by another machine\(holder). Use another name, or start with --take-over to take this one from it."
    )
  }
}
