import Model
import System
import Bus
import Glibc

/// Listens for machines that have a code: the sockets of `PairingHost`.
struct PairingServer {
  /// The longest time of a conversation, the most conversations at a time, and the most from one address.
  private static let patience = Duration.seconds(15)
  private static let limit = 16
  private static let limitOfOne = 4

  typealias Tell = (_ action: PairingHost.Action, _ from: String) -> Void

  private let listener: Descriptor
  private let ear: Descriptor?
  let port: UInt16
  /// The same for who finds it on several networks, so that it is asked once.
  private let number = UInt64.random(in: .min ... .max)
  private let network: Network
  private var guests: [Int: Guest] = [:]
  private var next = 0

  private struct Guest {
    let socket: Descriptor
    let from: String
    let ends: ContinuousClock.Instant
  }

  /// Listens at a port, at any one for 0. Throws `cli.pairPort`.
  init(port: UInt16, _ network: Network) throws {
    self.network = network
    listener = try NetworkSocket.listener(port)
    self.port = NetworkSocket.port(of: listener)
    ear = NetworkSocket.datagramListener(self.port)
  }

  var isFound: Bool { ear != nil }

  /// Lets machines in until all are in, the code is void or its time is over.
  mutating func run(
    _ host: inout PairingHost, until ends: ContinuousClock.Instant, tell: Tell
  ) throws {
    while !host.isDone, !host.isVoid, case let now = ContinuousClock.now, now < ends {
      for (talk, guest) in guests where guest.ends <= now { leave(talk, &host, tell) }
      let talks = Array(guests.keys)
      let sockets = [listener, ear].compactMap(\.self) + talks.compactMap { guests[$0]?.socket }
      var polled = sockets.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), 500) > 0 else { continue }
      answerSeekers()
      for talk in talks { try hear(talk, &host, tell) }
      welcome(&host, tell)
    }
    for talk in Array(guests.keys) { leave(talk, &host, tell) }
  }

  private mutating func welcome(_ host: inout PairingHost, _ tell: Tell) {
    while let (socket, from) = NetworkSocket.accept(listener) {
      // Who is longest silent makes room, so that nobody is kept out by connections that say nothing; who shows the code stays.
      let same = guests.filter { $0.value.from == from.host }.keys
      if same.count >= Self.limitOfOne || guests.count >= Self.limit {
        guard let least = host.leastWanted(of: same.count >= Self.limitOfOne ? same : guests.keys) else {
          socket.close()
          continue
        }
        leave(least, &host, tell)
      }
      guests[next] = Guest(socket: socket, from: from.host, ends: .now + Self.patience)
      host.open(next, seed: network.seed(reachedAt: NetworkSocket.host(of: socket), from: from.host))
      next += 1
    }
  }

  private mutating func hear(_ talk: Int, _ host: inout PairingHost, _ tell: Tell) throws {
    guard let guest = guests[talk] else { return }
    switch guest.socket.read() {
    case .nothingYet: return
    case .end: leave(talk, &host, tell)
    case .bytes(let bytes):
      for action in try host.receive(bytes, of: talk, at: .now, clock: .now()) {
        switch action {
        case .send(let bytes): NetworkSocket.send(bytes, on: guest.socket)
        case .close: leave(talk, &host, tell)
        default: tell(action, guest.from)
        }
      }
    }
  }

  private mutating func leave(_ talk: Int, _ host: inout PairingHost, _ tell: Tell) {
    guard let guest = guests.removeValue(forKey: talk) else { return }
    for action in host.close(talk) { tell(action, guest.from) }
    // The client reads the sent bytes before it sees the end.
    shutdown(guest.socket.number, Int32(SHUT_WR))
    guest.socket.close()
  }

  private func answerSeekers() {
    guard let ear else { return }
    let place = PairingSearch.Place(port: port, host: number)
    // A few at a time, so that talks go on beside somebody who floods; no answer is longer than its question.
    for _ in 0..<16 {
      guard let (question, from) = NetworkSocket.receive(ear) else { return }
      if let answer = PairingSearch.answer(question, place) { NetworkSocket.send(answer, to: from, by: ear) }
    }
  }
}
