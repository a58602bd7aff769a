import Messages
import Model
import MusicTags
import Records
import Storage
import Text

extension FilesReconciliation {
  /// Writes a track and its file if the draft says so; else only the album of the track.
  func write(_ draft: Draft, in album: Int64, _ group: AlbumGrouping.Album) throws {
    guard let track = draft.track else { return }
    if let before = draft.album, before != album {
      albums.touch(before)
      try writer.ratings.follow(album: before, to: album)
      if draft.reading.tags.people.contains(where: { $0.role == .composer }) {
        for album in [before, album] { try writer.reindex(album: album, withTracks: false) }
      }
    }
    let reading = draft.reading
    let artist = reading.artist ?? (group.artist == VariousArtists.name ? VariousArtists.unknown : group.artist)
    let identity = TrackIdentity(
      artist: group.artist, album: group.title, disc: draft.disc, number: draft.number, title: reading.title)
    let details = reading.details(on: group)
    guard draft.isWritten else { return try keep(draft, track, in: album, artist: artist, identity, details) }
    let isNew = draft.album == nil
    try writer.write(
      SourceTrack(
        album: album, title: reading.title, titleSort: reading.titleSort, artist: artist,
        artistSort: reading.artistSort, disc: draft.disc, number: draft.number, numberText: draft.side?.text,
        year: (reading.tags.dates.originalRelease ?? reading.tags.dates.edition)?.year, genres: reading.genres,
        duration: reading.tags.audio.duration, recording: reading.tags.ids.recordingID,
        release: reading.tags.albumName.releaseID,
        ids: reading.tags.musicIDs, format: FileName.ending(draft.name), isLossless: reading.tags.audio.isLossless,
        audio: reading.tags.audio.properties, levels: reading.tags.audio.levels, identity: identity, details: details,
        addedAt: arrival(of: draft)),
      as: track, isNew: isNew)
    if let returning = draft.returning {
      try departures.restore(returning)
      writer.ratings.remember(track: track, returning.identity)
    }
    if isNew { outcome.new += 1 } else { outcome.changed += 1 }
    let named = draft.guessed.filter(Library.GuessedField.named.contains).map(\.rawValue)
    let path = FilePath.join(draft.folder, draft.name)
    let problem =
      draft.problem ?? (reading.tags.audio.isTruncated && !draft.isCut ? ScanProblem.truncated(path) : nil)
      ?? (draft.isUntagged ? ScanProblem.untagged(path, guessed: named) : nil)
      ?? reading.tags.likelyEncoding.map { ScanProblem.encoding(path, $0) }
    try writeFile(
      draft.file, in: draft.folder, draft.name, draft.stamp, track: track, tags: reading.packed, problem: problem,
      reader: draft.reader, segment: draft.segment, guessed: Library.GuessedField.packed(draft.guessed))
  }

  /// Returns the time when a new track came: in a first scan, the last change of its file, so that music that was
  /// gathered over years keeps its order.
  func arrival(of draft: Draft) -> Timestamp {
    let changed = Timestamp(microseconds: draft.stamp.modified / 1000)
    return isFirstScan && changed > Self.earliestArrival ? min(now, changed) : now
  }

  /// Before 1995 nobody had music files; such a time comes from a clock that was not set.
  private static let earliestArrival = Timestamp(seconds: 788_918_400)

  /// Updates the album, the artist and the place of an unchanged track, as its album may have been renamed or replaced,
  /// or other tracks of its side of a record may have come.
  private func keep(
    _ draft: Draft, _ track: Int64, in album: Int64, artist: String, _ identity: TrackIdentity,
    _ details: TaggedDetails
  ) throws {
    if let side = draft.side {
      try transaction.execute(
        "UPDATE tracks SET disc = ?1, number = ?2 WHERE id = ?3 AND (disc, number) IS NOT (?1, ?2)", side.disc,
        side.number, track)
    }
    try writer.write(details, of: track, isNew: false)
    let before = try transaction.row(
      "SELECT album = ? AND artist = ?, identity FROM tracks WHERE id = ?", album, artist, track
    ) { (isSame: try $0.value(0) as Bool, identity: try $0.value(1) as Int64) }
    guard let before, !before.isSame || before.identity != identity.hash64 else { return }
    writer.ratings.remember(track: track, before.identity)
    try transaction.execute(
      "UPDATE tracks SET album = ?, artist = ?, identity = ? WHERE id = ?", album, artist, identity.hash64, track)
    if !before.isSame { writer.reindex(track: track) }
  }

  /// Stores a file that cannot be used. A file that was a track before, or several, stays so. Its row keeps the former
  /// stamp, so that the next scan reads it again, except where that would break the tag reader again.
  func writeFailed(
    _ file: ScannedFile, in folder: ScannedFolder, _ before: KnownFiles.File?, _ problem: LunaraError
  ) throws {
    if let before, before.trackCount > 0 {
      outcome.unchanged += before.trackCount
      guard problem.code == ScanProblem.breaksReaderCode else {
        outcome.problems.append(problem)
        return
      }
      let tags: String? = try transaction.row("SELECT tags FROM files WHERE id = ?", before.id) { try $0.value(0) }
      return try writeFile(
        before.id, in: folder.path, file.name, file.stamp, track: before.track, tags: tags ?? "", problem: problem)
    }
    try writeFile(before?.id, in: folder.path, file.name, file.stamp, track: nil, tags: "", problem: problem)
  }

  func writeFile(
    _ number: Int64?, in folder: [UInt8], _ name: [UInt8], _ stamp: FileStamp, track: Int64?, tags: String,
    problem: LunaraError?, reader: Int = Int(TagReading.version), segment: FileCut.Segment? = nil,
    guessed: Int? = nil
  ) throws {
    let problem = try problem.map { String(decoding: try MessageCoding.encode($0), as: UTF8.self) }
    if segment == nil, let holder = known.folder(folder)?.files[PathKey(name)], holder.id != number {
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
        INSERT INTO files (folder, name, inode, size, modified, changed, track, tags, problem, reader, segment,
          first_sample, end_sample, guessed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        values: [
          SQLValue(folders.at(folder)?.id), .blob(name), .integer(stamp.inode), .integer(stamp.size),
          .integer(stamp.modified), .integer(stamp.changed), SQLValue(track), .text(tags), SQLValue(problem),
          SQLValue(reader), SQLValue(segment?.number ?? 0), SQLValue(segment?.segment.start),
          SQLValue(segment?.segment.end), SQLValue(guessed),
        ])
      return
    }
    try transaction.execute(
      """
      UPDATE files SET folder = ?, name = ?, inode = ?, size = ?, modified = ?, changed = ?, track = ?, tags = ?,
        problem = ?, reader = ?, first_sample = ?, end_sample = ?, guessed = ? WHERE id = ?
      """, folders.at(folder)?.id, name, stamp.inode, stamp.size, stamp.modified, stamp.changed, track, tags, problem,
      reader, segment?.segment.start, segment?.segment.end, guessed, number)
  }
}
