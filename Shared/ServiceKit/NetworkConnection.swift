import Bus
import Model

/// The connection of this machine to the network, as NetworkManager describes it (org.freedesktop.NetworkManager(5)).
public struct NetworkConnection: Hashable, Sendable {
  /// True if it costs by volume: NetworkManager says so, or guesses it, as for a phone's hotspot.
  public var isMetered = false
  /// True for mobile broadband and for Bluetooth.
  public var isMobile = false

  public init(isMetered: Bool = false, isMobile: Bool = false) {
    self.isMetered = isMetered
    self.isMobile = isMobile
  }

  /// Reads the connection. What NetworkManager does not know is false, and so is all of it without NetworkManager,
  /// which is not started for this.
  ///
  /// - Parameter busAddress: the address of the bus; nil for the system bus.
  public static func current(busAddress: String? = nil) async -> NetworkConnection {
    let manager = NetworkManagerConnection(busAddress: busAddress)
    defer { manager.close() }
    do {
      return NetworkConnection(
        // The values of `NMMetered`: unknown, yes, no, guessed yes, guessed no.
        isMetered: [1, 3].contains(try await manager.property("Metered", "u") { try $0.flags() }),
        isMobile: mobileTypes.contains(try await manager.property("PrimaryConnectionType", "s") { try $0.text() }))
    } catch {
      return NetworkConnection()
    }
  }

  /// The types of connections that are mobile (nm-settings(5), `connection.type`).
  private static let mobileTypes: Set = ["gsm", "cdma", "wimax", "bluetooth"]
}

/// A connection to NetworkManager for a few questions, on a thread of its own that ends with it.
private actor NetworkManagerConnection {
  private let thread = IOThread()
  private let address: String?
  private var bus: SystemBus?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(busAddress address: String?) { self.address = address }

  deinit { thread.stop() }

  /// Returns a property of NetworkManager, whose type is a character of D-Bus. Throws `BusFailure`, `bus.noThread`.
  nonisolated func property<Value: Sendable>(
    _ name: String, _ type: String, _ read: @escaping @Sendable (BusMessage) throws -> Value
  ) async throws -> Value {
    if let failure = thread.failure { throw failure }
    return try await ask(name, type, read)
  }

  private func ask<Value: Sendable>(
    _ name: String, _ type: String, _ read: @escaping @Sendable (BusMessage) throws -> Value
  ) async throws -> Value {
    let bus =
      try self.bus
      ?? SystemBus(
        address, of: "org.freedesktop.NetworkManager", patience: 2_000_000, startsService: false, rules: [])
    self.bus = bus
    return try await withCheckedThrowingContinuation { (answered: CheckedContinuation<Value, any Error>) in
      let answer: SystemBus.Answer = { answer in
        answered.resume(
          with: Result { () throws -> Value in
            let message = try answer.get()
            try message.enter("v", of: type)
            return try read(message)
          })
      }
      do throws(BusFailure) {
        try bus.call(
          "Get", of: "org.freedesktop.DBus.Properties", at: "/org/freedesktop/NetworkManager",
          [.text("org.freedesktop.NetworkManager"), .text(name)], answer: answer)
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
