import CMicroHTTPD
import Glibc
import Model
import Synchronization
import System

/// The state that a running server shares with its exchanges.
final class ServerCore: Sendable {
  private struct State {
    var exchanges: [ObjectIdentifier: Exchange] = [:]
    var isStopping = false
    /// The sockets from which a part of a request is expected, by their connections, and since when.
    var expected: [UInt: (descriptor: Int32, since: ContinuousClock.Instant)] = [:]
    /// The number of bytes of all requests' bodies in memory.
    var held = 0
    var watch: Task<Void, Never>?
    /// The clients of the open connections.
    var clients: [UInt: Client] = [:]
  }

  private struct Client {
    let prefix: HostPrefix
    let isKnown: Bool
  }

  let limits: HTTPServer.Limits
  let handler: @Sendable (HTTPServerRequest) async -> HTTPServerResponse
  private let state = Mutex(State())

  init(
    _ limits: HTTPServer.Limits, _ handler: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse
  ) {
    self.limits = limits
    self.handler = handler
  }

  /// The answer to a request that the handler does not answer.
  func answer(to refusal: HTTPServerRefusal) -> HTTPServerResponse {
    let answer = limits.refusal(refusal)
    return refusal.ends ? answer.closing : answer
  }

  /// True if no connection may be suspended any more.
  var isStopping: Bool { state.withLock { $0.isStopping } }
  /// The number of requests that are being received, answered or sent.
  var exchanges: Int { state.withLock { $0.exchanges.count } }

  func add(_ exchange: Exchange) { state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange } }
  func remove(_ exchange: Exchange) {
    _ = state.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  /// Starts the deadline for the next part of a request. To be called in a callback of libmicrohttpd.
  func expect(_ connection: OpaquePointer) {
    let (key, descriptor) = (UInt(bitPattern: connection), lunara_http_descriptor(connection))
    guard descriptor >= 0 else { return }
    state.withLock { $0.expected[key] = (descriptor, .now) }
    watch()
  }

  /// Returns true if a connection from a client may be accepted. If its address, or all that are not known, have no
  /// place left, the connection of theirs that has waited longest for a request is closed.
  func makesRoom(for prefix: HostPrefix, host: String) -> Bool {
    let isKnown = limits.reserved > 0 && limits.isKnown(host)
    return state.withLock { state in
      let own = state.clients.filter { $0.value.prefix == prefix }
      if limits.clientConnections > 0, own.count >= limits.clientConnections {
        return Self.closeIdlest(of: own.keys, &state)
      }
      guard limits.reserved > 0, !isKnown else { return true }
      let strangers = state.clients.filter { !$0.value.isKnown }
      return strangers.count < limits.connections - limits.reserved || Self.closeIdlest(of: strangers.keys, &state)
    }
  }

  /// Shuts down the connection that has waited longest for a request; returns false if all are in use.
  private static func closeIdlest(of connections: some Sequence<UInt>, _ state: inout State) -> Bool {
    let idle = connections.compactMap { key in state.expected[key].map { (key: key, wait: $0) } }
    guard let idlest = idle.min(by: { $0.wait.since < $1.wait.since }) else { return false }
    shutdown(idlest.wait.descriptor, Int32(SHUT_RDWR))
    state.expected[idlest.key] = nil
    state.clients[idlest.key] = nil
    return true
  }

  func opened(_ connection: OpaquePointer, from prefix: HostPrefix?) {
    guard let prefix else { return }
    let host = lunara_http_client(connection).flatMap { NumericAddress($0)?.host } ?? ""
    let client = Client(prefix: prefix, isKnown: limits.reserved > 0 && limits.isKnown(host))
    state.withLock { $0.clients[UInt(bitPattern: connection)] = client }
  }

  func closed(_ connection: OpaquePointer) {
    _ = state.withLock { $0.clients.removeValue(forKey: UInt(bitPattern: connection)) }
  }

  /// Ends the deadline of a connection: its request is complete, or its socket is about to be closed.
  func expectNothing(of connection: OpaquePointer) {
    let key = UInt(bitPattern: connection)
    state.withLock { $0.expected[key] = nil }
  }

  /// Reserves memory for bytes of a body. Returns false if all bodies together would exceed the limit.
  func hold(_ count: Int) -> Bool {
    state.withLock { state in
      guard state.held + count <= limits.bodies else { return false }
      state.held += count
      return true
    }
  }

  func release(_ count: Int) { state.withLock { $0.held -= count } }

  /// Shuts down connections that take too long with a request. A socket is removed from `expected` before it is closed,
  /// so its number cannot belong to another connection by now.
  private func cutOff() {
    state.withLock { state in
      for (key, one) in state.expected where .now - one.since > limits.deadline {
        shutdown(one.descriptor, Int32(SHUT_RDWR))
        state.expected[key] = nil
      }
    }
  }

  /// Starts the task that drops clients that have gone or are too slow; it runs while there are connections.
  func watch() {
    state.withLock { state in
      guard state.watch == nil, !state.isStopping else { return }
      state.watch = Task { [weak self, interval = limits.watch] in
        while await Self.waits(interval), let open = self?.openExchanges() {
          for exchange in open { exchange.dropIfHungUp() }
          self?.cutOff()
        }
      }
    }
  }

  /// Returns the open requests; nil, which ends the watch, where there are none and none is expected.
  private func openExchanges() -> [Exchange]? {
    state.withLock { state in
      if (state.exchanges.isEmpty && state.expected.isEmpty) || state.isStopping {
        state.watch = nil
        return nil
      }
      return Array(state.exchanges.values)
    }
  }

  /// Sleeps for an interval. Returns false if the task was cancelled meanwhile.
  private static func waits(_ interval: Duration) async -> Bool {
    do { try await Task.sleep(for: interval) } catch { return false }
    return true
  }

  /// Cancels all handlers and streams, and waits up to `Limits.grace` until their clients have got the answers.
  func interrupt() async {
    let (open, watch) = state.withLock { state in
      state.isStopping = true
      defer { state.watch = nil }
      return (Array(state.exchanges.values), state.watch)
    }
    watch?.cancel()
    for exchange in open { exchange.interrupt() }
    let clock = ContinuousClock()
    let end = clock.now + limits.grace
    while exchanges > 0, clock.now < end, await Self.waits(.milliseconds(5)) {}
  }
}
