import Bus
public import Messages
public import Model

/// Reading items of the catalogue by id or title, with all their pages.
extension Client {
  /// Returns an album with all its tracks.
  public func album(_ words: [String]) async throws -> Library.AlbumPage {
    let id = try await id(words) { try $0.album() }
    return try await Self.whole {
      try await ask(Library.ReadAlbum(id: id, after: $0), of: .library)
    } adding: {
      $0.tracks += $1.tracks
      if let more = $1.guesses { $0.guesses = ($0.guesses ?? []) + more }
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

  /// Returns all tags of the file of a track.
  public func tags(_ id: TrackID) async throws -> Library.TrackTags {
    try await ask(Library.ReadTrackTags(id: id), of: .library)
  }

  /// Returns the lyrics of a track.
  public func lyrics(_ id: TrackID) async throws -> Library.Lyrics {
    try await ask(Library.ReadLyrics(id: id), of: .library)
  }

  /// Returns a musical work with all its recordings.
  public func work(_ id: WorkID) async throws -> Library.WorkPage {
    try await Self.whole {
      try await ask(Library.ReadWork(id: id, after: $0), of: .library)
    } adding: {
      $0.tracks += $1.tracks
    }
  }

  /// Returns a folder from a cursor on, with at most this number of folders and tracks; nil for the music folders.
  public func folder(_ path: LocalPath?, upTo limit: Int, after cursor: String? = nil) async throws
    -> Library.FolderPage
  {
    var page = Library.FolderPage(path: path, folders: [], next: cursor)
    repeat {
      let left = limit - page.folders.count - page.tracks.count
      let part = try await ask(
        Library.ListFolder(path: path, after: page.next, limit: min(200, left)), of: .library)
      page.folders += part.folders
      page.albums += part.albums
      page.tracks += part.tracks
      page.next = part.next == page.next ? nil : part.next
    } while page.next != nil && page.folders.count + page.tracks.count < limit
    return page
  }

  /// Returns at most this number of problems from a cursor on.
  public func problems(
    _ kind: Library.ProblemKind?, in folder: LocalPath?, upTo limit: Int, after cursor: String? = nil
  ) async throws -> Library.ProblemPage {
    var page = Library.ProblemPage(items: [], counts: [], next: cursor)
    repeat {
      let part = try await ask(
        Library.ListProblems(
          only: kind, folder: folder, after: page.next, limit: min(200, limit - page.items.count)), of: .library)
      page.items += part.items
      page.counts = part.counts
      page.next = part.next == page.next ? nil : part.next
    } while page.next != nil && page.items.count < limit
    return page
  }

  /// Returns a collection with all its items.
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

  /// Returns the id of a playlist by its id or title. Throws `client.otherKind` for the id of something else.
  public func playlistID(_ text: String) async throws -> PlaylistID {
    if let given = TitleChoice.id(text) {
      try ItemKind.require(.playlist, of: given)
      return PlaylistID(source: given.source, native: given.native)
    }
    // A person has some dozens of playlists, and the search does not cover them.
    let all = try await Self.list(upTo: .max) {
      try await ask(Library.ListPlaylists(after: $0, limit: $1), of: .library)
    }
    return try TitleChoice(words: text, found: .init(artists: [], albums: [], tracks: [])).playlist(of: all.items)
  }

  /// Returns a playlist with all its entries.
  public func playlist(_ words: [String]) async throws -> Library.PlaylistPage {
    let id = try await playlistID(words.joined(separator: " "))
    return try await Self.whole {
      try await ask(Library.ReadPlaylist(id: id, after: $0), of: .library)
    } adding: {
      $0.tracks += $1.tracks
      if let more = $1.entries { $0.entries = ($0.entries ?? []) + more }
    }
  }

  /// Returns the id in the words; if they are a title, the id that `choose` returns for the results of a search.
  ///
  /// - Throws: `client.otherKind`, `client.titleAmbiguous`, `client.nothingFound`, and the errors of
  ///   `ask(_:of:within:)`.
  public func id<Kind>(
    _ words: [String], _ choose: (TitleChoice) throws -> ItemID<Kind>
  ) async throws -> ItemID<Kind> {
    let text = words.joined(separator: " ")
    if let given = TitleChoice.id(text) {
      if let kind = ItemKind(ofIDs: ItemID<Kind>.self) { try ItemKind.require(kind, of: given) }
      return ItemID(source: given.source, native: given.native)
    }
    return try choose(try await search(text))
  }

  /// Returns the ids that words denote: each word an id or a title, or all words together one title.
  ///
  /// - Throws: `client.titleAmbiguous`, `client.nothingFound`, and the errors of `ask(_:of:within:)`.
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

/// A page of an item's contents, with the cursor of the next page.
public protocol CataloguePage {
  /// The cursor of the next page; nil on the last.
  var next: String? { get set }
}

extension Library.AlbumPage: CataloguePage {}
extension Library.ArtistPage: CataloguePage {}
extension Library.CollectionPage: CataloguePage {}
extension Library.PlaylistPage: CataloguePage {}
extension Library.ExportedPlaylist: CataloguePage {}
extension Library.WorkPage: CataloguePage {}

/// Reading lists and items page by page.
extension Client {
  /// Returns an item with the contents of all its pages.
  ///
  /// - Parameters:
  ///   - read: reads the page after a cursor; the first page for nil.
  ///   - add: appends the contents of a further page to the first.
  static func whole<Page: CataloguePage>(
    _ read: (_ after: String?) async throws -> Page, adding add: (inout Page, Page) -> Void
  ) async throws -> Page {
    var page = try await read(nil)
    while let next = page.next {
      let part = try await read(next)
      add(&page, part)
      // A server that returns the same cursor again would cause an endless loop.
      page.next = part.next == next ? nil : part.next
    }
    return page
  }

  /// Returns the items of a list from a cursor on, reading as many pages as needed.
  ///
  /// - Parameters:
  ///   - limit: the largest number of items.
  ///   - cursor: the cursor of the first page; nil for the start of the list.
  ///   - read: reads the page after a cursor, of at most this number of items.
  /// - Returns: the items, and the cursor of the next page if there are more.
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
