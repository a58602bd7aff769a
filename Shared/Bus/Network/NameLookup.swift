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
  private let resolve: @Sendable (String) -> [String]

  /// Makes one that looks names up by a function that may block.
  init(_ resolve: @escaping @Sendable (String) -> [String]) { self.resolve = resolve }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  isolated deinit { thread.stop() }

  func hosts(of name: String) -> [String] { resolve(name) }
}

/// Dialling names.
extension Node {
  /// How long what was found of a name is used.
  private static let memory = Duration.seconds(60)
  /// How long one is not asked for again that was not found.
  private static let pause = Duration.milliseconds(900)

  /// The addresses that a name stands for, as far as they are known; they are looked up for the next time.
  func numeric(_ address: TCPAddress) -> [TCPAddress] {
    guard !address.isNumeric else { return [address] }
    let known = lookedUp[address.host] ?? LookedUp()
    let length = known.hosts.isEmpty ? Self.pause : Self.memory
    if !known.isAsked, known.at.map({ $0 + length < .now }) ?? true {
      lookedUp[address.host, default: LookedUp()].isAsked = true
      let lookup = lookup ?? NameLookup(tuning.resolve)
      self.lookup = lookup
      Task { found(await lookup.hosts(of: address.host), for: address.host) }
    }
    return known.hosts.map { TCPAddress(host: $0, port: address.port) }
  }

  /// The address to dial for one that was told, which may bear a name; nil while that is not known.
  func numeric(_ text: String) -> String? {
    guard let address = TCPAddress(text) else { return text }
    return numeric(address).first?.description
  }

  /// Whether an address bears a name that was looked up in vain.
  func isUnknown(_ text: String) -> Bool {
    guard let known = TCPAddress(text).flatMap({ lookedUp[$0.host] }) else { return false }
    return known.at != nil && known.hosts.isEmpty
  }

  /// Has the next one of a name's addresses tried first, as this one did not lead there.
  func turn(_ text: String) {
    guard let name = TCPAddress(text)?.host, var known = lookedUp[name], known.hosts.count > 1 else { return }
    known.hosts.append(known.hosts.removeFirst())
    lookedUp[name] = known
  }

  private func found(_ hosts: [String], for name: String) {
    // A zone, which nanomsg refuses, follows a percent sign.
    let hosts = hosts.filter { !$0.contains("%") }
    let isFirst = lookedUp[name]?.hosts.isEmpty != false
    lookedUp[name] = LookedUp(hosts: hosts.isEmpty ? lookedUp[name]?.hosts ?? [] : hosts, at: .now)
    guard isFirst, !hosts.isEmpty, !isClosed else { return }
    knockAtSeeds()
    for (node, peer) in roster.peers {
      guard let inbox = peer.lease?.inbox, remoteVoices[node] == nil, TCPAddress(inbox)?.host == name else { continue }
      connect(to: node, inbox: inbox)
    }
    for node in Set(requests.pending.values.map(\.node)) where lines[node] == nil {
      requests.sendAgain(to: node, at: .now)
    }
    pursueRequests(at: .now)
    reschedule()
  }
}
