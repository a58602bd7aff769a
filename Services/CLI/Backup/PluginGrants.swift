import Messages
import Model
import Plugins
import Storage

/// The permissions of plugins in a database of the resolver.
struct PluginGrants {
  /// Anything that a plugin may do, or that decides which files take its place.
  private enum Grant: Hashable {
    case isEnabled
    /// The digest of a file that a person agreed to.
    case file(String)
    case host(String)
    /// A host that a person added, which the plugin's next file inherits.
    case addedHost(String)
    case capability(String)
    case server(PluginConsent.Server)
    /// The author, origin and lowest version of the files that inherit the plugin's settings and secrets.
    case maker(author: String?, origin: String?, version: String)
    /// The address at which the resolver looks for newer versions.
    case updates(String)
    /// A subject such as plays, which the plugin receives.
    case subject(String)
  }

  private struct Plugin {
    var isEnabled = false
    var consent: PluginConsent?
    /// The bytes of the consent in the database.
    var consentBytes: [UInt8]?
    /// The address at which the resolver looks for newer versions.
    var origin: String?
    var subjects: Set<String> = []

    var grants: Set<Grant> {
      var grants = Set(subjects.map(Grant.subject))
      if isEnabled { grants.insert(.isEnabled) }
      if let origin { grants.insert(.updates(origin)) }
      guard let consent else { return grants }
      grants.formUnion(((consent.agreed ?? []) + [consent.digest]).map(Grant.file))
      grants.formUnion(consent.hosts.map(Grant.host) + (consent.addedHosts ?? []).map(Grant.addedHost))
      grants.formUnion(consent.capabilities.map(Grant.capability) + (consent.servers ?? []).map(Grant.server))
      // A consent with neither an author nor an origin lets no other file inherit.
      if consent.author != nil || consent.origin != nil {
        grants.insert(.maker(author: consent.author, origin: consent.origin, version: consent.version))
      }
      return grants
    }
  }

  static let database = "resolver.sqlite"

  private let plugins: [String: Plugin]

  /// Reads the permissions in a backup's database, which no service has open.
  ///
  /// - Throws: The error of `damaged`, for a repeated id, a consent that cannot be decoded, or a table that could
  ///   change permissions later; `storage.…`.
  init(in path: String, damaged: (String) -> LunaraError) throws {
    plugins = try Self.read(path, damaged) { id, error in
      throw damaged("the consent to the plugin \(Printable.line(id)) cannot be decoded: \(error.message)")
    }
  }

  /// Reads the permissions on this machine: none if the database is missing or damaged, which a restore mends. A
  /// consent that cannot be decoded counts as none.
  init(presentIn path: String) {
    do {
      plugins = try Self.read(path, { LunaraError("storage.corrupt", "\(path) is damaged.", cause: $0) }) { _, _ in }
    } catch { plugins = [:] }
  }

  /// Returns the ids of the plugins that have a permission here which they lack in `others`.
  func wider(than others: PluginGrants) -> [String] {
    plugins.filter { !$1.grants.isSubset(of: others.plugins[$0]?.grants ?? []) }.keys.sorted()
  }

  /// Gives plugins in a backup's database the permissions that they have here, and no others.
  ///
  /// - Throws: The error of `damaged`, if a plugin still has more permissions there afterwards; `storage.…`.
  func replace(_ ids: [String], in path: String, damaged: (String) -> LunaraError) async throws {
    // These migrations have no statements, so a database of an earlier version keeps its tables.
    let migrations = try DatabaseSnapshot(of: path).migrations().map { Migration($0) }
    let database = try Database(at: path, migrations: migrations)
    let present = plugins
    try await database.write { transaction in
      let hasOrigin = try Self.columns(of: "plugins", transaction).contains { $0.name == "origin" }
      let hasSharing = try !Self.columns(of: "sharing", transaction).isEmpty
      for id in ids {
        let plugin = present[id] ?? Plugin()
        try transaction.execute(
          "UPDATE plugins SET is_enabled = ?, consent = ? WHERE id = ?", plugin.isEnabled, plugin.consentBytes, id)
        if hasOrigin { try transaction.execute("UPDATE plugins SET origin = ? WHERE id = ?", plugin.origin, id) }
        guard hasSharing else { continue }
        let subjects: [String] = try transaction.values("SELECT subject FROM sharing WHERE plugin = ?", id)
        for subject in subjects where !plugin.subjects.contains(subject) {
          try transaction.execute("DELETE FROM sharing WHERE plugin = ? AND subject = ?", id, subject)
        }
      }
    }
    await database.close()
    try DatabaseFile.leaveWAL(path)
    // SQLite and Swift compare some texts differently, so the result is read again.
    let left = try PluginGrants(in: path, damaged: damaged).wider(than: self)
    guard left.isEmpty else {
      throw damaged("permissions of \(left.map(Printable.line).joined(separator: ", ")) cannot be left out")
    }
  }
}

