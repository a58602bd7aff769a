import Catalogue
package import Messages
package import Model
import Records
package import Storage
import Text

/// Makes and edits playlists, in one transaction: those of the library itself, and those of servers, to which
/// `PlaylistSender` then sends the changes.
package struct PlaylistEditor {
  static let longestTitle = 500
  static let longestSummary = 4000

  let now: Timestamp
  /// The id of the library's host.
  let hostID: String
  let transaction: Transaction

  package init(now: Timestamp, hostID: String, transaction: Transaction) {
    self.now = now
    self.hostID = hostID
    self.transaction = transaction
  }

  // The functions throw `library.unknownID`, `library.notEditable`, and what the requests say.

  func create(_ request: Library.CreatePlaylist) throws -> Playlist {
    let title = try Self.checked(title: request.title)
    let summary = try request.summary.flatMap(Self.checked(summary:))
    if let text = request.rules {
      guard request.ids.isEmpty, request.described == nil, request.copyOf == nil, request.source == nil else {
        throw LunaraError(
          "library.badPlaylist", "A smart playlist finds its tracks by its rules. Nothing else can be put into it.")
      }
      let number = try create(title, summary, [], source: Catalogue.ownPlaylists)
      try set(rules: text, of: number)
      return try finish(number)
    }
    var entries: [PlaylistEntries.Entry] = []
    if let model = request.copyOf { entries = try copies(of: model) }
    entries += try self.entries(request.ids, request.described)
    return try finish(try create(title, summary, entries, source: request.source ?? Catalogue.ownPlaylists))
  }

  /// Makes a playlist, and returns its number.
  func create(
    _ title: String, _ summary: String?, _ entries: [PlaylistEntries.Entry], source: String, note: String? = nil
  ) throws -> Int64 {
    var numbers = try RowNumbers(transaction)
    let number = numbers.next(.playlist)
    try numbers.keep()
    let native =
      source == Catalogue.ownPlaylists
      ? "\(number)" : try PlaylistOutbox.create(number, source: source, title: title, transaction)
    try transaction.execute(
      """
      INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest, summary, revision, created_at,
        updated_at, note) VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, ?6, 1, ?7, ?7, ?8)
      """, number, source, native, title, SortKey.of(title), summary, now, note)
    guard try Catalogue.isEditable(playlist: number, transaction) else {
      throw LunaraError("library.notEditable", "\(source) is no source that keeps playlists of yours.")
    }
    _ = try insert(entries, into: number, after: nil)
    return number
  }

  func add(_ request: Library.AddToPlaylist) throws -> Playlist {
    let number = try editableEntries(request.id)
    let entries = try entries(request.ids, request.described)
    guard !entries.isEmpty else { return try finish(number, isChanged: false) }
    let added = try insert(entries, into: number, after: request.after)
    return try change(number, undo: PlaylistUndoStep(added: added))
  }

  /// Adds the tracks of a list file, of which `matches` says what was found.
  func add(
    _ request: Library.ImportToPlaylist, _ matches: [TrackMatcher.Match]
  ) throws -> Library.ImportedTracks {
    let number = try editableEntries(request.id)
    let entries = try zip(try described(request.tracks), matches).map { entry, match in
      let track = try match.track.flatMap { try Catalogue.track($0, transaction) }
      return try track.map { try self.entry(of: $0) } ?? entry
    }
    let added = try insert(entries, into: number, after: nil)
    return Library.ImportedTracks(
      playlist: try change(number, undo: PlaylistUndoStep(added: added)), matches: matches.map(\.sign))
  }

  func remove(_ request: Library.RemoveFromPlaylist) throws -> Playlist {
    let number = try editableEntries(request.id)
    let entries = PlaylistEntries(of: number, transaction)
    let removed = try entries.present(request.entries)
    guard !removed.isEmpty else { throw Self.unknownEntry }
    try entries.remove(removed.compactMap(\.entry.id))
    return try change(
      number, undo: PlaylistUndoStep(removed: removed.map { .init(entry: $0.entry, before: $0.before) }))
  }

  func move(_ request: Library.MoveInPlaylist) throws -> Playlist {
    let number = try editableEntries(request.id)
    let entries = PlaylistEntries(of: number, transaction)
    let moved = try entries.present(request.entries).compactMap { row in
      row.entry.id.map { PlaylistUndoStep.Moved(entry: $0, before: row.before) }
    }
    let present = Set(moved.map(\.entry))
    guard !present.isEmpty else { throw Self.unknownEntry }
    var seen: Set<Int64> = []
    try entries.move(
      request.entries.filter { present.contains($0) && seen.insert($0).inserted }, after: request.after)
    return try change(number, undo: PlaylistUndoStep(moved: moved))
  }

  func describe(_ request: Library.DescribePlaylist) throws -> Playlist {
    let number = try editable(request.id)
    let former = try transaction.row("SELECT title, summary FROM playlists WHERE id = ?", number) {
      (title: try $0.value(0) as String, summary: try $0.value(1) as String?)
    }
    guard let former else { throw CatalogueID.unknown(request.id) }
    let title = try request.title.map(Self.checked(title:))
    let summary = request.summary == nil ? former.summary : try request.summary.flatMap(Self.checked(summary:))
    var step = PlaylistUndoStep()
    if let title, title != former.title { step.title = former.title }
    if summary != former.summary { step.summary = former.summary ?? "" }
    if let text = request.rules { step.rules = try change(rules: text, of: number, seen: request.revision) }
    guard step != PlaylistUndoStep() else { return try finish(number, isChanged: false) }
    try set(title: title ?? former.title, summary: summary, of: number)
    return try change(number, undo: step)
  }

  /// Deletes a playlist; its entries stay, so that they follow their tracks until it is brought back or forgotten.
  package func delete(_ request: Library.DeletePlaylist) throws {
    let number = try editable(request.id)
    try deletedLists.delete(playlist: number)
    try deletedLists.prune()
    try publish(number)
  }

  func undo(_ request: Library.UndoPlaylist) throws -> Playlist {
    if let number = try deleted(request.id) {
      try deletedLists.restore(playlist: number)
      // Without its file, a playlist belongs to the library itself.
      try transaction.execute(
        "UPDATE playlists SET source = ?2, native = id WHERE id = ?1 AND source = ?3", number, Catalogue.ownPlaylists,
        MusicFolders.source)
      try makeAgain(number)
      return try finish(number)
    }
    let number = try editable(request.id)
    guard let step = try PlaylistUndo.takeLast(of: number, transaction) else {
      throw LunaraError(
        "library.nothingToUndo", "Nothing is left to take back: the last ten changes of a playlist are kept.")
    }
    try step.apply(to: PlaylistEntries(of: number, transaction))
    let present = try transaction.row("SELECT title, summary FROM playlists WHERE id = ?", number) {
      (title: try $0.value(0) as String, summary: try $0.value(1) as String?)
    }
    if let present {
      let summary = step.summary.map { $0.isEmpty ? nil : $0 } ?? present.summary
      try set(title: step.title ?? present.title, summary: summary, of: number)
    }
    if let rules = step.rules { try set(rules: rules, of: number) }
    if let cover = step.cover { try set(cover: cover.isEmpty ? nil : cover, of: number) }
    return try change(number, undo: nil)
  }

  /// Sets the cover of a playlist of the library itself by the reference of its picture; nil removes it.
  func set(cover: String?, of id: PlaylistID) throws -> Playlist {
    let number = try coverable(id)
    let former: String? = try transaction.value("SELECT art FROM playlists WHERE id = ?", number)
    guard former != cover else { return try finish(number, isChanged: false) }
    try set(cover: cover, of: number)
    return try change(number, undo: PlaylistUndoStep(cover: former ?? ""))
  }

  /// Returns a playlist whose cover can be set, as it is.
  func unchanged(_ id: PlaylistID) throws -> Playlist { try finish(try coverable(id), isChanged: false) }

  private func coverable(_ id: PlaylistID) throws -> Int64 {
    let number = try Catalogue.number(of: .playlist, id, transaction)
    guard try source(of: number) == Catalogue.ownPlaylists else {
      throw LunaraError(
        "library.notEditable", "\(id) is a playlist of a source, which has its cover. Copy it, and give the copy one.")
    }
    return number
  }

  private func set(cover: String?, of number: Int64) throws {
    try transaction.execute("UPDATE playlists SET art = ?2 WHERE id = ?1", number, cover)
  }

  private var deletedLists: DeletedLists { DeletedLists(now: now, transaction: transaction) }
}

