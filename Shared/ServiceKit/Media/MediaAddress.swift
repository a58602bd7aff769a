import System

/// The address that `lunara-media` listens on, and the one that other hosts are given.
public struct MediaAddress: Hashable, Sendable {
  /// The address to listen on; `::` for all.
  public var host: String
  /// The port; 0 for any free one.
  public var port: UInt16
  /// True if a person set the port; otherwise another one is used where it is taken.
  public var isChosen: Bool

  private static let port: UInt16 = 8788

  /// Chooses the address of the setting, else the one on which the node listens for other machines, else loopback.
  /// `setting` is that of `LUNARA_MEDIA`; `listening` is `*` where the node listens on all addresses.
  public init(setting: (host: String, port: UInt16)?, listening: String?) {
    host = setting?.host ?? listening ?? "127.0.0.1"
    if host == "*" { host = "::" }
    port = setting?.port ?? Self.port
    isChosen = setting != nil
  }

  /// True if only this machine reaches the address.
  public var isLoopback: Bool { Loopback.isHost(host) }

  private var isWildcard: Bool { host == "::" || host == "0.0.0.0" }

  /// Returns the beginning of the addresses that other hosts are given, without a final slash. `advertised` is the name
  /// by which other machines reach this one.
  public func base(port: UInt16, advertised: String?) -> String {
    // An address that a person set is used as it is.
    let name = isWildcard ? advertised ?? "127.0.0.1" : isChosen || isLoopback ? host : advertised ?? host
    return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
  }
}
