import Messages
public import Model

/// Holding a name in a household of several machines.
extension Node {
  /// Checks that no other machine holds the name or, if it is to be taken over, takes it.
  func confirmClaim() async throws {
    let takesOver = configuration.network.takesOver
    guard ownership.status == .inquiring else {
      // No other machine is known that could have the name, but this node may have lost it in an earlier run.
      guard takesOver || !files.roster.isDisplaced else { throw NameOwnership.nameTaken(id, by: nil) }
      return
    }
    let end = ContinuousClock.now + (takesOver ? NameOwnership.takeOverInquiry : NameOwnership.inquiry)
    while ContinuousClock.now < end, !membership.hasMetHousehold || (takesOver && ownership.rivals.isEmpty) {
      await Self.pause(.milliseconds(5))
    }
    let former = ownership.rivals.values.filter { mayOutrank($0) }
    if !former.isEmpty, takesOver || !files.roster.isDisplaced {
      for entry in former { recordOutranked(entry.claim) }
      try await adopt(ownership.claim.takingOver(from: former.map(\.claim) + [ownership.claim]))
      for entry in former { ownership.rivals[entry.claim.identity] = nil }
    }
    let rival = ownership.strongestRival
    if !takesOver {
      if let rival, ownership.claim.yields(to: rival.claim) { throw NameOwnership.nameTaken(id, by: rival) }
      guard !files.roster.isDisplaced else { throw NameOwnership.nameTaken(id, by: nil) }
    } else if rival != nil || files.roster.isDisplaced || !membership.hasMetHousehold {
      files.roster.isDisplaced = false
      try await adopt(ownership.claim.takingOver(from: ownership.rivals.values.map(\.claim) + [ownership.claim]))
      ownership.hasTakenOver = rival != nil
      if let rival, !rival.away { await requestHandOver(from: rival) }
      ownership.rivals = [:]
      membership.renewHeartbeat()
    }
    ownership.status = .holder
    renewHellos()
  }

  /// Returns true if a rival is this same node, before it was restored or salvaged: its journal is an ancestor of this
  /// one or, without a journal, its host is one whose data was restored here.
  private func continues(_ rival: Claim) -> Bool {
    journal?.descends(from: rival.identity) ?? configuration.network.formerIdentities.contains(rival.identity)
  }

  /// Returns true if a rival is this node's former self, whose name this node takes because it was restored later.
  ///
  /// A node takes the name from each former self once. If one that is alive has a better claim again, a person has let
  /// it take the name over since. Without this rule two nodes that continue each other would raise their terms for
  /// ever.
  private func mayOutrank(_ rival: RosterEntry) -> Bool {
    continues(rival.claim) && (rival.away || files.roster.outranked?.contains(rival.claim.identity) != true)
  }

  private func recordOutranked(_ rival: Claim) {
    guard files.roster.outranked?.contains(rival.identity) != true else { return }
    files.roster.outranked = (files.roster.outranked ?? []).union([rival.identity])
    files.writeRoster()
  }

  /// Adopts a claim under a higher term after the term was synced to the disk: if it were lost in a power cut, a name
  /// could have two holders.
  private func adopt(_ raised: Claim) async throws {
    files.roster.term = raised.term
    try await saveRoster()
    ownership.claim = raised
    membership.renewHeartbeat()
  }

  /// Returns once the roster is on the disk.
  ///
  /// - Throws: `bus.cannotKeepRoster`.
  private func saveRoster() async throws {
    files.writeRoster()
    if let path = files.path { try await files.writer?.flush(path) }
  }

  /// True if a node on another machine may hold this node's name.
  var mayHaveRivals: Bool {
    let network = configuration.network
    return !id.isTransient && network.formerName == nil
      && !(network.seeds.isEmpty && network.finder == nil && files.roster.nodes.isEmpty)
  }

