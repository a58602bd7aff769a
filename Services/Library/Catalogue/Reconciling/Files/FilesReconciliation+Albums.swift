import Messages
import Model
import MusicTags
import Records
import Storage

/// Groups files into albums, and writes both.
extension FilesReconciliation {
  /// A file that becomes a track, with its rows so far.
  struct Draft {
    var reading: FileMetadata
    var folder: [UInt8]
    var name: [UInt8]
    var stamp: FileStamp
    /// The version of the reader that read it.
    var reader = Int(TagReading.version)
    /// The file's row; nil for a new one.
    var file: Int64?
    /// The track's row, and its album so far.
    var track: Int64?
    var album: Int64?
    /// The track that it was before it left the music folders.
    var returning: DepartedTracks.Departed?
    /// The part of the file that it is; nil for a whole file.
    var segment: FileCut.Segment?
    /// The problem of the CUE sheet in its tags.
    var problem: LunaraError?
    /// True if the file and its track are written; false if only its album may change.
    var isWritten: Bool
    /// The place of a track that is numbered by the sides of a record.
    var side: VinylSides.Place?
    /// True for a track of a cut file.
    var isCut = false
    /// The values that are guessed from its name.
    var guessed: [Library.GuessedField] = []
    /// True if it has no tags at all.
    var isUntagged = false

    var disc: Int { side?.disc ?? reading.disc }
    var number: Int? { side?.number ?? reading.number }

    static func isBefore(_ left: Draft, _ right: Draft) -> Bool {
      if left.folder != right.folder { return left.folder.lexicographicallyPrecedes(right.folder) }
      if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
      return left.reading.number ?? 0 < right.reading.number ?? 0
    }
  }

