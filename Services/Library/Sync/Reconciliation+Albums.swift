import Model
import Storage

/// Gathering files into albums, and writing both.
extension FilesReconciliation {
  /// A file that becomes a track, with what it was before.
  struct Draft {
    var reading: FileMetadata
    var folder: [UInt8]
    var name: [UInt8]
    var stamp: FileStamp
    /// The file's row; nil for a new one.
    var file: Int64?
    /// The track's row, and its album so far.
    var track: Int64?
    var album: Int64?
    /// Whether anything but its album may have to be written.
    var isWritten: Bool
    /// Its place in the search index, where that is known already.
    var place: Int64?

    static func isBefore(_ left: Draft, _ right: Draft) -> Bool {
      left.folder == right.folder
        ? left.name.lexicographicallyPrecedes(right.name) : left.folder.lexicographicallyPrecedes(right.folder)
    }
  }

  /// Gathers the albums of these folders anew and writes what is different.
  func writeAlbums(in touched: [[UInt8]]) throws {
    let albumFolders = scan.folders.map { PathKey(AlbumGrouping.albumFolder(of: $0.path)) }
    var written: [PathKey: [Int]] = [:]
    for (index, entry) in matching.written.enumerated() {
      written[albumFolders[entry.folder], default: []].append(index)
    }
    var stored: [PathKey: [KnownFiles.Folder]] = [:]
    for folder in known.folders.values {
      stored[PathKey(AlbumGrouping.albumFolder(of: folder.path)), default: []].append(folder)
    }
    let rewritten = Set(matching.written.compactMap { $0.known?.id })
    for folder in touched {
      if progress.isStopped { throw CancellationError() }
      var drafts: [Draft] = []
      for known in (stored[PathKey(folder)] ?? []).sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
        drafts += try keptDrafts(in: known, without: rewritten)
      }
      for index in written[PathKey(folder)] ?? [] {
        if let draft = try draft(index) { drafts.append(draft) }
      }
      guard !drafts.isEmpty else { continue }
      // The scan's own files are in order already.
      if drafts.contains(where: { !$0.isWritten }) { drafts.sort(by: Draft.isBefore) }
      try write(drafts, of: folder)
    }
  }

  /// Tracks of a folder that are as they were.
  private func keptDrafts(in folder: KnownFiles.Folder, without rewritten: Set<Int64>) throws -> [Draft] {
    try transaction.rows(
      """
      SELECT f.id, f.name, f.inode, f.size, f.modified, f.tags, t.id, t.album FROM files f
      JOIN tracks t ON t.id = f.track WHERE f.folder = ?
      """, folder.id
    ) { row in
      let name: [UInt8] = try row.value(1)
      return Draft(
        reading: FileMetadata(packed: try row.value(5), folder: folder.path, name: name), folder: folder.path,
        name: name, stamp: FileStamp(inode: try row.value(2), size: try row.value(3), modified: try row.value(4)),
        file: try row.value(0), track: try row.value(6), album: try row.value(7), isWritten: false)
    }.filter { draft in draft.file.map { !rewritten.contains($0) && !deleted.contains($0) } ?? true }
  }

  /// A file that is new, was changed or has moved; nil where it makes no track.
  private func draft(_ index: Int) throws -> Draft? {
    let written = matching.written[index]
    let folder = scan.folders[written.folder]
    let file = folder.files[written.file]
    let before = try written.known.flatMap { known in
      try transaction.row(
        "SELECT f.tags, t.id, t.album FROM files f LEFT JOIN tracks t ON t.id = f.track WHERE f.id = ?", known.id
      ) { row in
        (tags: try row.value(0) as String, track: try row.value(1) as Int64?, album: try row.value(2) as Int64?)
      }
    }
    let reading: FileMetadata
    switch file.finding {
    case .read(let read): reading = read
    case .moved:
      guard let before, before.track != nil else {
        try moveWithoutTrack(file, in: folder, written.known)
        return nil
      }
      reading = FileMetadata(packed: before.tags, folder: folder.path, name: file.name)
    case .failed(let problem):
      try writeFailed(file, in: folder, written.known, problem)
      return nil
    case .same: return nil
    }
    return Draft(
      reading: reading, folder: folder.path, name: file.name, stamp: file.stamp, file: written.known?.id,
      track: before?.track, album: before?.album, isWritten: true, place: places[index])
  }

  private func write(_ drafts: [Draft], of folder: [UInt8]) throws {
    var drafts = drafts
    let groups = AlbumGrouping.albums(of: drafts.map(\.reading), in: folder)
    var albumsIn: [PathKey: Set<Int>] = [:]
    if groups.count > 1 {
      for (number, group) in groups.enumerated() {
        for member in group.members { albumsIn[PathKey(drafts[member].folder), default: []].insert(number) }
      }
    }
    for group in groups {
      for member in group.members where drafts[member].track == nil {
        drafts[member].track = writer.numbers.nextTrack()
      }
      let number = try number(of: group, drafts) { folder in
        groups.count > 1 && (albumsIn[PathKey(folder)]?.count ?? 0) > 1
      }
      for member in group.members { try write(drafts[member], in: number, group) }
    }
  }

  /// The album's number: that of its key; else that of the album whose tracks these all were, which is then renamed;
  /// else a new one.
  private func number(
    of group: AlbumGrouping.Album, _ drafts: [Draft], _ isShared: ([UInt8]) -> Bool
  ) throws -> Int64 {
    if let number = try albums.number(of: group.key) {
      albums.touch(number)
      // Of several spellings that of the oldest track counts.
      if let oldest = try albums.oldestTrack(of: number), group.members.contains(where: { drafts[$0].track == oldest })
      {
        try albums.rename(number, to: group)
      }
      return number
    }
    let before = group.members.compactMap { drafts[$0].album }
    if let old = before.first, before.allSatisfy({ $0 == old }),
      try transaction.row("SELECT count(*) FROM tracks WHERE album = ?", old, as: { try $0.value(0) }) == before.count
    {
      try albums.rename(old, to: group)
      return old
    }
    var summary = AlbumSummary()
    let inOrder = group.members.sorted { Self.isBefore(drafts[$0].reading, drafts[$1].reading) }
    for member in inOrder { summary.add(part(drafts[member], isShared(drafts[member].folder))) }
    let number = try albums.insert(group, summary)
    // Tracks that were on another album bring along when they were heard.
    if !before.isEmpty { albums.touch(number) }
    return number
  }

  private static func isBefore(_ left: FileMetadata, _ right: FileMetadata) -> Bool {
    (left.disc, left.number ?? .max, left.titleSort) < (right.disc, right.number ?? .max, right.titleSort)
  }

  private func part(_ draft: Draft, _ isShared: Bool) -> AlbumSummary.Part {
    AlbumSummary.Part(
      genres: draft.reading.tags.genres, folderCover: cover(of: draft.folder),
      isFolderShared: isShared,
      embedded: draft.reading.tags.hasPicture ? draft.track.map { .track($0, mark: draft.stamp.mark) } : nil)
  }

  /// The picture in a folder; for one disc of a set that has none of its own, the picture in the folder of the set.
  func cover(of folder: [UInt8]) -> ArtReference? {
    for path in [folder, AlbumGrouping.albumFolder(of: folder)] {
      if let row = folders.at(path), let cover = row.cover { return .folder(row.id, mark: cover.mark) }
    }
    return nil
  }
}
