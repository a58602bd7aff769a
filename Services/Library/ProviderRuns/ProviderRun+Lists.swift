import Catalogue
import Messages
import Model
import People
import Storage
import Sync

/// Whole lists: which of them are on both sides.
extension ProviderRun {
  mutating func playlists(_ way: SyncDirection) async throws {
    var lists: [RemoteList] = []
    try await attempt("Playlists") { run in
      guard let reading = try await run.provider.lists() else { throw Self.unsteady("The list of playlists") }
      lists = reading
      let plan = try await run.compare(reading, way)
      run.add(part(of: plan))
      for list in plan.removed.compactMap({ Int64($0) }) { try await run.reportRemoval(of: list) }
      for native in plan.deletions {
        try await run.attempt("Playlists") { try await $0.provider.delete(native) }
      }
      for (list, natives) in plan.namesakes.sorted(by: { $0.key < $1.key }) {
        try await run.attempt("Playlists") { try await $0.decide(list, natives, among: reading) }
      }
      for (list, mark) in plan.additions.sorted(by: { $0.key < $1.key }) {
        try await run.attempt("Playlists") { try await $0.make(list, mark) }
      }
    }
    let (rows, due) = try await chosen(lists, isPushing: way.pushes)
    if due < rows.count { expectMore() }
    for row in rows.prefix(due) {
      let list = lists.first { $0.info.native == row.native }
      try await attempt(row.title) { try await $0.follow(row, list?.info, way) }
    }
  }

  /// Compares the overviews of both sides, and stores what follows here.
  private func compare(_ reading: [RemoteList], _ way: SyncDirection) async throws -> ListDirectoryPlan {
    let (name, hostID, now) = (name, hostID, now())
    let titles = reading.reduce(into: [String: RemoteListInfo]()) { $0[$1.info.native] = $1.info }
    return try await database.write(.power) { transaction in
      let editor = PlaylistEditor(now: now, hostID: hostID, transaction: transaction)
      let rows = try Self.rows(of: name, transaction)
      var plan = ListDirectoryPlan()
      try ProviderStore.change(name, transaction) { state in
        let locals = try Self.locals(state, rows, of: name, transaction)
        plan = state.directory.compare(
          reading.map(\.info), local: locals, library: hostID, deselected: state.left, different: state.different,
          direction: way, answer: state.answers.removeValue(forKey: Self.listsQuestion), at: now)
        for list in plan.made {
          let number = try editor.create(following: list)
          state.directory.recordMade(list.native, as: "\(number)")
        }
        for list in plan.removed.compactMap({ Int64($0) }) {
          try editor.delete(Library.DeletePlaylist(id: Self.playlistID(list)))
        }
        // The rows follow the directory.
        for list in locals.map(\.id) + plan.removed + plan.detached + rows.map({ "\($0.playlist)" }) {
          guard let number = Int64(list), state.directory.native(of: list) == nil else { continue }
          try ProviderStore.removeList(number, of: name, transaction)
        }
        let present = try Self.rows(of: name, transaction)
        let numbers = locals.map(\.id) + (try Self.ownNumbers(transaction)).map { "\($0)" }
        for list in Set(numbers) {
          guard let number = Int64(list), let native = state.directory.native(of: list), let info = titles[native],
            present.first(where: { $0.playlist == number })?.native != native
          else { continue }
          let row = ProviderListRow(
            playlist: number, native: native, title: info.title, summary: ListTwin.withoutMarks(info.summary))
          try ProviderStore.keep(row, of: name, transaction)
        }
      }
      return plan
    }
  }

  /// Returns the rows of playlists, without that of the liked tracks.
  static func rows(of name: String, _ transaction: ReadTransaction) throws -> [ProviderListRow] {
    try ProviderStore.lists(of: name, transaction).filter { $0.native != Self.likedID }
  }

  static let likedID = "liked"

  static func playlistID(_ number: Int64) -> PlaylistID {
    PlaylistID(source: Catalogue.ownPlaylists, native: "p\(number)")
  }

  private static func ownNumbers(_ transaction: ReadTransaction) throws -> [Int64] {
    try transaction.values(
      "SELECT id FROM playlists WHERE source = ? AND rules IS NULL ORDER BY id", Catalogue.ownPlaylists)
  }

  /// Returns the playlists of the library itself that are or may be at the provider. Smart ones are not: their entries
  /// cannot be edited. Those that came from another provider are only if a person wants that.
  static func locals(
    _ state: ProviderState, _ rows: [ProviderListRow], of name: String, _ transaction: ReadTransaction
  ) throws -> [LocalListInfo] {
    let liked: [Int64] = try transaction.values("SELECT playlist FROM provider_lists WHERE native = ?", Self.likedID)
    let received = try ProviderStore.records(transaction).filter { $0.name != name }.flatMap(\.state.directory.received)
    let elsewhere = Set(liked.map { "\($0)" } + received)
    let playlists = try transaction.rows(
      "SELECT id, title, revision FROM playlists WHERE source = ? AND rules IS NULL ORDER BY id",
      Catalogue.ownPlaylists
    ) { (id: try $0.value(0) as Int64, title: try $0.value(1) as String, revision: try $0.value(2) as Int64) }
    let known = Dictionary(rows.map { ($0.playlist, $0) }) { first, _ in first }
    return playlists.compactMap { playlist in
      let id = "\(playlist.id)"
      let isTaken = !elsewhere.contains(id) || state.taken.contains(id)
      guard known[playlist.id] != nil || isTaken else { return nil }
      return LocalListInfo(
        id: id, title: playlist.title, isSelected: isTaken && !state.left.contains(id),
        isChanged: known[playlist.id].map { $0.revision >= 0 && $0.revision != playlist.revision } ?? false)
    }
  }

