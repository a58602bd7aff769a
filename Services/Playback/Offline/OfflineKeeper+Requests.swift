import Messages
import Model
import ServiceKit
import Storage
import Text

/// The requests that people send about kept albums.
extension OfflineKeeper {
  /// Adds albums that are not there. Those that are there are compared with their source, and get the pin if one is
  /// given. Returns the number of albums that were added.
  func add(_ listings: [OfflineListing], renewing there: [AlbumID], isPinned: Bool?) async throws -> Int {
    let date = Timestamp.now()
    let (added, known) = try await database.write(.power) { transaction in
      var known: [Int64] = []
      for id in there {
        guard let row = try OfflineStore.row(of: id, in: transaction) else { continue }
        try OfflineStore.renew(row, isPinned: isPinned, in: transaction)
        known.append(row)
      }
      let added = try listings.count(where: {
        try OfflineStore.add($0, isPinned: isPinned ?? false, at: date, in: transaction)
      })
      return (added, known)
    }
    // A person who adds an album again wants it to be tried now.
    for row in known { failures[row] = nil }
    await loop.wake()
    await publish()
    return added
  }

  /// Returns those of some albums that are there.
  func known(of ids: [AlbumID]) async throws -> [AlbumID] {
    try await database.read { reader in try ids.filter { try OfflineStore.row(of: $0, in: reader) != nil } }
  }

  /// Removes albums and their copies; nil for all. Returns the number of albums that were removed.
  func remove(_ ids: [AlbumID]?) async throws -> Int {
    let rows: [Int64] = try await database.read { reader in
      guard let ids else { return try reader.values("SELECT row FROM album") }
      return try Set(ids).compactMap { try OfflineStore.row(of: $0, in: reader) }
    }
    try await remove(rows)
    await publish()
    return rows.count
  }

  private func remove(_ rows: [Int64]) async throws {
    guard !rows.isEmpty else { return }
    leaving.formUnion(rows)
    defer { leaving.subtract(rows) }
    if let loading, rows.contains(loading), let step {
      step.cancel()
      await step.value
    }
    let unused = try await database.write(.power) { try OfflineStore.remove(rows, in: $0) }
    for name in unused { folder.remove(name) }
    for row in rows { failures[row] = nil }
    await loop.wake()
  }

  /// Returns true if there is nothing that must be kept: no album, and nothing that a person chose.
  func isEmpty() async throws -> Bool {
    try await database.read { reader in
      try OfflineStore.counts(in: reader).albums == 0 && OfflineStore.chosenLimit(in: reader) == nil
        && OfflineStore.chosenConnection(in: reader) == nil
    }
  }

  /// Chooses the connections over which albums are fetched; nil for the default.
  func setConnection(_ connection: Playback.OfflineConnection?) async throws -> Playback.OfflineState {
    try await database.write(.power) { try OfflineStore.choose(connection, in: $0) }
    await loop.wake()
    await publish()
    return try await state()
  }

  /// Changes the limit; nil for the default. Albums that exceed it are removed.
  func setLimit(_ limit: Int64?) async throws -> Playback.OfflineState {
    try await database.write(.power) { try OfflineStore.choose(limit, in: $0) }
    try await makeRoom(0)
    // Albums that did not fit may fit now.
    failures = failures.filter { $0.value.error.code != "playback.offlineFull" }
    await loop.wake()
    await publish()
    return try await state()
  }

  /// Removes albums until `bytes` more fit.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that are needed; 0 to come within the limit.
  ///   - row: the album that needs them; it is not removed, and neither are albums that were used after it was added.
  /// - Throws: `playback.offlineFull` if they do not fit.
  func makeRoom(_ bytes: Int64, for row: Int64? = nil) async throws {
    let space = try await space()
    let (albums, addedAt) = try await database.read { reader in
      (
        try OfflineStore.removable(in: reader).filter { $0.row != row },
        try row.flatMap { try reader.value("SELECT added_at FROM album WHERE row = ?", $0) as Timestamp? }
      )
    }
    guard let rows = space.removals(for: bytes, among: albums, usedBefore: addedAt) else { throw OfflineFolder.full() }
    guard !rows.isEmpty else { return }
    context.log.info("albums were removed to make room", ["albums": "\(rows.count)"])
    // Not in a fetch: one that continues is ended first.
    guard row != nil else {
      try await remove(rows)
      return
    }
    let unused = try await database.write { try OfflineStore.remove(rows, in: $0) }
    for name in unused { folder.remove(name) }
    for row in rows { failures[row] = nil }
  }

  /// Returns a page of the albums. Throws `playback.badSetting` for a cursor that is none.
  func page(after cursor: String?) async throws -> Playback.OfflinePage {
    guard let after = cursor.map({ Int64($0) }) ?? 0 else {
      throw LunaraError("playback.badSetting", "The cursor is none of this list.")
    }
    let rows = try await database.read { try OfflineStore.albums(after: after, in: $0) }
    let albums = rows.map { row, album in
      var album = album
      guard album.state != .whole else { return album }
      if loading == row {
        album.state = .loading
      } else if let failure = failures[row] {
        album.state = .failed
        album.problem = failure.error
      }
      return album
    }
    let next = rows.count == OfflineStore.pageSize ? rows.last.map { "\($0.row)" } : nil
    return Playback.OfflinePage(albums: albums, next: next, state: try await state())
  }

  /// Returns the tracks of whole albums by ids or titles, or single tracks by their ids. Throws `playback.notKept`.
  func tracks(named names: [String]) async throws -> [Library.PlayableTrack] {
    try await database.read { reader in
      let albums = try OfflineStore.wholeAlbums(in: reader)
      return try names.flatMap { name -> [Library.PlayableTrack] in
        if let album = albums.first(where: { $0.id == name }) {
          return try OfflineStore.tracks(of: album.row, in: reader).map(\.track)
        }
        if let id = TrackID(name), let copy = try OfflineStore.copy(of: id, in: reader) { return [copy.track] }
        let folded = name.folded
        let titled = albums.filter { $0.title.folded == folded }
        guard let album = titled.first else {
          throw LunaraError(
            "playback.notKept",
            "No whole album “\(name)” is kept here. `lunara offline list` shows those that are.")
        }
        guard titled.count == 1 else {
          let ids = titled.map(\.id).joined(separator: ", ")
          throw LunaraError("playback.notKept", "“\(name)” may mean several albums: \(ids). Give the id of one.")
        }
        return try OfflineStore.tracks(of: album.row, in: reader).map(\.track)
      }
    }
  }
}
