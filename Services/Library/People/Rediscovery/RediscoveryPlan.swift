import Messages
import Model

/// The shelves of a day as a function of what is known of the library: the albums of each, and why each is there.
struct RediscoveryPlan: Sendable {
  struct Pick: Hashable, Sendable {
    var album: Int64
    var reason: String
  }

  struct Shelf: Hashable, Sendable {
    var kind: Library.RediscoveryKind
    var title: String
    var reason: String
    var picks: [Pick]
  }

  let facts: RediscoveryFacts
  /// The day, such as `2026-11-26`.
  let day: String

  /// Returns the shelves that have albums, with at most `limit` albums each. An album that several rules choose is on
  /// the first of their shelves.
  func shelves(limit: Int) -> [Shelf] {
    var used: Set<Int64> = []
    func shelf(_ kind: Library.RediscoveryKind, _ title: String, _ reason: String, _ picks: [Pick]) -> Shelf? {
      let shown = Array(picks.filter { !used.contains($0.album) }.prefix(kind == .chance ? 1 : limit))
      guard !shown.isEmpty else { return nil }
      used.formUnion(shown.map(\.album))
      return Shelf(kind: kind, title: title, reason: reason, picks: shown)
    }
    return [
      shelf(
        .chance, "By chance", "An album that is drawn for the day, of those not heard in the last 60 days.", chance),
      shelf(
        .onThisDay, "On this day",
        "First heard, added, released or written about on \(RediscoveryWords.dayOfYear(day)) of a former year.",
        anniversaries),
      shelf(
        .forgotten, "Not heard for long, and loved",
        "You rated, liked or played these albums often, and have not heard them for half a year.", forgotten),
      shelf(.halfHeard, "Half heard", "You began these albums and did not come to their ends.", halfHeard),
      shelf(
        .unheard, "Here, and never heard", "These albums have been here for a week or more, and nobody has heard them.",
        unheard),
      shelf(
        .deepArtist, "Deeper into what you play",
        "More by artists whom you played in the last \(RediscoveryFacts.recentDays) days.", deepArtist),
    ].compactMap(\.self)
  }
}

/// The rules of the shelves.
extension RediscoveryPlan {
  /// The album of the day. What is played today does not change it.
  var chance: [Pick] {
    let rested = facts.albums.filter { album in
      guard let playedAt = album.playedAt, playedAt < facts.dayStart else { return true }
      return facts.dayStart.seconds - playedAt.seconds >= 60 * RediscoveryFacts.day
    }
    let drawn = (rested.isEmpty ? facts.albums : rested).min { facts.place(of: $0.number) < facts.place(of: $1.number) }
    return drawn.map { [Pick(album: $0.number, reason: "Drawn for the day. \(past(of: $0)).")] } ?? []
  }

  /// The anniversaries, those of notes and then the longest ago first, each album once.
  var anniversaries: [Pick] {
    let known = Set(facts.albums.map(\.number))
    var told: [Int64: Anniversary] = [:]
    for one in facts.anniversaries where known.contains(one.album) {
      if let other = told[one.album], other.event <= one.event { continue }
      told[one.album] = one
    }
    func rank(_ one: Anniversary) -> (Int, Int, UInt64) {
      (one.event == .noted ? 0 : 1, -one.years, facts.place(of: one.album))
    }
    return told.values.sorted { rank($0) < rank($1) }.map { one in
      let ago = RediscoveryWords.yearsAgo(one.years)
      let reason =
        switch one.event {
        case .noted: "\(ago) today you wrote about it."
        case .heard: "\(ago) today you heard it for the first time."
        case .added: "\(ago) today it came into the library."
        case .released: "\(ago) today it was released."
        }
      return Pick(album: one.album, reason: reason)
    }
  }

  var forgotten: [Pick] {
    let loved = facts.forgottenCandidates.filter { album in
      album.isPraised || facts.plays[album.number, default: 0] >= 3 * max(1, album.tracks)
    }
    return facts.inOrderOfDay(loved).map { album in
      let ago = album.playedAt.map { RediscoveryWords.length(facts.age(of: $0)) } ?? "long"
      let praise =
        if let rating = album.rating, rating.rawValue >= 8 {
          "You gave it \(RediscoveryWords.stars(rating))"
        } else if album.isLiked {
          "You like it"
        } else {
          "You played it \(facts.plays[album.number, default: 0] / max(1, album.tracks)) times"
        }
      return Pick(album: album.number, reason: "\(praise), and have not heard it for \(ago).")
    }
  }

  var halfHeard: [Pick] {
    facts.halfHeardCandidates.compactMap { album in
      let heard = facts.heardTracks[album.number, default: 0]
      guard heard > 0, heard * 10 <= album.tracks * 6, let playedAt = album.playedAt else { return nil }
      let heardTracks = "\(heard) of its \(album.tracks) tracks \(heard == 1 ? "was" : "were") heard"
      return Pick(
        album: album.number, reason: "\(heardTracks), the last \(RediscoveryWords.length(facts.age(of: playedAt))) ago."
      )
    }
  }

  var unheard: [Pick] {
    facts.unheardCandidates.filter { facts.plays[$0.number, default: 0] == 0 }.map { album in
      let isOld = facts.age(of: album.addedAt) > Int64(RediscoveryWords.longestYears * 366) * RediscoveryFacts.day
      let since = isOld ? "for a long time" : "since \(RediscoveryWords.month(of: album.addedAt))"
      return Pick(album: album.number, reason: "Here \(since), and never heard.")
    }
  }

  /// The most artists on the shelf of artists who are played.
  private static let mostArtists = 6
  /// The most albums of one artist on that shelf.
  private static let mostOfArtist = 3

  /// Albums that were not played for a year, by some of the artists who are played most.
  var deepArtist: [Pick] {
    let byArtist = Dictionary(grouping: facts.albums, by: \.artist)
    let artists = facts.artists.filter { $0.plays >= 5 && byArtist[$0.number, default: []].count >= 3 }
      .sorted { facts.place(of: -$0.number) < facts.place(of: -$1.number) }
    return artists.prefix(Self.mostArtists).flatMap { artist in
      let rested = byArtist[artist.number, default: []].filter { album in
        album.playedAt.map { facts.age(of: $0) >= 365 * RediscoveryFacts.day } ?? true
      }
      return facts.inOrderOfDay(rested).prefix(Self.mostOfArtist).map { album in
        let past = album.playedAt.map { "and not this album for \(RediscoveryWords.length(facts.age(of: $0)))" }
        return Pick(
          album: album.number,
          reason: "You played \(artist.name) \(artist.plays) times lately, \(past ?? "but never this album").")
      }
    }
  }

  /// Returns the history of an album in words.
  private func past(of album: RediscoveryAlbum) -> String {
    guard let playedAt = album.playedAt else { return "Never heard" }
    return facts.age(of: playedAt) < RediscoveryFacts.day
      ? "Heard today" : "Last heard \(RediscoveryWords.length(facts.age(of: playedAt))) ago"
  }
}
