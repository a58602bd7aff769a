import Model

/// Where the media endpoint listens, and under which address it is told to others.
struct MediaAddress: Hashable, Sendable {
  /// The address to listen on; `::` for all.
  var host: String
  var port: UInt16
  /// Whether a person has chosen the port: else another one will do where it is taken.
  var isChosen: Bool

  /// The port where none is set.
  static let port: UInt16 = 8788

  /// Chooses: what is set, or else where the node listens for other machines, or else this machine alone.
  ///
  /// - Parameters:
  ///   - setting: host and port of `LUNARA_MEDIA`; nil where it is not set.
  ///   - listening: the address that the node listens on, `*` for all; nil where it does not.
  init(setting: (host: String, port: UInt16)?, listening: String?) {
    host = setting?.host ?? listening ?? "127.0.0.1"
    if host == "*" { host = "::" }
    port = setting?.port ?? Self.port
    isChosen = setting != nil
  }

  /// Whether only this machine reaches it.
  var isLoopback: Bool { Loopback.isHost(host) }

  /// Whether it stands for every address of this machine.
  var isWildcard: Bool { host == "::" || host == "0.0.0.0" }

  /// The beginning of the addresses that others are told, without a final slash.
  ///
  /// - Parameters:
  ///   - port: the one that was got.
  ///   - advertised: how other machines reach this one, as the node tells them.
  func base(port: UInt16, advertised: String?) -> String {
    // An address of its own was set because it is the one to use.
    let name = isWildcard ? advertised ?? "127.0.0.1" : isChosen || isLoopback ? host : advertised ?? host
    return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
  }
}
