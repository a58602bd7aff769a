import Records
import Storage
import Text

struct FolderRows {
  private let transaction: Transaction
  private var known: [PathKey: KnownFiles.Folder]
  /// True once a picture of an artist was added or changed; a removed one is found by the stored rows.
  private(set) var areArtistsTouched = false

  init(_ known: KnownFiles, _ transaction: Transaction) {
    self.known = known.folders
    self.transaction = transaction
  }

  func at(_ path: [UInt8]) -> KnownFiles.Folder? { known[PathKey(path)] }

  /// Writes a folder's row; returns true if its cover changed. If `isLost`, another device may be mounted at the
  /// path: the row keeps its device, so that the next scan does not take the folder's files as deleted.
  mutating func write(_ folder: ScannedFolder, isLost: Bool, isHeld: Bool) throws -> Bool {
    let digest = isLost || isHeld ? 0 : folder.digest
    let key = PathKey(folder.path)
    if var row = known[key] {
      let device = isLost ? row.device : folder.device
      let (isOtherCover, isOtherArtist) = (row.cover != folder.cover, row.artistPicture != folder.artistPicture)
      // A digest of 0 does not tell whether the lyrics are the same.
      let isSame = row.digest == digest && (digest != 0 || folder.lyrics == nil) && row.sheets == folder.sheets
      guard row.device != device || !isSame || isOtherCover || isOtherArtist else { return false }
      try transaction.execute(
        """
        UPDATE folders SET device = ?, cover = ?, cover_mark = ?, artist_picture = ?, artist_mark = ?, digest = ?,
          sheets = ?, lyrics = ifnull(?, lyrics) WHERE id = ?
        """, device, folder.cover?.name, folder.cover?.mark, folder.artistPicture?.name, folder.artistPicture?.mark,
        digest, folder.sheets, Self.packed(folder.lyrics), row.id)
      row.digest = digest
      row.sheets = folder.sheets
      row.device = device
      row.cover = folder.cover
      row.artistPicture = folder.artistPicture
      areArtistsTouched = areArtistsTouched || isOtherArtist
      known[key] = row
      return isOtherCover
    }
    try transaction.execute(
      """
      INSERT INTO folders (path, sort, device, cover, cover_mark, artist_picture, artist_mark, digest, sheets, lyrics)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ifnull(?, x''))
      """, folder.path, NaturalOrder.key(of: folder.path), folder.device, folder.cover?.name, folder.cover?.mark,
      folder.artistPicture?.name,
      folder.artistPicture?.mark, digest, folder.sheets, Self.packed(folder.lyrics))
    known[key] = KnownFiles.Folder(
      id: transaction.lastInsertedRowID, path: folder.path, device: folder.device, cover: folder.cover,
      artistPicture: folder.artistPicture)
    areArtistsTouched = areArtistsTouched || folder.artistPicture != nil
    return false
  }

  /// Returns names in the form of the column `lyrics`: each between slashes, as no name has one.
  private static func packed(_ names: [[UInt8]]?) -> [UInt8]? {
    guard let names else { return nil }
    let slash = UInt8(ascii: "/")
    return names.isEmpty ? [] : names.reduce(into: [slash]) { $0 += $1 + [slash] }
  }

  /// The folders with a picture of an artist, parents before their subfolders.
  var withArtistPicture: [KnownFiles.Folder] {
    known.values.filter { $0.artistPicture != nil }.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Deletes the rows of folders that hold no file and no list any more and were not found.
  func removeEmpty(keeping scan: ScanResult) throws {
    let found = Set(scan.folders.filter { !$0.isBare }.map(\.path))
    for folder in known.values where folder.isVisited && !found.contains(folder.path) {
      try transaction.execute(
        """
        DELETE FROM folders WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM files WHERE folder = ?1)
          AND NOT EXISTS (SELECT 1 FROM list_files WHERE folder = ?1)
        """, folder.id)
    }
  }
}