  func inquire(of node: NodeID) {
    Task {
      do {
        let roster = try await request(ReadRoster(), to: node, within: NameOwnership.inquiry).roster
        // A node of this machine that started at the same time knows of no other machine yet.
        let neighbours = Set(directory.liveNodes())
        if roster.contains(where: { !neighbours.contains($0.id) && !$0.away }) { membership.hasMetHousehold = true }
        merge(roster)
      } catch {
        // Another node may know of a holder; if none does, the name is taken to be free.
        return
      }
    }
  }

  /// Asks a living holder to hand over its data; if it does not answer, this is reported.
  private func requestHandOver(from rival: RosterEntry) async {
    var network = configuration.network
    network.listen = nil
    network.seeds = []
    network.folder = nil
    network.finder = nil
    let messenger = Node.client(in: directory, network: network)
    await messenger.reach(id, at: rival.endpoints.requests)
    do {
      let request = HandOver(claim: ownership.claim)
      ownership.handoverData = try await messenger.request(request, to: id, within: .seconds(3)).inheritance
    } catch {
      report(
        LunaraError(
          "bus.holderGone",
          "\(id) is taken over, but its former holder at \(rival.endpoints.requests) did not answer, so it handed nothing over.",
          cause: LunaraError(error).description))
    }
    await messenger.close()
  }

  /// Makes requests to a node go to this address instead of the one that the roster lists.
  func reach(_ node: NodeID, at address: String) { remotePeers.alternateAddresses[node] = address }

  func handOver(to successor: Claim) async throws -> String? {
    guard successor.beats(ownership.claim) else {
      throw LunaraError("bus.nameTaken", "\(id) is held here under a term that is not less than that of the successor.")
    }
    let handoverData = try await ownership.onHandOver?()
    displace(NameOwnership.nameTaken(id, by: nil))
    return handoverData
  }

  /// Sets the callback that stops the service's work and returns the data for the node's successor; it is called at
  /// most once.
  public func onHandOver(_ body: @escaping @Sendable () async throws -> String?) { ownership.onHandOver = body }

  /// Sets the callback that is called once when another node has taken this node's name: the work under the name has to
  /// stop. From then on the node refuses commands.
  public func onDisplaced(_ body: @escaping @Sendable (LunaraError) async -> Void) {
    ownership.onDisplaced = body
    if ownership.status == .displaced { notifyDisplaced(NameOwnership.nameTaken(id, by: nil)) }
  }

  func handleOwnNameClaim(_ entry: RosterEntry) {
    if ownership.status == .holder, !entry.claim.isOfSameOwner(as: ownership.claim), continues(entry.claim) {
      // A term counts while it is being stored, as the former self may repeat its claim meanwhile.
      var stored = ownership.claim
      stored.term = max(stored.term, files.roster.term)
      guard entry.claim.beats(stored) else { return recordOutranked(entry.claim) }
      if mayOutrank(entry) {
        recordOutranked(entry.claim)
        return startAdopting(stored.takingOver(from: [entry.claim, stored]))
      }
    }
    switch ownership.answer(to: entry) {
    case .keep: break
    case .raiseTerm(let raised): startAdopting(raised)
    case .giveUp: displace(NameOwnership.nameTaken(id, by: entry))
    }
  }

  private func startAdopting(_ raised: Claim) {
    // If the term is stored already, adopting it has been started before.
    guard files.roster.term < raised.term else { return }
    files.roster.term = raised.term
    Task {
      // A failed write is reported by the writer; the name is held nevertheless.
      do { try await saveRoster() } catch {}
      guard ownership.status == .holder, !isClosed, raised.beats(ownership.claim) else { return }
      ownership.claim = raised
      membership.renewHeartbeat()
      renewHellos()
    }
  }

  private func displace(_ error: LunaraError) {
    guard ownership.status != .displaced else { return }
    ownership.status = .displaced
    files.roster.isDisplaced = true
    files.writeRoster()
    notifyDisplaced(error)
  }

  private func notifyDisplaced(_ error: LunaraError) {
    guard let onDisplaced = ownership.onDisplaced else { return }
    ownership.onDisplaced = nil
    Task { await onDisplaced(error) }
  }
}
