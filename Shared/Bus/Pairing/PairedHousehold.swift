public import Model

/// The introduction of a machine that joins a household.
public struct PairingMachine: Hashable, Sendable {
  /// Its host's name.
  public var name: String
  /// The version of its Lunara.
  public var version: String
  /// The ids of the keys that it has already; empty if it has none.
  public var keys: [HouseholdKeyID]
  /// True if it replaces these keys by those of the household.
  public var gives: Bool

  public init(name: String, version: String, keys: [HouseholdKeyID] = [], gives: Bool = false) {
    self.name = name
    self.version = version
    self.keys = keys
    self.gives = gives
  }

  init?(reading bytes: [UInt8]) {
    guard let parts = PairingParts(bytes) else { return nil }
    name = parts.text(.name)
    version = parts.text(.version)
    keys = parts.all(.keyID).filter { $0.count == 8 }.map { id in
      HouseholdKeyID(id.withUnsafeBytes { $0.bigEndian(UInt64.self, at: 0) })
    }
    gives = !parts.all(.gives).isEmpty
  }

  var bytes: [UInt8] {
    var parts = PairingParts()
    parts.add(.name, name.utf8)
    parts.add(.version, version.utf8)
    for key in keys.prefix(KeyFile.keyLimit) { parts.add(.keyID, number: key.number) }
    if gives { parts.add(.gives, []) }
    return parts.bytes
  }
}

/// The data that a machine needs to join a household.
public struct PairedHousehold: Sendable {
  /// Its keys.
  public var keys: KeyFile
  /// The addresses of machines of the household, in the form of `LUNARA_SEEDS`.
  public var seeds: [String]
  /// The name of the host that sent this.
  public var name: String
  /// The version of that host's Lunara.
  public var version: String
  /// The time of that host's clock when it sent this; nil before it is sent.
  public var time: Timestamp?

  public init(keys: KeyFile, seeds: [String], name: String, version: String) {
    self.keys = keys
    self.seeds = seeds
    self.name = name
    self.version = version
  }

  /// The clock times that are accepted: the years 1970 to 9999. Differences of such times cannot overflow.
  private static let clockTimes: ClosedRange<Int64> = 0...253_402_300_799_999_999

  /// Reads the bytes of a household; nil if they have another form, or contain a time that no clock shows.
  ///
  /// - Throws: `bus.badKeyFile`, `bus.noSodium`.
  init?(reading bytes: [UInt8]) throws {
    guard let parts = PairingParts(bytes), let time = parts.number(.time), Self.clockTimes.contains(time),
      let file = parts.all(.keyFile).first
    else { return nil }
    keys = try file.withUnsafeBytes { try KeyFile(parsing: $0, named: "of the household") }
    seeds = parts.all(.seed).map { String(decoding: $0, as: UTF8.self) }.filter { TCPAddress($0)?.isWildcard == false }
    name = parts.text(.name)
    version = parts.text(.version)
    self.time = Timestamp(microseconds: time)
  }

  /// Returns the bytes of the household. They hold the keys, so they have to be sealed and then wiped.
  func bytes(at time: Timestamp) -> [UInt8] {
    var parts = PairingParts()
    parts.add(.name, name.utf8)
    parts.add(.version, version.utf8)
    parts.add(.time, number: time.microseconds)
    for seed in seeds.prefix(16) { parts.add(.seed, seed.utf8) }
    KeyFile(keys.entries, comments: [KeyFile.headerComment]).withText { parts.add(.keyFile, $0) }
    return parts.bytes
  }
}
