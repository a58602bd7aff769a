import Bus
import Messages
import Model

/// Finds what a person means by a title: an id is taken as it is, words are looked up.
struct TitleChoice {
  /// What was found for the words.
  let words: String
  let found: Library.SearchResults

  /// Whether a word is an id, `source:native`, rather than a title.
  static func id(_ word: String) -> PlayableID? {
    guard let id = PlayableID(word), !word.contains(" "),
      id.source.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 })
    else { return nil }
    return id
  }

  /// The album that is meant: the one of exactly that title, else the only one found.
  ///
  /// - Throws: `client.titleAmbiguous`, `client.nothingFound`.
  func album() throws -> Album {
    if let album = try only(found.albums, \.title, { "\($0.title) by \($0.artist), \($0.id)" }) { return album }
    throw nothing("album")
  }

  /// The artist that is meant.
  ///
  /// - Throws: `client.titleAmbiguous`, `client.nothingFound`.
  func artist() throws -> Artist {
    if let artist = try only(found.artists, \.name, { "\($0.name), \($0.id)" }) { return artist }
    throw nothing("artist")
  }

  /// The track that is meant.
  ///
  /// - Throws: `client.titleAmbiguous`, `client.nothingFound`.
  func track() throws -> Track {
    if let track = try only(found.tracks, \.title, { "\($0.title) by \($0.artist), \($0.id)" }) { return track }
    throw nothing("track")
  }

  /// The collection that is meant.
  ///
  /// - Throws: `client.titleAmbiguous`, `client.nothingFound`.
  func collection() throws -> MusicCollection {
    if let collection = try only(found.collections ?? [], \.title, { "\($0.title), \($0.id)" }) { return collection }
    throw nothing("collection")
  }

  /// The playlist that is meant: of exactly that title, else the only one whose title begins so.
  ///
  /// - Throws: `client.titleAmbiguous`, `client.nothingFound`.
  func playlist(of all: [Playlist]) throws -> Playlist {
    let fitting = all.filter { $0.title.lowercased().hasPrefix(words.lowercased()) }
    if let playlist = try only(fitting, \.title, { "\($0.title), \($0.id)" }) { return playlist }
    throw nothing("playlist")
  }

  /// What is meant: an album, else an artist, a track or a collection.
  ///
  /// - Throws: `client.titleAmbiguous`, `client.nothingFound`.
  func playable() throws -> PlayableID {
    // An exact title of any kind is meant before one that only begins so.
    let exact = Self.exact(found, words)
    for results in [exact, found] {
      let choice = TitleChoice(words: words, found: results)
      if let album = try choice.only(results.albums, \.title, { "\($0.title) by \($0.artist), \($0.id)" }) {
        return PlayableID(source: album.id.source, native: album.id.native)
      }
      if let artist = try choice.only(results.artists, \.name, { "\($0.name), \($0.id)" }) {
        return PlayableID(source: artist.id.source, native: artist.id.native)
      }
      if let track = try choice.only(results.tracks, \.title, { "\($0.title) by \($0.artist), \($0.id)" }) {
        return PlayableID(source: track.id.source, native: track.id.native)
      }
      if let collection = try choice.only(results.collections ?? [], \.title, { "\($0.title), \($0.id)" }) {
        return PlayableID(source: collection.id.source, native: collection.id.native)
      }
    }
    throw nothing("album, artist, track or collection")
  }

  private static func exact(_ found: Library.SearchResults, _ words: String) -> Library.SearchResults {
    let wanted = words.lowercased()
    return Library.SearchResults(
      artists: found.artists.filter { $0.name.lowercased() == wanted },
      albums: found.albums.filter { $0.title.lowercased() == wanted },
      tracks: found.tracks.filter { $0.title.lowercased() == wanted },
      collections: found.collections?.filter { $0.title.lowercased() == wanted })
  }

  private func only<Item>(_ items: [Item], _ title: (Item) -> String, _ line: (Item) -> String) throws -> Item? {
    if items.count < 2 { return items.first }
    let exact = items.filter { title($0).lowercased() == words.lowercased() }
    if exact.count == 1 { return exact[0] }
    let candidates = exact.isEmpty ? items : exact
    let shown = candidates.prefix(8).map(line).joined(separator: "; ")
    throw LunaraError(
      "client.titleAmbiguous",
      "“\(words)” may mean several: \(shown)\(candidates.count > 8 ? " and more" : ""). Give the id of one.")
  }

  private func nothing(_ kind: String) -> LunaraError {
    LunaraError(
      "client.nothingFound", "There is no \(kind) “\(words)”. `lunara search` finds by the beginnings of words.")
  }
}

extension Household {
  /// The ids that words stand for: each word an id or a title, or all of them one title.
  func playables(_ words: [String]) async throws -> [PlayableID] {
    let ids = words.map(TitleChoice.id)
    if words.count > 1, ids.allSatisfy({ $0 == nil }) {
      let together = words.joined(separator: " ")
      let found = try await ask(Library.Search(words: together), of: .library)
      let choice = TitleChoice(words: together, found: found)
      if !found.isEmpty { return [try choice.playable()] }
    }
    var playables: [PlayableID] = []
    for (word, id) in zip(words, ids) {
      if let id {
        playables.append(id)
      } else {
        let found = try await ask(Library.Search(words: word), of: .library)
        playables.append(try TitleChoice(words: word, found: found).playable())
      }
    }
    return playables
  }
}

extension Library.SearchResults {
  /// Whether nothing was found.
  var isEmpty: Bool {
    artists.isEmpty && albums.isEmpty && tracks.isEmpty && (collections ?? []).isEmpty
  }
}
