// Generated from Library+Albums.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ListAlbums {
  public init(
    after: String? = nil, limit: Int = 100, sort: Library.Sort = .name, seed: Int64? = nil, tag: Library.Tag? = nil,
    tags: [Library.Tag]? = nil, isReversed: Bool? = nil, startingAt: String? = nil, editions: Bool? = nil, _: Void = ()
  ) {
    self.after = after
    self.limit = limit
    self.sort = sort
    self.seed = seed
    self.tag = tag
    self.tags = tags
    self.isReversed = isReversed
    self.startingAt = startingAt
    self.editions = editions
  }
}

extension Library.Page {
  public init(items: [Item], next: String?, _: Void = ()) {
    self.items = items
    self.next = next
  }
}

extension Library.ReadAlbum {
  public init(id: AlbumID, after: String? = nil, _: Void = ()) {
    self.id = id
    self.after = after
  }
}

extension Library.AlbumPage {
  public init(
    album: Album, tracks: [Track], next: String? = nil, moods: [String]? = nil, styles: [String]? = nil,
    facts: AlbumFacts? = nil, discs: [AlbumDisc]? = nil, editions: [Album]? = nil, listedEdition: AlbumID? = nil,
    credits: [Library.AlbumCredit]? = nil, guesses: [Library.TrackGuess]? = nil, sound: [Library.AlbumSound]? = nil,
    plays: Int? = nil, lastPlayedAt: Timestamp? = nil, addedAt: Timestamp? = nil, sources: [String]? = nil,
    length: Milliseconds? = nil, _: Void = ()
  ) {
    self.album = album
    self.tracks = tracks
    self.next = next
    self.moods = moods
    self.styles = styles
    self.facts = facts
    self.discs = discs
    self.editions = editions
    self.listedEdition = listedEdition
    self.credits = credits
    self.guesses = guesses
    self.sound = sound
    self.plays = plays
    self.lastPlayedAt = lastPlayedAt
    self.addedAt = addedAt
    self.sources = sources
    self.length = length
  }
}

extension Library.AlbumSound {
  public init(
    format: String, isLossless: Bool, bitDepth: Int? = nil, sampleRate: Int? = nil, bitRate: Int? = nil, tracks: Int,
    _: Void = ()
  ) {
    self.format = format
    self.isLossless = isLossless
    self.bitDepth = bitDepth
    self.sampleRate = sampleRate
    self.bitRate = bitRate
    self.tracks = tracks
  }
}

extension Library.AlbumCredit {
  public init(credit: Credit, tracks: Int, _: Void = ()) {
    self.credit = credit
    self.tracks = tracks
  }
}

extension Library.PreferEdition {
  public init(id: AlbumID, _: Void = ()) { self.id = id }
}

extension Library.ReadAlbumWindow {
  public init(
    sort: Library.Sort = .name, seed: Int64? = nil, tag: Library.Tag? = nil, tags: [Library.Tag]? = nil,
    isReversed: Bool? = nil, first: Int = 0, limit: Int = 100, _: Void = ()
  ) {
    self.sort = sort
    self.seed = seed
    self.tag = tag
    self.tags = tags
    self.isReversed = isReversed
    self.first = first
    self.limit = limit
  }
}

extension Library.AlbumWindow {
  public init(total: Int, first: Int, items: [Album], seed: Int64? = nil, generation: Int64, _: Void = ()) {
    self.total = total
    self.first = first
    self.items = items
    self.seed = seed
    self.generation = generation
  }
}

extension Library.IndexAlbums {
  public init(
    sort: Library.Sort = .name, tag: Library.Tag? = nil, tags: [Library.Tag]? = nil, isReversed: Bool? = nil,
    _: Void = ()
  ) {
    self.sort = sort
    self.tag = tag
    self.tags = tags
    self.isReversed = isReversed
  }
}

extension Library.AlbumIndex.Mark {
  public init(name: String, first: Int, count: Int, _: Void = ()) {
    self.name = name
    self.first = first
    self.count = count
  }
}

extension Library.AlbumIndex {
  public init(total: Int, generation: Int64, marks: [Mark], _: Void = ()) {
    self.total = total
    self.generation = generation
    self.marks = marks
  }
}
