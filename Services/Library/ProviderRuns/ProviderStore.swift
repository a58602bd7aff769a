import Catalogue
import Messages
import Model
import People
import Storage
import Sync

/// A provider that is linked.
package struct ProviderRecord: Hashable, Sendable {
  /// The name, such as `spotify` or `spotify-2`.
  var name: String
  var kind: String
  /// The base address of its interface; nil for the provider's own.
  var address: String?
  var account: String?
  var linkedAt: Timestamp
  var state: ProviderState

  /// The request that begins a run.
  var link: Providers.Connect {
    Providers.Connect(name: name, type: kind, address: address, account: account, pacing: state.pacing)
  }
}

/// The memory of a provider between two runs.
struct ProviderState: Codable, Hashable, Sendable {
  /// The ways of its parts, by their names; those that are missing are off.
  private var ways: [String: Library.SyncWay] = [:]
  /// The lists that a person does not want to be kept in step: the provider's ids, and our own ones.
  var left: Set<String> = []
  /// The provider's ids of those of our lists that a person no longer wants to be kept in step.
  var partners: [String: String] = [:]
  /// Our lists that came from other providers and that a person wants at this one as well.
  var taken: Set<String> = []
  /// For each list of ours the provider's lists with the same title and other contents.
  var different: [String: Set<String>] = [:]
  var pacing: ProviderPacing
  var directory = ListDirectory()
  /// The answers that the next run acts on, by the ids of the questions.
  var answers: [String: RemovalAnswer] = [:]
  var lastRun: Timestamp?
  var added = 0
  var removed = 0
  var problem: LunaraError?

  init(pacing: ProviderPacing) { self.pacing = pacing }

  subscript(part: Library.SyncPart) -> Library.SyncWay {
    get { ways[part.rawValue] ?? .off }
    set { ways[part.rawValue] = newValue }
  }

  func way(of part: Library.SyncPart) -> SyncDirection? {
    switch self[part] {
    case .pull: .pull
    case .push: .push
    case .both: .both
    default: nil
    }
  }

  /// Ends that a list is kept in step; both sides keep theirs.
  ///
  /// - Parameter id: the provider's id, or the number of our playlist.
  mutating func leave(_ id: String) {
    left.insert(id)
    taken.remove(id)
    guard let native = directory.native(of: id) else { return }
    left.insert(native)
    partners[id] = native
    directory.forget(id)
  }

  /// Begins to keep a list in step, or begins again.
  mutating func keep(_ id: String, isOurs: Bool) {
    left.remove(id)
    if isOurs { taken.insert(id) }
    if let native = partners.removeValue(forKey: id) { left.remove(native) }
  }

  /// True if a change here should be sent.
  var pushes: Bool { Library.SyncPart.allCases.contains { way(of: $0)?.pushes == true } }
  var isOff: Bool { Library.SyncPart.allCases.allSatisfy { way(of: $0) == nil } }
}

/// A playlist that is kept in step with a list at a provider.
struct ProviderListRow: Hashable, Sendable {
  var playlist: Int64
  var native: String
  var state = ListState()
  var snapshot: String?
  var readAt: Timestamp?
  /// The revision of the playlist when both sides were last compared.
  var revision: Int64 = -1
  /// True if a call at the provider is still to be made or confirmed.
  var isUnfinished = false
  /// The texts that both sides last had.
  var title: String
  var summary: String

  /// The longest description that is sent to a provider, in bytes; the mark of the list comes behind it.
  static let longestSummary = 200

  /// Returns true if the provider's texts are others than both sides last had.
  func hasOtherTexts(_ info: RemoteListInfo) -> Bool {
    // A provider has only the beginning of a long description.
    info.title != title
      || ![summary, summary.prefix(bytes: Self.longestSummary)].contains(ListTwin.withoutMarks(info.summary))
  }
}

/// Reads and writes the tables of providers.
enum ProviderStore {
  /// The largest number of reports that are kept of a provider.
  static let mostReports = 50

  static func records(_ transaction: ReadTransaction) throws -> [ProviderRecord] {
    try transaction.rows("SELECT name, kind, address, account, linked_at, state FROM providers ORDER BY name") { row in
      ProviderRecord(
        name: try row.value(0), kind: try row.value(1), address: try row.value(2), account: try row.value(3),
        linkedAt: try row.value(4), state: try decode(row.value(5)))
    }
  }

  /// Returns a provider. Throws `library.unknownProvider`.
  static func record(_ name: String, _ transaction: ReadTransaction) throws -> ProviderRecord {
    guard let record = try records(transaction).first(where: { $0.name == name }) else {
      throw LunaraError(
        "library.unknownProvider",
        "No provider is called \(name). `lunara providers` lists those that are linked, and those that can be.")
    }
    return record
  }

