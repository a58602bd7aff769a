import Model

@testable import Bus

/// A reader of sealed frames with one admitted sender. Every frame that was ever sealed for the reader is known, so
/// that any other frame that opens is a forgery.
struct Seals: Sendable {
  static let sender = NodeID("playback@kitchen") ?? .web
  static let question = "question-1"

  var kitchen: Sealer
  var library: Sealer
  private let stranger: Sealer

  /// Makes the two sealers, the same in every run.
  init(keys: KeyRing) {
    func sealer(_ node: NodeID, _ epoch: Int64, _ digit: Character) -> Sealer {
      let nonce = StartNonce(text: String(repeating: digit, count: 32)) ?? .random()
      var sealer = Sealer(ring: keys, node: node, epoch: epoch, nonce: nonce)
      sealer.drawNonce = { .repeating(7) }
      return sealer
    }
    kitchen = sealer(Self.sender, 7, "a")
    library = sealer(.library, 3, "b")
    stranger = sealer(NodeID("playback@shed") ?? .web, 1, "c")
    kitchen.admit(library.own, epoch: 3)
    library.admit(kitchen.own, epoch: 7)
  }

  /// One frame of every class and kind that a node may receive, with the socket on which it belongs.
  func frames() throws -> [(bytes: [UInt8], channel: SealedChannel)] {
    var (kitchen, stranger) = (kitchen, stranger)
    let body = Array(#"{"id":"x","node":"playback@kitchen"}"#.utf8)
    let (state, hello) = (
      Frame(topic: "playback.kitchen.state.", body: body), Frame(topic: "library.main.hello.", body: body)
    )
    return [
      (try kitchen.seal(state, as: .fact, to: library.own), .inbox),
      (try kitchen.seal(state, as: .state, to: library.own), .inbox),
      (try kitchen.seal(state, as: .signal, to: library.own), .inbox),
      (try kitchen.seal(state, as: .question, to: library.own), .requestSocket),
      (try stranger.seal(hello, as: .question, to: library.own), .requestSocket),
      (try stranger.seal(Frame(topic: "bus.knock.", body: body), as: .question, to: nil), .requestSocket),
      (try kitchen.seal(state, as: .answer, to: library.own, answering: Self.question), .connection),
    ]
  }

  private struct Prepared: Sendable {
    var seals: Seals
    /// All frames that were sealed.
    var genuine: [[UInt8]: SealedChannel]
  }

  private static let prepared: Prepared? = {
    do {
      let seals = Seals(keys: try Files.ring())
      return Prepared(seals: seals, genuine: Dictionary(try seals.frames().map { ($0.bytes, $0.channel) }) { $1 })
    } catch {
      return nil
    }
  }()

  /// Feeds bytes to each socket: only a frame that was sealed opens, only on the socket where it belongs, and once.
  static func opened(_ bytes: [UInt8]) throws(Violation) -> Bool {
    guard let prepared else { throw Violation("there is no key file to work with") }
    var isOpen = false
    for (channel, request) in [(SealedChannel.inbox, nil), (.requestSocket, nil), (.connection, question)] {
      var library = prepared.seals.library
      guard let opened = attempt(bytes, &library, on: channel, answering: request) else { continue }
      isOpen = true
      guard prepared.genuine[bytes] == channel else { throw Violation("a forgery opened as \(opened)") }
      // An answer may arrive twice, and so may frames that are read before their sender is admitted.
      if channel == .inbox, attempt(bytes, &library, on: channel, answering: request) != nil {
        throw Violation("a frame opened twice")
      }
    }
    return isOpen
  }

  /// A frame of the sender, built from the input: 1 byte for its class, 2 for the offset of a change, 1 for the change,
  /// the rest is its body. It opens with that content; with the change it does not open.
  static func resealed(_ bytes: [UInt8]) throws(Violation) -> Bool {
    guard let prepared else { throw Violation("there is no key file to work with") }
    guard bytes.count >= 4, let sealedClass = SealedClass(rawValue: bytes[0] % 5 + 1) else { return false }
    var (kitchen, library) = (prepared.seals.kitchen, prepared.seals.library)
    let frame = Frame(topic: "playback.kitchen.state.", body: Array(bytes[4...]))
    let request = sealedClass == .answer ? question : nil
    var sealed: [UInt8]
    do { sealed = try kitchen.seal(frame, as: sealedClass, to: library.own, answering: request) } catch {
      guard bytes.count > Frame.sizeLimit - 1024 else { throw Violation("a frame was not sealed: \(error)") }
      return false
    }
    let at = (Int(bytes[1]) << 8 | Int(bytes[2])) % sealed.count
    if bytes[3] != 0 {
      sealed[at] ^= bytes[3]
      guard attempt(sealed, &library, on: sealedClass.channel, answering: request) == nil else {
        throw Violation("a frame opened that was changed at \(at)")
      }
      sealed[at] ^= bytes[3]
    }
    guard let opened = attempt(sealed, &library, on: sealedClass.channel, answering: request), opened.frame == frame,
      opened.sender == kitchen.own, opened.epoch == 7, opened.isBound, opened.isAdmitted
    else { throw Violation("a genuine frame does not open as what it is") }
    return true
  }

  private static func attempt(
    _ bytes: [UInt8], _ sealer: inout Sealer, on channel: SealedChannel, answering request: String?
  ) -> Opened? {
    bytes.withUnsafeBytes { raw in
      do throws(Sealer.Refusal) { return try sealer.attempt(raw, on: channel, answering: request) } catch { return nil }
    }
  }
}
