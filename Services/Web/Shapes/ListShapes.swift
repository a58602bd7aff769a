import Messages
import Model

extension Shape {
  /// A page of a list and where to go on.
  struct Page<Item: Encodable>: Encodable {
    var items: [Item]
    @Nullable var next: String?

    /// Makes a page; `shape` makes what is shown of an item.
    init<Source>(_ page: Library.Page<Source>, _ shape: (Source) -> Item) {
      items = page.items.map(shape)
      next = page.next
    }
  }

  /// A whole list.
  struct Items<Item: Encodable>: Encodable {
    var items: [Item]
    init(_ items: [Item]) { self.items = items }
  }

  /// That something was done.
  struct Done: Encodable {
    var done = true
  }

  /// One thing's own members beside some more.
  struct Joined<First: Encodable, Second: Encodable>: Encodable {
    var first: First
    var second: Second

    func encode(to encoder: any Encoder) throws {
      try first.encode(to: encoder)
      try second.encode(to: encoder)
    }
  }
}

extension Shape {
  /// An artist with a page of their albums.
  static func artistWithAlbums(_ page: Library.ArtistPage) -> some Encodable {
    struct More: Encodable {
      var summary: String?
      var genres: [String]
      var moods: [String]
      var styles: [String]
      var albums: [Album]
      @Nullable var next: String?
    }
    return Joined(
      first: page.artist,
      second: More(
        summary: page.summary, genres: page.genres, moods: page.moods ?? [], styles: page.styles ?? [],
        albums: page.albums.map(Album.init), next: page.next))
  }

  /// A track and its copies.
  static func trackWithCopies(_ detail: Library.TrackDetail) -> some Encodable {
    struct More: Encodable { var copies: [Library.TrackDetail.Copy] }
    return Joined(first: Track(detail.track), second: More(copies: detail.copies))
  }

  /// A collection with a page of what it holds.
  static func collectionWithItems(_ page: Library.CollectionPage) -> some Encodable {
    struct More: Encodable {
      var albums: [Album]
      var artists: [Artist]
      var tracks: [Track]
      @Nullable var next: String?
    }
    return Joined(
      first: page.collection,
      second: More(
        albums: page.albums.map(Album.init), artists: page.artists, tracks: page.tracks.map(Track.init),
        next: page.next))
  }

  /// A playlist with a page of its tracks.
  static func playlistWithTracks(_ page: Library.PlaylistPage) -> some Encodable {
    struct More: Encodable {
      var tracks: [Track]
      @Nullable var next: String?
    }
    return Joined(
      first: Playlist(page.playlist), second: More(tracks: page.tracks.map(Track.init), next: page.next))
  }

  /// A playlist.
  struct Playlist: Encodable {
    var id: PlaylistID
    var title: String
    var trackCount: Int
    var durationSeconds: Double
    var isSmart: Bool
    var art: ArtID?

    init(_ playlist: Model.Playlist) {
      id = playlist.id
      title = playlist.title
      trackCount = playlist.trackCount
      durationSeconds = playlist.duration.seconds
      isSmart = playlist.isSmart
      art = playlist.art
    }
  }
}
