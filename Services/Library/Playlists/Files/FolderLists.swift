import ListFiles
import Messages
import Model
import MusicTags
import Storage
import System
import Text

/// A list file in a music folder.
struct ScannedList: Sendable {
  var name: [UInt8]
  var stamp: FileStamp
  var contents: Result<Contents, LunaraError>

  enum Contents: Sendable {
    case entries(ListFile)
    /// The rules of a smart playlist.
    case rules(PlaylistRules)
  }

  /// The formats of list files that are taken from music folders. Files in JSON are taken for lists only where a person
  /// imports them.
  private static let endings: Set = ["m3u", "m3u8", "pls", "xspf", "jspf", "nsp"]

  static func isName(_ name: [UInt8]) -> Bool {
    FileName.ending(name).map { endings.contains($0) } ?? false
  }

  /// Reads a list file. What is wrong with it is part of the result.
  init(_ entry: FolderListing.Entry, in folder: [UInt8]) {
    (name, stamp) = (entry.name, entry.stamp)
    let path = LocalPath(bytes: FilePath.join(folder, entry.name))
    contents = Result { () throws(LunaraError) in
      let bytes: [UInt8]
      do throws(Errno) { bytes = try Files.read(path, limit: ListFile.longest, mustBeRegular: true) } catch {
        if error == .fileTooLarge { throw ListFile.tooLarge(path.description) }
        throw LunaraError("library.badListFile", "\(path) cannot be read.", cause: error)
      }
      guard FileName.ending(entry.name) == "nsp" else {
        return .entries(try ListFile(bytes, name: path.description) { Self.named($0, in: folder) })
      }
      do throws(LunaraError) { return .rules(try PlaylistRules(json: bytes)) } catch {
        throw LunaraError(error.code, "\(path): \(error.message)", cause: error.cause)
      }
    }
  }
}

extension ScannedList {
  /// Returns what a location names below the list's own folder; nil for nothing, and for what a link leads to
  /// elsewhere.
  private static func named(_ location: String, in folder: [UInt8]) -> ListFile.Named? {
    guard let folder = String(validating: folder, as: UTF8.self) else { return nil }
    do throws(Errno) {
      let real = try Files.resolved("\(folder)/\(location.replacing("\\", with: "/"))")
      guard real.hasPrefix("\(try Files.resolved(folder))/") else { return nil }
      switch Files.status(real, followingLinks: false)?.kind {
      case .regular: return .file
      case .folder:
        return .folder(
          try Files.names(in: real).filter { !$0.hasPrefix(".") && AudioFormat.reader(fileName: Array($0.utf8)) != nil }
        )
      default: return nil
      }
    } catch {
      // Nothing is there, or nothing that can be read.
      return nil
    }
  }
}

/// The playlists of list files in music folders, which follow their files. Their entries are written by their
/// descriptions; `EntryLinker` finds the tracks once the scan has written all of them.
struct FolderLists {
  let source: String
  let writer: CatalogueWriter
  let transaction: Transaction

  /// Writes the lists of a folder that was listed. Returns true where one changed.
  func write(_ lists: [ScannedList], of folder: Int64) throws -> Bool {
    typealias Row = (id: Int64, name: [UInt8], stamp: FileStamp, playlist: Int64?)
    let rows: [Row] = try transaction.rows(
      "SELECT id, name, inode, size, modified, playlist FROM list_files WHERE folder = ?", folder
    ) { row in
      (
        try row.value(0), try row.value(1),
        FileStamp(inode: try row.value(2), size: try row.value(3), modified: try row.value(4)), try row.value(5)
      )
    }
    var isChanged = false
    for list in lists {
      let row = rows.first { $0.name == list.name }
      guard row?.stamp != list.stamp else { continue }
      isChanged = true
      var problem: String?
      var playlist = row?.playlist
      switch list.contents {
      case .success(let contents): playlist = try write(contents, list.name, playlist)
      // The playlist stays as it was until the file can be read again.
      case .failure(let error): problem = String(decoding: try MessageCoding.encode(error), as: UTF8.self)
      }
      try transaction.execute(
        """
        INSERT INTO list_files (id, folder, name, inode, size, modified, playlist, problem)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (folder, name) DO UPDATE SET inode = excluded.inode,
          size = excluded.size, modified = excluded.modified, playlist = excluded.playlist, problem = excluded.problem
        """, row?.id, folder, list.name, list.stamp.inode, list.stamp.size, list.stamp.modified, playlist, problem)
    }
    let names = Set(lists.map(\.name))
    for row in rows where !names.contains(row.name) {
      try remove(row.id, playlist: row.playlist)
      isChanged = true
    }
    return isChanged
  }

  /// Removes the lists of folders that are no longer stored. Returns true where there were some.
  func removeOfGoneFolders() throws -> Bool {
    let rows = try transaction.rows(
      "SELECT id, playlist FROM list_files l WHERE NOT EXISTS (SELECT 1 FROM folders WHERE id = l.folder)"
    ) { (id: try $0.value(0) as Int64, playlist: try $0.value(1) as Int64?) }
    for row in rows { try remove(row.id, playlist: row.playlist) }
    return !rows.isEmpty
  }

  /// Returns what is wrong with list files.
  func problems() throws -> [LunaraError] {
    try transaction.rows("SELECT problem FROM list_files WHERE problem IS NOT NULL ORDER BY id") { row in
      try MessageCoding.decode(LunaraError.self, from: (try row.value(0) as String).utf8)
    }
  }

  private func write(_ contents: ScannedList.Contents, _ name: [UInt8], _ playlist: Int64?) throws -> Int64 {
    let number = playlist ?? writer.numbers.nextPlaylist()
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    var (title, summary, rules): (String?, String?, String?) = (nil, nil, nil)
    switch contents {
    case .entries(let list): (title, summary) = (list.title, list.summary)
    case .rules(var found):
      (title, summary) = (found.name, found.comment)
      (found.name, found.comment, found.seed) = (nil, nil, found.isRandom ? found.seed ?? number : found.seed)
      rules = String(decoding: try found.json(), as: UTF8.self)
    }
    let shown = title ?? String(decoding: stem, as: UTF8.self)
    try transaction.execute(
      """
      INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest, summary, rules)
      VALUES (?1, ?2, ?1, ?3, ?4, ?5, 0, ?6, ?7) ON CONFLICT (id) DO UPDATE SET title = excluded.title,
        title_sort = excluded.title_sort, summary = excluded.summary, rules = excluded.rules
      """, number, source, shown, SortKey.of(shown), rules != nil, summary, rules)
    if case .entries(let list) = contents { try PlaylistEntries(of: number, transaction).setDescribed(list.tracks) }
    writer.search.mark(.playlist, number)
    return number
  }

  private func remove(_ id: Int64, playlist: Int64?) throws {
    try transaction.execute("DELETE FROM list_files WHERE id = ?", id)
    guard let playlist else { return }
    try transaction.execute("DELETE FROM playlist_entries WHERE playlist = ?", playlist)
    try transaction.execute("DELETE FROM playlists WHERE id = ?", playlist)
    writer.search.mark(.playlist, playlist)
  }
}
