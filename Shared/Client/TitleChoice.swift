public import Messages
public import Model
import Text

/// Chooses the item that a person means by a title from the results of a search.
public struct TitleChoice: Sendable {
  /// The words that were searched for.
  public let words: String
  /// The results of the search for them.
  public let found: Library.SearchResults

  /// Makes a choice. Results for other words than those that a person gave are not among those to choose from.
  public init(words: String, found: Library.SearchResults) {
    self.words = words
    suggestion = found.searchedWords
    self.found = suggestion == nil ? found : Library.SearchResults(artists: [], albums: [], tracks: [])
  }

  /// The words of the library that the person may have meant; nil if the words are in it.
  private let suggestion: String?

  /// Returns the id in a word of the form `source:native`; nil for a title.
  public static func id(_ word: String) -> PlayableID? {
    guard let id = PlayableID(word), !word.contains(" "),
      id.source.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 })
    else { return nil }
    return id
  }

  // The following functions throw `client.titleAmbiguous` or `client.nothingFound`.

  /// Returns the album with exactly this title, else the only one found.
  public func album() throws -> AlbumID { try required(only(found.albums), "album") }

  /// Returns the artist with exactly this name, else the only one found.
  public func artist() throws -> ArtistID { try required(only(found.artists), "artist") }

  /// Returns the track with exactly this title, else the only one found.
  public func track() throws -> TrackID { try required(only(found.tracks), "track") }

  /// Returns the collection with exactly this title, else the only one found.
  public func collection() throws -> CollectionID { try required(only(found.collections ?? []), "collection") }

  /// Returns the playlist with exactly this title, else the only one whose title begins with it.
  public func playlist(of all: [Playlist]) throws -> PlaylistID {
    try required(only(all.filter { $0.title.caseFolded.hasPrefix(words.caseFolded) }), "playlist")
  }

  /// Returns the item that is meant: an album, else an artist, a track, a collection or a playlist.
  public func playable() throws -> PlayableID {
    // Items of any type with exactly this title are preferred to those whose titles only begin with the words.
    for results in [exact, found] {
      let choice = TitleChoice(words: words, found: results)
      if let id = try choice.only(results.albums, besides: results.artists.map(\.line)) { return id.playable }
      if let id = try choice.only(results.artists) { return id.playable }
      if let id = try choice.only(results.tracks) { return id.playable }
      if let id = try choice.only(results.collections ?? []) { return id.playable }
      if let id = try choice.only(results.playlists ?? []) { return id.playable }
    }
    throw nothing("album, artist, track, collection or playlist")
  }

  private var exact: Library.SearchResults {
    Library.SearchResults(
      artists: found.artists.filter(isExact), albums: found.albums.filter(isExact),
      tracks: found.tracks.filter(isExact), collections: found.collections?.filter(isExact),
      playlists: found.playlists?.filter(isExact))
  }

  private func isExact(_ item: some Titled) -> Bool { item.title.caseFolded == words.caseFolded }

  /// Returns the item with exactly this title, else the only one; nil if there is none.
  ///
  /// - Parameter others: the lines of items of another kind that may be meant as well.
  private func only<Item: Titled>(_ items: [Item], besides others: [String] = []) throws -> Item.ID? {
    if items.count < 2 { return items.first?.id }
    let exact = items.filter(isExact)
    if exact.count == 1 { return exact[0].id }
    let candidates = (exact.isEmpty ? items : exact).map(line) + others
    let shown = candidates.prefix(Self.shown).joined(separator: "; ")
    throw LunaraError(
      "client.titleAmbiguous",
      "“\(words)” may mean several: \(shown)\(candidates.count > Self.shown ? "; and more" : ""). Give the id of one.")
  }

  /// The largest number of candidates that an error lists.
  public static let shown = 8

  private func line(of item: some Titled) -> String {
    guard let album = item as? Album else { return item.line }
    let quality = album.folder == nil ? [album.quality] : []
    let details = ([album.year.map(String.init)] + album.distinctions + quality).compactMap(\.self)
    return details.isEmpty ? album.line : "\(album.line) (\(details.joined(separator: ", ")))"
  }

  private func required<ID>(_ id: ID?, _ kind: String) throws -> ID {
    guard let id else { throw nothing(kind) }
    return id
  }

  private func nothing(_ kind: String) -> LunaraError {
    let hint =
      suggestion.map { "Did you mean “\($0)”?" } ?? "`lunara search` finds by the beginnings of words."
    return LunaraError("client.nothingFound", "There is no \(kind) “\(words)”. \(hint)")
  }
}

/// An item of the catalogue that a person names by its title.
private protocol Titled {
  associatedtype ID
  var id: ID { get }
  /// The title, or the name.
  var title: String { get }
  /// The title with details that distinguish the item from others of the same title.
  var line: String { get }
}

extension Titled {
  fileprivate var line: String { "\(title), \(id)" }
}

extension Album: Titled {
  fileprivate var line: String { "\(Byline.text(title, artist)), \(id)" }
}

extension Artist: Titled {
  fileprivate var title: String { name }
  fileprivate var line: String { "the artist \(name), \(id)" }
}

extension Track: Titled {
  fileprivate var line: String {
    let details = [album.isEmpty ? nil : "on \(album)", year.map(String.init)].compactMap(\.self)
    return "\(Byline.text(title, artist)), \(id)\(details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")"
  }
}

extension MusicCollection: Titled {}

extension Playlist: Titled {}

extension Library.SearchResults {
  /// True if nothing was found.
  public var isEmpty: Bool {
    artists.isEmpty && albums.isEmpty && tracks.isEmpty && (collections ?? []).isEmpty && (playlists ?? []).isEmpty
  }
}
