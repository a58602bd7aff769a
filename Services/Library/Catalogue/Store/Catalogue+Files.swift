import Messages
package import Model
package import MusicTags
package import Records
package import Storage

/// The files on disk of tracks and pictures.
extension Catalogue {
  /// Returns the path of a file in a folder; nil if the folder or the name is missing.
  package static func path(_ folder: [UInt8]?, _ name: [UInt8]?) -> LocalPath? {
    guard let folder, let name else { return nil }
    return LocalPath(bytes: FilePath.join(folder, name))
  }

  /// Returns the duration of a track; zero for one that is unknown.
  package static func duration(of id: TrackID, _ transaction: ReadTransaction) throws -> Milliseconds {
    try transaction.value("SELECT duration FROM tracks WHERE id = ?", CatalogueID.number(of: id, .track)) ?? .zero
  }

  /// Returns the file that holds a picture, and the current reference of the picture: an old reference leads to the
  /// picture that replaced it. For a picture of a track the file is the music file. Throws `library.unknownID`.
  package static func file(
    of id: ArtID, _ transaction: ReadTransaction
  ) throws -> (path: LocalPath, reference: ArtReference) {
    guard id.source == MusicFolders.source, var reference = ArtReference(id.native) else {
      throw CatalogueID.unknown(id)
    }
    let columns =
      switch reference.place {
      case .track:
        "d.path, f.name, f.inode, f.size, f.modified FROM files f JOIN folders d ON d.id = f.folder WHERE f.track = ?"
      case .folder: "path, cover, cover_mark FROM folders WHERE id = ?"
      case .artist: "path, artist_picture, artist_mark FROM folders WHERE id = ?"
      }
    let found = try transaction.row("SELECT \(columns)", reference.number) { row in
      if reference.place == .track {
        reference.mark = FileStamp(inode: try row.value(2), size: try row.value(3), modified: try row.value(4)).mark
      } else {
        reference.mark = try row.value(2) ?? ""
      }
      return path(try row.value(0), try row.value(1))
    }
    guard let path = found ?? nil else { throw CatalogueID.unknown(id) }
    return (path, reference)
  }
}

extension Catalogue {
  /// Returns the files in the music folders as the store knows them.
  static func knownFiles(_ transaction: ReadTransaction) throws -> KnownFiles {
    var folders: [Int64: KnownFiles.Folder] = [:]
    for folder in try transaction.rows("SELECT \(folderColumns) FROM folders", as: folder) {
      folders[folder.id] = folder
    }
    _ = try transaction.rows(
      "SELECT \(fileColumns) FROM files f WHERE segment = 0", Int(TagReading.version), ScanProblem.unreadableCode
    ) { row in
      let (name, file) = try file(row)
      folders[file.folder]?.files[name] = file
    }
    return KnownFiles(Array(folders.values))
  }

  /// Returns the stored folders, as a walk of all folders compares them. Those with files that must be read again
  /// have to be visited.
  package static func storedFolders(_ transaction: ReadTransaction) throws -> StoredFolders {
    var folders = StoredFolders()
    _ = try transaction.rows("SELECT path, id, digest FROM folders") { row in
      folders.insert(try row.value(0), .init(id: try row.value(1), digest: try row.value(2)))
    }
    let version = Int(TagReading.version)
    folders.revisit(
      Set(
        try transaction.values(
          """
          SELECT folder FROM files WHERE reader < ?1 UNION SELECT folder FROM files WHERE reader > ?1
          UNION SELECT folder FROM files WHERE problem IS NOT NULL AND json_extract(problem, '$.code') = ?2
          """, version, ScanProblem.unreadableCode)))
    return folders
  }

  /// Returns what a visit needs to know of the folders that a walk found changed, and of the rows of those that it did
  /// not find.
  package static func knownFiles(
    _ transaction: ReadTransaction, changed: [[UInt8]], missing: Set<Int64>
  ) throws -> KnownFiles {
    var changes = ChangedFolders(changed)
    for id in missing {
      if let path: [UInt8] = try transaction.value("SELECT path FROM folders WHERE id = ?", id) { changes.insert(path) }
    }
    return try knownFiles(transaction, in: changes)
  }

  /// Returns where those of these files are that are stored in folders that are not visited.
  package static func unvisited(
    _ stamps: Set<FileStamp>, _ known: KnownFiles, _ transaction: ReadTransaction
  ) throws -> [FileStamp: FilePlace] {
    guard !stamps.isEmpty else { return [:] }
    let visited = Set(known.folders.values.lazy.filter(\.isVisited).map(\.id))
    var found: [FileStamp: (folder: Int64, name: [UInt8])] = [:]
    _ = try transaction.rows("SELECT folder, inode, size, modified, name FROM files") { row in
      let stamp = FileStamp(inode: try row.value(1), size: try row.value(2), modified: try row.value(3))
      guard stamps.contains(stamp), found[stamp] == nil else { return }
      let folder: Int64 = try row.value(0)
      if !visited.contains(folder) { found[stamp] = (folder, try row.value(4)) }
    }
    return try found.compactMapValues { place in
      let path: [UInt8]? = try transaction.value("SELECT path FROM folders WHERE id = ?", place.folder)
      return path.map { FilePlace(folder: $0, name: place.name) }
    }
  }

