import System

/// The places for connections whose senders have not proven that they have the household's key. Pure.
///
/// All strangers together have `limit` places, and one address at most `addressLimit` of them. A connection that finds
/// no place takes that of the oldest one: a peer proves itself within milliseconds, so a connection that holds a place
/// longer is rather not one. The addresses of peers have `addressLimit` places each that strangers elsewhere cannot
/// take.
struct StrangerPlaces {
  static let limit = 64
  static let addressLimit = 24
  /// The time within which a connection has to prove itself.
  static let patience = Duration.seconds(10)
  /// The largest number of addresses that are remembered as those of peers.
  static let peerLimit = 256

  private struct Place {
    let connection: UInt32
    let address: HostPrefix
    let since: ContinuousClock.Instant
  }

  /// The places that are taken, in the order of arrival.
  private var places: [Place] = []
  /// The addresses of peers: those that the household lists, and those that have proven themselves here, oldest first.
  private var listed: Set<HostPrefix> = []
  private(set) var proven: [HostPrefix] = []

  /// The number of places that are taken.
  var count: Int { places.count }

  /// Gives a place to a connection; returns the connection that has to be closed for it, if one has.
  mutating func arrived(_ connection: UInt32, from address: HostPrefix, at now: ContinuousClock.Instant) -> UInt32? {
    let neighbours = places.filter { $0.address == address }
    let strangers = isPeer(address) ? [] : places.filter { !isPeer($0.address) }
    var evicted: UInt32?
    if neighbours.count >= Self.addressLimit {
      evicted = neighbours[0].connection
    } else if strangers.count >= Self.limit {
      evicted = strangers[0].connection
    }
    if let evicted { left(evicted) }
    places.append(Place(connection: connection, address: address, since: now))
    return evicted
  }

  /// Gives back the place of a connection whose sender has the key, and remembers its address as that of a peer.
  mutating func proved(_ connection: UInt32) {
    guard let index = places.firstIndex(where: { $0.connection == connection }) else { return }
    let address = places.remove(at: index).address
    proven.removeAll { $0 == address }
    proven.append(address)
    if proven.count > Self.peerLimit { proven.removeFirst() }
  }

  /// Gives back the place of a connection that was closed.
  mutating func left(_ connection: UInt32) { places.removeAll { $0.connection == connection } }

  /// Removes the connections that took too long, and returns them.
  mutating func removeOverdue(at now: ContinuousClock.Instant) -> [UInt32] {
    let overdue = places.prefix { now - $0.since >= Self.patience }
    places.removeFirst(overdue.count)
    return overdue.map(\.connection)
  }

  /// Removes the connection that has held its place longest, and returns it; nil if there is none.
  mutating func removeOldest() -> UInt32? { places.isEmpty ? nil : places.removeFirst().connection }

  /// Replaces the addresses at which the household's other machines are.
  mutating func list(_ addresses: Set<HostPrefix>) { listed = addresses }

  /// Returns true for the address of a peer.
  func isPeer(_ address: HostPrefix) -> Bool { listed.contains(address) || proven.contains(address) }
}
