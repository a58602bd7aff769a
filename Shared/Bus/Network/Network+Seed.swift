extension Network {
  /// How other machines reach this one, as `LUNARA_SEEDS` takes it; nil where it is on no network. What was set comes first,
  /// then the address by which this machine reaches others.
  public var ownSeed: String? {
    let base = listen.flatMap { TCPAddress($0) }
    if let told = advertise.flatMap({ TCPAddress($0, port: base?.port ?? TCPAddress.base) }), !told.isWildcard {
      return told.seed
    }
    if let base, !base.isWildcard { return base.seed }
    // An address that nobody has leads to the interface behind which everybody is (RFC 5737).
    guard let host = HostAddress.local(towards: "192.0.2.1") ?? HostAddress.own() else { return nil }
    return TCPAddress(host: host, port: base?.port ?? TCPAddress.base).seed
  }

  /// How a machine reaches this one that has reached it at a local address, as `LUNARA_SEEDS` takes it: of a machine on several
  /// networks `ownSeed` is only one. Nil where what was set says where this machine is reached, and for an address that is of
  /// use to nobody else.
  ///
  /// - Parameters:
  ///   - local: the numeric address at which it was reached.
  ///   - peer: the numeric address of who has reached it.
  public func seed(reachedAt local: String, from peer: String) -> String? {
    let base = listen.flatMap { TCPAddress($0) }
    if let told = advertise.flatMap({ TCPAddress($0) }), !told.isWildcard { return nil }
    if let base, !base.isWildcard || (base.host == "0.0.0.0" && local.contains(":")) { return nil }
    let port = base?.port ?? TCPAddress.base
    // A link-local address needs a zone, which nanomsg refuses.
    guard !local.lowercased().hasPrefix("fe80:"), TCPAddress(local)?.isWildcard == false else { return nil }
    let address = TCPAddress(host: local, port: port)
    guard !address.isLoopback || TCPAddress(host: peer, port: port).isLoopback else { return nil }
    return address.seed
  }

  /// The host and the first port of a seed; nil for what is none.
  public static func place(_ seed: String) -> (host: String, port: UInt16)? {
    TCPAddress(seed).map { ($0.host, $0.port) }
  }
}

extension TCPAddress {
  /// As short as it can be said: without `tcp://`, and without a port that is the usual one.
  var seed: String {
    if port == Self.base { return host }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
