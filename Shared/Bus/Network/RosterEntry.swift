/// One node as a roster lists it for others: who it is, how strong its claim is, and where to reach it.
struct RosterEntry: Codable, Hashable, Sendable {
  var id: NodeID
  var claim: Claim
  var endpoints: Endpoints
  /// Whether who lists it has not heard it for 3 s.
  var away: Bool
}
