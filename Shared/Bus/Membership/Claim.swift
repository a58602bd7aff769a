/// A process's claim to a name: which journal it keeps, under which term it took the name, and which start of it this
/// is.
///
/// Of two claims to one name the one with the higher term wins, then the one whose identity is greater; of one and the
/// same identity the later start replaces the earlier at once, as that is a restart.
public struct Claim: Codable, Hashable, Sendable {
  /// The identity of the journal; that of the host for a node without one.
  public var identity: String
  /// Grows with each take-over of the name; 0 at first.
  public var term: Int64
  /// The start number.
  public var start: Int64

  /// True if this claim wins over another to the same name. One that is equal does not.
  func beats(_ other: Claim) -> Bool {
    if identity == other.identity { return (term, start) > (other.term, other.start) }
    return (term, identity) > (other.term, other.identity)
  }

  /// True if a node that starts under this claim leaves the name to another unless it is told to take it. Who took the
  /// name under a higher term may start again, though the former holder is still known to some.
  func yields(to rival: Claim) -> Bool { !isOfSameOwner(as: rival) && rival.term >= term }

  /// True if both are of one owner, so that the later one is merely its restart.
  func isOfSameOwner(as other: Claim) -> Bool { identity == other.identity }

  enum Answer: Equatable {
    case keep
    case raiseTerm(Claim)
    case giveUp
  }

  /// Returns the reaction of the holder under this claim to a rival. A rival that is away and has the same term does
  /// not displace the holder, which raises its own term instead.
  func answer(to rival: RosterEntry) -> Answer {
    guard !isOfSameOwner(as: rival.claim), rival.claim.beats(self) else { return .keep }
    return rival.away && rival.claim.term == term ? .raiseTerm(takingOver(from: [rival.claim])) : .giveUp
  }

  func takingOver(from holders: [Claim]) -> Claim {
    let highest = holders.map(\.term).max() ?? term
    return Claim(identity: identity, term: max(term, highest < .max ? highest + 1 : highest), start: start)
  }
}

/// One node as a roster lists it for others: who it is, how strong its claim is, and where to reach it.
struct RosterEntry: Codable, Hashable, Sendable {
  var id: NodeID
  var claim: Claim
  var endpoints: Endpoints
  /// True if the node that lists it has not heard it for 3 s.
  var away: Bool
}
