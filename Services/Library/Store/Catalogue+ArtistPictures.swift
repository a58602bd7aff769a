import Storage

extension Catalogue {
  /// The picture of an artist in a folder: its file's name, and what tells a changed one from the one before.
  static let artistPictures = Migration(
    "catalogue-files-3", "ALTER TABLE folders ADD COLUMN artist_picture BLOB",
    "ALTER TABLE folders ADD COLUMN artist_mark TEXT")
}
