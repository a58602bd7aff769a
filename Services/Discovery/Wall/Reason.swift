import Messages
import Model

/// Says why an album is on a wall, in one sentence with the facts behind it.
struct Reason: Hashable, Sendable {
  var sentence: String
  var evidence: Discovery.Evidence

  /// The names that sentences mention.
  struct Names: Sendable {
    /// Returns the name of a genre or subcategory that a pick has; nil if it has none.
    var genre: @Sendable (Pick) -> String?
    /// Returns the name of a subcategory by its index.
    var subcategory: @Sendable (Int) -> String?
    /// Returns the title of an album by its index in the library.
    var title: @Sendable (Int32) -> String?
    /// Returns the name of an album's artist by its index in the library.
    var artist: @Sendable (Int32) -> String
  }

  init(_ pick: Pick, _ view: RankedAlbums, _ names: Names) {
    let album = view.albums[Int(pick.album)]
    if let clue = pick.clue {
      let named = clue.genre.flatMap { genre in
        var pick = pick
        pick.genre = genre
        return names.genre(pick)
      }
      let reason = Reason(clue, artist: names.artist(pick.album), genre: named, album: album)
      sentence = reason.sentence
      self.evidence = reason.evidence
      return
    }
    var evidence = Discovery.Evidence(genre: names.genre(pick))
    if album.playedAt > 0 { evidence.lastPlayedAt = Timestamp(seconds: album.playedAt) }
    if album.plays > 0 { evidence.plays = Int(album.plays) }
    evidence.rating = Rating(rawValue: Int(album.rating))
    let genre = evidence.genre
    let artist = names.artist(pick.album)
    switch pick.signal {
    case .recommended:
      if let count = view.likeness.favourites[album.artist] {
        evidence.favouritesOfArtist = count
        sentence = "By \(artist), of whom you like \(Self.count(count, "album"))."
      } else if let near = view.likeness.nearArtists(album), let name = names.subcategory(near.subcategory) {
        evidence.likedArtists = near.count
        evidence.genre = name
        sentence = "By \(artist), near \(Self.count(near.count, "artist")) you like in \(name)."
      } else {
        sentence = "Like the albums that you like."
      }
    case .charts:
      // A place after the last played album has no meaning.
      if album.plays > 0 {
        evidence.place = pick.place
        let place = pick.place == 1 ? "The most played" : "Number \(pick.place ?? 1) of the most played"
        sentence =
          "\(place) of your \(genre ?? "albums without a genre"), with \(Self.count(Int(album.plays), "play"))."
      } else if let rating = evidence.rating {
        sentence = "Not played yet, and you rated it \(Self.stars(rating))."
      } else {
        let count = Int(view.artistAlbums[album.artist] ?? 1)
        sentence = "Not played yet; by \(artist), of whom you have \(Self.count(count, "album"))."
      }
    case .new:
      let age = view.now - album.addedAt
      if age <= Ages.recent || Int(album.year) < Ages.year(of: view.now) - 1 {
        evidence.addedAt = Timestamp(seconds: album.addedAt)
        sentence =
          "Added \(age < Ages.day ? "today" : "\(Self.length(age)) ago")\(age <= Ages.recent ? "" : ", and not many came later")."
      } else {
        sentence = "Released in \(album.year)."
      }
    case .seeds:
      let favourite = pick.favourite.flatMap(names.title)
      evidence.favourite = favourite
      let isSame = pick.favourite.map { view.albums[Int($0)].artist == album.artist } ?? false
      sentence = "\(isSame ? "By the artist of" : "Near") “\(favourite ?? "a favourite")”, which you like."
    case .rotation:
      sentence = "\(genre ?? "Music"), \(Self.past(album, evidence, view.now))."
    case .history:
      let past = Self.past(album, evidence, view.now)
      let first = past.prefix(1).uppercased() + past.dropFirst()
      if view.playedGenres.isEmpty {
        sentence = "\(genre ?? "Music"), drawn by lot as nothing was played lately; \(past)."
      } else {
        let isRated = evidence.rating != nil
        sentence = isRated ? "\(first)." : "\(first), and you play \(genre ?? "such music")."
      }
    case .wild, .unknown:
      let past = Self.past(album, evidence, view.now)
      sentence = past.prefix(1).uppercased() + past.dropFirst() + (genre.map { ": \($0) to find again." } ?? ".")
      if album.playedAt == 0, let genre { sentence = "Never played: \(genre) to discover." }
    }
    self.evidence = evidence
  }

  /// Returns the history of an album in words: `not played for 14 months, and you rated it 4.5`.
  private static func past(_ album: OwnedAlbum, _ evidence: Discovery.Evidence, _ now: Int64) -> String {
    let age = now - album.playedAt
    let played =
      album.playedAt == 0
      ? "never played"
      : age < Ages.day
        ? "played today" : age < Ages.rested ? "played \(length(age)) ago" : "not played for \(length(age))"
    return evidence.rating.map { "\(played), and you rated it \(stars($0))" } ?? played
  }

  /// Returns a length of time in the largest unit of which there are at least two, or in days; `a long time` beyond
  /// `Ages.longest`.
  static func length(_ seconds: Int64) -> String {
    guard seconds <= Ages.longest else { return "a long time" }
    let days = max(1, Int(seconds / Ages.day))
    if days >= 730 { return count(days / 365, "year") }
    if days >= 61 { return count(days * 12 / 365, "month") }
    return count(days, "day")
  }

  /// Returns a rating as a number of stars without needless decimals: `4.5` or `4`.
  static func stars(_ rating: Rating) -> String {
    rating.rawValue % 2 == 0 ? "\(rating.rawValue / 2)" : "\(rating.stars)"
  }

  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
