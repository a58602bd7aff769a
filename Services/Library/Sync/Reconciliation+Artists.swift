import Model
import Storage

/// Pictures of artists that lie in the music folders.
extension FilesReconciliation {
  /// Writes whose pictures lie where: a picture is that of the one artist whose albums lie in its folder and below it.
  func writeArtistPictures() throws {
    guard folders.areArtistsTouched || !matching.written.isEmpty || !deleted.isEmpty || !matching.vanished.isEmpty
    else {
      return
    }
    var before: [String: String] = [:]
    _ = try transaction.rows("SELECT key, art FROM artist_members WHERE source = ?", Self.source) { row in
      before[try row.value(0)] = try row.value(1) as String?
    }
    var now: [String: String] = [:]
    for folder in folders.withArtistPicture {
      guard let picture = folder.artistPicture, let key = try onlyArtist(below: folder.path) else { continue }
      // The picture that lies nearest to the albums counts.
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

  /// The key of the artist of all albums in a folder and below it; nil where there are several or none.
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
