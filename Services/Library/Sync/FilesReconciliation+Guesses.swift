import Model

/// Names for files without any tags.
extension FilesReconciliation {
  /// Fills in what the names of files without tags and of their folders say. What is stored of their tags stays empty,
  /// so that a later version can guess again. Files with tags cost one look each.
  func guessNames(of drafts: inout [Draft], in albumFolder: [UInt8]) {
    let bare = drafts.indices.filter { !drafts[$0].isCut && drafts[$0].reading.tags.isEmpty }
    guard !bare.isEmpty else { return }
    let files = bare.map { FolderNames.File(folder: drafts[$0].folder, name: drafts[$0].name) }
    for (index, guess) in zip(bare, FolderNames.guesses(for: files, in: albumFolder, roots: roots)) {
      let draft = drafts[index]
      var tags = draft.reading.tags
      drafts[index].guessed = guess.fill(&tags)
      drafts[index].reading = FileMetadata(
        tags, packed: draft.reading.packed, folder: draft.folder, name: draft.name, rules)
    }
  }
}

extension FolderNames.Guess {
  /// Sets the values that are missing in tags, and returns the names of those that were.
  func fill(_ tags: inout FileTags) -> [String] {
    var filled: [String] = []
    func set<Value>(_ field: WritableKeyPath<FileTags, Value?>, _ value: Value?, _ name: String? = nil) {
      guard let value, tags[keyPath: field] == nil else { return }
      tags[keyPath: field] = value
      if let name { filled.append(name) }
    }
    set(\.title.title, title, "title")
    if let artist, tags.artists.names.isEmpty {
      tags.artists.shown = [artist]
      filled.append("artist")
    }
    set(\.albumName.title, album, "album")
    if tags.dates.edition == nil { set(\.dates.date, year.map(String.init), "year") }
    set(\.place.disc, disc)
    if tags.place.numberText == nil, tags.place.number == nil {
      set(\.place.number, number)
      set(\.place.numberText, side)
    }
    return filled
  }
}
