package import Messages
package import Model
package import Records
package import Storage
import System
import Text

/// Music folders as the disk has them.
extension Catalogue {
  /// The first part of the ids of folders, which belong to no source of items.
  private static let sourceOfFolders = "library"
  private static let prefixOfFolders = "folder:"
  private static let mostAlbums = 50

  /// Returns the id by which a folder is played: its path as a URL writes it.
  static func playableID(ofFolder path: [UInt8]) -> PlayableID {
    PlayableID(source: sourceOfFolders, native: prefixOfFolders + LocalPath(bytes: path).url.dropFirst(7))
  }

  /// Returns the path of such an id, without a final slash; nil for other ids.
  package static func folder(_ id: PlayableID) -> [UInt8]? {
    guard id.source == sourceOfFolders, id.native.hasPrefix(prefixOfFolders) else { return nil }
    return MusicFolders.named("file://" + id.native.dropFirst(prefixOfFolders.count))
  }

  /// Returns a page of a folder: the folders in it, then its tracks.
  ///
  /// - Parameter roots: the music folders.
  /// - Throws: `library.unknownFolder`, `library.badCursor`.
  static func folder(
    _ request: Library.ListFolder, roots: [[UInt8]], _ transaction: ReadTransaction
  ) throws -> Library.FolderPage {
    guard let path = request.path.map({ MusicFolders.plain($0.bytes) }) else {
      return Library.FolderPage(path: nil, folders: roots.map { entry($0, name: $0) })
    }
    // Entries have paths below the one that was asked for, also where links lead elsewhere.
    let folder = try LinkRows.resolve(path, transaction)
    let entries = FolderEntries(transaction: transaction)
    guard try roots.contains(path) || entries.isKnown(folder) else { throw unknownFolder(path) }
    // The cursor holds the number 0 and the key with which the folders begin; or the file before the tracks, and before
    // it 1, or 1 more than the number that a CUE sheet gives the track.
    let after = try Cursor(request.after, of: "folder", count: 2)
    let segment = try after?.number(0) ?? 0
    let isAmongTracks = segment > 0
    var page = Library.FolderPage(path: LocalPath(bytes: path), folders: [])
    var budget = PageBudget(items: max(2, limit(request.limit)), reserved: 200 + 3 * path.count)
    if !isAmongTracks {
      var start = after.flatMap { LocalPath(url: $0.values[1])?.bytes } ?? FolderRange.inOrder(folder).lower
      while let found = try entries.folder(in: folder, from: start) {
        let name = FilePath.name(found.path)
        let entry = entry(FilePath.join(path, name), name: name)
        guard budget.items > 1, budget.admits(entry.size) else {
          page.next = Cursor("folder", ["0", LocalPath(bytes: start).url]).text
          return page
        }
        page.folders.append(entry)
        start = found.next
      }
    }
    try addTracks(
      to: &page, of: folder, after: isAmongTracks ? after?.values[1] : nil, segment: segment, &budget, transaction)
    return page
  }

  private static func entry(_ path: [UInt8], name: [UInt8]) -> Library.FolderPage.Folder {
    Library.FolderPage.Folder(
      name: LocalPath(bytes: name).description, path: LocalPath(bytes: path), id: playableID(ofFolder: path))
  }

  /// Adds the tracks of the files in a folder, and on the first page their albums.
  private static func addTracks(
    to page: inout Library.FolderPage, of path: [UInt8], after name: String?, segment: Int64,
    _ budget: inout PageBudget, _ transaction: ReadTransaction
  ) throws {
    // A folder that holds only links has no row.
    let folder: Int64 = try transaction.value("SELECT id FROM folders WHERE path = ?", path) ?? 0
    try transaction.define([NameKeySchema.natural])
    if name == nil {
      let numbers: [Int64] = try transaction.values(
        """
        SELECT s.shelf FROM \(FolderEntries.sql) CROSS JOIN tracks k ON k.id = e.track
        CROSS JOIN tracks s ON s.id = k.shown
        WHERE s.shelf IS NOT NULL GROUP BY s.shelf ORDER BY min(natural_key(e.name)) LIMIT ?
        """, folder, path, mostAlbums)
      for number in numbers {
        guard let album = try album(number, transaction), budget.admits(album.size) else { break }
        page.albums.append(album)
      }
    }
    let last = name.flatMap { LocalPath(url: $0)?.bytes.dropFirst() } ?? []
    let rows = try transaction.rows(
      """
      SELECT \(trackColumns), e.name, e.segment FROM \(FolderEntries.sql) CROSS JOIN tracks k ON k.id = e.track
      CROSS JOIN tracks t ON t.id = k.shown CROSS JOIN albums a ON a.id = t.shelf
      WHERE (natural_key(e.name), e.segment) > (natural_key(?), ?) ORDER BY natural_key(e.name), e.segment LIMIT ?
      """, folder, path, Array(last), segment - 1, budget.items + 1
    ) { row in
      (
        track: try track(row), name: try row.value(row.count - 2) as [UInt8],
        segment: try row.value(row.count - 1) as Int64
      )
    }
    var (end, endSegment) = (Array(last), segment - 1)
    for row in rows {
      let track = Library.FolderPage.FolderTrack(name: LocalPath(bytes: row.name).description, track: row.track)
      guard budget.admits(track.size) else {
        page.next =
          Cursor("folder", ["\(1 + max(0, endSegment))", LocalPath(bytes: [UInt8(ascii: "/")] + end).url]).text
        return
      }
      page.tracks.append(track)
      end = row.name
      endSegment = row.segment
    }
  }

  /// Returns the tracks of a folder and of all below it from a position in their order on, for playing.
  package static func items(
    ofFolder path: [UInt8], from position: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [(position: Int64, item: CatalogueID)] {
    try transaction.define([NameKeySchema.natural])
    let folder = try LinkRows.resolve(path, transaction)
    if try FolderContents.isNeeded(for: folder, transaction) {
      return try FolderContents(folder, transaction).tracks(from: max(0, position), limit: limit).enumerated().map {
        (max(0, position) + Int64($0.offset), CatalogueID(.track, $0.element))
      }
    }
    let range = FolderRange.inOrder(folder)
    return try transaction.rows(
      """
      SELECT k.shown FROM folders d CROSS JOIN files f ON f.folder = d.id CROSS JOIN tracks k ON k.id = f.track
      WHERE \(range.condition) ORDER BY d.sort, k.disc, ifnull(k.number, 1000000), natural_key(f.name), f.segment
      LIMIT ? OFFSET ?
      """, values: range.values + [limit, max(0, position)]
    ) { CatalogueID(.track, try $0.value(0)) }
    .enumerated().map { (max(0, position) + Int64($0.offset), $0.element) }
  }
}

extension Library.FolderPage.Folder: SizedItem {
  package var size: Int { 60 + PageBudget.size(name) + 6 * path.bytes.count }
}

extension Library.FolderPage.FolderTrack: SizedItem {
  package var size: Int { 30 + PageBudget.size(name) + track.size }
}
