import Model
import Testing

@testable import Bus

/// A household that lets machines join, machines that join, and the messages between them.
struct PairingFixture {
  let keys: KeyFile
  var clock = Timestamp(microseconds: 1_795_185_000_123_456)
  let machine = PairingMachine(name: "kitchen", version: "1.2.4")

  init() {
    do { keys = KeyFile([.init(try .random()), .init(try .random(), .next)]) } catch { preconditionFailure("\(error)") }
  }

  func host(
    code: String = "K7QM-3XPD", machines: Int = 1, ends: ContinuousClock.Instant = .now + .seconds(600)
  ) -> PairingHost {
    PairingHost(
      code: PairingCode(code) ?? .random(),
      household: PairedHousehold(
        keys: keys, seeds: ["192.168.1.10", "[fd00::7]:7800"], name: "attic", version: "1.2.3"),
      machines: machines, ends: ends)
  }

  func joiner(code: String = "k7qm 3xpd", machine: PairingMachine? = nil) throws -> PairingJoiner {
    try PairingJoiner(code: #require(PairingCode(code)), machine: machine ?? self.machine)
  }

  /// The result of an exchange.
  struct Exchange {
    var household: PairedHousehold?
    var failure: String?
    var actions: [PairingHost.Action] = []
    /// The messages of the joiner, and the answers of the household.
    var said: [[UInt8]] = []
    var answered: [[UInt8]] = []
    /// All bytes of both directions.
    var wire: [UInt8] = []
  }

  /// Exchanges messages until neither side has one left. `changing` may replace each message; they are numbered across
  /// both sides, and the joiner's first is 0.
  func talk(
    _ joiner: inout PairingJoiner, _ host: inout PairingHost, as talk: Int = 0, keeps: Bool = true,
    byteByByte: Bool = false, seed: String? = nil,
    changing: ([UInt8], Int) -> [UInt8] = { message, _ in message }
  ) throws -> Exchange {
    var heard = Exchange()
    var number = 0
    host.open(talk, seed: seed)
    var toHost = [joiner.offer]
    while !toHost.isEmpty {
      let message = changing(toHost.removeFirst(), number)
      number += 1
      heard.said.append(message)
      heard.wire += message
      let actions = try pieces(message, byteByByte).flatMap { try host.receive($0, of: talk, at: .now, clock: clock) }
      heard.actions += actions
      for case .send(let answer) in actions {
        let answer = changing(answer, number)
        number += 1
        heard.answered.append(answer)
        heard.wire += answer
        do {
          for action in try pieces(answer, byteByByte).flatMap({ try joiner.receive($0) }) {
            switch action {
            case .send(let bytes): toHost.append(bytes)
            case .join(let household):
              heard.household = household
              if keeps { toHost.append(joiner.kept()) }
            }
          }
        } catch { heard.failure = LunaraError(error).code }
      }
    }
    return heard
  }

  private func pieces(_ message: [UInt8], _ byteByByte: Bool) -> [[UInt8]] {
    byteByByte ? message.map { [$0] } : [message]
  }
}
