import Messages
import Model
import Plugins
import ServiceKit
import Storage

/// A plugin as the resolver keeps it beside its file.
struct PluginRecord: Hashable, Sendable {
  var id: String
  /// The consent of a person; nil if nobody has agreed to it.
  var consent: PluginConsent?
  var isEnabled = false
  /// The place in the order; nil if it never was switched on.
  var place: Int?
  var lastError: LunaraError?
  var failedAt: Timestamp?
  /// The https address of its file, or of the list that names it; nil for a file that was sent.
  var origin: String?
}

/// Reads and writes what the resolver keeps of plugins, their settings and their secrets.
struct PluginStore: Sendable {
  /// The most bytes that one plugin may store.
  static let valueLimit = 1 << 20
  private static let secrets = "plugins"

  let database: Database
  let credentials: CredentialStore

  func records() async throws -> [String: PluginRecord] {
    try await database.read { transaction in
      let records = try transaction.rows(
        "SELECT id, consent, is_enabled, place, last_error, failed_at, origin FROM plugins"
      ) { row in
        PluginRecord(
          id: try row.value(0), consent: try Self.decode(row.value(1)), isEnabled: try row.value(2),
          place: try row.value(3), lastError: try Self.decode(row.value(4)), failedAt: try row.value(5),
          origin: try row.value(6))
      }
      return Dictionary(records.map { ($0.id, $0) }) { $1 }
    }
  }

  func write(_ records: [PluginRecord]) async throws {
    try await database.write(.power) { transaction in
      for record in records {
        try transaction.execute(
          """
          INSERT OR REPLACE INTO plugins (id, consent, is_enabled, place, last_error, failed_at, origin)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """, record.id, try record.consent.map { try MessageCoding.encode($0) }, record.isEnabled, record.place,
          try record.lastError.map { try MessageCoding.encode($0) }, record.failedAt, record.origin)
      }
    }
  }

  /// Removes all that is kept of a plugin: also its secrets, what it stored, and what it found.
  func remove(_ id: String) async throws {
    try await database.write(.power) { transaction in
      try transaction.execute("DELETE FROM plugins WHERE id = ?", id)
      for table in ["settings", "stored_values", "sources", "blocks", "preferences"] {
        try transaction.execute("DELETE FROM \(table) WHERE plugin = ?", id)
      }
    }
    var all = try allSecrets()
    if all.removeValue(forKey: id) != nil { try credentials.write(all, Self.secrets) }
  }

  // MARK: - Settings

  /// Returns the settings of a plugin that have a value, those that are secrets included.
  func settings(of id: String) async throws -> [String: String] {
    let plain = try await database.read { transaction in
      try transaction.rows("SELECT name, value FROM settings WHERE plugin = ?", id) { row in
        (try row.value(0) as String, try row.value(1) as String)
      }
    }
    let secrets = try allSecrets()[id] ?? [:]
    return Dictionary(plain) { $1 }.merging(secrets) { $1 }
  }

  /// Sets settings; an empty value removes one.
  ///
  /// - Parameter secret: the names of those that go to the credential store.
  func set(_ values: [String: String], of id: String, secret: Set<String>) async throws {
    let plain = values.filter { !secret.contains($0.key) }
    try await database.write(.power) { transaction in
      for (name, value) in plain {
        if value.isEmpty {
          try transaction.execute("DELETE FROM settings WHERE plugin = ? AND name = ?", id, name)
        } else {
          try transaction.execute(
            "INSERT OR REPLACE INTO settings (plugin, name, value) VALUES (?, ?, ?)", id, name, value)
        }
      }
    }
    let hidden = values.filter { secret.contains($0.key) }
    guard !hidden.isEmpty else { return }
    var all = try allSecrets()
    for (name, value) in hidden { all[id, default: [:]][name] = value.isEmpty ? nil : value }
    try credentials.write(all, Self.secrets)
  }

  private func allSecrets() throws -> [String: [String: String]] {
    try credentials.read([String: [String: String]].self, Self.secrets) ?? [:]
  }

  /// Removes settings, wherever they are.
  func removeSettings(_ names: [String], of id: String) async throws {
    try await database.write(.power) { transaction in
      for name in names {
        try transaction.execute("DELETE FROM settings WHERE plugin = ? AND name = ?", id, name)
      }
    }
    var all = try allSecrets()
    guard all[id]?.keys.contains(where: names.contains) == true else { return }
    for name in names { all[id]?[name] = nil }
    try credentials.write(all, Self.secrets)
  }

  // MARK: - What plugins store

  /// Returns the number of values that a plugin has stored.
  func storedCount(of id: String) async throws -> Int {
    try await database.read {
      try $0.value("SELECT count(*) FROM stored_values WHERE plugin = ?", id) ?? 0
    }
  }

  /// Removes all that a plugin has stored.
  func removeStored(of id: String) async throws {
    try await database.write(.power) { try $0.execute("DELETE FROM stored_values WHERE plugin = ?", id) }
  }

  func value(_ key: String, of id: String) async throws -> PluginValue? {
    let bytes: [UInt8]? = try await database.read {
      try $0.value("SELECT value FROM stored_values WHERE plugin = ? AND key = ?", id, key)
    }
    return bytes.flatMap { PluginValue(json: $0) }
  }

  /// Stores a value; nil removes it. Returns false, and keeps the former value, where the plugin would have more than
  /// 1 MiB.
  func store(_ value: PluginValue?, _ key: String, of id: String) async throws -> Bool {
    let bytes = try value?.json()
    return try await database.write { transaction in
      guard let bytes else {
        try transaction.execute("DELETE FROM stored_values WHERE plugin = ? AND key = ?", id, key)
        return true
      }
      let others: Int64 =
        try transaction.value(
          "SELECT ifnull(sum(length(key) + length(value)), 0) FROM stored_values WHERE plugin = ? AND key <> ?", id, key
        ) ?? 0
      guard Int(others) + key.utf8.count + bytes.count <= Self.valueLimit else { return false }
      try transaction.execute(
        "INSERT OR REPLACE INTO stored_values (plugin, key, value) VALUES (?, ?, ?)", id, key, bytes)
      return true
    }
  }

  private static func decode<Value: Decodable>(_ bytes: [UInt8]?) throws -> Value? {
    try bytes.map { try MessageCoding.decode(Value.self, from: $0) }
  }
}
