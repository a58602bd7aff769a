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
