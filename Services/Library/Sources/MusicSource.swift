import Messages
import Model
import ServiceKit
import Storage

/// A source of music, as refreshes use it.
protocol MusicSource: Sendable {
  var name: String { get }
  /// `files`, `plex` or `subsonic`.
  var kind: String { get }
  /// True if a refresh costs little, so that every start makes one, even soon after the last.
  var isCheap: Bool { get }

  /// Updates the catalogue to the contents of the source, in one transaction. Returns nil where it was stopped.
  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts?

  /// Waits until something in the source may have changed; throws where it can no longer find that out. A source
  /// without notifications waits until it is cancelled.
  func awaitChange() async throws

  /// Returns the health while no refresh runs, from the results of the last refreshes.
  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String
}

extension MusicSource {
  var isCheap: Bool { false }

  func awaitChange() async throws { try await Task.sleep(for: .seconds(365 * 86400)) }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    switch failure?.code {
    case "library.signedOut": "signed-out"
    case "library.sourceAway", "library.otherServer": "unreachable"
    default: status.tracks == 0 ? "empty" : "ready"
    }
  }
}

extension FilesSource: MusicSource {
  var name: String { Self.name }
  var kind: String { Self.kind }
  var isCheap: Bool { true }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    // A folder without music whose tracks stay listed is one whose disk is away.
    let missing = status.problems.count {
      $0.code == "library.folderMissing" || status.tracks > 0 && $0.code == ScanProblem.emptyCode
    }
    let all = folders.all.count
    if all > 0, missing >= all { return "unreachable" }
    return status.tracks == 0 ? "empty" : "ready"
  }
}

/// A source to which no connection can be made as it is set up, because its secret is lost or cannot be read. Its music
/// stays listed. Another object replaces this one once a person has signed in again.
struct UnavailableSource: MusicSource {
  let name: String
  let kind: String
  let error: LunaraError

  var isCheap: Bool { true }

  func refresh(accepting: AcceptedChanges, progress: RefreshProgress) async throws -> Library.SyncCounts? {
    throw error
  }

  func health(_ status: Library.SourceStatus, _ failure: LunaraError?) -> String {
    error.code == "library.signedOut" ? "signed-out" : "unreachable"
  }
}

/// The changes and requests that a person has allowed a refresh to make; none for a refresh that nobody asked for.
struct AcceptedChanges: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let deletions = AcceptedChanges(rawValue: 1)
  /// Another server may have taken the place of the one that was there.
  static let otherServer = AcceptedChanges(rawValue: 2)
  /// Both, as a person allows them for one source by its name.
  static let all: AcceptedChanges = [.deletions, .otherServer]
  /// Lists that a server refused may be requested again before their pause is over.
  static let earlyRetries = AcceptedChanges(rawValue: 4)
  /// All folders may be visited, also those in which no change was reported.
  static let wholeScan = AcceptedChanges(rawValue: 8)
}

extension AcceptedChanges {
  /// Creates the permissions that a person gives with a request.
  init(_ request: Library.Sync) {
    self = request.acceptDeletions == true ? [.all, .earlyRetries, .wholeScan] : [.earlyRetries, .wholeScan]
  }
}

/// A source as it is set up, without any secret.
struct SourceRecord: Hashable, Sendable {
  /// The first part of its ids: `plex`, `plex-2`.
  var name: String
  var kind: String
  /// The server's base address as it was given, or as it last worked.
  var address: String?
  var account: String?
  /// The machine that answers there; nil where it was never reached.
  var machine: String?
  /// The `SourceSettings` that a person chose, as JSON.
  var settings: String?
  /// True if an environment variable or a command-line option defines the source.
  var isFromSettings = false
  var isLeaving = false
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

  static func keep(_ record: SourceRecord, _ transaction: Transaction) throws {
    try note(source: record.name, kind: record.kind, isFromSettings: record.isFromSettings, transaction)
    try transaction.execute(
      "UPDATE sources SET address = ?, account = ?, machine = ?, settings = ? WHERE name = ?", record.address,
      record.account, record.machine, record.settings, record.name)
  }

  /// Returns a free name for a new source of a kind: `plex`, then `plex-2` and so on.
  static func freeName(_ kind: String, _ records: [SourceRecord]) -> String {
    let taken = Set(records.map(\.name))
    let others = (2...).lazy.map { "\(kind)-\($0)" }
    return taken.contains(kind) ? others.first { !taken.contains($0) } ?? kind : kind
  }
}

/// The secrets of sources that a person added, in the credential store: a file a source.
struct SourceSecrets: Sendable {
  private struct Kept: Codable { var secret: String }

  let store: CredentialStore

  func secret(of source: String) throws -> String? { try store.read(Kept.self, Self.file(source))?.secret }

  /// Stores a secret; nil removes it.
  func keep(_ secret: String?, of source: String) throws {
    if let secret {
      try store.write(Kept(secret: secret), Self.file(source))
    } else {
      try store.remove(Self.file(source))
    }
  }

  /// Returns the file name of a source's secret. Names of sources hold only letters, digits and dashes; the files of
  /// sign-ins do not begin with `source-`.
  private static func file(_ source: String) -> String { "source-\(source)" }
}
