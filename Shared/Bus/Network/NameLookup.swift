/// What was found of a name, and when.
struct LookedUp {
  var hosts: [String] = []
  var isAsked = false
  var at: ContinuousClock.Instant?
}

/// Looks names up on a thread of its own: it may take as long as the name server likes, and a socket that dials a name
/// cannot be closed before it is found.
actor NameLookup {
  private let thread = IOThread()

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  isolated deinit { thread.stop() }

  func hosts(of name: String) -> [String] { HostAddress.resolve(name) }
}

/// Dialling names.
extension Node {
  /// How long what was found of a name is used.
  private static let memory = Duration.seconds(60)

  /// The addresses that a name stands for, as far as they are known; they are looked up for the next time.
  func numeric(_ address: TCPAddress) -> [TCPAddress] {
    guard !address.isNumeric else { return [address] }
    let known = lookedUp[address.host] ?? LookedUp()
    if !known.isAsked, known.hosts.isEmpty || known.at.map({ $0 + Self.memory < .now }) ?? true {
      lookedUp[address.host, default: LookedUp()].isAsked = true
      let lookup = lookup ?? NameLookup()
      self.lookup = lookup
      Task { found(await lookup.hosts(of: address.host), for: address.host) }
    }
    return known.hosts.map { TCPAddress(host: $0, port: address.port) }
  }

  private func found(_ hosts: [String], for name: String) {
    let isFirst = lookedUp[name]?.hosts.isEmpty != false
    lookedUp[name] = LookedUp(hosts: hosts.isEmpty ? lookedUp[name]?.hosts ?? [] : hosts, at: .now)
    if isFirst, !hosts.isEmpty, !isClosed { knockAtSeeds() }
  }
}
