import FoundationEssentials

@testable import lunara_nowplaying

/// Every signal that players send on a bus, as an independent program (`busctl monitor`) receives them.
final class SignalMonitor {
  /// One signal: its member and its payload as busctl's JSON.
  struct Seen: Decodable {
    var member: String
    var payload: Payload

    struct Payload: Decodable {
      var type: String
      var data: [JSON]
    }

    /// The new values by name, of a `PropertiesChanged` of the player.
    var changed: [String: JSON]? {
      guard payload.data.first == .string(MPRISInterfaces.playerInterface),
        case .object(let values)? = payload.data.dropFirst().first
      else { return nil }
      return values
    }
  }

  private let child: TestProcess
  private var lines: AsyncStream<String>.Iterator

  private init(_ child: TestProcess) {
    self.child = child
    lines = child.lines.makeAsyncIterator()
  }

  /// Starts monitoring. No signal is missed after this returns.
  static func start(on bus: PrivateBus) async throws -> SignalMonitor {
    let child = try TestProcess([
      "busctl", "--address=\(bus.address)", "monitor", "--json=short",
      "--match=type='signal',path='/org/mpris/MediaPlayer2'",
    ])
    let monitor = SignalMonitor(child)
    while let line = await monitor.lines.next() { if line.contains("Monitoring") { return monitor } }
    throw TestProcess.Failure(what: "busctl monitor ended")
  }

  /// Returns the next signal.
  func next() async throws -> Seen {
    while let line = await lines.next() {
      guard line.hasPrefix("{") else { continue }
      return try JSONDecoder().decode(Seen.self, from: Data(line.utf8))
    }
    throw TestProcess.Failure(what: "busctl monitor ended")
  }

  /// Returns the next signal about changed properties.
  func nextChange() async throws -> Seen {
    while true {
      let seen = try await next()
      if seen.member == "PropertiesChanged" { return seen }
    }
  }

  /// The names of the properties in the next `PropertiesChanged`, sorted.
  func nextChangedProperties() async throws -> [String] {
    let seen = try await next()
    guard seen.member == "PropertiesChanged", case .object(let values)? = seen.payload.data.dropFirst().first else {
      throw TestProcess.Failure(what: "\(seen.member) instead of PropertiesChanged")
    }
    return values.keys.sorted()
  }
}

/// Any JSON value.
enum JSON: Decodable, Hashable {
  case string(String)
  case number(Double)
  case bool(Bool)
  case array([JSON])
  case object([String: JSON])
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  subscript(key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }
}
