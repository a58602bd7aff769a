import Messages
import Model

extension Album {
  /// The shape of an album in lists.
  var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "artist": .text(artist), "artistID": .text(artistID),
      "year": .count(year), "genres": .list(genres) { .string($0) }, "trackCount": .count(trackCount),
      "durationSeconds": .seconds(duration), "addedAt": .text(addedAt), "lastPlayedAt": .text(lastPlayedAt),
      "art": .text(art),
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), Table.Cell(artist), .number(year.map { "\($0)" } ?? ""),
      .number("\(trackCount) \(trackCount == 1 ? "track" : "tracks")"))
  }
}

extension Track {
  /// The shape of a track.
  var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "artist": .text(artist), "albumArtist": .text(albumArtist),
      "album": .text(album), "albumID": .text(albumID), "disc": .count(disc), "number": .count(number),
      "year": .count(year), "genres": .list(genres) { .string($0) }, "durationSeconds": .seconds(duration),
      "art": .text(art),
    ])
  }
}

extension Artist {
  /// The shape of an artist.
  var json: JSON { .object(["id": .text(id), "name": .text(name), "albumCount": .count(albumCount)]) }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(name), .number("\(albumCount) \(albumCount == 1 ? "album" : "albums")"))
  }
}

extension Library.AlbumPage {
  /// The shape of `album`: the album's own members, and its tracks.
  var json: JSON { album.json.with("tracks", .list(tracks, \.json)) }
}

extension Library.SearchResults {
  /// The shape of `search`. Collections are empty until the library has them.
  var json: JSON {
    .object([
      "artists": .list(artists, \.json), "albums": .list(albums, \.json), "tracks": .list(tracks, \.json),
      "collections": .array([]),
    ])
  }
}

extension JSON {
  /// The shape of a page of a list.
  static func page<Item>(_ items: [Item], next: String?, _ json: (Item) -> JSON) -> JSON {
    .object(["items": .list(items, json), "next": .text(next)])
  }
}
