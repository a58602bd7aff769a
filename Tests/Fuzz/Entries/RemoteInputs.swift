import Model

@testable import Bus

/// Inputs about nodes on other machines, given to the pure types that handle them.
enum RemoteInputs {
  static func address(_ bytes: [UInt8]) throws(Violation) -> Bool {
    guard let address = TCPAddress(String(decoding: bytes, as: UTF8.self)) else { return false }
    guard TCPAddress(address.description) == address else {
      throw Violation("\(address) was not read as it was written")
    }
    _ = (address.isLoopback, address.isWildcard, address.port(plus: 63))
    return true
  }

  /// A roster's file: an unreadable one gives an empty roster, and a roster that was read can be written again.
  static func keptRoster(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try accepting {
      try Files.withFile(of: bytes) { path in
        var kept = KeptRoster(from: path)
        if kept == KeptRoster() { throw LunaraError("bus.badRoster", "It is empty.") }
        try FileWriter.write(try kept.encoded(), to: path)
        guard KeptRoster(from: path) == kept else { throw Violation("a roster was not kept as it was read") }
        kept.update(kept.nodes.map { ($0.entry, .zero) }, at: Corpus.moment)
        guard kept.nodes.count <= KeptRoster.limit else { throw Violation("a roster grew beyond its limit") }
      }
    }
  }

  /// Continues with a node that announced its presence: it sends a heartbeat again, stays silent, comes back and says
  /// goodbye.
  static func live(_ roster: inout Roster, with presence: NodePresence) throws {
    let start = ContinuousClock.now
    var states = StateTable()
    let place: JournalPosition? = Corpus.place
    _ = roster.receivedPresence(presence, at: start, isHeartbeat: true)
    _ = states.stale(against: presence)
    states.outrank(presence.id)
    if let head = presence.journal {
      _ = (FactCatchUp.judge(head: head, at: place), FactCatchUp.lag(behind: head, at: place))
    }
    var anew = presence
    anew.epoch = .max
    _ = roster.receivedPresence(anew, at: start + .seconds(1), isLocal: false)
    for second in 2..<20 { _ = roster.tick(at: start + .seconds(second)) }
    _ = roster.receivedGoodbye(presence)
    _ = (roster.presences, roster.someoneWantsSignals, roster.epoch(of: presence.id))
  }
}
