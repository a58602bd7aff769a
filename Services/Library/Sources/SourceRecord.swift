import Bus
import Messages
import Model
import Storage

/// A source as it is set up, without any secret.
struct SourceRecord: Hashable, Sendable {
  /// The first part of its ids: `plex`, `plex-2`.
  var name: String
  var kind: String
  /// The server's base address as it was given, or as it last worked.
  var address: String?
  /// The user, as people know them.
  var account: String?
  /// The machine that answers there; nil where it was never reached.
  var machine: String?
  /// What else a kind keeps for itself, as JSON.
  var settings: String?
  /// Whether a variable or an option sets it up.
  var isFromSettings = false
  /// Whether it is being taken out.
  var isLeaving = false
}

/// A kind of server, as its own folder makes it.
struct SourceDescriptor: Sendable {
  /// What a person sets in variables for a source of this kind.
  struct Setup: Hashable, Sendable {
    var address: String
    var account: String?
    var secret: String?
  }

  /// `plex` or `subsonic`.
  var name: String
  /// What the settings say; nil where they say nothing.
  var setup: Setup?
  /// Refuses what is no address of such a server, or what is more than one.
  var check: @Sendable (_ address: String) throws -> Void = { _ in }
  /// What a person decided of such a server before, as JSON, with what they decide now.
  var decide: @Sendable (_ before: String?, Library.AddSource) throws -> String? = { before, _ in before }
  /// Makes a connection of a record and what the person's secret is; nil where none is known. Nothing is sent yet.
  var connect: @Sendable (SourceRecord, _ secret: String?) throws -> any MusicServer
}

/// Where the secrets of sources are kept: the credential store, or memory in tests.
protocol SecretStore: Sendable {
  /// The secret of a source; nil where there is none.
  func secret(of source: String) async throws -> String?
  /// Keeps a secret, or forgets it for nil.
  func keep(_ secret: String?, of source: String) async throws
}

/// Secrets that end with the process.
actor SecretsInMemory: SecretStore {
  private var secrets: [String: String] = [:]
  func secret(of source: String) -> String? { secrets[source] }
  func keep(_ secret: String?, of source: String) { secrets[source] = secret }
}

extension Catalogue {
  /// The sources that are set up, in the person's order.
  static func records(_ transaction: ReadTransaction) throws -> [SourceRecord] {
    try transaction.rows(
      """
      SELECT name, kind, address, account, machine, settings, is_from_settings, is_leaving FROM sources
      ORDER BY position, name
      """
    ) { row in
      SourceRecord(
        name: try row.value(0), kind: try row.value(1), address: try row.value(2), account: try row.value(3),
        machine: try row.value(4), settings: try row.value(5), isFromSettings: try row.value(6),
        isLeaving: try row.value(7))
    }
  }

  /// Writes how a source is set up.
  static func keep(_ record: SourceRecord, _ transaction: Transaction) throws {
    try note(source: record.name, kind: record.kind, isFromSettings: record.isFromSettings, transaction)
    try transaction.execute(
      "UPDATE sources SET address = ?, account = ?, machine = ?, settings = ? WHERE name = ?", record.address,
      record.account, record.machine, record.settings, record.name)
  }

  /// The name of another source of a kind: the kind's own, then `plex-2` and so on.
  static func freeName(_ kind: String, _ records: [SourceRecord]) -> String {
    let taken = Set(records.map(\.name))
    var (name, number) = (kind, 1)
    while taken.contains(name) {
      number += 1
      name = "\(kind)-\(number)"
    }
    return name
  }
}