extension PluginGrants {
  private static func read(
    _ path: String, _ damaged: (String) -> LunaraError, undecodable: (_ id: String, LunaraError) throws -> Void
  ) throws -> [String: Plugin] {
    try DatabaseSnapshot(of: path).read { reader in
      var plugins: [String: Plugin] = [:]
      let columns = try Self.columns(of: "plugins", reader)
      if !columns.isEmpty {
        try check("plugins", columns, key: ["id"], reader, damaged)
        let origin = columns.contains { $0.name == "origin" } ? "origin" : "NULL"
        let rows = try reader.rows("SELECT id, is_enabled, consent, \(origin) FROM plugins") { row in
          var plugin = Plugin(isEnabled: try row.value(1))
          plugin.consentBytes = try row.value(2)
          plugin.origin = try row.value(3)
          return (id: try row.value(0) as String, plugin: plugin)
        }
        for (id, plugin) in rows {
          guard plugins[id] == nil else { throw damaged("it has the plugin \(Printable.line(id)) twice") }
          var plugin = plugin
          do {
            plugin.consent = try plugin.consentBytes.map { try MessageCoding.decode(PluginConsent.self, from: $0) }
          } catch {
            try undecodable(id, LunaraError(error))
            plugin.consentBytes = nil
          }
          plugins[id] = plugin
        }
      }
      let sharing = try Self.columns(of: "sharing", reader)
      guard !sharing.isEmpty else { return plugins }
      try check("sharing", sharing, key: ["plugin", "subject"], reader, damaged)
      let rows = try reader.rows("SELECT plugin, subject FROM sharing") {
        (id: try $0.value(0) as String, subject: try $0.value(1) as String)
      }
      for row in rows { plugins[row.id, default: Plugin()].subjects.insert(row.subject) }
      return plugins
    }
  }

  private struct Column {
    /// The name in lower case, because SQLite ignores the case of names.
    var name: String
    /// The position in the primary key, from 1; 0 for a column outside of it.
    var position: Int
    /// True if SQLite may fill the column with a value that nobody wrote.
    var isFilled: Bool
  }

  /// Returns the columns of a table; none if there is no such table.
  private static func columns(of table: String, _ reader: ReadTransaction) throws -> [Column] {
    try reader.rows(
      "SELECT lower(name), pk, hidden <> 0 OR ifnull(dflt_value, '0') <> '0' FROM pragma_table_xinfo(?)", table
    ) { Column(name: try $0.value(0), position: try $0.value(1), isFilled: try $0.value(2)) }
  }

  /// Throws the error of `damaged` for a table whose permissions could change after they were read: a virtual table,
  /// one with computed columns, defaults or foreign keys, and one that can have several rows for a key.
  private static func check(
    _ table: String, _ columns: [Column], key: [String], _ reader: ReadTransaction, _ damaged: (String) -> LunaraError
  ) throws {
    // With an argument these names can only mean SQLite's functions, and never tables of the file.
    let kind: String? = try reader.value("SELECT type FROM pragma_table_list(?) WHERE schema = 'main'", table)
    let references: Int? = try reader.value("SELECT count(*) FROM pragma_foreign_key_list(?)", table)
    let found = columns.filter { $0.position > 0 }.sorted { $0.position < $1.position }.map(\.name)
    guard kind == "table", references == 0, found == key, !columns.contains(where: \.isFilled) else {
      throw damaged("Lunara did not create its table \(table)")
    }
  }
}
