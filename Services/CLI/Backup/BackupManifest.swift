import Model

/// What stands in the first file of a backup: what made it, when, and what else is in it.
struct BackupManifest: Codable, Equatable, Sendable {
  /// The newest form that this version reads.
  static let newestFormat = 1
  /// The folder in which everything lies within a backup.
  static let folder = "lunara-backup"
  /// Its own name there.
  static let name = "manifest.json"
  /// The settings' name there.
  static let settings = "lunara.env"
  /// The household's keys' name there.
  static let keys = "household.key"
  /// The folder of what lies in the home folder.
  static let home = "home"

  /// One file.
  struct File: Codable, Equatable, Sendable {
    /// Its path in the backup, beside the manifest.
    var name: String
    /// Its size in bytes.
    var size: Int64
    /// Its SHA-256, in hexadecimal digits.
    var sha256: String
    /// The migrations of a database, in their order; nil for what is none.
    var migrations: [String]?
  }

  /// The form, 1.
  var format: Int
  /// The version of Lunara that made it.
  var version: String
  /// When it was made.
  var madeAt: Timestamp
  /// The machine it was made on.
  var host: String
  /// Whether passwords, tokens and keys are in it.
  var hasSecrets: Bool
  /// The settings that were left out of `lunara.env`, as they are secret.
  var withheld: [String]
  /// All other files.
  var files: [File]

  /// Makes one for a backup that is made now.
  init(version: String, madeAt: Timestamp, host: String, hasSecrets: Bool, withheld: [String], files: [File]) {
    format = Self.newestFormat
    self.version = version
    self.madeAt = madeAt
    self.host = host
    self.hasSecrets = hasSecrets
    self.withheld = withheld
    self.files = files
  }

  /// Where a file may lie in a backup: nothing else is taken out of one.
  static func isExpected(_ name: String) -> Bool {
    if name == settings || name == keys { return true }
    var parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.first == home[...], parts.count == 2 || (parts.count == 3 && parts[1] == "credentials") else {
      return false
    }
    parts.removeFirst()
    let file = parts[parts.count - 1]
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part.first != "." && part.utf8.allSatisfy(isPlainByte)
    }
    return isPlain && file.hasSuffix(parts.count == 1 ? ".sqlite" : ".json")
  }

  private static func isPlainByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "@")].contains(byte)
  }
}