  /// Groups the files of these folders into albums again, and writes the changes.
  func writeAlbums(in touched: [[UInt8]]) throws {
    let albumFolders = scan.folders.map { PathKey(AlbumGrouping.albumFolder(of: $0.path)) }
    let written = Dictionary(grouping: matching.written.indices) { albumFolders[matching.written[$0].folder] }
    let stored = Dictionary(grouping: known.folders.values) { PathKey(AlbumGrouping.albumFolder(of: $0.path)) }
    let rewritten = try rewrittenRows()
    for folder in touched {
      if progress.isStopped { throw CancellationError() }
      var drafts: [Draft] = []
      for known in (stored[PathKey(folder)] ?? []).sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
        drafts += try keptDrafts(in: known, without: rewritten)
      }
      for index in written[PathKey(folder)] ?? [] {
        drafts += try self.drafts(index)
      }
      guard !drafts.isEmpty else { continue }
      // The scan's own files are in order already.
      if drafts.contains(where: { !$0.isWritten }) { drafts.sort(by: Draft.isBefore) }
      guessNames(of: &drafts, in: folder)
      try write(drafts, of: folder)
    }
  }

  /// Returns the rows of the stored files that are written again, also those of the tracks of a cut file.
  private func rewrittenRows() throws -> Set<Int64> {
    var rows: Set<Int64> = []
    for file in matching.written.compactMap(\.known) {
      rows.insert(file.id)
      guard file.segments > 0 else { continue }
      rows.formUnion(try segments(of: file.id).map(\.row))
    }
    return rows
  }

  /// Returns the track rows of a cut file.
  private func segments(of file: Int64) throws -> [(row: Int64, number: Int, track: Int64?, album: Int64?)] {
    try transaction.rows(
      """
      SELECT s.id, s.segment, t.id, t.album FROM files f
      JOIN files s ON s.folder = f.folder AND s.name = f.name AND s.segment > 0 LEFT JOIN tracks t ON t.id = s.track
      WHERE f.id = ?
      """, file
    ) { (row: try $0.value(0), number: try $0.value(1), track: try $0.value(2), album: try $0.value(3)) }
  }

  /// Returns drafts of the unchanged tracks of a folder.
  private func keptDrafts(in folder: KnownFiles.Folder, without rewritten: Set<Int64>) throws -> [Draft] {
    try transaction.rows(
      """
      SELECT f.id, f.name, f.inode, f.size, f.modified, f.tags, t.id, t.album, f.segment > 0 FROM files f
      JOIN tracks t ON t.id = f.track WHERE f.folder = ?
      """, folder.id
    ) { row in
      let name: [UInt8] = try row.value(1)
      return Draft(
        reading: FileMetadata(packed: try row.value(5), folder: folder.path, name: name, rules), folder: folder.path,
        name: name, stamp: FileStamp(inode: try row.value(2), size: try row.value(3), modified: try row.value(4)),
        file: try row.value(0), track: try row.value(6), album: try row.value(7), isWritten: false,
        isCut: try row.value(8))
    }.filter { draft in draft.file.map { !rewritten.contains($0) && !deleted.contains($0) } ?? true }
  }

  /// Returns the drafts of a new, changed or moved file: one, or one for each track into which a sheet cuts it; none
  /// where it cannot become a track.
  private func drafts(_ index: Int) throws -> [Draft] {
    let written = matching.written[index]
    let folder = scan.folders[written.folder]
    let (file, known) = (folder.files[written.file], written.known)
    let before = try known.flatMap { known in
      try transaction.row(
        """
        SELECT f.tags, t.id, t.album, f.reader FROM files f LEFT JOIN tracks t ON t.id = f.track WHERE f.id = ?
        """, known.id
      ) { row in
        (
          tags: try row.value(0) as String, track: try row.value(1) as Int64?, album: try row.value(2) as Int64?,
          reader: try row.value(3) as Int
        )
      }
    }
    if case .failed(let problem) = file.finding {
      try writeFailed(file, in: folder, known, problem)
      return []
    }
    if let known, file.cut == nil {
      // The rows of a sheet that is gone.
      for segment in known.segments > 0 ? try segments(of: known.id) : [] { try delete(row: segment.row) }
    }
    let reading: FileMetadata
    var reader = Int(TagReading.version)
    switch file.finding {
    case .read(let read): reading = read
    case .moved:
      guard let before, before.track != nil else { return [] }
      reading = FileMetadata(packed: before.tags, folder: folder.path, name: file.name, rules)
      reader = before.reader
    case .failed, .same: return []
    }
    if let cut = file.cut {
      return try drafts(of: cut, index, file, in: folder.path, reading, before?.track, before?.album)
    }
    let returning = before?.track == nil ? returning[NewTrack(index: index)] : nil
    return [
      Draft(
        reading: reading, folder: folder.path, name: file.name, stamp: file.stamp, reader: reader, file: known?.id,
        track: before?.track ?? returning?.track, album: before?.album, returning: returning,
        problem: file.sheetProblem, isWritten: true)
    ]
  }

  /// Writes the row of a file that a sheet cuts, and returns the drafts of its tracks. A track keeps its row by its
  /// number in the sheet.
  private func drafts(
    of cut: FileCut, _ index: Int, _ file: ScannedFile, in folder: [UInt8], _ reading: FileMetadata, _ track: Int64?,
    _ album: Int64?
  ) throws -> [Draft] {
    let known = matching.written[index].known
    try writeFile(known?.id, in: folder, file.name, file.stamp, track: nil, tags: reading.packed, problem: nil)
    // The file was one track so far.
    if let track, let album { try depart(track, of: album, reading) }
    let before = try known.map { try segments(of: $0.id) } ?? []
    for gone in before where !cut.segments.contains(where: { $0.number == gone.number }) { try delete(row: gone.row) }
    return cut.segments.map { segment in
      let row = before.first { $0.number == segment.number }
      let returning = row?.track == nil ? returning[NewTrack(index: index, segment: segment.number)] : nil
      return Draft(
        reading: segment.reading, folder: folder, name: file.name, stamp: file.stamp, file: row?.row,
        track: row?.track ?? returning?.track, album: row?.album, returning: returning, segment: segment,
        isWritten: true, isCut: true, guessed: segment.number == FileCut.Segment.hidden ? [.title, .number] : [])
    }
  }

  private func write(_ drafts: [Draft], of folder: [UInt8]) throws {
    var drafts = drafts
    let groups = AlbumGrouping.albums(of: drafts.map(\.reading), in: folder)
    var albumsIn: [PathKey: Set<String>] = [:]
    for group in groups {
      for member in group.members { albumsIn[PathKey(drafts[member].folder), default: []].insert(group.mergeKey) }
    }
    for group in groups {
      for member in group.members {
        drafts[member].side = group.sides[member]
        if drafts[member].track == nil { drafts[member].track = writer.numbers.next(.track) }
      }
      let number = try number(of: group, drafts) { albumsIn[PathKey($0)]?.count ?? 0 > 1 }
      for member in group.members { try write(drafts[member], in: number, group) }
    }
  }

  /// Returns the number of an album: that of the stored album with its key; else that of the album to which exactly
  /// these tracks belonged, which is renamed; else a new one.
  private func number(
    of group: AlbumGrouping.Album, _ drafts: [Draft], _ isShared: ([UInt8]) -> Bool
  ) throws -> Int64 {
    if let number = try albums.number(of: group.key) {
      albums.touch(number)
      // If tracks spell the names differently, the spelling of the oldest track counts.
      if try isOldestTrack(of: number, in: group, drafts) { try albums.rename(number, to: group) }
      return number
    }
    // Earlier versions had one row for the folders of all copies, which stays that of the oldest track.
    if let number = try albums.number(of: group.mergeKey), try isOldestTrack(of: number, in: group, drafts) {
      try albums.rename(number, to: group)
      albums.touch(number)
      return number
    }
    if let album = try emptyAlbum(of: group, drafts) {
      try albums.rename(album, to: group)
      albums.touch(album)
      return album
    }
    let before = group.members.compactMap { drafts[$0].album }
    if let old = before.first, before.allSatisfy({ $0 == old }), try albums.tracks(of: old).count == before.count {
      try albums.rename(old, to: group)
      return old
    }
    var summary = AlbumSummary()
    let inOrder = group.members.sorted { Self.isBefore(drafts[$0].reading, drafts[$1].reading) }
    for draft in inOrder.map({ drafts[$0] }) {
      let part = AlbumSummary.Part(
        disc: draft.disc, words: draft.reading.tags.words(rules), folderCover: cover(of: draft.folder),
        isFolderShared: isShared(draft.folder),
        embedded: draft.reading.tags.audio.hasPicture ? draft.track.map { .track($0, mark: draft.stamp.mark) } : nil)
      // Guesses are not stored with the file, so no later summary has them.
      if draft.guessed.isEmpty {
        summary.add(draft.reading.tags, part)
      } else {
        summary.add(FileTags(packed: draft.reading.packed), part)
      }
    }
    let former = try formerAlbum(of: group, drafts)
    var arrival = inOrder.map { self.arrival(of: drafts[$0]) }.min() ?? now
    // Albums that become one, such as those of the discs of a set, are no new music.
    if before.count == group.members.count, Set(before).count > 1 {
      for album in Set(before) {
        let arrived: Timestamp? = try transaction.value("SELECT arrived_at FROM albums WHERE id = ?", album)
        arrival = min(arrival, arrived ?? arrival)
      }
    }
    let number = try albums.insert(group, summary, at: arrival, as: former)
    // Tracks that were on another album have play times, so the new album's values are computed from them.
    if !before.isEmpty { albums.touch(number) }
    return number
  }

  /// Returns the album that all tracks of a group were on before they left, if it was deleted then.
  private func formerAlbum(of group: AlbumGrouping.Album, _ drafts: [Draft]) throws -> DepartedTracks.Departed? {
    guard let former = commonFormer(of: group, drafts),
      try transaction.value("SELECT 1 FROM albums WHERE id = ?", former.album) as Int? == nil
    else { return nil }
    return former
  }

  /// Returns the album that all tracks of a group were on before, if all its tracks left in this refresh.
  private func emptyAlbum(of group: AlbumGrouping.Album, _ drafts: [Draft]) throws -> Int64? {
    guard let former = commonFormer(of: group, drafts)?.album,
      try transaction.value("SELECT 1 FROM albums WHERE id = ?", former) as Int? != nil,
      try albums.tracks(of: former).isEmpty
    else { return nil }
    return former
  }

  /// Returns one of the tracks that come back in a group, if all of them were on one album.
  private func commonFormer(of group: AlbumGrouping.Album, _ drafts: [Draft]) -> DepartedTracks.Departed? {
    let former = group.members.compactMap { drafts[$0].returning }
    guard let first = former.first, former.allSatisfy({ $0.album == first.album }) else { return nil }
    return first
  }

  /// Returns true if the oldest track of an album that stays is one of a group.
  private func isOldestTrack(of album: Int64, in group: AlbumGrouping.Album, _ drafts: [Draft]) throws -> Bool {
    let oldest = try albums.tracks(of: album).first { try !isDeleted(track: $0) }
    return group.members.contains { drafts[$0].track == oldest }
  }

  private func isDeleted(track: Int64) throws -> Bool {
    guard !deleted.isEmpty else { return false }
    return try transaction.value("SELECT id FROM files WHERE track = ?", track).map(deleted.contains) ?? true
  }

  private static func isBefore(_ left: FileMetadata, _ right: FileMetadata) -> Bool {
    (left.disc, left.number ?? .max, left.titleSort) < (right.disc, right.number ?? .max, right.titleSort)
  }

  /// Returns the cover in a folder; for the folder of a disc without one, that of the album's folder.
  func cover(of folder: [UInt8]) -> ArtReference? {
    for path in [folder, AlbumGrouping.albumFolder(of: folder)] {
      if let row = folders.at(path), let cover = row.cover { return .folder(row.id, mark: cover.mark) }
    }
    return nil
  }
}

