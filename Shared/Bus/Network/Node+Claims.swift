import Glibc
import Messages
public import Model

/// How a node stands to its name.
enum Standing {
  /// It is still asking whether another has the name.
  case unsettled
  /// The name is its own.
  case holder
  /// Another took the name.
  case displaced
}

/// Holding a name in a household of several machines.
extension Node {
  /// How long a node asks whether another has its name, where there is nobody to say.
  private static let inquiry = Duration.seconds(1)
  private static let takeOverInquiry = Duration.seconds(3)

  /// Makes sure that the name is free or, where it is to be taken over, takes it.
  func settleClaim() async throws {
    guard standing == .unsettled else {
      // Nobody can have the name, but this node itself may have lost it.
      guard network.takesOver || !kept.isDisplaced else { throw Self.nameTaken(id, by: nil) }
      return
    }
    let end = ContinuousClock.now + (network.takesOver ? Self.takeOverInquiry : Self.inquiry)
    while ContinuousClock.now < end, !heardOfHousehold || (network.takesOver && rivals.isEmpty) {
      await Self.pause(.milliseconds(5))
    }
    let former = rivals.values.filter { journal?.grewOut(of: $0.claim.identity) == true }
    if !former.isEmpty {
      // A journal that was restored or saved from a damaged file is another, but no other's.
      let raised = claim.takingOver(from: former.map(\.claim) + [claim])
      kept.term = raised.term
      try await keepSurely()
      claim = raised
      for entry in former { rivals[entry.claim.identity] = nil }
      ownWord = nil
    }
    let rival = rivals.values.max { $1.claim.beats($0.claim) }
    if !network.takesOver {
      if let rival, claim.yields(to: rival.claim) { throw Self.nameTaken(id, by: rival) }
      guard !kept.isDisplaced else { throw Self.nameTaken(id, by: nil) }
    } else if rival != nil || kept.isDisplaced || !heardOfHousehold {
      let raised = claim.takingOver(from: rivals.values.map(\.claim) + [claim])
      (kept.term, kept.isDisplaced) = (raised.term, false)
      try await keepSurely()
      claim = raised
      hasTakenOver = rival != nil
      if let rival, !rival.away { await inherit(from: rival) }
      rivals = [:]
      ownWord = nil
    }
    standing = .holder
    renewHellos()
  }

  /// Whether there may be others elsewhere, one of which has this node's name.
  var mayHaveRivals: Bool {
    !id.isPassing && network.formerName == nil && !(network.seeds.isEmpty && network.finder == nil && kept.nodes.isEmpty)
  }

  /// Asks a node of this machine whom it knows.
  func inquire(of node: NodeID) {
    Task {
      do {
        let roster = try await request(ReadRoster(), to: node, within: Self.inquiry).roster
        // What has just started beside this node knows no more than this node does.
        let neighbours = Set(directory.liveNodes())
        if roster.contains(where: { !neighbours.contains($0.id) && !$0.away }) { heardOfHousehold = true }
        learn(of: roster)
      } catch {
        // Another may know; and if nobody does, the name is as free as can be known.
        return
      }
    }
  }

  /// Asks a living holder for what it has; one that is gone has nothing to hand over.
  private func inherit(from rival: RosterEntry) async {
    var network = network
    (network.listen, network.seeds, network.folder, network.finder) = (nil, [], nil, nil)
    let messenger = Node.guest(in: directory, network: network)
    await messenger.take(detour: rival.endpoints.requests, to: id)
    do {
      inheritance = try await messenger.request(HandOver(claim: claim), to: id, within: .seconds(3)).inheritance
    } catch {
      report(
        LunaraError(
          "bus.holderGone", "\(id) is taken over, but its former holder at \(rival.endpoints.requests) hands nothing over.",
          cause: LunaraError(error).description))
    }
    await messenger.close()
  }

  func take(detour address: String, to node: NodeID) { detours[node] = address }

  /// Answers a successor: stops, and gives it what it needs.
  func serveHandOver() {
    serve(HandOver.self) { [weak self] request, _ in
      guard let self else { throw Node.closedError }
      return HandOver.Answer(inheritance: try await self.handsOver(to: request.claim))
    }
  }

  private func handsOver(to successor: Claim) async throws -> String? {
    guard successor.beats(claim) else {
      throw LunaraError("bus.nameTaken", "\(id) is held here under a term that is not less than that of the successor.")
    }
    let inheritance = try await handOver?()
    displace(Self.nameTaken(id, by: nil))
    return inheritance
  }

  /// Named by the service: what a successor gets, after the service has stopped what it does; it is asked once.
  public func onHandOver(_ body: @escaping @Sendable () async throws -> String?) { handOver = body }

  /// Told once when another has taken this node's name: what is done under the name has to stop. From then on the node
  /// refuses commands.
  public func onDisplaced(_ body: @escaping @Sendable (LunaraError) async -> Void) {
    displaced = body
    if standing == .displaced { tellDisplaced(Self.nameTaken(id, by: nil)) }
  }

  /// Takes in what is said of this node's own name.
  func heardOfOwnName(_ entry: RosterEntry) {
    guard !entry.claim.isOfSameOwner(as: claim) else { return }
    switch standing {
    case .unsettled: rivals[entry.claim.identity] = entry
    case .displaced: break
    case .holder:
      switch claim.answer(to: entry) {
      case .stays: break
      case .rises(let raised): raise(raised)
      case .leaves: displace(Self.nameTaken(id, by: entry))
      }
    }
  }

  /// Takes a higher term, and says so once that is on the disk.
  private func raise(_ raised: Claim) {
    // Else it is being written.
    guard kept.term < raised.term else { return }
    kept.term = raised.term
    Task {
      // What cannot be written is reported, and the name held all the same.
      do { try await keepSurely() } catch {}
      guard standing == .holder, !isClosed, raised.beats(claim) else { return }
      claim = raised
      ownWord = nil
      renewHellos()
    }
  }

  /// A peer says that another has this node's name: it is asked who, and that claim decides.
  func refused(by node: NodeID) {
    guard standing == .holder else { return }
    switch route(to: node) {
    case .local: inquire(of: node)
    case .remote(let desk): knock(at: desk)
    case nil: break
    }
  }

  private func displace(_ error: LunaraError) {
    guard standing != .displaced else { return }
    standing = .displaced
    kept.isDisplaced = true
    keep()
    tellDisplaced(error)
  }

  private func tellDisplaced(_ error: LunaraError) {
    guard let displaced else { return }
    self.displaced = nil
    Task { await displaced(error) }
  }

  static func nameTaken(_ id: NodeID, by entry: RosterEntry?) -> LunaraError {
    let holder = entry.map { " at \($0.endpoints.requests)\($0.away ? ", which is away" : "")" } ?? ""
    return LunaraError(
      "bus.nameTaken",
      "\(id) is held by another machine\(holder). Use another name, or start with --take-over to take this one from it."
    )
  }
}
