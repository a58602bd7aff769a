import Bus
public import Messages
public import Model

/// Things of the catalogue by their id or title, with all their pages.
extension Client {
  /// Returns an album with all its tracks.
  public func album(_ words: [String]) async throws -> Library.AlbumPage {
    let id = try await id(words) { try $0.album() }
    return try await Self.whole {
      try await ask(Library.ReadAlbum(id: id, after: $0), of: .library)
    } adding: {
      $0.tracks += $1.tracks
    }
  }

  /// Returns an artist with all their albums.
  public func artist(_ words: [String]) async throws -> Library.ArtistPage {
    let id = try await id(words) { try $0.artist() }
    return try await Self.whole {
      try await ask(Library.ReadArtist(id: id, after: $0), of: .library)
    } adding: {
      $0.albums += $1.albums
    }
  }

  /// Returns a track with its copies.
  public func track(_ words: [String]) async throws -> Library.TrackDetail {
    try await ask(Library.ReadTrack(id: try await id(words) { try $0.track() }), of: .library)
  }

  /// Returns a collection with all that it holds.
  public func collection(_ words: [String]) async throws -> Library.CollectionPage {
    let id = try await id(words) { try $0.collection() }
    return try await Self.whole {
      try await ask(Library.ReadCollection(id: id, after: $0), of: .library)
    } adding: {
      $0.albums += $1.albums
      $0.artists += $1.artists
      $0.tracks += $1.tracks
    }
  }

  /// Returns a playlist with all its tracks.
  public func playlist(_ words: [String]) async throws -> Library.PlaylistPage {
    let text = words.joined(separator: " ")
    let id: PlaylistID
    if let given = TitleChoice.id(text) {
      id = PlaylistID(source: given.source, native: given.native)
    } else {
      // People have some dozens of playlists, and the search does not know them.
      let all = try await Self.list(upTo: .max) {
        try await ask(Library.ListPlaylists(after: $0, limit: $1), of: .library)
      }
      id = try TitleChoice(words: text, found: .init(artists: [], albums: [], tracks: [])).playlist(of: all.items)
    }
    return try await Self.whole {
      try await ask(Library.ReadPlaylist(id: id, after: $0), of: .library)
    } adding: {
      $0.tracks += $1.tracks
    }
  }

  /// Returns the id that words give; for a title the one that `choose` picks from what a search found.
  /// Throws `client.titleAmbiguous`, `client.nothingFound`.
  public func id<Kind>(
    _ words: [String], _ choose: (TitleChoice) throws -> ItemID<Kind>
  ) async throws -> ItemID<Kind> {
    let text = words.joined(separator: " ")
    if let given = TitleChoice.id(text) { return ItemID(source: given.source, native: given.native) }
    return try choose(try await search(text))
  }

  /// Returns the ids that words stand for: each word an id or a title, or all of them one title.
  /// Throws `client.titleAmbiguous`, `client.nothingFound`.
  public func playables(_ words: [String]) async throws -> [PlayableID] {
    let ids = words.map(TitleChoice.id)
    if words.count > 1, ids.allSatisfy({ $0 == nil }) {
      let choice = try await search(words.joined(separator: " "))
      if !choice.found.isEmpty { return [try choice.playable()] }
    }
    var playables: [PlayableID] = []
    for (word, id) in zip(words, ids) {
      if let id {
        playables.append(id)
      } else {
        playables.append(try await search(word).playable())
      }
    }
    return playables
  }

  private func search(_ words: String) async throws -> TitleChoice {
    TitleChoice(words: words, found: try await ask(Library.Search(words: words), of: .library))
  }
}

/// A page of a list, with the cursor of the next one.
public protocol CataloguePage {
  /// The cursor of the next page; nil on the last.
  var next: String? { get set }
}

extension Library.AlbumPage: CataloguePage {}
extension Library.ArtistPage: CataloguePage {}
extension Library.CollectionPage: CataloguePage {}
extension Library.PlaylistPage: CataloguePage {}

/// Lists and things that are read page by page.
extension Client {
  /// Returns a thing with all its pages.
  ///
  /// - Parameters:
  ///   - read: reads the page after a cursor; the first for nil.
  ///   - add: adds what a further page holds to the first.
  private static func whole<Page: CataloguePage>(
    _ read: (_ after: String?) async throws -> Page, adding add: (inout Page, Page) -> Void
  ) async throws -> Page {
    var page = try await read(nil)
    while let next = page.next {
      let part = try await read(next)
      add(&page, part)
      // A cursor that is returned again ends the list.
      page.next = part.next == next ? nil : part.next
    }
    return page
  }

  /// Returns the items of a list from a cursor on, reading as many pages as the limit asks for.
  ///
  /// - Parameters:
  ///   - limit: how many items at most.
  ///   - cursor: where to begin; nil for the start of the list.
  ///   - read: reads the page after a cursor, of so many items at most.
  /// - Returns: the items, and the cursor where the list goes on.
  public static func list<Item>(
    upTo limit: Int, after cursor: String? = nil,
    _ read: (_ after: String?, _ limit: Int) async throws -> Library.Page<Item>
  ) async throws -> Library.Page<Item> {
    var page = Library.Page<Item>(items: [], next: cursor)
    repeat {
      let part = try await read(page.next, min(200, limit - page.items.count))
      page.items += part.items
      page.next = part.items.isEmpty ? nil : part.next
    } while page.next != nil && page.items.count < limit
    return page
  }
}