/// Summaries of albums, made from their stored tracks.
extension FilesReconciliation {
  /// The summary of an album; nil if no track is left.
  func summary(of album: Int64) throws -> AlbumSummary? {
    var summary = AlbumSummary()
    _ = try transaction.rows(
      """
      SELECT t.id, f.inode, f.size, f.modified, f.tags, f.folder, d.path, t.disc
      FROM tracks t JOIN files f ON f.track = t.id JOIN folders d ON d.id = f.folder WHERE t.album = ?
      ORDER BY t.disc, ifnull(t.number, 1000000), t.title_sort, t.id
      """, album
    ) { row in
      let stamp = FileStamp(inode: try row.value(1), size: try row.value(2), modified: try row.value(3))
      let track: Int64 = try row.value(0)
      let tags = FileTags(packed: try row.value(4))
      summary.add(
        tags,
        AlbumSummary.Part(
          disc: try row.value(7), words: tags.words(rules), folderCover: cover(of: try row.value(6)),
          isFolderShared: try isShared(try row.value(5)),
          embedded: tags.audio.hasPicture ? .track(track, mark: stamp.mark) : nil))
    }
    return summary.tracks > 0 ? summary : nil
  }

  private func isShared(_ folder: Int64) throws -> Bool {
    if let known = sharedFolders[folder] { return known }
    let isShared = try transaction.row(
      """
      SELECT count(DISTINCT a.merge_key) > 1 FROM files f JOIN tracks t ON t.id = f.track JOIN albums a ON a.id = t.album
      WHERE f.folder = ?
      """, folder
    ) { try $0.value(0) as Bool }
    sharedFolders[folder] = isShared
    return isShared ?? false
  }
}

