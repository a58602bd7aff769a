import Storage

/// Draws the numbers of new rows: none is ever given twice, also not after the row that had it is gone.
struct Numbers {
  private(set) var artist: Int64 = 1
  private(set) var album: Int64 = 1
  private(set) var track: Int64 = 1
  private(set) var collection: Int64 = 1
  private(set) var playlist: Int64 = 1
  private let transaction: Transaction

  init(_ transaction: Transaction) throws {
    self.transaction = transaction
    let next: [Int64]? = try transaction.row(
      "SELECT next_artist, next_album, next_track, next_collection, next_playlist FROM catalogue"
    ) { row in try (0..<5).map { try row.value($0) } }
    guard let next else { return }
    (artist, album, track, collection, playlist) = (next[0], next[1], next[2], next[3], next[4])
  }

  mutating func drawArtist() -> Int64 { draw(\.artist) }
  mutating func drawAlbum() -> Int64 { draw(\.album) }
  mutating func drawTrack() -> Int64 { draw(\.track) }
  mutating func drawCollection() -> Int64 { draw(\.collection) }
  mutating func drawPlaylist() -> Int64 { draw(\.playlist) }

  private mutating func draw(_ next: WritableKeyPath<Numbers, Int64>) -> Int64 {
    defer { self[keyPath: next] += 1 }
    return self[keyPath: next]
  }

  /// Notes which numbers were given.
  func keep() throws {
    try transaction.execute(
      """
      UPDATE catalogue SET next_artist = ?, next_album = ?, next_track = ?, next_collection = ?, next_playlist = ?
      """, artist, album, track, collection, playlist)
  }
}
