import ListFiles
import Messages
import Model
import MusicTags
import Records
import Storage
import System
import Text

/// The playlists of list files in music folders, which follow their files. Their entries are written by their
/// descriptions; `EntryLinker` finds the tracks once the scan has written all of them.
struct FolderLists {
  let source: String
  let writer: CatalogueWriter
  let transaction: Transaction

  struct Row: Sendable {
    var id: Int64
    var name: [UInt8]
    var stamp: FileStamp
    /// Its playlist; nil if it could never be read.
    var playlist: Int64?
  }

  private var deleted: DeletedLists { DeletedLists(now: writer.now, transaction: transaction) }

  /// Returns the stored lists of a folder.
  func rows(of folder: Int64) throws -> [Row] {
    try transaction.rows(
      "SELECT id, name, inode, size, modified, playlist FROM list_files WHERE folder = ?", folder
    ) { row in
      Row(
        id: try row.value(0), name: try row.value(1),
        stamp: FileStamp(inode: try row.value(2), size: try row.value(3), modified: try row.value(4)),
        playlist: try row.value(5))
    }
  }

  /// The number of all lists.
  var count: Int { get throws { try transaction.value("SELECT count(*) FROM list_files") ?? 0 } }

  /// Writes the new and changed lists of a folder that was listed. A list that has returned gets its playlist back.
  /// Returns true if one changed.
  ///
  /// - Parameter moved: returns the row of a list that was not found at its place, by its stamp.
  func write(
    _ lists: [ScannedList], of folder: Int64, at path: [UInt8], moved: (FileStamp) throws -> Row?
  ) throws -> Bool {
    let rows = try rows(of: folder)
    var isChanged = false
    for list in lists where list.failure == nil {
      var row = rows.first { $0.name == list.name }
      // One that was refused gets a stamp that no file has, so that it is taken once it can be read.
      let stamp = list.isDenied ? FileStamp(inode: 0, size: 0, modified: 0) : list.stamp
      guard row?.stamp != stamp else { continue }
      isChanged = true
      if row == nil, let former = try moved(list.stamp) {
        try transaction.execute(
          "UPDATE list_files SET folder = ?2, name = ?3 WHERE id = ?1", former.id, folder, list.name)
        row = former
      }
      var problem: String?
      var playlist = row?.playlist
      switch list.contents {
      case .success(let contents):
        playlist = try write(
          contents, list.name, try playlist ?? deleted.restore(file: FilePath.join(path, list.name)))
      // The playlist stays as it was until the file can be read again, unless its text came from outside.
      case .failure(let error):
        if error.code == FolderBoundary.outsideCode, let former = playlist {
          try forget(former)
          playlist = nil
        }
        problem = String(decoding: try MessageCoding.encode(error), as: UTF8.self)
      }
      try transaction.execute(
        """
        INSERT INTO list_files (id, folder, name, inode, size, modified, playlist, problem)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (folder, name) DO UPDATE SET inode = excluded.inode,
          size = excluded.size, modified = excluded.modified, playlist = excluded.playlist, problem = excluded.problem
        """, row?.id, folder, list.name, stamp.inode, stamp.size, stamp.modified, playlist, problem)
    }
    return isChanged
  }

  /// Removes a list whose file in a folder is gone. Its playlist is remembered.
  func remove(_ row: Row, at folder: [UInt8]) throws {
    try transaction.execute("DELETE FROM list_files WHERE id = ?", row.id)
    guard let playlist = row.playlist else { return }
    try deleted.delete(playlist: playlist, file: FilePath.join(folder, row.name))
    try deleted.prune()
    writer.search.mark(.playlist, playlist)
  }

  /// Deletes a playlist for good.
  private func forget(_ playlist: Int64) throws {
    try transaction.execute("DELETE FROM playlist_entries WHERE playlist = ?", playlist)
    try transaction.execute("DELETE FROM playlists WHERE id = ?", playlist)
    writer.search.mark(.playlist, playlist)
  }

  /// Returns what is wrong with list files.
  func problems() throws -> [LunaraError] {
    try transaction.rows("SELECT problem FROM list_files WHERE problem IS NOT NULL ORDER BY id") { row in
      try MessageCoding.decode(LunaraError.self, from: (try row.value(0) as String).utf8)
    }
  }

  private func write(_ contents: ScannedList.Contents, _ name: [UInt8], _ playlist: Int64?) throws -> Int64 {
    let number = playlist ?? writer.numbers.next(.playlist)
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    var (title, summary, rules): (String?, String?, String?) = (nil, nil, nil)
    switch contents {
    case .entries(let list):
      title = list.title
      summary = list.summary
    case .rules(var found):
      title = found.name
      summary = found.comment
      found.name = nil
      found.comment = nil
      found.seed = found.isRandom ? found.seed ?? number : found.seed
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
}
