// Generated from Library+Catalogue.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ListArtists {
  public init(
    after: String? = nil, limit: Int = 100, startingAt: String? = nil, role: CreditRole? = nil,
    sort: Library.TagSort? = nil, isReversed: Bool? = nil, _: Void = ()
  ) {
    self.after = after
    self.limit = limit
    self.startingAt = startingAt
    self.role = role
    self.sort = sort
    self.isReversed = isReversed
  }
}

extension Library.ReadArtist {
  public init(id: ArtistID, after: String? = nil, _: Void = ()) {
    self.id = id
    self.after = after
  }
}

extension Library.ArtistPage {
  public init(
    artist: Artist, summary: String?, genres: [String], albums: [Album], next: String? = nil, moods: [String]? = nil,
    styles: [String]? = nil, appearances: [Library.CreditGroup]? = nil, _: Void = ()
  ) {
    self.artist = artist
    self.summary = summary
    self.genres = genres
    self.albums = albums
    self.next = next
    self.moods = moods
    self.styles = styles
    self.appearances = appearances
  }
}

extension Library.ListTracks {
  public init(
    after: String? = nil, limit: Int = 100, sort: Library.Sort = .name, seed: Int64? = nil, tags: [Library.Tag]? = nil,
    isReversed: Bool? = nil, _: Void = ()
  ) {
    self.after = after
    self.limit = limit
    self.sort = sort
    self.seed = seed
    self.tags = tags
    self.isReversed = isReversed
  }
}

extension Library.ReadTrackWindow {
  public init(
    sort: Library.Sort = .name, isReversed: Bool? = nil, seed: Int64? = nil, tags: [Library.Tag]? = nil, first: Int = 0,
    limit: Int = 100, _: Void = ()
  ) {
    self.sort = sort
    self.isReversed = isReversed
    self.seed = seed
    self.tags = tags
    self.first = first
    self.limit = limit
  }
}

extension Library.TrackWindow {
  public init(total: Int, first: Int, items: [Track], seed: Int64? = nil, generation: Int64, _: Void = ()) {
    self.total = total
    self.first = first
    self.items = items
    self.seed = seed
    self.generation = generation
  }
}

extension Library.IndexTracks {
  public init(sort: Library.Sort = .name, isReversed: Bool? = nil, tags: [Library.Tag]? = nil, _: Void = ()) {
    self.sort = sort
    self.isReversed = isReversed
    self.tags = tags
  }
}

extension Library.ReadTrack {
  public init(id: TrackID, _: Void = ()) { self.id = id }
}

extension Library.TrackDetail.Copy {
  public init(
    id: TrackID, format: String?, isLossless: Bool, audio: AudioProperties? = nil, path: LocalPath? = nil,
    segment: AudioSegment? = nil, _: Void = ()
  ) {
    self.id = id
    self.format = format
    self.isLossless = isLossless
    self.audio = audio
    self.path = path
    self.segment = segment
  }
}

extension Library.TrackDetail {
  public init(
    track: Track, copies: [Copy], credits: [Credit]? = nil, facts: TrackFacts? = nil, hasLyrics: Bool? = nil,
    guessed: [Library.GuessedField]? = nil, _: Void = ()
  ) {
    self.track = track
    self.copies = copies
    self.credits = credits
    self.facts = facts
    self.hasLyrics = hasLyrics
    self.guessed = guessed
  }
}

extension Library.TrackGuess {
  public init(track: TrackID, fields: [Library.GuessedField], _: Void = ()) {
    self.track = track
    self.fields = fields
  }
}

extension Library.Search {
  public init(words: String, limit: Int = 50, inNotes: Bool? = nil, _: Void = ()) {
    self.words = words
    self.limit = limit
    self.inNotes = inNotes
  }
}

extension Library.SearchResults {
  public init(
    artists: [Artist], albums: [Album], tracks: [Track], collections: [MusicCollection]? = nil,
    playlists: [Playlist]? = nil, notes: [Library.Note]? = nil, best: Library.BestResult? = nil,
    tags: [Library.TagCount]? = nil, people: [Library.CreditGroup]? = nil, searchedWords: String? = nil, _: Void = ()
  ) {
    self.artists = artists
    self.albums = albums
    self.tracks = tracks
    self.collections = collections
    self.playlists = playlists
    self.notes = notes
    self.best = best
    self.tags = tags
    self.people = people
    self.searchedWords = searchedWords
  }
}

extension Library.BestResult {
  public init(kind: Kind, id: PlayableID, _: Void = ()) {
    self.kind = kind
    self.id = id
  }
}
