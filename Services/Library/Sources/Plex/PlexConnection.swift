import HTTP
import Messages
import Model
import Records
import System

/// Chooses the address of one server: the nearest one at which that machine answers. It is used until it fails.
///
/// All addresses are tried at once, since a dead one fails only after a long time. plex.tv is not needed for that.
/// Unencrypted addresses are never a second choice: who disturbs the encrypted ones would get the token.
actor PlexConnection: PlexEndpoint {
  struct Candidate: Codable, Hashable, Sendable {
    var url: String
    var kind: Kind

    /// The kinds of addresses, nearest first.
    enum Kind: Int, Codable, Sendable, Comparable {
      /// An address on the local network, by a name with a certificate.
      case local = 0
      /// An address on the local network without encryption. Earlier versions stored these beside encrypted ones.
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
  private var checkedAt: ContinuousClock.Instant?
  private var lastGood: String?
  private var search: Task<String, any Error>?
  private let keep: @Sendable (String) async -> Void
  /// Asks plex.tv for the server's addresses; called when none of the known ones answers.
  private let renew: @Sendable () async -> [Candidate]
  private let patience: Duration
  private let grace: Duration
  private let lifetime: Duration

  /// Makes a connection to `machine`. An address that does not answer within `patience` is given up; a nearer one that
  /// answers within `grace` of a farther one is preferred.
  init(
    http: HTTPClient, name: String, machine: String, places: [Candidate], lastGood: String?,
    patience: Duration = .seconds(8),
    grace: Duration = .milliseconds(700), lifetime: Duration = PlexIdentity.lifetime,
    keep: @escaping @Sendable (String) async -> Void = { _ in },
    renew: @escaping @Sendable () async -> [Candidate] = { [] }
  ) {
    self.http = http
    self.name = name
    id = machine
    let usable = Self.usable(places)
    self.places = usable
    self.lastGood = lastGood.flatMap { last in
      last.hasPrefix("https://") || usable.contains { $0.url == last } ? last : nil
    }
    self.patience = patience
    self.grace = grace
    self.lifetime = lifetime
    self.keep = keep
    self.renew = renew
  }

  /// Returns the addresses to which the token may be sent. Unencrypted ones are among them only if the server has no
  /// others, and then only those on the local network. Those of this machine always are, as nothing leaves it.
  static func usable(_ places: [Candidate]) -> [Candidate] {
    let addresses = places.filter { HTTPBaseAddress($0.url) != nil }
    func isEncrypted(_ place: Candidate) -> Bool { HTTPBaseAddress(place.url)?.isEncrypted ?? false }
    let hasEncrypted = addresses.contains(where: isEncrypted)
    return addresses.filter { place in
      isEncrypted(place) || Loopback.isCertain(of: place.url)
        || !hasEncrypted && (place.kind == .local || place.kind == .plain)
    }
  }

  func base(isFresh: Bool) async throws -> String {
    if let good {
      if !isFresh, let checkedAt, checkedAt.duration(to: .now) < lifetime { return good }
      if case .found = await Self.probe(good, id, http, patience: patience) {
        checkedAt = .now
        return good
      }
      if self.good == good { self.good = nil }
    }
    let search = search ?? Task { try await find() }
    self.search = search
    defer { if self.search == search { self.search = nil } }
    let found = try await search.value
    if good == nil {
      good = found
      checkedAt = .now
    }
    if good == found, lastGood != found {
      lastGood = found
      await keep(found)
    }
    return found
  }

  func machine() async throws -> String {
    _ = try await base()
    return id
  }

  func failed(_ base: String, _ error: LunaraError) {
    checkedAt = nil
    // One broken answer is no reason to search for another address.
    guard good == base, ["http.unreachable", "http.insecure", "http.timeout"].contains(error.code) else { return }
    good = nil
  }

  func confirm() -> String? {
    guard good != nil, checkedAt != nil else { return nil }
    checkedAt = .now
    return id
  }

  func recheck() { checkedAt = nil }

  /// The machine of an account's server never changes.
  func expect(_ machine: String) {}
  nonisolated func expecting(_ machine: String) -> any PlexEndpoint { self }

  private func find() async throws -> String {
    if let lastGood, case .found = await Self.probe(lastGood, id, http, patience: min(patience, .seconds(3))) {
      return lastGood
    }
    let (known, problem) = await nearest(places)
    if let known { return known }
    let renewed = Self.usable(await renew())
    if !renewed.isEmpty, renewed != places {
      places = renewed
      if let found = await nearest(renewed).found { return found }
    }
    if let problem { throw SourceError.unreachable(name, problem) }
    throw LunaraError(
      "library.sourceAway",
      "\(name) answers at none of the \(places.count) addresses that are known of it. Check that it runs and the network; "
        + "what is known of it stays listed.")
  }

  /// Returns the nearest address at which the machine answers; where there is none, also an error that says why no
  /// encrypted connection could be made, if that was the reason.
  private func nearest(_ places: [Candidate]) async -> (found: String?, problem: LunaraError?) {
    let (http, machine, patience, grace) = (http, id, patience, grace)
    // Each child task returns the result of one address, or nil when the time to wait for a nearer one is over.
    return await withTaskGroup(of: (index: Int, result: Probe)?.self) { group in
      var choice = PlexChoice(kinds: places.map(\.kind))
      var problem: LunaraError?
      for (index, place) in places.enumerated() {
        group.addTask { (index, await Self.probe(place.url, machine, http, patience: patience)) }
      }
      var isGraceRunning = false
      while !choice.isOver, let event = await group.next() {
        switch event {
        case (let index, .found)?: choice.tried(index, isThere: true)
        case (let index, .missing(let error))?:
          choice.tried(index, isThere: false)
          if error?.code == "http.insecure" { problem = problem ?? error }
        case nil: choice.graceIsOver()
        }
        guard choice.best != nil, !isGraceRunning else { continue }
        isGraceRunning = true
        group.addTask {
          // The sleep throws only when the group is cancelled: the choice is made then, and nobody reads this result.
          do { try await Task.sleep(for: grace) } catch {}
          return nil
        }
      }
      group.cancelAll()
      return (choice.chosen.map { places[$0].url }, problem)
    }
  }

  private enum Probe: Sendable {
    /// The machine answers.
    case found
    /// Another machine answers, or there is no answer for the reason of the error.
    case missing(LunaraError?)
  }

  /// Finds out whether this machine answers at an address, and not another one that has the address now.
  private static func probe(
    _ base: String, _ machine: String, _ http: HTTPClient, patience: Duration
  ) async -> Probe {
    do {
      return try await PlexIdentity.machine(at: base, http, patience: patience).id == machine ? .found : .missing(nil)
    } catch {
      return .missing(LunaraError(error))
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
