import Messages
import Model
import Synchronization

/// Knowing nodes on other machines.
extension Node {
  /// The file in which a node keeps what it knows of the household.
  static func keptPath(of id: NodeID, in network: Network) -> String? {
    guard let folder = network.folder, !id.isPassing else { return nil }
    return "\(folder)/\(id).json"
  }

  /// Takes in what a roster lists.
  func learn(of entries: [RosterEntry]) {
    for entry in entries where entry.id == id { heardOfOwnName(entry) }
    let others = entries.filter { entry in
      guard entry.id != id, let desk = TCPAddress(entry.endpoints.requests) else { return false }
      return mayDial(desk)
    }
    missing.withLock { missing in
      for entry in others {
        if entry.away { missing.insert(entry.id) } else { missing.remove(entry.id) }
      }
    }
    let actions = roster.introduced(others, at: .now)
    noteElsewhere()
    // A guest greets whom it asks, when it asks.
    if !isGuest { perform(actions) }
  }

  /// Notes who can be asked on other machines, for those who only look.
  func noteElsewhere() {
    let nodes = roster.peers.filter { $1.isRemote && !$0.isPassing }.keys
    elsewhere.withLock { $0 = Set(nodes) }
  }

  /// Finds out who is there on other machines: from a node of this machine, else from the seeds.
  ///
  /// For a guest, which hears no heartbeats. It returns as soon as one of the household has answered, and after `patience`
  /// in any case.
  ///
  /// - Parameters:
  ///   - first: whom to ask before others, as it will be asked for more: the way there is then known.
  ///   - patience: how long to wait for seeds.
  public func discover(asking first: NodeID? = nil, within patience: Duration = .seconds(1)) async {
    let nodes = directory.liveNodes().filter { !$0.isPassing }
    for node in nodes.filter({ $0 == first }) + nodes.filter({ $0 != first }) {
      do {
        let answer = try await request(ReadRoster(), to: node, within: .milliseconds(300))
        return learn(of: answer.roster)
      } catch {
        // The next one may know; a node that does not answer says so when it is asked for something.
        continue
      }
    }
    guard !network.seeds.isEmpty else { return }
    let end = ContinuousClock.now + patience
    knockAtSeeds()
    while !heardOfHousehold, ContinuousClock.now < end {
      await Self.pause(.milliseconds(5))
      if doors.isEmpty { knockAtSeeds() }
    }
  }

  /// Keeps who is there, where that has changed.
  func keepRoster() {
    var changed = kept
    changed.update(roster.heardEntries(at: .now), at: .now())
    func what(_ roster: KeptRoster) -> [[String]] {
      roster.nodes.map { kept in
        let entry = kept.entry
        return [entry.id.description, entry.claim.identity, "\(entry.claim.term)", entry.endpoints.requests]
      }
    }
    let isNews = what(changed) != what(kept)
    let isOld = zip(changed.nodes, kept.nodes).contains { $0.heardAt - $1.heardAt > Milliseconds(86_400_000) }
    guard isNews || isOld else { return }
    kept = changed
    keep()
  }

  /// Has what is kept written.
  func keep() {
    guard let path = Self.keptPath(of: id, in: network) else { return }
    keptFiles?.put({ [kept] in try kept.encoded() }, at: path)
  }

  /// Returns once it is on the disk: a term that is forgotten in a power cut would let a name have two holders, so it is
  /// said only then.
  ///
  /// - Throws: `bus.cannotKeepRoster`.
  func keepSurely() async throws {
    keep()
    if let path = Self.keptPath(of: id, in: network) { try await keptFiles?.settle(path) }
  }
}