  /// Returns the lists, first those that this run reads, and the number of these.
  private func chosen(
    _ lists: [RemoteList], isPushing: Bool
  ) async throws -> (rows: [ProviderListRow], due: Int) {
    let (name, now) = (name, now())
    let snapshots = lists.reduce(into: [String: String]()) { $0[$1.info.native] = $1.snapshot }
    let infos = lists.reduce(into: [String: RemoteListInfo]()) { $0[$1.info.native] = $1.info }
    return try await database.read { transaction in
      let rows = try Self.rows(of: name, transaction)
      let revisions = try transaction.rows("SELECT id, revision FROM playlists") {
        (id: try $0.value(0) as Int64, revision: try $0.value(1) as Int64)
      }
      let revision = Dictionary(revisions.map { ($0.id, $0.revision) }) { first, _ in first }
      let progress = rows.map { row in
        ListProgress(
          native: row.native, snapshot: row.snapshot, readAt: row.readAt,
          isChangedHere: row.isUnfinished || isPushing && revision[row.playlist] != row.revision
            || infos[row.native].map(row.hasOtherTexts) ?? false,
          isWaiting: row.state.isWaiting)
      }
      let chosen = ListRotation.choose(progress, snapshots: snapshots, at: now).map(\.native)
      let left = progress.filter { item in
        !chosen.contains(item.native) && (item.readAt == nil || item.isChangedHere || item.isWaiting)
      }
      let first = chosen.compactMap { native in rows.first { $0.native == native } }
      return (first + left.compactMap { item in rows.first { $0.native == item.native } }, first.count)
    }
  }

  /// Notes that a playlist was removed here, and how it is brought back.
  private mutating func reportRemoval(of number: Int64) async throws {
    let title: String? = try await database.read {
      try $0.value("SELECT title FROM deleted_playlists WHERE id = ?", number)
    }
    var part = SyncReport.Part(title: title ?? "A playlist")
    part.notes = [
      "It was removed here, as \(report.provider) no longer has it. `lunara playlists undo "
        + "\(Self.playlistID(number))` brings it back within 30 days."
    ]
    add(part)
  }

  /// Decides by their contents if one of the lists of the same title is the twin of ours.
  private mutating func decide(_ list: String, _ natives: [String], among lists: [RemoteList]) async throws {
    guard let number = Int64(list) else { return }
    let name = name
    let ours = try await database.read { try Self.entries(of: number, $0) }
    for native in natives {
      guard let info = lists.first(where: { $0.info.native == native })?.info else { continue }
      guard let reading = try await provider.reading(of: native) else { throw Self.unsteady(info.title) }
      let isTwin = ListTwin.isSame(
        ours.map { LocalEntry(id: $0.id, track: SyncTrack(native: nil, described: $0.described)) }, reading.entries)
      try await database.write(.power) { transaction in
        try ProviderStore.change(name, transaction) { state in
          if isTwin {
            state.directory.recordTwin(native, of: list)
            let row = ProviderListRow(
              playlist: number, native: native, title: info.title, summary: ListTwin.withoutMarks(info.summary))
            try ProviderStore.keep(row, of: name, transaction)
          } else {
            state.different[list, default: []].insert(native)
          }
        }
      }
      if isTwin { return }
    }
    expectMore()
  }

  /// Creates one of our lists at the provider.
  private mutating func make(_ list: String, _ mark: String) async throws {
    guard let number = Int64(list) else { return }
    let name = name
    let texts = try await database.read { try Self.texts(of: number, $0) }
    guard let texts else { return }
    let summary = PlaylistEditor.shortened(summary: texts.summary)?.prefix(bytes: ProviderListRow.longestSummary) ?? ""
    let native = try await provider.create(title: texts.title, summary: ListTwin.marked(summary, mark))
    try await database.write(.power) { transaction in
      try ProviderStore.change(name, transaction) { $0.directory.recordTwin(native, of: list) }
      let row = ProviderListRow(playlist: number, native: native, title: texts.title, summary: texts.summary)
      try ProviderStore.keep(row, of: name, transaction)
    }
    var part = SyncReport.Part(title: texts.title)
    part.madeThere = 1
    add(part)
  }

  static func texts(
    of number: Int64, _ transaction: ReadTransaction
  ) throws -> (title: String, summary: String, revision: Int64)? {
    try transaction.row("SELECT title, ifnull(summary, ''), revision FROM playlists WHERE id = ?", number) {
      (title: try $0.value(0), summary: try $0.value(1), revision: try $0.value(2))
    }
  }

  static func entries(
    of number: Int64, _ transaction: ReadTransaction
  ) throws -> [(id: Int64, described: DescribedTrack)] {
    try transaction.rows(
      "SELECT id, described FROM playlist_entries WHERE playlist = ? AND described IS NOT NULL ORDER BY place", number
    ) { row in
      (
        id: try row.value(0),
        described: try MessageCoding.decode(DescribedTrack.self, from: (try row.value(1) as String).utf8)
      )
    }
  }
}

/// Returns the part of a report that tells of whole lists.
private func part(of plan: ListDirectoryPlan) -> SyncReport.Part {
  var part = SyncReport.Part(title: "Playlists")
  part.addedHere = plan.made.count
  part.removedHere = plan.removed.count
  part.removedThere = plan.deletions.count
  part.waiting = plan.waiting
  part.question = plan.question
  part.detached = plan.detached.count
  return part
}
