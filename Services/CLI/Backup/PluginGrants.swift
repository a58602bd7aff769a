import Messages
import Model
import Plugins
import Storage

/// The permissions of plugins in a database of the resolver.
struct PluginGrants {
  private enum Grant: Hashable {
    case isEnabled
    /// The digest of a file that a person agreed to.
    case file(String)
    case host(String)
    case capability(String)
    case server(PluginConsent.Server)
    /// A subject such as plays, which the plugin receives.
    case subject(String)
  }

  private struct Plugin {
    var isEnabled = false
    var consent: [UInt8]?
    var subjects: Set<String> = []
  }

  static let database = "resolver.sqlite"

  private var plugins: [String: Plugin] = [:]

  /// Reads the permissions in a database that no service has open. Throws `storage.…`.
  init(in path: String) throws {
    try DatabaseSnapshot(of: path).read { reader in
      if try Self.has("plugins", reader) {
        let rows = try reader.rows("SELECT id, is_enabled, consent FROM plugins") {
          (id: try $0.value(0) as String, plugin: Plugin(isEnabled: try $0.value(1), consent: try $0.value(2)))
        }
        for row in rows { plugins[row.id] = row.plugin }
      }
      guard try Self.has("sharing", reader) else { return }
      let rows = try reader.rows("SELECT plugin, subject FROM sharing") {
        (id: try $0.value(0) as String, subject: try $0.value(1) as String)
      }
      for row in rows { plugins[row.id, default: Plugin()].subjects.insert(row.subject) }
    }
  }

  /// Reads the permissions on this machine: none if the database is missing or damaged, which a restore mends.
  init(presentIn path: String) {
    do { try self.init(in: path) } catch { self.init() }
  }

  private init() {}

  /// Returns the ids of the plugins that have a permission here which they lack in `others`.
  ///
  /// - Throws: An error for a consent that cannot be read.
  func wider(than others: PluginGrants) throws -> [String] {
    try plugins.keys.filter { try !grants(of: $0).isSubset(of: others.grants(of: $0)) }.sorted()
  }

  private func grants(of id: String) throws -> Set<Grant> {
    guard let plugin = plugins[id] else { return [] }
    var grants = Set(plugin.subjects.map(Grant.subject))
    if plugin.isEnabled { grants.insert(.isEnabled) }
    guard let consent = try plugin.consent.map({ try MessageCoding.decode(PluginConsent.self, from: $0) }) else {
      return grants
    }
    grants.formUnion(((consent.agreed ?? []) + [consent.digest]).map(Grant.file))
    grants.formUnion(consent.hosts.map(Grant.host) + consent.capabilities.map(Grant.capability))
    return grants.union((consent.servers ?? []).map(Grant.server))
  }

  /// Gives plugins in another database the permissions that they have here, and no others.
  func replace(_ ids: [String], in path: String) async throws {
    // These migrations have no statements, so a database of an earlier version keeps its tables.
    let migrations = try DatabaseSnapshot(of: path).migrations().map { Migration($0) }
    let database = try Database(at: path, migrations: migrations)
    let present = plugins
    try await database.write { transaction in
      let hasSharing = try Self.has("sharing", transaction)
      for id in ids {
        let plugin = present[id] ?? Plugin()
        try transaction.execute(
          "UPDATE plugins SET is_enabled = ?, consent = ? WHERE id = ?", plugin.isEnabled, plugin.consent, id)
        guard hasSharing else { continue }
        let subjects: [String] = try transaction.values("SELECT subject FROM sharing WHERE plugin = ?", id)
        for subject in subjects where !plugin.subjects.contains(subject) {
          try transaction.execute("DELETE FROM sharing WHERE plugin = ? AND subject = ?", id, subject)
        }
      }
    }
    await database.close()
    try DatabaseFile.settle(path)
  }

  private static func has(_ table: String, _ reader: ReadTransaction) throws -> Bool {
    try reader.value("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table) as Int? != nil
  }
}
