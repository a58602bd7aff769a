import Client
import Messages
import Model

extension Album {
  /// Adds a row to a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), Table.Cell(artist), .number(year.map { "\($0)" } ?? ""),
      .number("\(trackCount) \(trackCount == 1 ? "track" : "tracks")"))
  }
}

extension Track {
  /// Adds a row to a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), Table.Cell(artist), .faint(album), .number(duration))
  }
}

extension Artist {
  /// Adds a row to a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(name), .number("\(albumCount) \(albumCount == 1 ? "album" : "albums")"))
  }
}

extension MusicCollection {
  /// Adds a row to a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), .number("\(itemCount) \(itemCount == 1 ? "item" : "items")"),
      .faint(isPinned ? "pinned" : ""))
  }
}

extension Playlist {
  /// Adds a row to a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), .number("\(trackCount) \(trackCount == 1 ? "track" : "tracks")"),
      .number(duration), .faint(isSmart ? "smart" : ""))
  }
}

extension Rating {
  /// The rating as stars: `★★★★½`.
  var shown: String {
    rawValue == 0 ? "☆" : String(repeating: "★", count: rawValue / 2) + (rawValue % 2 == 1 ? "½" : "")
  }
}

extension Library.AlbumPage {
  /// Prints it for people.
  func print(to console: Console) {
    let facts = [
      album.year.map { "\($0)" } ?? "", album.genres.joined(separator: ", "), album.duration.description,
      album.rating?.shown ?? "", album.id.description,
    ]
    console.print("\(console.style.strong(Printable.line(album.title))) · \(Printable.line(album.artist))\n")
    let line = Printable.line(facts.filter { !$0.isEmpty }.joined(separator: " · "))
    console.print(console.style.faint(line) + "\n")
    console.print(words: [("moods", moods), ("styles", styles)])
    console.print("\n")
    let hasDiscs = tracks.contains { $0.disc > 1 }
    var table = Table()
    for track in tracks {
      let number = track.number.map { "\($0)" } ?? ""
      table.add(
        .number(hasDiscs ? "\(track.disc).\(number)" : number), .strong(track.title),
        Table.Cell(track.artist == album.artist ? "" : track.artist), .number(track.duration),
        .faint(track.id.description))
    }
    console.print(table)
  }
}

extension Console {
  /// Prints lists of words, each on a line of its own after what it is a list of.
  fileprivate func print(words: [(name: String, words: [String]?)]) {
    for case (let name, let words?) in words where !words.isEmpty {
      print(style.faint(Printable.line("\(name): " + words.joined(separator: ", "))) + "\n")
    }
  }
}

extension Library.SearchResults {
  /// Prints them for people.
  func print(to console: Console) {
    if isEmpty { return console.note("Nothing found.") }
    func section(_ name: String, _ fill: (inout Table) -> Void) {
      var table = Table()
      fill(&table)
      guard !table.isEmpty else { return }
      if console.width != nil { console.print(console.style.faint(name) + "\n") }
      console.print(table)
    }
    section("artists") { table in for artist in artists { artist.add(to: &table) } }
    section("albums") { table in for album in albums { album.add(to: &table) } }
    section("tracks") { table in for track in tracks { track.add(to: &table) } }
    section("collections") { table in for collection in collections ?? [] { collection.add(to: &table) } }
  }
}

extension Library.ArtistPage {
  /// Prints it for people.
  func print(to console: Console) {
    console.print(console.style.strong(Printable.line(artist.name)) + "\n")
    let facts = [genres.joined(separator: ", "), artist.id.description]
    console.print(console.style.faint(Printable.line(facts.filter { !$0.isEmpty }.joined(separator: " · "))) + "\n")
    console.print(words: [("moods", moods), ("styles", styles)])
    if let summary { console.print(Printable.line(summary) + "\n") }
    console.print("\n")
    var table = Table()
    for album in albums { album.add(to: &table) }
    console.print(table)
  }
}

extension Library.TrackDetail {
  /// Prints it for people.
  func print(to console: Console) {
    let line = "\(console.style.strong(Printable.line(track.title))) · \(Printable.line(track.artist))"
    console.print(line + (track.rating.map { " · \($0.shown)" } ?? "") + "\n")
    let place = [track.album, track.duration.description, track.id.description].joined(separator: " · ")
    console.print(console.style.faint(Printable.line(place)) + "\n\n")
    var table = Table()
    for copy in copies {
      table.add(
        .faint(copy.id.description), Table.Cell(copy.format ?? ""), .faint(copy.isLossless ? "lossless" : ""))
    }
    console.print(table)
  }
}

extension Library.CollectionPage {
  /// Prints it for people.
  func print(to console: Console) {
    console.print(console.style.strong(Printable.line(collection.title)) + "\n")
    if let summary = collection.summary { console.print(Printable.line(summary) + "\n") }
    console.print("\n")
    Library.SearchResults(artists: artists, albums: albums, tracks: tracks).print(to: console)
  }
}

extension Library.PlaylistPage {
  /// Prints it for people.
  func print(to console: Console) {
    let count = "\(playlist.trackCount) \(playlist.trackCount == 1 ? "track" : "tracks")"
    console.print(console.style.strong(Printable.line(playlist.title)) + "\n")
    console.print(console.style.faint("\(count) · \(playlist.duration) · \(playlist.id)") + "\n\n")
    var table = Table()
    for track in tracks { track.add(to: &table) }
    console.print(table)
  }
}
