import Model
import System
import Bus
import Glibc

/// Accepts machines that have a code. It does the network I/O of `PairingHost`.
struct PairingServer {
  /// The longest time of a connection; below it, the largest number of connections, and of those from one address.
  private static let patience = Duration.seconds(15)
  private static let limit = 16
  private static let limitOfOne = 4

  typealias Tell = (_ action: PairingHost.Action, _ from: String) -> Void

  private let listener: Descriptor
  private let searchSocket: Descriptor?
  let port: UInt16
  /// The number by which a machine that finds this server on several networks recognises it.
  private let number = UInt64.random(in: .min ... .max)
  private let network: Network
  private var connections: [Int: Connection] = [:]
  private var next = 0

  private struct Connection {
    let socket: Descriptor
    let from: String
    let ends: ContinuousClock.Instant
  }

  /// Listens on a port, or on any free port for 0. Throws `cli.pairPort`.
  init(port: UInt16, _ network: Network) throws {
    self.network = network
    listener = try NetworkSocket.listener(port)
    self.port = NetworkSocket.port(of: listener)
    searchSocket = NetworkSocket.datagramListener(self.port)
  }

  var answersSearches: Bool { searchSocket != nil }

  /// Accepts machines until all have joined, the code is void, or `ends` is reached.
  mutating func run(_ host: inout PairingHost, until ends: ContinuousClock.Instant, tell: Tell) throws {
    while !host.isDone, !host.isVoid, case let now = ContinuousClock.now, now < ends {
      for (id, connection) in connections where connection.ends <= now { closeConnection(id, &host, tell) }
      let ids = Array(connections.keys)
      let sockets = [listener, searchSocket].compactMap(\.self) + ids.compactMap { connections[$0]?.socket }
      var polled = sockets.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), 500) > 0 else { continue }
      answerSearches()
      for id in ids { try readMessages(from: id, &host, tell) }
      acceptConnections(&host, tell)
    }
    for id in Array(connections.keys) { closeConnection(id, &host, tell) }
  }

  private mutating func acceptConnections(_ host: inout PairingHost, _ tell: Tell) {
    while let (socket, from) = NetworkSocket.accept(listener) {
      // A new connection replaces the one that has been silent for longest, so that silent ones keep nobody out.
      // Connections that have shown the code stay.
      let same = connections.filter { $0.value.from == from.host }.keys
      if same.count >= Self.limitOfOne || connections.count >= Self.limit {
        guard let least = host.leastWanted(of: same.count >= Self.limitOfOne ? same : connections.keys) else {
          socket.close()
          continue
        }
        closeConnection(least, &host, tell)
      }
      connections[next] = Connection(socket: socket, from: from.host, ends: .now + Self.patience)
      host.open(next, seed: network.seed(reachedAt: NetworkSocket.host(of: socket), from: from.host))
      next += 1
    }
  }

  private mutating func readMessages(from id: Int, _ host: inout PairingHost, _ tell: Tell) throws {
    guard let connection = connections[id] else { return }
    switch connection.socket.read() {
    case .nothingYet: return
    case .end: closeConnection(id, &host, tell)
    case .bytes(let bytes):
      for action in try host.receive(bytes, of: id, at: .now, clock: .now()) {
        switch action {
        case .send(let bytes): NetworkSocket.send(bytes, on: connection.socket)
        case .close: closeConnection(id, &host, tell)
        default: tell(action, connection.from)
        }
      }
    }
  }

  private mutating func closeConnection(_ id: Int, _ host: inout PairingHost, _ tell: Tell) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    for action in host.close(id) { tell(action, connection.from) }
    // The client can read the bytes that were sent before it sees the end.
    shutdown(connection.socket.number, Int32(SHUT_WR))
    connection.socket.close()
  }

  private func answerSearches() {
    guard let searchSocket else { return }
    let place = PairingSearch.Place(port: port, host: number)
    // At most 16 searches are answered at a time, so that a flood of them does not block the pairing. No answer is
    // longer than its question, so that it cannot be used to amplify an attack.
    for _ in 0..<16 {
      guard let (question, from) = NetworkSocket.receive(searchSocket) else { return }
      if let answer = PairingSearch.answer(question, place) { NetworkSocket.send(answer, to: from, by: searchSocket) }
    }
  }
}
