import Messages
import Model

/// The reasons that sources outside the house give.
extension Reason {
  /// Makes the reason of an album that is not in the library.
  init(_ pick: Pick, artist: String) {
    self.init(
      pick.clue ?? Clue(kind: .discography, source: "MusicBrainz"), artist: artist, genre: nil, album: nil)
  }

  /// The second is that of former versions, which stored walls may have.
  private static let notHere = [", and not in your library.", ", and not on your shelf."]

  /// Returns the sentence of an album that was not in the library, once it is.
  static func arrived(_ sentence: String) -> String {
    guard let end = notHere.first(where: sentence.hasSuffix) else { return sentence }
    return sentence.dropLast(end.count) + ", and in your library now."
  }

  /// - Parameters:
  ///   - genre: the name of the genre in which the clue's place counts; nil for albums without one.
  ///   - album: the album; nil for one that is not in the library.
  init(_ clue: Clue, artist: String, genre: String?, album: OwnedAlbum?) {
    var evidence = Discovery.Evidence(source: clue.source, listens: clue.listens)
    evidence.place = clue.place
    evidence.genre = genre
    evidence.favourite = clue.kind == .similarAlbum ? clue.near : nil
    if let album {
      if album.playedAt > 0 { evidence.lastPlayedAt = Timestamp(seconds: album.playedAt) }
      if album.plays > 0 { evidence.plays = Int(album.plays) }
      evidence.rating = Rating(rawValue: Int(album.rating))
    }
    let place = clue.place ?? 1
    switch clue.kind {
    case .popular, .listeners:
      let first = place == 1 ? "The world's most heard" : "Number \(place) of the world's most heard"
      let isUnplayed = album.map { $0.plays == 0 && $0.playedAt == 0 } ?? true
      let words = "\(first) of your \(genre ?? "albums without a genre")\(isUnplayed ? " that you never played" : "")"
      if clue.kind == .listeners {
        evidence.listeners = clue.listens
        evidence.listens = nil
        let listeners = Self.count(clue.listens ?? 0, "listener")
        sentence = "\(words): \(listeners) of its best known track at Last.fm, says \(clue.source)."
      } else {
        sentence = "\(words)."
      }
    case .chart:
      sentence = "\(place == 1 ? "The world's most heard album" : "Number \(place) in the world") this month."
    case .genreChart:
      evidence.genre = clue.near
      let which = place == 1 ? "The first" : "Number \(place)"
      sentence = "\(which) of the albums that listeners at \(clue.source) call \(clue.near ?? "music") most often."
    case .elsewhere:
      let plays = clue.listens.map { "heard \(Self.count($0, "time"))" } ?? "heard often"
      sentence = "One that you \(plays), as \(clue.source) counts."
    case .recommended: sentence = "\(clue.source) recommends it to you."
    case .release: sentence = "A new release by \(artist)."
    case .similarArtist:
      sentence = "By \(artist), whom listeners of \(clue.near ?? "your favourites") hear as well, says \(clue.source)."
    case .similarAlbum: sentence = "Sounds like “\(clue.near ?? "a favourite")”, says \(clue.source)."
    case .discography: sentence = "By \(artist)\(Self.notHere[0])"
    }
    self.evidence = evidence
  }
}
