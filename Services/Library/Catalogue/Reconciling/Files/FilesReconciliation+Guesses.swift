import Messages
import Model
import MusicTags
import Storage

/// Names for files without tags, or without some of them.
extension FilesReconciliation {
  /// Fills in what the names of files without tags and of their folders say; of files with some tags only the title,
  /// the artist and the number. What is stored of their tags stays empty, so that a later version can guess again.
  /// Files with tags cost one look each.
  func guessNames(of drafts: inout [Draft], in albumFolder: [UInt8]) {
    var bare: [Int] = []
    for index in drafts.indices where !drafts[index].isCut {
      let reading = drafts[index].reading
      if reading.tags.isEmpty {
        bare.append(index)
      } else if reading.tags.title.title == nil
        || reading.tags.artists.names.isEmpty && reading.tags.albumArtists.names.isEmpty
      {
        guessRest(of: &drafts[index])
      } else if reading.tags.place.number == nil, reading.tags.place.numberText == nil, reading.number != nil {
        drafts[index].guessed = [.number]
      }
    }
    guard !bare.isEmpty else { return }
    let files = bare.map { FolderNames.File(folder: drafts[$0].folder, name: drafts[$0].name) }
    let guesses = FolderNames.guesses(for: files, in: albumFolder, roots: roots)
    // If only some names have an artist, the others must not become that artist's by their album.
    let isAnyKnown = guesses.contains { $0.artist != nil }
    for (index, guess) in zip(bare, guesses) {
      drafts[index].isUntagged = true
      fill(guess, into: &drafts[index], orArtist: isAnyKnown ? VariousArtists.unknown : nil)
    }
  }

  private func guessRest(of draft: inout Draft) {
    let tags = draft.reading.tags
    let guess = FolderNames.guess(
      for: draft.name, title: tags.title.title, artists: tags.artists.names + tags.albumArtists.names)
    fill(guess, into: &draft)
  }

  /// - Parameter artist: the artist of a file for which none is guessed; nil to leave that open.
  private func fill(_ guess: FolderNames.Guess, into draft: inout Draft, orArtist artist: String? = nil) {
    var tags = draft.reading.tags
    draft.guessed = guess.fill(&tags)
    if guess.artist == nil, let artist { tags.artists.shown = [artist] }
    guard !draft.guessed.isEmpty else { return }
    draft.reading = FileMetadata(
      tags, packed: draft.reading.packed, folder: draft.folder, name: draft.name, rules)
  }
}

extension FolderNames.Guess {
  /// Sets the values that are missing in tags, and returns which were.
  func fill(_ tags: inout FileTags) -> [Library.GuessedField] {
    var filled: [Library.GuessedField] = []
    func set<Value>(_ field: WritableKeyPath<FileTags, Value?>, _ value: Value?, _ name: Library.GuessedField) {
      guard let value, tags[keyPath: field] == nil else { return }
      tags[keyPath: field] = value
      if filled.last != name { filled.append(name) }
    }
    set(\.title.title, title, .title)
    if let artist, tags.artists.names.isEmpty, tags.albumArtists.names.isEmpty {
      tags.artists.shown = [artist]
      filled.append(.artist)
    }
    set(\.albumName.title, album, .album)
    if tags.dates.edition == nil { set(\.dates.date, year.map(String.init), .year) }
    set(\.place.disc, disc, .disc)
    if tags.place.numberText == nil, tags.place.number == nil {
      set(\.place.number, number, .number)
      set(\.place.numberText, side, .number)
    }
    return filled
  }
}

/// Guesses as a number with a bit for each value, in the order of the type.
extension Library.GuessedField {
  static func packed(_ fields: [Self]) -> Int? {
    fields.isEmpty
      ? nil : allCases.enumerated().reduce(0) { $0 | (fields.contains($1.element) ? 1 << $1.offset : 0) }
  }

  static func unpacked(_ number: Int?) -> [Self]? {
    guard let number, number != 0 else { return nil }
    return allCases.enumerated().compactMap { number & 1 << $0.offset != 0 ? $0.element : nil }
  }

  /// The guessed values that people see beside the title; to them, places in names are no guesses.
  static let named: Set<Self> = [.title, .artist, .album, .year]
}

extension Catalogue {
  /// Returns the values of a track that were guessed; nil if none was.
  static func guesses(of track: Int64, _ transaction: ReadTransaction) throws -> [Library.GuessedField]? {
    let packed: Int? = try transaction.row("SELECT guessed FROM files WHERE track = ? AND guessed > 0", track) {
      try $0.value(0)
    }
    return Library.GuessedField.unpacked(packed)
  }

  /// Returns true if a value of a track of an album was guessed.
  static func hasGuesses(album: Int64, _ transaction: ReadTransaction) throws -> Bool {
    try transaction.row(
      "SELECT 1 FROM tracks t JOIN files f ON f.track = t.id WHERE t.shelf = ? AND f.guessed > 0 LIMIT 1", album
    ) { try $0.value(0) as Int } != nil
  }

  /// Returns the guesses for tracks of an album.
  static func guesses(
    of tracks: [Track], onAlbum album: Int64, _ transaction: ReadTransaction
  ) throws -> [Library.TrackGuess] {
    let found = try transaction.rows(
      """
      SELECT t.source || ':t' || t.id, f.guessed FROM tracks t JOIN files f ON f.track = t.id
      WHERE t.shelf = ? AND f.guessed > 0
      """, album
    ) { (track: try $0.value(0) as TrackID, fields: Library.GuessedField.unpacked(try $0.value(1)) ?? []) }
    guard !found.isEmpty else { return [] }
    let fields = Dictionary(found.map { ($0.track, $0.fields) }) { $1 }
    return tracks.compactMap { track in
      fields[track.id].map { Library.TrackGuess(track: track.id, fields: $0) }
    }
  }
}