/// Reading what is edited, and what is added.
extension PlaylistEditor {
  /// Returns the number of a playlist that can be edited. The change of a server's playlist is noted for its server.
  private func editable(_ id: PlaylistID) throws -> Int64 {
    let number = try Catalogue.number(of: .playlist, id, transaction)
    let source = try source(of: number)
    guard try Catalogue.isEditable(playlist: number, transaction) else {
      throw LunaraError(
        "library.notEditable",
        "\(id) is a playlist of \(source ?? id.source), which is only read. Copy it, and edit the copy.")
    }
    if source != Catalogue.ownPlaylists { try PlaylistOutbox.begin(number, transaction) }
    return number
  }

  /// Returns the number of a playlist whose entries can be edited.
  private func editableEntries(_ id: PlaylistID) throws -> Int64 {
    let number = try editable(id)
    guard try Catalogue.rulesText(ofPlaylist: number, transaction) == nil else {
      throw LunaraError(
        "library.notEditable",
        "\(id) is a smart playlist, whose tracks are found by its rules. Change the rules, or copy it and edit the copy."
      )
    }
    return number
  }

  func source(of number: Int64) throws -> String? {
    try transaction.value("SELECT source FROM playlists WHERE id = ?", number)
  }

  /// Returns the number of a deleted playlist; nil if none has this id.
  private func deleted(_ id: PlaylistID) throws -> Int64? {
    guard let number = CatalogueID.number(of: id, .playlist) else { return nil }
    return try transaction.value("SELECT id FROM deleted_playlists WHERE id = ? AND source = ?", number, id.source)
  }

