import Messages
import Model
import Records
import Storage

extension Catalogue {
  static let missingEntriesCode = "library.listEntriesMissing"

  /// Returns a problem for each list file in a folder, or in all, with entries whose files are not in the library.
  /// Addresses of streams are not looked for there.
  static func problemsOfLists(_ folder: [UInt8]?, _ transaction: ReadTransaction) throws -> [Library.Problem] {
    // The first missing entry is that of the smallest place, of which SQLite takes the other columns.
    let lists = try transaction.rows(
      """
      SELECT d.path, l.name, count(*), min(e.place), e.described
      FROM list_files l JOIN folders d ON d.id = l.folder JOIN playlist_entries e ON e.playlist = l.playlist
      WHERE e.described IS NOT NULL AND e.added_at IS NOT NULL AND \(shownTrack) IS NULL
        AND (ifnull(e.described ->> '$.location', '') NOT LIKE '%://%' OR e.described ->> '$.location' LIKE 'file:%')
      GROUP BY l.id ORDER BY d.path, l.name
      """
    ) { row in
      (
        path: path(try row.value(0), try row.value(1)), count: try row.value(2) as Int,
        first: try MessageCoding.decode(DescribedTrack.self, from: (try row.value(4) as String).utf8)
      )
    }
    return lists.compactMap { list in
      guard let path = list.path, folder.map({ FilePath.isWithin(path.bytes, $0) }) ?? true else { return nil }
      let names = [list.first.artist, list.first.title].filter { !$0.isEmpty }.joined(separator: " – ")
      let first = [names, list.first.location ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
      let entries = list.count == 1 ? "1 entry of \(path) is" : "\(list.count) entries of \(path) are"
      return Library.Problem(
        kind: .source, source: MusicFolders.source, path: path,
        problem: LunaraError(
          missingEntriesCode,
          "\(entries) not in the library. The first: \(first). Put the music back, or correct the list."))
    }
  }
}
