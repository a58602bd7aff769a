import Catalogue
import Messages
import Model
import People
import Storage
import Sync

/// Reads what people are shown of providers.
struct ProviderQueries {
  private static let mostRemovals = 200

  let transaction: ReadTransaction
  let now: Timestamp

  /// Returns a provider as it is now.
  ///
  /// - Parameter isRunning: true while a run is made with it.
  func provider(
    _ record: ProviderRecord, _ kind: Library.ProviderKind?, isRunning: Bool
  ) throws -> Library.Provider {
    let state = record.state
    let parts = (kind?.parts ?? []).map { part in
      Library.ProviderPart(part: part.part, way: state[part.part], ways: part.ways)
    }
    let isPlanned = !state.isOff && !state.pacing.needsSignIn
    return Library.Provider(
      name: record.name, kind: record.kind, title: kind?.title ?? record.kind, account: record.account,
      health: health(of: state, isRunning: isRunning), parts: parts, lastRun: state.lastRun,
      nextRun: isPlanned ? later(by: max(.zero, state.pacing.wait(at: now))) : nil, added: state.added,
      removed: state.removed, held: try questions(of: record).reduce(0) { $0 + $1.removed }, problem: state.problem)
  }

  private func health(of state: ProviderState, isRunning: Bool) -> String {
    if isRunning { return "syncing" }
    if state.pacing.needsSignIn { return "signed-out" }
    if state.isOff { return "off" }
    return state.problem == nil ? "ready" : "waiting"
  }

  private func later(by duration: Milliseconds) -> Timestamp {
    Timestamp(microseconds: now.microseconds &+ duration.rawValue &* 1000)
  }

  /// Returns a server that is a source as a provider. Its lists and ratings are edited in their own place.
  func source(_ detail: Library.SourceDetail, _ kind: Library.SourceKind) throws -> Library.Provider {
    let status = detail.status
    let problem: String? = try transaction.value(
      "SELECT problem FROM playlist_outbox WHERE source = ? AND problem IS NOT NULL ORDER BY playlist LIMIT 1",
      status.name)
    return Library.Provider(
      name: status.name, kind: status.kind, title: kind.title, account: detail.account, health: status.health,
      isSource: true, lastRun: status.lastRefreshed,
      problem: problem.map { LunaraError("library.changeWaits", "A change of a playlist waits. \($0)") })
  }

  /// Returns the waiting changes of a source's playlists, and remarks on those that were sent.
  func report(of detail: Library.SourceDetail) throws -> Library.ProviderReports {
    let name = detail.status.name
    let lines = try transaction.rows(
      """
      SELECT ifnull(p.title, o.title), o.playlist IS NOT NULL, o.problem, p.note FROM
        (SELECT id, title, note FROM playlists WHERE source = ?1) p
        FULL OUTER JOIN (SELECT playlist, title, problem FROM playlist_outbox WHERE source = ?1) o ON o.playlist = p.id
      WHERE o.playlist IS NOT NULL OR p.note IS NOT NULL ORDER BY 1
      """, name
    ) { row in
      let note: String? = try row.value(3)
      let problem: String? = try row.value(2)
      let waits = try row.value(1) as Bool ? "A change made here waits to be sent." : nil
      return Library.ProviderReportLine(
        title: try row.value(0), text: [note, waits, problem].compactMap(\.self).joined(separator: " "))
    }
    return Library.ProviderReports(
      reports: [Library.ProviderReport(startedAt: detail.status.lastRefreshed ?? now, lines: lines)])
  }

  func reports(of record: ProviderRecord, limit: Int, _ kind: Library.ProviderKind?) throws -> Library.ProviderReports {
    Library.ProviderReports(
      reports: try ProviderStore.reports(of: record.name, limit: limit, transaction),
      questions: try questions(of: record), removals: try removals(of: record), lists: try lists(of: record))
  }

