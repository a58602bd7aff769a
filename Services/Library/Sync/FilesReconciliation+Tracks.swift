import Messages
import Model
import Storage
import Text

extension FilesReconciliation {
  /// Writes a track and its file if the draft says so; else only the album of the track.
  func write(_ draft: Draft, in album: Int64, _ group: AlbumGrouping.Album) throws {
    guard let track = draft.track else { return }
    if let before = draft.album, before != album {
      albums.touch(before)
      try writer.ratings.follow(album: before, to: album)
    }
    let reading = draft.reading
    let tags = reading.tags
    let artist = reading.artist ?? (group.artist == VariousArtists.name ? VariousArtists.unknown : group.artist)
    let identity = TrackIdentity(
      artist: group.artist, album: group.title, disc: reading.disc, number: reading.number, title: reading.title)
    let details = reading.details(on: group)
    guard draft.isWritten else { return try keep(track, in: album, artist: artist, identity, details) }
    let isNew = draft.album == nil
    try writer.write(
      SourceTrack(
        album: album, title: reading.title, titleSort: reading.titleSort, artist: artist,
        artistSort: reading.artistSort,
        disc: reading.disc, number: reading.number, year: reading.year, genres: reading.genres,
        duration: tags.audio.duration,
        recording: tags.ids.recordingID, release: tags.albumName.releaseID, ids: tags.musicIDs,
        format: FileName.ending(draft.name),
        isLossless: tags.audio.isLossless, audio: tags.audio.properties, levels: tags.audio.levels,
        identity: identity, details: details, addedAt: now, place: draft.place), as: track, isNew: isNew)
    if let place = draft.place {
      let words = SearchWords.track(
        title: reading.title, artist: artist, albumArtist: group.artist, artistSort: reading.artistSort, details)
      writer.search.add(track, words, at: place)
    }
    if isNew { outcome.new += 1 } else { outcome.changed += 1 }
    let problem = tags.isEmpty ? ScanProblem.untagged(FilePath.join(draft.folder, draft.name)) : nil
    try writeFile(
      draft.file, in: draft.folder, draft.name, draft.stamp, track: track, tags: reading.packed, problem: problem,
      reader: draft.reader)
  }

  /// Updates the album and the artist of an unchanged track, as its album may have been renamed or replaced.
  private func keep(
    _ track: Int64, in album: Int64, artist: String, _ identity: TrackIdentity, _ details: TaggedDetails
  ) throws {
    try writer.write(details, of: track, isNew: false)
    let before = try transaction.row(
      "SELECT album = ? AND artist = ?, identity FROM tracks WHERE id = ?", album, artist, track
    ) { (isSame: try $0.value(0) as Bool, identity: try $0.value(1) as Int64) }
    guard let before, !before.isSame || before.identity != identity.hash64 else { return }
    writer.ratings.remember(track: track, before.identity)
    try transaction.execute(
      "UPDATE tracks SET album = ?, artist = ?, identity = ? WHERE id = ?", album, artist, identity.hash64, track)
    if !before.isSame { try writer.reindex(track: track) }
  }

  /// Stores a file that cannot be used. A file that was a track before stays that track. Its row keeps the former
  /// stamp, so that the next scan reads it again, except where that would break the tag reader again.
  func writeFailed(
    _ file: ScannedFile, in folder: ScannedFolder, _ before: KnownFiles.File?, _ problem: LunaraError
  ) throws {
    if let track = before?.track {
      outcome.unchanged += 1
      guard problem.code == ScanProblem.breaksReaderCode, let id = before?.id else {
        outcome.problems.append(problem)
        return
      }
      let tags: String? = try transaction.row("SELECT tags FROM files WHERE id = ?", id) { try $0.value(0) }
      return try writeFile(
        id, in: folder.path, file.name, file.stamp, track: track, tags: tags ?? "", problem: problem)
    }
    try writeFile(before?.id, in: folder.path, file.name, file.stamp, track: nil, tags: "", problem: problem)
  }

  private func writeFile(
    _ number: Int64?, in folder: [UInt8], _ name: [UInt8], _ stamp: FileStamp, track: Int64?, tags: String,
    problem: LunaraError?, reader: Int = Int(TagReading.version)
  ) throws {
    let problem = try problem.map { String(decoding: try MessageCoding.encode($0), as: UTF8.self) }
    if let holder = known.folder(folder)?.files[PathKey(name)], holder.id != number {
      // Another row still has this name, for example if two files swapped names: it gets its new name later in this
      // transaction, or is deleted.
      // A row that has left this folder already has its new name.
      try transaction.execute(
        "UPDATE files SET name = randomblob(16) WHERE id = ? AND folder = ? AND name = ?", holder.id, holder.folder,
        name)
    }
    guard let number else {
      try transaction.execute(
        """
        INSERT INTO files (folder, name, inode, size, modified, track, tags, problem, reader)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        values: [
          SQLValue(folders.at(folder)?.id), .blob(name), .integer(stamp.inode), .integer(stamp.size),
          .integer(stamp.modified), SQLValue(track), .text(tags), SQLValue(problem),
          SQLValue(reader),
        ])
      return
    }
    try transaction.execute(
      """
      UPDATE files SET folder = ?, name = ?, inode = ?, size = ?, modified = ?, track = ?, tags = ?, problem = ?,
        reader = ? WHERE id = ?
      """, folders.at(folder)?.id, name, stamp.inode, stamp.size, stamp.modified, track, tags, problem, reader, number)
  }
}

/// The row ids of tracks in the search index for the first scan: with no other tracks they are known in advance, so
/// that each track's row is written once, together with its `search_row`.
struct InitialSearchPositions {
  /// The largest number of tracks; their words are kept in memory until all rows are written.
  private static let mostTracks = 100_000

  private var places: [Int: Int64] = [:]

  init(_ scan: ScanResult, _ matching: FileMatching, _ transaction: ReadTransaction) throws {
    guard !matching.written.isEmpty, matching.written.count <= Self.mostTracks,
      try transaction.row("SELECT 1 FROM tracks LIMIT 1", as: { try $0.value(0) as Int }) == nil
    else { return }
    var keys: [(sort: String, index: Int)] = matching.written.enumerated().compactMap { index, written in
      guard case .read(let reading) = scan.folders[written.folder].files[written.file].finding else { return nil }
      return (reading.titleSort, index)
    }
    keys.sort { $0 < $1 }
    places.reserveCapacity(keys.count)
    for (place, key) in keys.enumerated() { places[key.index] = SearchIndex.Kind.track.position(place) }
  }

  /// The row id for a file's track, by the file's index in `FileMatching.written`; nil where it is found later.
  subscript(index: Int) -> Int64? { places[index] }
}
