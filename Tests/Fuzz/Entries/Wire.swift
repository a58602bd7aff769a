import Model
import TestSupport

@testable import Bus
@testable import Messages

/// The parsers of frames and of their contents: each gives a value or a typed error, and a value that was read can be
/// written and read again.
enum Wire {
  static func frame(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try accepting {
      let frame = try bytes.withUnsafeBytes { try Frame(decoding: $0) }
      // A frame over the limit is still read, since it has arrived already, but never sent.
      guard bytes.count <= Frame.sizeLimit else { return }
      guard try frame.encoded() == bytes else { throw Violation("a frame was not written as it was read") }
    }
  }

  static func envelope(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try accepting {
      let envelope = try Envelope(decoding: bytes)
      guard try Envelope(decoding: envelope.encoded()) == envelope else {
        throw Violation("an envelope was not written as it was read")
      }
      // The code that runs after a frame is accepted must handle any envelope without a crash.
      _ = (envelope.delivery, StateSubscriptions.kind(ofTopic: envelope.topic), envelope.position)
    }
  }

  static func slice(_ bytes: [UInt8]) throws(Violation) -> Bool {
    let ranges = bytes.withUnsafeBytes { raw -> [Range<Int>]? in
      var found: [Range<Int>] = []
      if JSONSlice.members(of: raw, { found.append($1) }) { return found }
      return JSONSlice.elements(of: raw)
    }
    guard let ranges else { return false }
    var end = 0
    for range in ranges {
      guard range.lowerBound > end, range.upperBound < bytes.count, !range.isEmpty else {
        throw Violation("\(range) is no part behind \(end) of \(bytes.count) bytes")
      }
      end = range.upperBound
    }
    return true
  }

  static func replayPage(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try accepting {
      let page = try Replay.decode(bytes)
      _ = page.isInOrder
    }
  }

  static func states(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try accepting {
      let answer = try ReadStates.Answer(decoding: bytes)
      for state in answer.states { _ = (answer.now - state.time, StateSubscriptions.kind(ofTopic: state.topic)) }
    }
  }

  static func replay(_ bytes: [UInt8]) throws(Violation) -> Bool { try message(Bus.Replay.self, bytes) }

  static func hello(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try message(Hello.self, bytes) { hello in
      var roster = Roster()
      _ = roster.receivedHello(hello, at: start)
      try RemoteInputs.live(&roster, with: hello.presence)
    }
  }

  static func heartbeat(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try message(Heartbeat.self, bytes) { heartbeat in
      var roster = Roster()
      try RemoteInputs.live(&roster, with: heartbeat.presence)
    }
  }

  static func probe(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try message(Probe.Answer.self, bytes) { answer in
      var roster = Roster()
      for _ in 0..<2 { _ = roster.receivedEntries(answer.roster, at: start) }
      try RemoteInputs.live(&roster, with: answer.presence)
    }
  }

  private static let start = ContinuousClock.now

  /// Compares Lunara's decoder with Foundation's: what Lunara's accepts, Foundation's accepts as the same value.
  private static func message<Value: Codable>(
    _ type: Value.Type, _ bytes: [UInt8], _ use: (Value) throws -> Void = { _ in }
  ) throws(Violation) -> Bool {
    try accepting {
      let value = try MessageCoding.decode(type, from: bytes)
      try use(value)
      let again: Value
      do { again = try FoundationCoding.decode(type, from: bytes) } catch {
        throw Violation("our decoder accepts what Foundation's does not: \(error)")
      }
      guard try MessageCoding.encode(value) == MessageCoding.encode(again) else {
        throw Violation("our decoder reads another value than Foundation's")
      }
    }
  }
}

/// Returns true if `body` accepts. What it throws must be a typed error of the bus, or a violation.
func accepting(codes: String = "bus.bad", _ body: () throws -> Void) throws(Violation) -> Bool {
  do {
    try body()
    return true
  } catch let violation as Violation {
    throw violation
  } catch {
    guard let known = error as? LunaraError, known.code.hasPrefix(codes) else {
      throw Violation("an error without a type: \(error)")
    }
    return false
  }
}
