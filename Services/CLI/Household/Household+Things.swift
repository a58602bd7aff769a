import Bus
import Messages
import Model

/// Things of the catalogue by their id or title, with all their pages.
extension Household {
  /// An album with all its tracks.
  func album(_ words: [String]) async throws -> Library.AlbumPage {
    let id = try await id(words) { try $0.album().id }
    var page = try await ask(Library.ReadAlbum(id: id), of: .library)
    while let next = page.next {
      let part = try await ask(Library.ReadAlbum(id: id, after: next), of: .library)
      page.tracks += part.tracks
      page.next = part.tracks.isEmpty ? nil : part.next
    }
    return page
  }

  /// An artist with all their albums.
  func artist(_ words: [String]) async throws -> Library.ArtistPage {
    let id = try await id(words) { try $0.artist().id }
    var page = try await ask(Library.ReadArtist(id: id), of: .library)
    while let next = page.next {
      let part = try await ask(Library.ReadArtist(id: id, after: next), of: .library)
      page.albums += part.albums
      page.next = part.albums.isEmpty ? nil : part.next
    }
    return page
  }

  /// A track with its copies.
  func track(_ words: [String]) async throws -> Library.TrackDetail {
    try await ask(Library.ReadTrack(id: try await id(words) { try $0.track().id }), of: .library)
  }

  /// A collection with all that it holds.
  func collection(_ words: [String]) async throws -> Library.CollectionPage {
    let id = try await id(words) { try $0.collection().id }
    var page = try await ask(Library.ReadCollection(id: id), of: .library)
    while let next = page.next {
      let part = try await ask(Library.ReadCollection(id: id, after: next), of: .library)
      page.albums += part.albums
      page.artists += part.artists
      page.tracks += part.tracks
      page.next = part.next
    }
    return page
  }

  /// A playlist with all its tracks.
  func playlist(_ words: [String]) async throws -> Library.PlaylistPage {
    let text = words.joined(separator: " ")
    let id: PlaylistID
    if let given = TitleChoice.id(text) {
      id = PlaylistID(source: given.source, native: given.native)
    } else {
      let none = Library.SearchResults(artists: [], albums: [], tracks: [])
      id = try TitleChoice(words: text, found: none).playlist(of: try await playlists()).id
    }
    var page = try await ask(Library.ReadPlaylist(id: id), of: .library)
    while let next = page.next {
      let part = try await ask(Library.ReadPlaylist(id: id, after: next), of: .library)
      page.tracks += part.tracks
      page.next = part.tracks.isEmpty ? nil : part.next
    }
    return page
  }

  /// All playlists; people have some dozens, and the search does not know them.
  func playlists() async throws -> [Playlist] {
    var playlists: [Playlist] = []
    var after: String?
    repeat {
      let page = try await ask(Library.ListPlaylists(after: after, limit: 200), of: .library)
      playlists += page.items
      after = page.items.isEmpty ? nil : page.next
    } while after != nil
    return playlists
  }

  /// The id of one thing that words stand for: an id, or a title of which `choose` tells the one that is meant.
  func id<Kind>(_ words: [String], _ choose: (TitleChoice) throws -> ItemID<Kind>) async throws -> ItemID<Kind> {
    let text = words.joined(separator: " ")
    if let given = TitleChoice.id(text) { return ItemID(source: given.source, native: given.native) }
    return try choose(TitleChoice(words: text, found: try await ask(Library.Search(words: text), of: .library)))
  }
}
