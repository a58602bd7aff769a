import Client
import Messages
import Model

extension Album: TableRow {
  var row: [Table.Cell] {
    [
      .faint(id.description), .strong(title), .init(artist), .number(year.map { "\($0)" } ?? ""),
      .number(Printable.count(trackCount, "track")), .faint(distinctions.joined(separator: " · ")),
    ]
  }
}

extension Track: TableRow {
  var row: [Table.Cell] {
    [.faint(id.description), .strong(title), .init(artist), .faint(album), .number(duration.ofTrack)]
  }
}

extension Artist: TableRow {
  var row: [Table.Cell] {
    // Somebody without albums is listed for single tracks.
    let count = albumCount == 0 ? trackCount.map { Printable.count($0, "track") } : nil
    return [.faint(id.description), .strong(name), .number(count ?? Printable.count(albumCount, "album"))]
  }
}

extension MusicCollection: TableRow {
  var row: [Table.Cell] {
    [
      .faint(id.description), .strong(title), .number(Printable.count(itemCount, "item")),
      .faint(isPinned ? "pinned" : ""),
    ]
  }
}

extension Playlist: TableRow {
  var row: [Table.Cell] {
    [
      .faint(id.description), .strong(title), .number(Printable.count(trackCount, "track")), .number(duration),
      .faint(isSmart ? "smart" : ""),
    ]
  }
}

extension Library.PlaylistPage.PlacedEntry: TableRow {
  var row: [Table.Cell] {
    if let track { return track.row }
    let length = described?.duration.map { "\($0)" } ?? ""
    let words = [described?.track.title, described?.artist, described?.album].map { Table.Cell.faint($0 ?? "") }
    return [.faint("not here")] + words + [.number(length), .faint(described?.location ?? "")]
  }
}

extension Rating {
  var shown: String {
    rawValue == 0 ? "☆" : String(repeating: "★", count: rawValue / 2) + (rawValue % 2 == 1 ? "½" : "")
  }
}

extension Library.AlbumPage {
  func print(to console: Console) {
    let facts = [
      album.dates ?? "", album.edition ?? "", (album.types ?? []).map(\.rawValue).joined(separator: ", "),
      album.genres.joined(separator: ", "), album.duration.description, album.quality ?? "", album.rating?.shown ?? "",
      album.id.description,
    ]
    console.print("\(console.style.strong(Printable.line(album.title))) · \(Printable.line(album.artist))\n")
    console.print(facts: facts, moods: moods, styles: styles)
    if let release { console.print(console.style.faint(Printable.line(release)) + "\n") }
    if let heard { console.print(console.style.faint(Printable.line(heard)) + "\n") }
    for disc in discs ?? [] {
      if let line = disc.line(of: ((discs ?? []).map(\.disc) + tracks.map(\.disc)).max()) {
        console.print(console.style.faint(Printable.line(line)) + "\n")
      }
    }
    console.print("\n")
    let hasDiscs = tracks.contains { $0.disc > 1 }
    var table = Table()
    for track in tracks {
      let number = track.numberText ?? track.number.map { "\($0)" } ?? ""
      table.add(
        .number(hasDiscs ? "\(track.disc).\(number)" : number), .strong(track.title),
        Table.Cell(track.artist == album.artist ? "" : track.artist), .number(track.duration.ofTrack),
        .faint(track.id.description))
    }
    console.print(table)
    if let guessLine { console.print("\n" + console.style.faint(guessLine) + "\n") }
    if let credits {
      console.print("\n")
      for line in credits.lines(total: album.trackCount) {
        console.print(console.style.faint(Printable.line(line)) + "\n")
      }
    }
    guard let editions, !editions.isEmpty else { return }
    console.print("\n" + console.style.faint("other editions") + "\n")
    console.print(Table(editions))
  }

  /// The values that were guessed, each with the number of tracks; nil if none was.
  private var guessLine: String? {
    let fields = (guesses ?? []).flatMap(\.fields)
    let known = Library.GuessedField.allCases.compactMap { field in
      let count = fields.count { $0 == field }
      return count > 0 ? "\(field.rawValue) (\(Printable.count(count, "track")))" : nil
    }
    return known.isEmpty ? nil : "guessed from names: " + known.joined(separator: ", ")
  }

