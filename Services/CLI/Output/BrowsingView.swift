import Client
import Messages
import Model

extension Library.TagCount: TableRow {
  var row: [Table.Cell] {
    [.strong(name), .number(Printable.count(albums, "album"))]
      + [id?.description, kind?.rawValue].compactMap { $0.map { Table.Cell.faint($0) } }
  }
}

extension Library.CreditedTrack: TableRow {
  var row: [Table.Cell] { track.row + [.faint(credit.instrument ?? "")] }
}

extension Library.WorkEntry: TableRow {
  var row: [Table.Cell] {
    [
      .faint(id.description), .strong(title), .init(composer?.name ?? ""),
      .number(Printable.count(trackCount, "track")),
    ]
  }
}

extension Library.FolderPage.Folder: TableRow {
  var row: [Table.Cell] { [.faint(id.description), .strong(name + "/")] }
}

extension Library.FolderPage.FolderTrack: TableRow {
  var row: [Table.Cell] {
    [
      .faint(track.id.description), .strong(name), .init(track.title), .faint(track.artist),
      .number(track.duration.ofTrack),
    ]
  }
}

extension Library.WorkPage {
  func print(to console: Console) {
    let composer = work.composer.map { " · \(Printable.line($0.name))" } ?? ""
    console.print(console.style.strong(Printable.line(work.title)) + composer + "\n\n")
    console.print(Table(tracks))
  }
}

extension Library.FolderPage {
  func print(to console: Console) {
    if folders.isEmpty, albums.isEmpty, tracks.isEmpty {
      return console.remark(
        path == nil ? "There are no music folders. `lunara sources --help` shows how to add one." : "There is no more.")
    }
    for (name, table) in [("folders", Table(folders)), ("albums", Table(albums)), ("files", Table(tracks))]
    where !table.isEmpty {
      if console.width != nil { console.print(console.style.faint(name) + "\n") }
      console.print(table)
    }
  }
}

extension CreditRole {
  /// The role as people read it.
  var title: String {
    switch self {
    case .albumArtist: "album artist"
    case .djMixer: "DJ mixer"
    default: rawValue
    }
  }
}

extension [Library.AlbumCredit] {
  /// One line for each role, with everybody who has it and their instruments. Of `total` tracks, those who take part in
  /// fewer are shown with their number of tracks.
  func lines(total: Int) -> [String] {
    var roles: [CreditRole] = []
    for one in self where !roles.contains(one.credit.role) { roles.append(one.credit.role) }
    return roles.map { role in
      let people = filter { $0.credit.role == role }.map { one in
        let notes = [one.credit.instrument, one.tracks < total ? Printable.count(one.tracks, "track") : nil]
          .compactMap(\.self)
        return one.credit.name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
      }
      return "\(role.title): " + people.joined(separator: ", ")
    }
  }
}

extension Library.CreditGroup {
  /// The role with its numbers of tracks and albums.
  var line: String {
    let name = role == .artist ? "appears on" : role.title
    return "\(name): \(Printable.count(tracks, "track")) on \(Printable.count(albums, "album"))"
  }
}

extension TrackFacts {
  /// The facts that are known, each with its name.
  var lines: [String] {
    let words: [(name: String, value: String?)] = [
      ("subtitle", subtitle), ("disc", discTitle), ("released", date), ("first released", originalDate),
      ("tempo", beatsPerMinute.map { "\($0.formatted) beats a minute" }), ("key", key), ("moods", list(moods)),
      ("styles", list(styles)), ("groupings", list(groupings)), ("languages", list(languages)),
      ("explicit", isExplicit == true ? "yes" : nil), ("comment", comment),
    ]
    return words.compactMap { name, value in value.map { "\(name): \($0)" } }
  }
}

extension TrackFacts {
  private func list(_ words: [String]?) -> String? { words?.joined(separator: ", ") }
}

extension Double {
  /// The number without decimals where it has none.
  fileprivate var formatted: String { Int(exactly: self).map(String.init) ?? description }
}