  /// Returns entries for the tracks of albums, artists and so on, and for described tracks.
  private func entries(_ ids: [PlayableID], _ described: [DescribedTrack]?) throws -> [PlaylistEntries.Entry] {
    var entries: [PlaylistEntries.Entry] = []
    var after: String?
    repeat {
      guard !ids.isEmpty else { break }
      let page = try Catalogue.playable(Library.ListPlayable(ids: ids, after: after), host: hostID, transaction)
      for found in page.tracks {
        entries.append(
          try found.described.map { PlaylistEntries.Entry(described: $0, addedAt: now) } ?? entry(of: found.track))
      }
      after = page.next
      guard entries.count <= PlaylistEntries.most else { throw Self.full }
    } while after != nil
    return try entries + self.described(described ?? [])
  }

  private func described(_ tracks: [DescribedTrack]) throws -> [PlaylistEntries.Entry] {
    try tracks.map { track in
      guard !track.title.isEmpty || !track.artist.isEmpty || track.location != nil else {
        throw LunaraError("library.badPlaylist", "A described track needs a title, an artist or an address.")
      }
      return PlaylistEntries.Entry(described: track, addedAt: now)
    }
  }

  func entry(of track: Track) throws -> PlaylistEntries.Entry {
    let number = CatalogueID.number(of: track.id, .track)
    return PlaylistEntries.Entry(
      track: number, identity: try transaction.value("SELECT identity FROM tracks WHERE id = ?", number),
      described: DescribedTrack(track), addedAt: now)
  }

  /// Returns copies of all entries of a playlist, also of one of a source.
  private func copies(of id: PlaylistID) throws -> [PlaylistEntries.Entry] {
    let number = try Catalogue.number(of: .playlist, id, transaction)
    let model = try source(of: number)
    let isSmart = try Catalogue.rulesText(ofPlaylist: number, transaction) != nil
    guard !isSmart, model == Catalogue.ownPlaylists || model == MusicFolders.source else {
      return try entries([id.playable], nil)
    }
    return try PlaylistEntries(of: number, transaction).all().map { entry in
      var copy = entry
      copy.id = nil
      copy.addedAt = now
      return copy
    }
  }

  private static func checked(title: String) throws -> String {
    let title = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !title.isEmpty, title.utf8.count <= longestTitle else {
      throw LunaraError("library.badPlaylist", "The title of a playlist has 1 to \(longestTitle) bytes.")
    }
    return title
  }

  /// Returns a description; nil for an empty one.
  private static func checked(summary: String) throws -> String? {
    guard summary.utf8.count <= longestSummary else {
      throw LunaraError("library.badPlaylist", "The description of a playlist has at most \(longestSummary) bytes.")
    }
    return summary.isEmpty ? nil : summary
  }

  private static var unknownEntry: LunaraError {
    LunaraError(
      "library.unknownEntry",
      "None of these entries is in the playlist any more. `lunara playlist ID` shows those there are.")
  }

  private static var full: LunaraError {
    LunaraError("library.playlistFull", "A playlist has at most \(PlaylistEntries.most) entries. Begin another one.")
  }
}

/// Writing a change.
extension PlaylistEditor {
  private func insert(_ new: [PlaylistEntries.Entry], into number: Int64, after: Int64?) throws -> [Int64] {
    let entries = PlaylistEntries(of: number, transaction)
    guard try entries.count + new.count <= PlaylistEntries.most else { throw Self.full }
    guard let source = try source(of: number), source != Catalogue.ownPlaylists else {
      return try entries.insert(new, after: after)
    }
    return try entries.insert(try atServer(new, source), after: after)
  }

  func set(title: String, summary: String?, of number: Int64) throws {
    try transaction.execute(
      "UPDATE playlists SET title = ?2, title_sort = ?3, summary = ?4 WHERE id = ?1", number, title,
      SortKey.of(title), summary)
  }

  /// Counts a change, and keeps what takes it back.
  private func change(_ number: Int64, undo step: PlaylistUndoStep?) throws -> Playlist {
    try transaction.execute(
      "UPDATE playlists SET revision = revision + 1, updated_at = ? WHERE id = ?", now, number)
    let revision: Int64? = try transaction.value("SELECT revision FROM playlists WHERE id = ?", number)
    if let step, let revision { try PlaylistUndo.keep(step, of: number, revision: revision, transaction) }
    return try finish(number)
  }

  /// Returns the playlist as it is now.
  private func finish(_ number: Int64, isChanged: Bool = true) throws -> Playlist {
    if isChanged { try publish(number) }
    guard let playlist = try Catalogue.playlist(number, transaction) else {
      throw CatalogueID.unknown(PlaylistID(source: Catalogue.ownPlaylists, native: "p\(number)"))
    }
    return playlist
  }

  /// Writes the entry of the search index, and makes clients read the playlists again, by the revision of the lists. No
  /// album changed, so nothing is counted and no fact is written.
  func publish(_ number: Int64) throws {
    var search = SearchIndex(transaction)
    search.mark(.playlist, number)
    try search.finish(only: .playlist)
    try Catalogue.countListChange(transaction)
  }
}
