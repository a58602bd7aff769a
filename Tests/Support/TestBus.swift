public import Bus
public import Messages
public import Model
public import Storage
import Synchronization

/// A bus within one process, with real sockets and nodes, in a runtime directory of its own.
public final class TestBus: Sendable {
  /// The directory in which the nodes meet.
  public let directory: RuntimeDirectory
  private let folder: TemporaryDirectory
  private let hasSlot = Mutex(false)

  /// Makes an empty bus.
  public init() throws {
    folder = TemporaryDirectory()
    directory = try RuntimeDirectory(folder.path + "/run")
  }

  deinit { if hasSlot.withLock({ $0 }) { NodeLimit.all.release() } }

  /// Starts a node, with a journal in `database` where one is given.
  public func node(
    _ name: String, database: Database? = nil, network: Network = Network(),
    report: @escaping @Sendable (LunaraError) -> Void = { print($0) }
  ) async throws -> Node {
    guard let id = NodeID(name) else { throw LunaraError("test.badName", "\(name) names no node") }
    if !hasSlot.withLock({ hadSlot in
      defer { hadSlot = true }
      return hadSlot
    }) {
      await NodeLimit.all.acquire()
    }
    var journal: Journal?
    if let database { journal = try await Journal(database) }
    return try await Node.start(id, in: directory, journal: journal, network: network, report: report)
  }

  /// Opens a database in the bus's own folder.
  public func database(_ name: String, migrations: [Migration] = []) throws -> Database {
    try Database(at: "\(folder.path)/\(name).sqlite", migrations: Journal.migrations + migrations)
  }
}

extension Node {
  /// Sends a request with a long timeout, so that no slow disk or busy machine decides a test.
  @discardableResult
  public func request<R: Request>(_ request: R, to node: NodeID) async throws -> R.Answer {
    try await self.request(request, to: node, within: .seconds(45))
  }
}

/// A semaphore that limits the number of buses with nodes, since nanomsg allows a process only 512 sockets.
private final class NodeLimit: Sendable {
  static let all = NodeLimit(16)

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func acquire() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
