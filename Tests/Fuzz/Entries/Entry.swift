/// The parsers of bytes that come from outside. The first byte of an input chooses one of them; the rest is what it
/// parses.
enum Entry: UInt8, CaseIterable {
  case frame
  case envelope
  case slice
  case replayPage
  case states
  case replay
  case hello
  case heartbeat
  case sealed
  case resealed
  case keyFile
  case settings
  case probe
  case address
  case keptRoster

  /// Feeds an input to the entry that its first byte names.
  ///
  /// - Returns: true if it was accepted; nil for an empty input.
  /// - Throws: `Violation` where the input broke a rule.
  static func feed(_ input: some Collection<UInt8>) throws(Violation) -> Bool? {
    guard let first = input.first else { return nil }
    return try Self.allCases[Int(first) % Self.allCases.count].check(Array(input.dropFirst()))
  }

  /// Checks bytes.
  ///
  /// - Returns: true if they were accepted.
  /// - Throws: `Violation` where they broke a rule.
  func check(_ bytes: [UInt8]) throws(Violation) -> Bool {
    switch self {
    case .frame: try Wire.frame(bytes)
    case .envelope: try Wire.envelope(bytes)
    case .slice: try Wire.slice(bytes)
    case .replayPage: try Wire.replayPage(bytes)
    case .states: try Wire.states(bytes)
    case .replay: try Wire.replay(bytes)
    case .hello: try Wire.hello(bytes)
    case .heartbeat: try Wire.heartbeat(bytes)
    case .sealed: try Seals.opened(bytes)
    case .resealed: try Seals.resealed(bytes)
    case .keyFile: try Files.keys(bytes)
    case .settings: try Files.settings(bytes)
    case .probe: try Wire.probe(bytes)
    case .address: try RemoteInputs.address(bytes)
    case .keptRoster: try RemoteInputs.keptRoster(bytes)
    }
  }

  /// Returns an input for this entry.
  func input(_ bytes: [UInt8]) -> [UInt8] { [rawValue] + bytes }
}

/// A rule that must hold for every input, and did not.
struct Violation: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