  /// Returns what a scan of some folders needs to know: these folders with their files, the other folders of their
  /// albums, and the folders with pictures of artists.
  package static func knownFiles(_ transaction: ReadTransaction, in changes: ChangedFolders) throws -> KnownFiles {
    var folders: [Int64: KnownFiles.Folder] = [:]
    func stored(_ condition: String, _ values: SQLValue...) throws -> [KnownFiles.Folder] {
      try transaction.rows("SELECT \(folderColumns) FROM folders WHERE \(condition)", values: values, as: folder)
    }
    func stored(at path: [UInt8], andBelow: Bool) throws -> [KnownFiles.Folder] {
      let (inside, end) = FilePath.range(below: path)
      return try stored("path = ?", .blob(path))
        + (andBelow ? try stored("path >= ? AND path < ?", .blob(inside), .blob(end)) : [])
    }
    var albumFolders: Set<PathKey> = []
    for (path, withSubfolders) in changes.paths {
      albumFolders.insert(PathKey(AlbumGrouping.albumFolder(of: path)))
      for var folder in try stored(at: path, andBelow: withSubfolders) {
        albumFolders.insert(PathKey(AlbumGrouping.albumFolder(of: folder.path)))
        _ = try transaction.rows(
          "SELECT \(fileColumns) FROM files f WHERE folder = ? AND segment = 0", Int(TagReading.version),
          ScanProblem.unreadableCode,
          folder.id
        ) { row in
          let (name, file) = try file(row)
          folder.files[name] = file
        }
        folders[folder.id] = folder
      }
    }
    var context = try stored("artist_picture IS NOT NULL")
    for path in albumFolders.map(\.bytes) {
      // Those below it, and those beside it whose names begin with its own, such as `Album Disc 2`.
      context += try stored("path >= ? AND path < ?", .blob(path), .blob(path + [0xFF]))
        .filter { AlbumGrouping.albumFolder(of: $0.path) == path }
    }
    for var folder in context where folders[folder.id] == nil {
      folder.isVisited = false
      folders[folder.id] = folder
    }
    let total: Int? = try transaction.value("SELECT tracks FROM sources WHERE name = ?", MusicFolders.source)
    return KnownFiles(Array(folders.values), total: total ?? 0)
  }

  private static let folderColumns = "id, path, device, cover, cover_mark, artist_picture, artist_mark, digest, sheets"

  private static func folder(_ row: borrowing Row) throws -> KnownFiles.Folder {
    func picture(_ name: [UInt8]?, _ mark: String?) -> Cover? {
      guard let name, let mark else { return nil }
      return Cover(name: name, mark: mark)
    }
    return KnownFiles.Folder(
      id: try row.value(0), path: try row.value(1), device: try row.value(2),
      cover: picture(try row.value(3), try row.value(4)), artistPicture: picture(try row.value(5), try row.value(6)),
      digest: try row.value(7), sheets: try row.value(8))
  }

  /// Makes the next scan read the tags of all files again, or of those in a folder and below it.
  ///
  /// - Throws: `library.unknownFolder`.
  package static func readAgain(_ folder: [UInt8]?, _ transaction: Transaction) throws {
    guard let folder else {
      try transaction.execute("UPDATE files SET reader = 0")
      return
    }
    let range = FolderRange(try LinkRows.resolve(folder, transaction))
    let folders: [Int64] = try transaction.rows(
      "SELECT id FROM folders d WHERE \(range.condition)", values: range.values
    ) { try $0.value(0) }
    guard !folders.isEmpty else { throw unknownFolder(folder) }
    for folder in folders { try transaction.execute("UPDATE files SET reader = 0 WHERE folder = ?", folder) }
  }

  /// Returns the error for a folder without music.
  static func unknownFolder(_ path: [UInt8]) -> LunaraError {
    LunaraError(
      "library.unknownFolder",
      "The library knows no folder \(LocalPath(bytes: path)). `lunara folders` lists the music folders.")
  }

  /// The columns of a file. The parameters are the version of the tag reader, and the code of files to read again.
  private static let fileColumns = """
    folder, name, id, inode, size, modified, track, reader <> ? OR ifnull(json_extract(problem, '$.code') = ?, 0),
    CASE WHEN track IS NULL THEN
      (SELECT count(*) FROM files s WHERE s.folder = f.folder AND s.name = f.name AND s.segment > 0) ELSE 0 END,
    changed
    """

  private static func file(_ row: borrowing Row) throws -> (name: PathKey, file: KnownFiles.File) {
    let stamp = FileStamp(
      inode: try row.value(3), size: try row.value(4), modified: try row.value(5), changed: try row.value(9))
    return (
      PathKey(try row.value(1)),
      KnownFiles.File(
        id: try row.value(2), folder: try row.value(0), stamp: stamp, track: try row.value(6),
        segments: try row.value(8), needsReading: try row.value(7))
    )
  }

  /// Returns the rules by which the tags of files are split: those of the settings, with the names that tags have given
  /// by themselves.
  package static func tagRules(_ transaction: ReadTransaction) throws -> TagRules {
    let rules = try tagSettings(transaction).rules
    let whole: [String] = try transaction.values("SELECT name FROM artist_names WHERE is_whole = 1")
    return rules.keeping(whole.filter(rules.artists.contains))
  }
}
