import Model

/// The pair of ports on which a node listens for other machines: the inbox, and after it the request socket.
struct ListeningPorts {
  /// The numeric address on which the node listens; `*` for all interfaces.
  let host: String
  let inbox: TCPAddress
  let requests: TCPAddress
  /// The number of the pair: 0 for the first node of a machine.
  let number: Int

  private static let limit = 32

  /// Returns the pairs to try, in order; empty for a node that other machines need not reach.
  ///
  /// - Parameters:
  ///   - network: the settings.
  ///   - isLoopbackOnly: true without a key, as then the node must listen on loopback addresses only.
  /// - Throws: `bus.badAddress`, `bus.keyNeeded`.
  static func candidates(for network: Network, isLoopbackOnly: Bool) throws -> [ListeningPorts] {
    try network.check()
    guard let text = network.listen ?? implied(by: network), let base = TCPAddress(text) else { return [] }
    let found = base.isWildcard ? [] : HostAddress.resolve(base.host)
    guard base.isWildcard || !found.isEmpty else { throw Network.badAddress(text, "LUNARA_LISTEN") }
    let isLoopback = !base.isWildcard && found.allSatisfy { TCPAddress(host: $0, port: 1).isLoopback }
    guard !isLoopbackOnly || isLoopback else { throw Network.keyNeeded("listen on \(base)") }
    let host = found.first ?? "*"
    return (0..<limit).compactMap { pair in
      guard let inbox = TCPAddress(host: host, port: base.port).port(plus: 2 * pair), let requests = inbox.port(plus: 1)
      else { return nil }
      return ListeningPorts(host: host, inbox: inbox, requests: requests, number: pair)
    }
  }

  /// Returns the address to listen on if none was set: a node that has seeds, or searches for some, has to be
  /// reachable.
  private static func implied(by network: Network) -> String? {
    guard !network.seeds.isEmpty else { return network.finder == nil ? nil : "tcp://*" }
    let areHere = network.finder == nil && network.seeds.allSatisfy { TCPAddress($0)?.isLoopback == true }
    return areHere ? "tcp://127.0.0.1" : "tcp://*"
  }

  /// True if the node listens on all interfaces.
  var isWildcard: Bool { host == "*" || TCPAddress(host: host, port: 1).isWildcard }

  /// True if other machines can reach these ports.
  var isReachable: Bool { host == "*" || !TCPAddress(host: host, port: inbox.port).isLoopback }

  /// The first port of the machine's nodes.
  var base: UInt16 { inbox.port - UInt16(2 * number) }

  /// - Throws: `bus.badAddress`.
  func advertised(by network: Network) throws -> Endpoints {
    var (inbox, requests) = (inbox, requests)
    if let text = network.advertise {
      guard let address = TCPAddress(text, port: base), !address.isWildcard,
        let first = address.port(plus: 2 * number), let second = first.port(plus: 1)
      else { throw Network.badAddress(text, "LUNARA_ADVERTISE") }
      inbox = first
      requests = second
    } else if isWildcard {
      // The address from which a seed is reached is one that the seed can reach. A name would have to be looked up
      // first.
      let towards = network.seeds.lazy.compactMap { TCPAddress($0) }.filter { !$0.isLoopback && $0.isNumeric }
        .compactMap { HostAddress.local(towards: $0.host) }.first
      let own = towards ?? HostAddress.own() ?? "127.0.0.1"
      inbox.host = own
      requests.host = own
    }
    return Endpoints(inbox: inbox.description, requests: requests.description)
  }
}

/// The addresses at which a node can be reached from other machines.
public struct Endpoints: Codable, Hashable, Sendable {
  /// The address of its inbox, to which other nodes publish: `tcp://HOST:PORT`.
  public var inbox: String
  /// The address of its request socket: `tcp://HOST:PORT`.
  public var requests: String

  private enum CodingKeys: String, CodingKey {
    case inbox
    case requests = "desk"
  }
}
