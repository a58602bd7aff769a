import System
import Bus
import Glibc
import Model

/// Finds the machine that shows a code, and pairs with it. It does the network I/O of `PairingJoiner`.
enum PairingClient {
  /// The longest time to wait for the next message of the other side.
  private static let patience = Duration.seconds(15)
  private static let longest = Duration.seconds(60)
  /// The largest number of found machines that are tried. A machine with another code learns only that this code is
  /// wrong there.
  private static let limit = 4

  /// Broadcasts a search every 500 ms. Returns the first machine that answers and those that answer within 300 ms after
  /// it, each machine once even if it is on several networks.
  static func search(at targets: [SocketAddress], within limit: Duration) -> [SocketAddress] {
    guard !targets.isEmpty, let socket = NetworkSocket.broadcaster() else { return [] }
    let question = PairingSearch.ask()
    var found: [SocketAddress] = []
    var hostNumbers: Set<UInt64> = []
    var ends = ContinuousClock.now + limit
    var asks = ContinuousClock.now
    while case let now = ContinuousClock.now, now < ends, found.count < Self.limit {
      if asks <= now {
        for target in targets { NetworkSocket.send(question, to: target, by: socket) }
        asks = now + .milliseconds(500)
      }
      var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 50) > 0 else { continue }
      while let (answer, from) = NetworkSocket.receive(socket) {
        guard let place = PairingSearch.place(in: answer, to: question) else { continue }
        if found.isEmpty { ends = min(ends, .now + .milliseconds(300)) }
        if found.count < Self.limit, hostNumbers.insert(place.host).inserted {
          found.append(from.with(port: place.port))
        }
      }
    }
    return found
  }

  /// Pairs with one machine. Returns false if nothing listens at the address. `keep` stores the household; if it
  /// throws, the exchange ends and the other machine learns that nothing was stored.
  static func exchange(
    to address: SocketAddress, _ joiner: PairingJoiner, keep: (PairedHousehold) throws -> Void
  ) throws -> Bool {
    guard let socket = NetworkSocket.connect(to: address, within: Milliseconds(5000)) else { return false }
    var joiner = joiner
    NetworkSocket.send(joiner.offer, on: socket)
    let last = ContinuousClock.now + longest
    var ends = ContinuousClock.now + patience
    while !joiner.isOver {
      var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      guard .now < ends else { throw PairingJoiner.cut() }
      guard poll(&polled, 1, 200) > 0 else { continue }
      switch socket.read() {
      case .nothingYet: continue
      case .end: throw PairingJoiner.cut()
      case .bytes(let bytes):
        ends = min(.now + patience, last)
        for action in try joiner.receive(bytes) {
          switch action {
          case .send(let bytes): NetworkSocket.send(bytes, on: socket)
          case .join(let household):
            try keep(household)
            NetworkSocket.send(joiner.kept(), on: socket)
          }
        }
      }
    }
    return true
  }
}
