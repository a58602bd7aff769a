import Model

@testable import Bus

/// A socket to one way into a node, with the genuine frames that are changed and sent there.
final class FloodSocket {
  private let socket: Socket
  private let seeds: [[UInt8]]
  private let isRequests: Bool
  /// True if an unchanged frame would be accepted, so that such a frame is not sent.
  private let isSealed: Bool
  private var number: UInt32 = 0

  init(inbox address: String, _ seeds: [[UInt8]], isSealed: Bool = false) throws {
    (self.seeds, self.isSealed, isRequests) = (seeds, isSealed, false)
    socket = try Socket(.publisher)
    _ = try socket.connect(address)
  }

  init(requests address: String, _ seeds: [[UInt8]], isSealed: Bool = false) throws {
    (self.seeds, self.isSealed, isRequests) = (seeds, isSealed, true)
    socket = try Socket(.connection)
    _ = try socket.connect(address)
  }

  /// Sends that many changed frames, or fewer where the socket is full.
  func send(_ count: Int, _ mutator: inout Mutator) {
    for _ in 0..<count {
      let seed = mutator.pick(seeds)
      let bytes = mutator.mutate(seed)
      if isSealed, bytes == seed { continue }
      guard isRequests else {
        socket.send(bytes)
        continue
      }
      number &+= 1
      guard socket.send(bytes, header: (number | 0x8000_0000).bytes) else { break }
    }
    // Answers are received and dropped.
    while isRequests, socket.receive({ _ in }) != nil {}
  }
}
