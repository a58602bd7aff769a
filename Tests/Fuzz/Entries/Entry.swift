/// The readers of bytes that anybody may have sent or written. The first byte of an input chooses one of these; the
/// rest is what it reads.
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
  /// - Returns: whether it was accepted; nil where there is nothing to feed.
  /// - Throws: `Violation` for what no input may bring about.
  static func feed(_ input: some Collection<UInt8>) throws(Violation) -> Bool? {
    guard let first = input.first else { return nil }
    return try Self.allCases[Int(first) % Self.allCases.count].check(Array(input.dropFirst()))
  }

  /// Checks bytes.
  ///
  /// - Returns: whether they were accepted.
  /// - Throws: `Violation` where they did what they must not.
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

  /// An input for this entry.
  func input(_ bytes: [UInt8]) -> [UInt8] { [rawValue] + bytes }
}

/// Something that no input may bring about.
struct Violation: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