  static func keep(_ record: ProviderRecord, _ transaction: Transaction) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO providers (name, kind, address, account, linked_at, state) VALUES (?, ?, ?, ?, ?, ?)
      """, record.name, record.kind, record.address, record.account, record.linkedAt, try text(record.state))
  }

  /// Changes what is remembered of a provider. One that was unlinked meanwhile stays so. Returns the record.
  @discardableResult
  static func change(
    _ name: String, _ transaction: Transaction, _ change: (inout ProviderState) throws -> Void
  ) throws -> ProviderRecord {
    var record = try record(name, transaction)
    try change(&record.state)
    try transaction.execute("UPDATE providers SET state = ?2 WHERE name = ?1", name, try text(record.state))
    return record
  }

  /// Forgets a provider. The ledgers keep the state of its items, so that linking it again does not start over. The
  /// playlist of its liked tracks keeps its role: it is used again, and not sent to any provider as a list.
  static func remove(_ name: String, _ transaction: Transaction) throws {
    let liked = try lists(of: name, transaction).filter { $0.native == ProviderRun.likedID }
    for table in ["provider_lists", "provider_tracks", "provider_reports"] {
      try transaction.execute("DELETE FROM \(table) WHERE provider = ?", name)
    }
    for row in liked {
      let row = ProviderListRow(playlist: row.playlist, native: row.native, title: row.title, summary: row.summary)
      try keep(row, of: name, transaction)
    }
    try transaction.execute("DELETE FROM providers WHERE name = ?", name)
  }

  /// Returns the lists of a provider, or only that of one playlist.
  static func lists(
    of provider: String, playlist: Int64? = nil, _ transaction: ReadTransaction
  ) throws -> [ProviderListRow] {
    try transaction.rows(
      """
      SELECT playlist, native, state, snapshot, read_at, revision, is_unfinished, title, summary FROM provider_lists
      WHERE provider = ?1 AND playlist = ifnull(?2, playlist) ORDER BY playlist
      """, provider, playlist
    ) { row in
      ProviderListRow(
        playlist: try row.value(0), native: try row.value(1), state: try decode(row.value(2)),
        snapshot: try row.value(3), readAt: try row.value(4), revision: try row.value(5),
        isUnfinished: try row.value(6), title: try row.value(7), summary: try row.value(8))
    }
  }

  static func list(
    _ playlist: Int64, of provider: String, _ transaction: ReadTransaction
  ) throws -> ProviderListRow? {
    try lists(of: provider, playlist: playlist, transaction).first
  }

  static func keep(_ row: ProviderListRow, of provider: String, _ transaction: Transaction) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO provider_lists (provider, playlist, native, state, snapshot, read_at, revision,
        is_unfinished, title, summary) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, provider, row.playlist, row.native, try text(row.state), row.snapshot, row.readAt, row.revision,
      row.isUnfinished, row.title, row.summary)
  }

  static func removeList(_ playlist: Int64, of provider: String, _ transaction: Transaction) throws {
    try transaction.execute("DELETE FROM provider_lists WHERE provider = ? AND playlist = ?", provider, playlist)
  }

  /// Forgets the playlists of a former link that were deleted here since.
  static func removeDeletedLists(of provider: String, _ transaction: Transaction) throws {
    try transaction.execute(
      "DELETE FROM provider_lists WHERE provider = ? AND playlist NOT IN (SELECT id FROM playlists)", provider)
  }

  static func add(_ report: Library.ProviderReport, of provider: String, _ transaction: Transaction) throws {
    try transaction.execute(
      "INSERT INTO provider_reports (provider, report) VALUES (?, ?)", provider, try text(report))
    try transaction.execute(
      """
      DELETE FROM provider_reports WHERE provider = ?1 AND id <= (SELECT id FROM provider_reports WHERE provider = ?1
        ORDER BY id DESC LIMIT 1 OFFSET ?2)
      """, provider, mostReports)
  }

  /// Returns the latest reports, the latest first.
  static func reports(
    of provider: String, limit: Int, _ transaction: ReadTransaction
  ) throws -> [Library.ProviderReport] {
    try transaction.rows(
      "SELECT report FROM provider_reports WHERE provider = ? ORDER BY id DESC LIMIT ?", provider,
      max(1, min(limit, mostReports))
    ) { try decode($0.value(0)) }
  }

  static func ledger(of part: Library.SyncPart, _ transaction: ReadTransaction) throws -> ItemLedger {
    let text: String? = try transaction.value("SELECT ledger FROM sync_ledgers WHERE part = ?", part.rawValue)
    return try text.map { try decode($0) } ?? ItemLedger()
  }

  static func keep(_ ledger: ItemLedger, of part: Library.SyncPart, _ transaction: Transaction) throws {
    try transaction.execute(
      "INSERT OR REPLACE INTO sync_ledgers (part, ledger) VALUES (?, ?)", part.rawValue, try text(ledger))
  }

  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try MessageCoding.encode(value), as: UTF8.self)
  }

  private static func decode<Value: Decodable>(_ text: String) throws -> Value {
    try MessageCoding.decode(Value.self, from: text.utf8)
  }
}

/// The providers' ids of tracks that were looked up by their names.
enum TrackLookups {
  /// The time after which a track that a provider did not have is looked up again.
  private static let memory = Timestamp(seconds: 7 * 86_400)

  /// Returns what names a track in the table.
  static func key(_ track: DescribedTrack) -> String {
    [track.isrc ?? "", track.recordingID ?? "", track.artist, NormalForm.withoutRemaster(track.title)]
      .map { $0.isEmpty ? "" : NormalForm.of($0) }.joined(separator: "|")
  }

  /// Returns what is known of all tracks that were looked up, by their keys; nil for those that the provider has not.
  static func known(
    of provider: String, at now: Timestamp, _ transaction: ReadTransaction
  ) throws -> [String: String?] {
    let limit = Timestamp(microseconds: now.microseconds - memory.microseconds)
    let rows = try transaction.rows(
      "SELECT key, native FROM provider_tracks WHERE provider = ? AND (native IS NOT NULL OR asked_at > ?)", provider,
      limit
    ) { (key: try $0.value(0) as String, native: try $0.value(1) as String?) }
    return Dictionary(rows.map { ($0.key, $0.native) }) { first, _ in first }
  }

  static func keep(
    _ native: String?, of key: String, at provider: String, now: Timestamp, _ transaction: Transaction
  ) throws {
    try transaction.execute(
      "INSERT OR REPLACE INTO provider_tracks (provider, key, native, asked_at) VALUES (?, ?, ?, ?)", provider, key,
      native, now)
  }
}
