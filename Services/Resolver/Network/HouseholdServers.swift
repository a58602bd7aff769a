import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import System

/// The servers of the household itself: its page, its media, its bus and those for MPD clients, on this machine and on
/// its other ones. No plugin may ask them, whatever its settings name and whatever a person has allowed.
final class HouseholdServers: Sendable {
  /// The names that browsers use for the page, in lower case.
  private let names: Set<String>
  private let ports: Mutex<Set<UInt16>>
  private let isPeer: @Sendable (_ address: String) -> Bool

  /// The most ports on which the nodes of a machine listen, from the first one on, and the most for MPD clients.
  private static let nodePorts: UInt16 = 64
  /// The usual first port of the nodes. It counts in addition to that of the settings, because other machines have
  /// settings of their own.
  private static let bus: UInt16 = 7700
  /// The usual port of the media, likewise.
  private static let media: UInt16 = 8788
  /// The usual port of the page, likewise.
  private static let page: UInt16 = 8787
  /// The usual first port for MPD clients, likewise. Rooms have the next ones.
  private static let mpd: UInt16 = 6600

  /// - Parameters:
  ///   - page: the port of the page.
  ///   - media: the port of the media; nil for the usual one.
  ///   - bus: the first port of the nodes; nil for the usual one.
  ///   - mpd: the first port for MPD clients; nil for the usual one.
  ///   - names: the names by which browsers reach the page.
  ///   - isPeer: returns true for the numeric address of another machine of the household.
  init(
    page: UInt16 = page, media: UInt16? = nil, bus: UInt16? = nil, mpd: UInt16? = nil,
    names: [String] = [],
    isPeer: @escaping @Sendable (_ address: String) -> Bool = { _ in false }
  ) {
    var ports: Set = [Self.page, Self.media, PairingSearch.port, page, media ?? Self.media]
    for first in [Self.bus, bus ?? Self.bus, Self.mpd, mpd ?? Self.mpd] {
      ports.formUnion(first...max(first, first &+ (Self.nodePorts - 1)))
    }
    self.ports = Mutex(ports)
    self.names = Set(names.map { $0.lowercased() })
    self.isPeer = isPeer
  }

  /// Notes the addresses at which nodes on other machines are reached.
  func add(_ endpoints: [Endpoints]) {
    let found = endpoints.flatMap { [$0.inbox, $0.requests] }.compactMap { Self.port(of: $0) }
    ports.withLock { $0.formUnion(found) }
  }

  /// Returns true if an address names a server of the household by number or name. A name that only resolves to one is
  /// detected on connecting.
  func contains(_ origin: Origin) -> Bool {
    if names.contains(origin.host) { return true }
    guard let port = UInt16(origin.port) else { return false }
    if Loopback.isHost(origin.host) { return ports.withLock { $0.contains(port) } }
    return origin.numericAddress.map { contains(ConnectionAddress(bytes: $0, port: port)) } ?? false
  }

  /// Returns true for the address of a connection.
  func contains(_ address: ConnectionAddress) -> Bool {
    guard ports.withLock({ $0.contains(address.port) }) else { return false }
    return LocalAddresses.contain(address.bytes) || IPAddress.text(address.bytes).map(isPeer) ?? false
  }

  /// The error for a plugin that asks one of them.
  static func refusal(of server: String) -> LunaraError {
    LunaraError("resolver.householdRefused", "\(server) belongs to this household, which no plugin may ask.")
  }

  /// Returns the port at the end of `HOST:PORT`; nil for none.
  private static func port(of text: String) -> UInt16? {
    text.lastIndex(of: ":").flatMap { UInt16(text[text.index(after: $0)...]) }
  }
}

extension HouseholdServers {
  /// Creates the servers that the settings of this machine and the node know.
  ///
  /// - Throws: `settings.badAddress`.
  convenience init(_ settings: Settings, node: Node) throws {
    let names = (settings["LUNARA_WEB_NAMES"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
    self.init(
      page: try Settings.address(settings.web, of: "LUNARA_WEB").port, media: try settings.media?.port,
      bus: settings["LUNARA_LISTEN"].flatMap { Self.port(of: $0) },
      mpd: try settings["LUNARA_MPD"].map { try Settings.address($0, of: "LUNARA_MPD").port }, names: names,
      isPeer: { node.isPeerHost($0) })
  }

  /// Follows the nodes on other machines, and the port of the media, until the task is cancelled.
  func follow(_ node: Node) async {
    async let media: Void = followMedia(node)
    for await presences in await node.presences() { add(presences.compactMap(\.endpoints)) }
    await media
  }

  private func followMedia(_ node: Node) async {
    for await all in await node.states(Media.Endpoint.self) {
      let found = all.compactMap(\.value.port)
      ports.withLock { $0.formUnion(found) }
    }
  }
}