/// Pictures of artists in the music folders.
extension FilesReconciliation {
  /// Assigns pictures to artists: a picture belongs to the artist of all albums in its folder and below it, if that is
  /// only one.
  func writeArtistPictures() throws {
    guard folders.areArtistsTouched || !matching.written.isEmpty || !deleted.isEmpty || !matching.vanished.isEmpty
    else { return }
    if scan.isPartial, !folders.areArtistsTouched, try artistsStay() { return }
    var before: [String: String] = [:]
    _ = try transaction.rows("SELECT key, art FROM artist_members WHERE source = ?", Self.source) { row in
      before[try row.value(0)] = try row.value(1) as String?
    }
    var now: [String: String] = [:]
    for folder in folders.withArtistPicture {
      guard let picture = folder.artistPicture, let key = try onlyArtist(below: folder.path) else { continue }
      // Parents come first, so the picture in the deepest folder counts.
      now[key] = ArtReference.artist(folder.id, mark: picture.mark).native
    }
    guard now != before else { return }
    outcome.isChanged = true
    for key in before.keys where now[key] == nil {
      try transaction.execute("DELETE FROM artist_members WHERE source = ? AND key = ?", Self.source, key)
      try writer.artists.touch(key: key)
    }
    for (key, art) in now where before[key] != art {
      try transaction.execute(
        """
        INSERT INTO artist_members (source, native, key, art, genres, digest) VALUES (?1, ?2, ?2, ?3, '', 0)
        ON CONFLICT (source, native) DO UPDATE SET art = excluded.art
        """, Self.source, key, art)
      try writer.artists.touch(key: key)
    }
  }

  /// Returns true if the pictures above the visited folders still belong to the artists that have them.
  private func artistsStay() throws -> Bool {
    let visited = scan.folders.map(\.path) + matching.vanished.map(\.folder)
    return try folders.withArtistPicture.filter { folder in
      visited.contains { FilePath.isWithin($0, folder.path) }
    }.allSatisfy { folder in
      guard let picture = folder.artistPicture else { return false }
      let art = ArtReference.artist(folder.id, mark: picture.mark).native
      let keys: [String] = try transaction.values(
        "SELECT key FROM artist_members WHERE source = ? AND art = ?", Self.source, art)
      return keys == (try onlyArtist(below: folder.path).map { [$0] } ?? [])
    }
  }

  /// The key of the artist of all albums in a folder and below it; nil if there are several or none.
  private func onlyArtist(below path: [UInt8]) throws -> String? {
    let (inside, end) = FilePath.range(below: path)
    let names = try transaction.rows(
      """
      SELECT DISTINCT a.artist FROM folders d JOIN files f ON f.folder = d.id JOIN tracks t ON t.id = f.track
      JOIN albums a ON a.id = t.album WHERE (d.path = ?1 OR (d.path >= ?2 AND d.path < ?3))
      """, path, inside, end
    ) { try $0.value(0) as String }
    let keys = Set(names.filter { !VariousArtists.isMeant(by: $0) }.map(ArtistRows.key))
    return keys.count == 1 ? keys.first : nil
  }
}
