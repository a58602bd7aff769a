import Messages
import Model

/// Asks for the newest values of some of a node's states. The answer holds the envelopes unchanged.
struct ReadStates: Message {
  static let kind = "bus.read-states"
  static let delivery = Delivery.request
  /// The topics wanted.
  var topics: [String]

  /// The states that are there, and the moment on the publisher's clock from which their age counts.
  struct Answer: Sendable {
    var now: Timestamp
    var states: [Envelope]

    /// The JSON: `{"now": …, "states": [envelope…]}`.
    ///
    /// As many as fit into one frame, at least one; the asker asks again for the rest.
    func encoded() -> [UInt8] {
      var text = Array("{\"now\":\"\(now)\",\"states\":[".utf8)
      for (index, state) in states.enumerated() {
        let state = state.encoded()
        if index > 0, text.count + state.count > Frame.payloadLimit { break }
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += state
      }
      return text + Array("]}".utf8)
    }

    init(now: Timestamp, states: [Envelope]) {
      self.now = now
      self.states = states
    }

    /// Reads an answer.
    ///
    /// - Throws: `bus.badPayload`, `bus.badEnvelope`.
    init(decoding bytes: [UInt8]) throws {
      struct Rest: Decodable { var now: Timestamp }
      let (list, rest) = try Envelope.list(named: "states", in: bytes)
      states = list
      now = try MessageCoding.decode(Rest.self, from: rest).now
    }
  }
}
