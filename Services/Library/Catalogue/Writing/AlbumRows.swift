import Messages
import Model
import MusicTags
import Records
import Storage
import Text

/// Writes the albums of the music folders during a refresh.
struct AlbumRows {
  private let writer: CatalogueWriter
  private var transaction: Transaction { writer.transaction }
  private var numbers: [String: Int64] = [:]
  private var touched: Set<Int64> = []

  init(_ writer: CatalogueWriter) { self.writer = writer }

  /// Marks an album whose tracks changed.
  mutating func touch(_ album: Int64) { touched.insert(album) }

  /// Returns the number of the album with this key; nil if there is none yet.
  mutating func number(of key: String) throws -> Int64? {
    if let known = numbers[key] { return known }
    numbers[key] = try transaction.value("SELECT id FROM albums WHERE source = ? AND key = ?", writer.source, key)
    return numbers[key]
  }

  /// Adds a new album that came at a time, or one that comes back and was deleted before; `summary` is that of all its
  /// tracks.
  mutating func insert(
    _ album: AlbumGrouping.Album, _ summary: AlbumSummary, at arrival: Timestamp,
    as former: DepartedTracks.Departed? = nil
  ) throws -> Int64 {
    let number = former?.album ?? writer.numbers.next(.album)
    var record = album.record
    record.addedAt = former?.albumAddedAt ?? arrival
    if let former {
      try writer.reclaim(album: number)
      writer.ratings.remember(album: number, former.albumKey)
    }
    record.art = summary.art?.native
    record.tags = summary.release.tags
    record.releaseID = summary.release.releaseID
    try write(record, album, as: number, isNew: true)
    try AlbumTags.write(summary.words, of: number, isNew: true, transaction)
    try AlbumDetails.write(summary.release.details, of: number, transaction)
    return number
  }

  private mutating func write(
    _ record: ServerAlbum, _ album: AlbumGrouping.Album, as number: Int64, isNew: Bool
  ) throws {
    try writer.write(record, by: album.artists, key: album.mergeKey, as: number, isNew: isNew)
    numbers[record.native] = number
  }

  /// Returns the tracks of an album in the order in which they were added.
  func tracks(of number: Int64) throws -> [Int64] {
    try transaction.values("SELECT id FROM tracks WHERE album = ? ORDER BY id", number)
  }

  /// Gives an album another name or folder; its number and so its id stay.
  mutating func rename(_ number: Int64, to album: AlbumGrouping.Album) throws {
    let key: String? = try transaction.value("SELECT key FROM albums WHERE id = ?", number)
    let former = try writer.leave(number, for: album.record, key: album.mergeKey)
    guard former != nil || key != album.key else {
      return try writer.write(album.artists, ofAlbum: number, isNew: false)
    }
    if let key { numbers[key] = nil }
    var record = album.record
    record.addedAt = writer.now
    try write(record, album, as: number, isNew: false)
    touched.insert(number)
  }

  var touchedAlbums: [Int64] { touched.sorted() }

  /// Writes the summary of an album's tracks; nil deletes the album, which has none left.
  mutating func update(_ number: Int64, _ summary: AlbumSummary?) throws {
    guard let summary else { return try writer.delete(album: number) }
    if let key: String = try transaction.value("SELECT merge_key FROM albums WHERE id = ?", number) {
      writer.touch(key)
    }
    try transaction.execute(
      "UPDATE albums SET own_art = ?, own_release = ?, release = ? WHERE id = ?", summary.art?.native,
      summary.release.tags.packed, summary.release.releaseID, number)
    try AlbumTags.write(summary.words, of: number, isNew: false, transaction)
    try AlbumDetails.write(summary.release.details, of: number, transaction)
  }
}

/// The words and the cover of an album, made from its tracks, which are added in the album's order.
struct AlbumSummary: Equatable {
  /// The values of one track beside its tags.
  struct Part {
    var disc: Int
    var words: [(kind: Library.Tag.Kind, names: [String])]
    /// The picture in the track's folder, or in the album's folder above the folders of discs.
    var folderCover: ArtReference?
    /// True if the track's folder holds other albums as well.
    var isFolderShared: Bool
    /// The picture in the track's file.
    var embedded: ArtReference?
  }

  private(set) var tracks = 0
  private(set) var release = ReleaseSummary()
  private(set) var words = AlbumWords()
  private var folderCover: ArtReference?
  private var embedded: ArtReference?
  private var sharedCover: ArtReference?

  /// The picture in a folder of this album only, else the first in a file, else that in a folder with other albums.
  var art: ArtReference? { folderCover ?? embedded ?? sharedCover }

  /// Adds a track. Its tags are no part of `Part`, as a copy of them would retain each of many texts.
  mutating func add(_ tags: FileTags, _ part: Part) {
    tracks += 1
    release.add(tags, disc: part.disc)
    words.add(part.words)
    if part.isFolderShared {
      sharedCover = sharedCover ?? part.folderCover
    } else {
      folderCover = folderCover ?? part.folderCover
    }
    embedded = embedded ?? part.embedded
  }
}