  /// The plays, the last one, the arrival and the sources on one line; nil from an older library.
  private var heard: String? {
    guard let plays else { return nil }
    let known = [
      Printable.count(plays, "play"), lastPlayedAt.map { "last heard \($0.local)" } ?? "",
      addedAt.map { "added \($0.local)" } ?? "", (sources ?? []).joined(separator: ", "),
    ]
    return known.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// The labels, catalogue numbers, country, medium, barcode and status of the release on one line.
  private var release: String? {
    guard let facts else { return nil }
    let label = facts.labels.joined(separator: ", ")
    let known = [
      label, facts.catalogueNumbers.joined(separator: ", "), facts.country ?? "", facts.media ?? "",
      facts.barcode ?? "", facts.status ?? "",
    ].filter { !$0.isEmpty }
    return known.isEmpty ? nil : known.joined(separator: " · ")
  }
}

extension AlbumDisc {
  /// Returns the disc with its title, its medium and the tracks that it lacks; nil if there is nothing to say.
  fileprivate func line(of total: Int?) -> String? {
    if isAbsent == true { return "Disc \(disc)\(total.map { " of \($0)" } ?? "") is not here" }
    let gaps = missing.isEmpty ? nil : missingRanges + (missing.count == 1 ? " is missing" : " are missing")
    let known = [title, media, gaps].compactMap(\.self)
    return known.isEmpty ? nil : (["Disc \(disc)"] + known).joined(separator: " · ")
  }
}

extension Console {
  /// Prints facts on one line, then the moods and the styles on a line each.
  fileprivate func print(facts: [String], moods: [String]?, styles: [String]?) {
    print(style.faint(Printable.line(facts.filter { !$0.isEmpty }.joined(separator: " · "))) + "\n")
    for case (let name, let words?) in [("moods", moods), ("styles", styles)] where !words.isEmpty {
      print(style.faint(Printable.line("\(name): " + words.joined(separator: ", "))) + "\n")
    }
  }
}

extension Library.SearchResults {
  func print(to console: Console) {
    let notes = notes ?? []
    if let searchedWords { console.remark("Searched for “\(searchedWords)” instead.") }
    let sections = [
      ("best", bestTable), ("artists", Table(artists)), ("albums", Table(albums)), ("tracks", Table(tracks)),
      ("collections", Table(collections ?? [])), ("playlists", Table(playlists ?? [])), ("tags", Table(tags ?? [])),
      ("people", Table(people ?? [])),
    ]
    for (name, table) in sections where !table.isEmpty {
      if console.width != nil { console.print(console.style.faint(name) + "\n") }
      console.print(table)
    }
    guard !notes.isEmpty else { return }
    if console.width != nil { console.print(console.style.faint("notes") + "\n") }
    console.print(notes.map { $0.shown(on: console) }.joined(separator: "\n"))
  }

  /// True if neither items, tags nor notes were found.
  var hasNothing: Bool { isEmpty && (tags ?? []).isEmpty && (people ?? []).isEmpty && (notes ?? []).isEmpty }

