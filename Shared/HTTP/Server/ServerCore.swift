import CMicroHTTPD
import Glibc
import Model
import Synchronization

/// What a running server shares with its exchanges.
final class ServerCore: Sendable {
  /// How long things last and how large they get.
  struct Limits: Sendable {
    /// How many connections are open at once; further ones wait in the kernel's queue.
    var connections = 256
    /// After how many seconds without a byte in either direction a connection is closed.
    var patience: UInt32 = 30
    /// How many bytes a connection's headers may take.
    var memory = 32 * 1024
    /// After how many milliseconds a connection whose other end takes nothing of what was sent is closed; nil for never.
    var delivery: Int32?
    /// How often open streams are looked after.
    var watch = Duration.seconds(2)
    /// How long a stop waits for answers that are on their way.
    var grace = Duration.milliseconds(400)
  }

  private struct State {
    var exchanges: [ObjectIdentifier: Exchange] = [:]
    var isStopping = false
    var watch: Task<Void, Never>?
  }

  let limits: Limits
  let handler: @Sendable (HTTPServerRequest) async -> HTTPServerResponse
  private let state = Mutex(State())

  /// Makes the core of a server that is not started yet.
  init(_ limits: Limits, _ handler: @escaping @Sendable (HTTPServerRequest) async -> HTTPServerResponse) {
    self.limits = limits
    self.handler = handler
  }

  /// Whether no connection may be suspended any more.
  var isStopping: Bool { state.withLock { $0.isStopping } }
  /// How many requests are being received, answered or sent.
  var exchanges: Int { state.withLock { $0.exchanges.count } }

  /// Takes note of a request.
  func add(_ exchange: Exchange) { state.withLock { $0.exchanges[ObjectIdentifier(exchange)] = exchange } }
  /// Forgets a request.
  func remove(_ exchange: Exchange) {
    _ = state.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  /// Looks after streams for as long as there are requests.
  func watch() {
    state.withLock { state in
      guard state.watch == nil, !state.isStopping else { return }
      state.watch = Task { [weak self, interval = limits.watch] in
        while await Self.waits(interval), let open = self?.openExchanges() {
          for exchange in open { exchange.dropIfHungUp() }
        }
      }
    }
  }

  /// The requests that are open; nil, and the end of the watch, where there are none.
  private func openExchanges() -> [Exchange]? {
    state.withLock { state in
      if state.exchanges.isEmpty || state.isStopping {
        state.watch = nil
        return nil
      }
      return Array(state.exchanges.values)
    }
  }

  /// False where the task was cancelled meanwhile.
  private static func waits(_ interval: Duration) async -> Bool {
    do { try await Task.sleep(for: interval) } catch { return false }
    return true
  }

  /// Ends all handlers and streams and waits a little until their clients have got what there is.
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
