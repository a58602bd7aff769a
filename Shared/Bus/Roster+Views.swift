import Model

/// What a roster tells of the household.
extension Roster {
  /// Whether anybody holds a lease that asks for signals.
  var someoneWantsSignals: Bool { peers.values.contains { $0.lease?.wantsSignals == true } }

  /// The nodes that others may reach from other machines, as this one knows them from itself.
  var entries: [RosterEntry] {
    peers.compactMap { node, peer in
      guard !node.isPassing, let endpoints = peer.endpoints, let claim = peer.claim, peer.isKnown
      else { return nil }
      return RosterEntry(id: node, claim: claim, endpoints: endpoints, away: peer.presence?.away ?? true)
    }.sorted { $0.id < $1.id }
  }

  /// The same as far as they were heard in this run, and how long ago.
  func heardEntries(at now: ContinuousClock.Instant) -> [(entry: RosterEntry, age: Milliseconds)] {
    entries.compactMap { entry in
      guard let peer = peers[entry.id], peer.presence != nil else { return nil }
      return (entry, max(.zero, (now - peer.heardAt).milliseconds))
    }
  }

  /// All peers that ever said how they stand.
  var presences: [NodePresence] { peers.values.compactMap(\.presence).sorted { $0.id < $1.id } }
}
