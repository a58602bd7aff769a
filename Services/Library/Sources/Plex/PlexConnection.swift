import HTTP
import Messages
import Model

/// Chooses the address of one server: the nearest one at which that machine answers. It is used until it fails.
///
/// All addresses are tried at once, since a dead one fails only after a long time. plex.tv is not needed for that.
actor PlexConnection: PlexEndpoint {
  struct Candidate: Codable, Hashable, Sendable {
    var url: String
    var kind: Kind

    /// The kinds of addresses, nearest first.
    enum Kind: Int, Codable, Sendable, Comparable {
      /// An address on the local network, by a name with a certificate.
      case local = 0
      /// An address on the local network, by number, without encryption.
      case plain
      case remote
      /// Through Plex's own relay, which is slow and limited in bandwidth.
      case relay

      static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }
  }

  private let http: HTTPClient
  private let name: String
  private let id: String
  private var places: [Candidate]
  private var good: String?
  private var lastGood: String?
  private var search: Task<String, any Error>?
  private let keep: @Sendable (String) async -> Void
  /// Asks plex.tv for the server's addresses; called when none of the known ones answers.
  private let renew: @Sendable () async -> [Candidate]
  private let patience: Duration
  private let grace: Duration

  /// Makes a connection to `machine`. An address that does not answer within `patience` is given up; a nearer one that
  /// answers within `grace` of a farther one is preferred.
  init(
    http: HTTPClient, name: String, machine: String, places: [Candidate], lastGood: String?,
    patience: Duration = .seconds(8),
    grace: Duration = .milliseconds(700), keep: @escaping @Sendable (String) async -> Void = { _ in },
    renew: @escaping @Sendable () async -> [Candidate] = { [] }
  ) {
    (self.http, self.name, id) = (http, name, machine)
    (self.places, self.lastGood) = (places, lastGood)
    (self.patience, self.grace) = (patience, grace)
    (self.keep, self.renew) = (keep, renew)
  }

  func base() async throws -> String {
    if let good { return good }
    let search = search ?? Task { try await find() }
    self.search = search
    defer { if self.search == search { self.search = nil } }
    let found = try await search.value
    good = good ?? found
    if good == found, lastGood != found {
      lastGood = found
      await keep(found)
    }
    return found
  }

  func machine() async throws -> String? {
    _ = try await base()
    return id
  }

  func failed(_ base: String, _ error: LunaraError) {
    // One broken answer is no reason to search for another address.
    guard good == base, ["http.unreachable", "http.insecure", "http.timeout"].contains(error.code) else { return }
    good = nil
  }

  private func find() async throws -> String {
    if let lastGood, await Self.isThere(lastGood, id, http, patience: min(patience, .seconds(3))) {
      return lastGood
    }
    if let found = await nearest(places) { return found }
    let renewed = await renew()
    if !renewed.isEmpty, renewed != places {
      places = renewed
      if let found = await nearest(renewed) { return found }
    }
    throw LunaraError(
      "library.sourceAway",
      "\(name) answers at none of the \(places.count) addresses that are known of it. Check that it runs and the network; "
        + "what is known of it stays listed.")
  }

  private func nearest(_ places: [Candidate]) async -> String? {
    let (http, machine, patience, grace) = (http, id, patience, grace)
    // Each child task returns the result of one address, or nil when the time to wait for a nearer one is over.
    let chosen = await withTaskGroup(of: (index: Int, isThere: Bool)?.self) { group -> Int? in
      var choice = PlexChoice(kinds: places.map(\.kind))
      for (index, place) in places.enumerated() {
        group.addTask { (index, await Self.isThere(place.url, machine, http, patience: patience)) }
      }
      var isGraceRunning = false
      while !choice.isOver, let event = await group.next() {
        if let event { choice.tried(event.index, isThere: event.isThere) } else { choice.graceIsOver() }
        guard choice.best != nil, !isGraceRunning else { continue }
        isGraceRunning = true
        group.addTask {
          // Cancelled with the group once the choice is made.
          do { try await Task.sleep(for: grace) } catch {}
          return nil
        }
      }
      group.cancelAll()
      return choice.chosen
    }
    return chosen.map { places[$0].url }
  }

  /// Returns true if this machine answers at an address, and not another one that has the address now. Sends no token.
  private static func isThere(_ base: String, _ machine: String, _ http: HTTPClient, patience: Duration) async -> Bool {
    do {
      let response = try await http.send(
        HTTPRequest(
          url: base + "/identity", headers: [("Accept", "application/json")], timeout: patience, responseLimit: 65_536))
      return JSONView(response.body)?["MediaContainer"]?["machineIdentifier"]?.string == machine
    } catch {
      return false
    }
  }
}

/// Chooses among addresses that are being tried: the nearest that answers, without waiting long for one that is nearer
/// than one that has answered. Does no I/O.
struct PlexChoice {
  private let kinds: [PlexConnection.Candidate.Kind]
  private var pending: Set<Int>
  /// The nearest of those that answered so far.
  private(set) var best: Int?
  private(set) var chosen: Int?

  init(kinds: [PlexConnection.Candidate.Kind]) {
    self.kinds = kinds
    pending = Set(kinds.indices)
  }

  /// True once one is chosen, or none can be.
  var isOver: Bool { chosen != nil || pending.isEmpty }

  /// Adds the result of one address.
  mutating func tried(_ index: Int, isThere: Bool) {
    pending.remove(index)
    if isThere, best.map({ kinds[index] < kinds[$0] }) ?? true { best = index }
    if chosen == nil, let best, !pending.contains(where: { kinds[$0] < kinds[best] }) { chosen = best }
  }

  /// Chooses the best address so far, as the time to wait for a nearer one is over.
  mutating func graceIsOver() { chosen = chosen ?? best }
}
