import Model
import Synchronization
import System

/// The connection of one client: reads lines, carries out commands one after the other, and writes the answers.
final class ClientConnection: Sendable {
  /// The silence after which a connection is closed, unless its client waits for changes.
  private static let silenceLimit = Duration.seconds(60)

  let subscriber: Subscriber
  private let socket: Descriptor
  private let wakeup: Wakeup
  private struct State {
    var isStopped = false
    var lastHeard = ContinuousClock.now
    var isWriting = false
    /// True while a command is carried out, which may take long.
    var isHandling = false
  }
  private let state = Mutex(State())

  init(_ socket: Descriptor) {
    self.socket = socket
    wakeup = Wakeup()
    subscriber = Subscriber(wakeup: wakeup)
  }

  /// Wakes the connection, as its socket can be read or written.
  func socketChanged() { wakeup.signal() }

  /// Ends the connection.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeup.signal()
  }

  /// Ends the connection if its client has been silent for too long, or has not read its answer.
  func stopIfSilent(at now: ContinuousClock.Instant = .now) {
    let state = state.withLock { $0 }
    guard now - state.lastHeard > Self.silenceLimit else { return }
    if state.isWriting || !state.isHandling && !subscriber.idle({ $0.isIdle }) { stop() }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Serves the client until it or the server closes the connection.
  func run(in household: Household, access: Access) async {
    do {
      try await serve(Session(household: household, subscriber: subscriber, access: access))
    } catch {
      // The client is gone, or sent something that is not of this protocol.
    }
  }

  private func serve(_ session: Session) async throws {
    try await write(Array("OK MPD \(Session.protocolVersion)\n".utf8))
    var lines = ProtocolLines()
    while !isStopped {
      while let line = try lines.next() {
        state.withLock { $0.isHandling = true }
        let isOpen = try await session.handle(line) { try await self.write($0) }
        state.withLock { state in
          state.isHandling = false
          state.lastHeard = .now
        }
        if !isOpen || isStopped { return }
      }
      if let changes = subscriber.idle({ $0.takeChanges() }) {
        try await write(Array(Session.text(of: changes).utf8))
        continue
      }
      switch socket.read() {
      case .bytes(let bytes):
        state.withLock { $0.lastHeard = .now }
        lines.append(bytes)
        // A client that never stops must not keep the thread to itself.
        await Task.yield()
      case .nothingYet: await wakeup.wait()
      case .end: return
      }
    }
  }

  /// Writes all bytes; waits while the client is slow.
  private func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    state.withLock { $0.isWriting = true }
    defer { state.withLock { $0.isWriting = false } }
    while !rest.isEmpty {
      guard !isStopped else { throw SendFailure() }
      switch socket.writePart(rest) {
      case .written(let count):
        rest = rest.dropFirst(count)
        state.withLock { $0.lastHeard = .now }
      case .full: await wakeup.wait()
      case .failed: throw SendFailure()
      }
    }
  }
}