  /// A table of the best result alone, which is empty if there is none.
  private var bestTable: Table {
    switch best?.kind {
    case .artist: Table(artists.filter { $0.id.playable == best?.id })
    case .album: Table(albums.filter { $0.id.playable == best?.id })
    case .track: Table(tracks.filter { $0.id.playable == best?.id })
    case .playlist: Table((playlists ?? []).filter { $0.id.playable == best?.id })
    case .unknown, nil: Table()
    }
  }
}

extension Library.CreditGroup: TableRow {
  /// A person in a role, with the number of tracks.
  var row: [Table.Cell] {
    [
      .faint(person?.id?.description ?? ""), .strong(person?.name ?? ""), .init(role.rawValue),
      .number(Printable.count(tracks, "track")),
    ]
  }
}

extension Library.ArtistPage {
  func print(to console: Console) {
    console.print(console.style.strong(Printable.line(artist.name)) + "\n")
    console.print(facts: [genres.joined(separator: ", "), artist.id.description], moods: moods, styles: styles)
    if let aliases = artist.aliases {
      console.print(console.style.faint(Printable.line("also: " + aliases.joined(separator: ", "))) + "\n")
    }
    if let summary { console.print(Printable.line(summary) + "\n") }
    console.print("\n")
    console.print(Table(albums))
    guard let appearances, !appearances.isEmpty else { return }
    if !albums.isEmpty { console.print("\n") }
    for group in appearances { console.print(Printable.line(group.line) + "\n") }
    if console.width != nil { console.remark("`lunara artist \(artist.id) --role ROLE` lists the tracks.") }
  }
}

extension Library.TrackDetail {
  func print(to console: Console) {
    let line = "\(console.style.strong(Printable.line(track.title))) · \(Printable.line(track.artist))"
    console.print(line + (track.rating.map { " · \($0.shown)" } ?? "") + "\n")
    let place = [track.album, track.duration.ofTrack, track.id.description].filter { !$0.isEmpty }
      .joined(separator: " · ")
    console.print(console.style.faint(Printable.line(place)) + "\n")
    if let work = track.work {
      let number = work.number.map { number in "\(number)" + (work.total.map { " of \($0)" } ?? "") }
      let parts = [work.composer?.name, work.title, number, work.movement].compactMap(\.self)
      console.print(Printable.line("work: " + parts.joined(separator: " · ")) + "\n")
    }
    for credit in credits ?? [] {
      let instrument = credit.instrument.map { " (\($0))" } ?? ""
      console.print(Printable.line("\(credit.role.title): \(credit.name)\(instrument)") + "\n")
    }
    for line in facts?.lines ?? [] { console.print(Printable.line(line) + "\n") }
    if let guessed { console.print("guessed from names: \(guessed.map(\.rawValue).joined(separator: ", "))\n") }
    console.print("\n")
    for copy in copies { copy.print(to: console) }
  }
}

extension Library.TrackDetail.Copy {
  /// Prints the copy on a line, and its path on a line of its own, which is not cut at the width of the terminal.
  fileprivate func print(to console: Console) {
    let line = ([id.description] + qualities).joined(separator: " · ")
    console.print(Printable.line(line) + "\n")
    if let path { console.print("  " + Printable.line(path.description) + "\n") }
    if let segment {
      let end = segment.endOffset.map { " to \($0)" } ?? " to the end of the file"
      console.print("  from \(segment.offset)\(end), by its CUE sheet\n")
    }
  }

  /// The properties of the audio in the words that people use, the codec first.
  private var qualities: [String] {
    let channels = audio?.channels.map { [1: "mono", 2: "stereo"][$0] ?? Printable.count($0, "channel") }
    let known = [
      audio?.codecName ?? format?.uppercased(), audio?.bitDepth.map { "\($0) bit" },
      audio?.kilohertz.map { "\($0) kHz" }, channels, audio?.bitRate.map { "\($0) kbit/s" },
      isLossless ? "lossless" : nil,
    ]
    return known.compactMap(\.self)
  }
}

extension Library.CollectionPage {
  func print(to console: Console) {
    console.print(console.style.strong(Printable.line(collection.title)) + "\n")
    if let summary = collection.summary { console.print(Printable.line(summary) + "\n") }
    console.print("\n")
    let items = Library.SearchResults(artists: artists, albums: albums, tracks: tracks)
    items.hasNothing ? console.remark("The collection is empty.") : items.print(to: console)
  }
}

extension Library.PlaylistPage {
  func print(to console: Console) {
    let count = Printable.count(playlist.trackCount, "track")
    console.print(console.style.strong(Printable.line(playlist.title)) + "\n")
    console.print(console.style.faint("\(count) · \(playlist.duration) · \(playlist.id)") + "\n")
    if let summary = playlist.summary { console.print(Printable.line(summary) + "\n") }
    console.print("\n")
    // Only entries that can be moved or removed need their places.
    let isEditable = playlist.isEditable == true
    console.print(
      Table(rows.enumerated().map { (isEditable ? [Table.Cell.faint("\($0.offset + 1)")] : []) + $0.element.row }))
  }
}
