/// A process's claim to a name: the owner of the name, the term under which it took the name, and the start number.
///
/// Of two claims to one name the one with the higher term wins, then the one with the greater identity. Of two claims
/// with the same identity the later start wins at once, as that is a restart of the same node.
public struct Claim: Codable, Hashable, Sendable {
  /// The identity of the journal; that of the host for a node without one.
  public var identity: String
  /// Grows with each take-over of the name; 0 at first.
  public var term: Int64
  /// The start number.
  public var start: Int64

  /// Returns true if this claim wins over another one to the same name; false if they are equal.
  func beats(_ other: Claim) -> Bool {
    if identity == other.identity { return (term, start) > (other.term, other.start) }
    return (term, identity) > (other.term, other.identity)
  }

  /// Returns true if a node that starts under this claim leaves the name to a rival unless it was told to take the name
  /// over. A node that took the name under a higher term may start again, even if some nodes still know the former
  /// holder.
  func yields(to rival: Claim) -> Bool { !isOfSameOwner(as: rival) && rival.term >= term }

  /// Returns true if both claims have the same owner, so that the later one is its restart.
  func isOfSameOwner(as other: Claim) -> Bool { identity == other.identity }

  enum Answer: Equatable {
    case keep
    case raiseTerm(Claim)
    case giveUp
  }

  /// Returns the holder's reaction to a rival. A rival that wins by its identity alone and is away does not displace
  /// the holder, which raises its own term instead.
  func answer(to rival: RosterEntry) -> Answer {
    guard !isOfSameOwner(as: rival.claim), rival.claim.beats(self) else { return .keep }
    return rival.away && rival.claim.term == term ? .raiseTerm(takingOver(from: [rival.claim])) : .giveUp
  }

  func takingOver(from holders: [Claim]) -> Claim {
    let highest = holders.map(\.term).max() ?? term
    return Claim(identity: identity, term: max(term, highest < .max ? highest + 1 : highest), start: start)
  }
}

/// The entry of a node in a roster: its name, its claim and its addresses.
struct RosterEntry: Codable, Hashable, Sendable {
  var id: NodeID
  var claim: Claim
  var endpoints: Endpoints
  /// True if the node that lists it has heard nothing from it for 3 s.
  var away: Bool
  /// True if it is away because it was stopped in order; else nil.
  var left: Bool?
}
