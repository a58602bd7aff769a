import CSodium
public import Model

/// The side that has a code and joins a household. It decides what to do with the bytes that it receives; it does no
/// I/O.
///
/// It introduces itself in a sealed message, and accepts a household only if the other side proves that it knows the
/// code.
public struct PairingJoiner: Sendable {
  private let machine: PairingMachine
  private var exchange: CPace
  private var stream = PairingStream()
  private var state = State.offered

  private enum State: Sendable {
    case offered
    case proven(PairingSecret)
    case told(PairingSecret)
    case over
  }

  /// The actions that the caller has to take.
  public enum Action: Sendable {
    /// Send these bytes.
    case send([UInt8])
    /// Store this household, then send the message that `kept()` returns.
    case join(PairedHousehold)
  }

  /// The message that starts the exchange.
  public let offer: [UInt8]

  /// Creates the joiner with the code that the person typed.
  ///
  /// - Throws: `bus.noSodium`.
  public init(code: PairingCode, machine: PairingMachine) throws {
    self.machine = machine
    let session = Array(StartNonce.random().bytes)
    exchange = try CPace(password: code.password, channel: PairingWire.channel, session: session)
    offer = PairingWire.message(
      .offer, PairingWire.magic + [PairingWire.version] + session + exchange.share)
  }

  /// True if nothing more is expected.
  public var isOver: Bool { if case .over = state { true } else { false } }

  /// Handles bytes of the other side; any bytes are accepted. After an error the exchange is over.
  ///
  /// - Throws: `bus.pairWrongCode`, `bus.pairOver`, `bus.pairVersion`, `bus.pairOtherKey`, `bus.pairBroken`.
  public mutating func receive(_ bytes: [UInt8]) throws -> [Action] {
    var actions: [Action] = []
    do {
      for (kind, body) in stream.decode(bytes) { actions += try step(kind, body) }
      if stream.isBroken { throw Self.broken("bytes that are no message") }
    } catch {
      state = .over
      throw error
    }
    return actions
  }

  /// Returns the error of a connection that ended before the exchange was over.
  public static func cut() -> LunaraError { broken("the connection ended") }

  /// Returns the message that confirms that the household is stored, and ends the exchange.
  public mutating func kept() -> [UInt8] {
    guard case .told(let secret) = state else { return [] }
    state = .over
    return PairingWire.message(.kept, secret.proof(.kept))
  }

  private mutating func step(_ kind: PairingWire.Kind, _ body: [UInt8]) throws -> [Action] {
    switch (state, kind) {
    case (.over, _): return []
    case (_, .refusal): throw Self.refused(body)
    case (.offered, .answer):
      guard let bytes = exchange.finish(body, as: .initiator, PairingWire.joiner, PairingWire.host) else {
        throw Self.broken("no share")
      }
      let secret = PairingSecret(bytes)
      state = .proven(secret)
      let proof = secret.proof(.joinerProof) + secret.seal(machine.bytes, .introduction)
      return [.send(PairingWire.message(.proof, proof))]
    case (.proven(let secret), .household):
      guard secret.accepts(body.prefix(PairingSecret.proofSize), .hostProof),
        var plain = secret.open(body.dropFirst(PairingSecret.proofSize), .household)
      else { throw Self.broken("a household that does not know the code") }
      defer { sodium_memzero(&plain, plain.count) }
      guard let household = try PairedHousehold(reading: plain) else {
        throw Self.broken("a household that cannot be read")
      }
      state = .told(secret)
      return [.join(household)]
    default: throw Self.broken("a message out of its order")
    }
  }

  private static func refused(_ body: [UInt8]) -> LunaraError {
    switch body.first.flatMap({ PairingWire.Refusal(rawValue: $0) }) {
    case .wrongCode:
      LunaraError(
        "bus.pairWrongCode",
        "That is not the code. Look at it again where `lunara pair` shows it; after \(PairingHost.tries) wrong ones it is void."
      )
    case .over:
      LunaraError(
        "bus.pairOver",
        "The code is no longer valid: it has expired, was tried too often, or has let in all machines it was for. Run `lunara pair` there again and take the new one."
      )
    case .otherVersion:
      LunaraError(
        "bus.pairVersion",
        "The other machine's version of Lunara pairs differently. Bring both to one version.",
        cause: body.count > 1 ? "it speaks version \(body[1]), this one \(PairingWire.version)" : nil)
    case .otherKey:
      LunaraError(
        "bus.pairOtherKey",
        "This machine has the key of another household. With --replace it leaves that one; its key is kept aside.")
    case nil: broken("a refusal that this version does not know")
    }
  }

  private static func broken(_ what: String) -> LunaraError {
    LunaraError(
      "bus.pairBroken",
      "Pairing broke off, and nothing was taken over. Try again; if it stays so, look whether something else listens there, and bring both machines to one version.",
      cause: what)
  }
}