  func questions(of record: ProviderRecord) throws -> [Library.ProviderQuestion] {
    var questions: [Library.ProviderQuestion] = []
    if let question = record.state.directory.question {
      questions.append(.init(ProviderRun.listsQuestion, "Playlists", question))
    }
    for row in try ProviderStore.lists(of: record.name, transaction) {
      guard let question = row.state.question else { continue }
      questions.append(.init(ProviderRun.playlistID(row.playlist).description, row.title, question))
    }
    for part in WishList.parts {
      guard let question = try ProviderStore.ledger(of: part, transaction).questions[record.name] else { continue }
      questions.append(.init(part.rawValue, ProviderRun.title(of: part), question))
    }
    return questions.filter { record.state.answers[$0.id] == nil }
  }

  private func removals(of record: ProviderRecord) throws -> [Library.ProviderRemoval] {
    let limit = Timestamp(microseconds: now.microseconds - ListRemoval.memory.microseconds)
    var removals: [Library.ProviderRemoval] = []
    for row in try ProviderStore.lists(of: record.name, transaction) {
      removals += row.state.removals.filter { $0.at > limit }.map { removal in
        Library.ProviderRemoval(
          id: RemovalID(removal, from: row.playlist).text, at: removal.at, from: row.title,
          title: removal.entry.track.described.title, artist: removal.entry.track.described.artist,
          isHere: removal.isLocal)
      }
    }
    for part in WishList.parts {
      let ledger = try ProviderStore.ledger(of: part, transaction)
      removals += ledger.removals.filter { $0.provider == record.name && $0.at > limit }.map { removal in
        Library.ProviderRemoval(
          id: RemovalID(removal, from: part).text, at: removal.at, from: ProviderRun.title(of: part),
          title: part == .albums ? removal.item.album : removal.item.artist,
          artist: part == .albums ? removal.item.artist : "", isHere: true)
      }
    }
    return Array(removals.sorted { ($1.at, $1.id) < ($0.at, $0.id) }.prefix(Self.mostRemovals))
  }

  /// Returns the playlists of both sides, by title.
  private func lists(of record: ProviderRecord) throws -> [Library.ProviderPlaylist] {
    guard record.state.way(of: .playlists) != nil else { return [] }
    let rows = try ProviderStore.lists(of: record.name, transaction)
    let pushes = record.state.way(of: .playlists)?.pushes == true
    let known = Dictionary(rows.map { ($0.playlist, $0) }) { first, _ in first }
    let ours = try transaction.rows(
      "SELECT id, title FROM playlists WHERE source = ? AND rules IS NULL ORDER BY title_sort, id",
      Catalogue.ownPlaylists
    ) { (id: try $0.value(0) as Int64, title: try $0.value(1) as String) }
    let selected = Set(
      try ProviderRun.locals(record.state, rows, of: record.name, transaction).filter(\.isSelected).map(\.id))
    var lists = ours.map { list in
      let row = known[list.id]
      return Library.ProviderPlaylist(
        id: ProviderRun.playlistID(list.id), native: row?.native ?? record.state.partners["\(list.id)"],
        title: list.title, isKept: row != nil || pushes && selected.contains("\(list.id)"))
    }
    let named = Set(lists.compactMap(\.native))
    for native in record.state.left.subtracting(named).sorted() where Int64(native) == nil {
      lists.append(.init(id: nil, native: native, title: native, isKept: false))
    }
    return lists
  }
}

extension Library.ProviderQuestion {
  fileprivate init(_ id: String, _ title: String, _ question: RemovalQuestion) {
    self.init(id: id, title: title, removed: question.removed.count, total: question.total)
  }
}

/// The id by which a person names a removal.
struct RemovalID: Hashable {
  var text: String

  init(_ removal: ListRemoval, from playlist: Int64) {
    text = "p\(playlist)-\(removal.at.microseconds)-\(removal.entry.id)"
  }

  init(_ removal: ItemRemoval, from part: Library.SyncPart) {
    text = "\(part.rawValue)-\(removal.at.microseconds)-\(removal.item.id)"
  }
}
