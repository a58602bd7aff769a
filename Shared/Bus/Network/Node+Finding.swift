/// Seeds that are found while the node runs.
extension Node {
  /// Where to knock: at what was named, and at what was found.
  var seeds: [String] { network.seeds + found.filter { !network.seeds.contains($0) } }

  /// Lets others find this machine, and looks for them, where that is wanted.
  func beginFinding() {
    guard let finder = network.finder, let keys = network.keys, let bound, !id.isPassing else { return }
    let isReachable = bound.host == "*" || !TCPAddress(host: bound.host, port: bound.inbox.port).isLoopback
    let base = bound.inbox.port - UInt16(2 * bound.number)
    finder.start(
      Announcement(port: base, keys: keys, isReachable: isReachable),
      // On the node's thread from the start, so that what is found first is used first.
      found: { [weak self, thread] addresses in
        Task(executorPreference: thread) { await self?.use(found: addresses) }
      }, report: report)
  }

  /// Takes what is known by now, and knocks where that is new.
  func use(found addresses: [String]) {
    guard !isClosed else { return }
    let isNews = addresses.contains { !seeds.contains($0) }
    found = addresses
    if isNews { knockAtSeeds() }
  }
}
