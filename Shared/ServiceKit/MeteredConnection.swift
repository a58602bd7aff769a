import Bus
import Model

/// The connection of this machine to the network, as NetworkManager describes it (org.freedesktop.NetworkManager(5)).
public enum MeteredConnection {
  /// Returns true if the connection costs by volume: NetworkManager says so, or guesses it, as for a phone's hotspot.
  /// Returns false if it does not know, and without NetworkManager, which is not started for this.
  ///
  /// - Parameter address: the address of the bus; nil for the system bus.
  public static func isMetered(busAddress address: String? = nil) async -> Bool {
    let manager = NetworkManagerConnection(busAddress: address)
    defer { manager.close() }
    do {
      // The values of `NMMetered`: unknown, yes, no, guessed yes, guessed no.
      return [1, 3].contains(try await manager.metered())
    } catch {
      return false
    }
  }
}

/// A connection to NetworkManager for one question, on a thread of its own that ends with it.
private actor NetworkManagerConnection {
  private let thread = IOThread()
  private let address: String?
  private var bus: SystemBus?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(busAddress address: String?) { self.address = address }

  deinit { thread.stop() }

  /// Returns the property `Metered`. Throws `BusFailure`, `bus.noThread`.
  nonisolated func metered() async throws -> UInt32 {
    if let failure = thread.failure { throw failure }
    return try await ask()
  }

  private func ask() async throws -> UInt32 {
    let bus = try SystemBus(
      address, of: "org.freedesktop.NetworkManager", patience: 2_000_000, startsService: false, rules: [])
    self.bus = bus
    return try await withCheckedThrowingContinuation { (answered: CheckedContinuation<UInt32, any Error>) in
      let answer: SystemBus.Answer = { answer in
        answered.resume(
          with: Result { () throws -> UInt32 in
            let message = try answer.get()
            try message.enter("v", of: "u")
            return try message.flags()
          })
      }
      do throws(BusFailure) {
        try bus.call(
          "Get", of: "org.freedesktop.DBus.Properties", at: "/org/freedesktop/NetworkManager",
          [.text("org.freedesktop.NetworkManager"), .text("Metered")], answer: answer)
      } catch {
        answer(.failure(error))
      }
      work()
    }
  }

  nonisolated func close() {
    guard thread.failure == nil else { return }
    Task { await leave() }
  }

  private func leave() { drop(BusFailure(description: "the connection is closed")) }

  /// Processes the connection's messages, and drops the connection if it is lost.
  private func work() {
    do throws(BusFailure) {
      try bus?.work(on: thread) { [weak self] in self?.assumeIsolated { $0.work() } }
    } catch {
      drop(error)
    }
  }

  private func drop(_ failure: BusFailure) {
    guard let bus else { return }
    self.bus = nil
    bus.end(on: thread, failure)
  }
}
