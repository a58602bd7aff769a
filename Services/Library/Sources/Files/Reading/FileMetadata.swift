import Model
import Text

/// The metadata of a file for the catalogue: what its tags say by the rules, and values from its name where tags are
/// missing.
///
/// It is a class, as copying a struct of so many texts would retain each of them.
final class FileMetadata: Sendable {
  let tags: FileTags
  let rules: TagRules
  let packed: String
  let title: String
  let titleSort: String
  let disc: Int
  let number: Int?
  /// The track's own artists as one text; never "Various Artists".
  let artist: String?
  /// The first of the values of the artist without featured artists, by which files without an album artist are
  /// grouped.
  let firstArtist: String?
  /// The track's own artists.
  let artists: [TaggedArtist]
  /// The album artist as one text.
  let albumArtist: String?
  let year: Int?
  let genres: [String]

  convenience init(packed: String, folder: [UInt8], name: [UInt8], _ rules: TagRules) {
    self.init(FileTags(packed: packed), packed: packed, folder: folder, name: name, rules)
  }

  init(_ tags: FileTags, packed: String? = nil, folder: [UInt8], name: [UInt8], _ rules: TagRules) {
    self.packed = packed ?? tags.packed
    let tags = tags.separated(rules)
    self.tags = tags
    self.rules = rules
    if let title = tags.title.title, let number = tags.place.number {
      self.title = title
      self.number = number
    } else {
      let fromName = FileName.numberedTitle(FileName.stem(name))
      title = tags.title.title ?? fromName.title.normalised
      number = tags.place.number ?? fromName.number
    }
    disc = tags.place.disc ?? FileName.discNumber(ofFolder: FilePath.name(folder)) ?? 1
    titleSort = SortKey.of(tags.title.sort ?? title)
    let own = tags.artists.names.filter { !VariousArtists.isMeant(by: $0) }
    artist = own.isEmpty ? nil : own.joined(separator: ", ")
    firstArtist = own.first.map(rules.artists.withoutFeatured)
    artists = Self.artists(tags, rules)
    if tags.albumArtists.names.contains(where: VariousArtists.isMeant) {
      albumArtist = VariousArtists.name
    } else {
      albumArtist = tags.albumArtists.names.isEmpty ? nil : tags.albumArtists.names.joined(separator: ", ")
    }
    year = (tags.dates.date ?? tags.dates.year).flatMap(TagInterpretation.year)
    genres = rules.genres.words(in: tags.words.genres)
  }

  /// Returns the artists that the tags name, and those that only the title does: `Song (feat. X)`.
  private static func artists(_ tags: FileTags, _ rules: TagRules) -> [TaggedArtist] {
    let artists = TaggedArtist.artists(tags.artists, rules)
    guard let title = tags.title.title, !artists.isEmpty else { return artists }
    let featured = rules.artists.featured(inTitle: title)
    return featured.isEmpty ? artists : TaggedArtist.unique(artists + featured.map { TaggedArtist(name: $0) })
  }
}

/// Values that are needed once for a track or an album, and are therefore not kept.
extension FileMetadata {
  /// The name by which the artist is sorted; nil where the tags have none for the whole text.
  var artistSort: String? { tags.artists.sort.isEmpty ? nil : tags.artists.sort.joined(separator: ", ") }

  /// The name by which the album artist is sorted; nil where the tags have none.
  var albumArtistSort: String? {
    albumArtist == VariousArtists.name || tags.albumArtists.sort.isEmpty
      ? nil : tags.albumArtists.sort.joined(separator: ", ")
  }

  /// The artists of the album as the tags name them; empty where they name none.
  var albumArtists: [TaggedArtist] {
    albumArtist == VariousArtists.name
      ? [TaggedArtist(name: VariousArtists.name)] : TaggedArtist.artists(tags.albumArtists, rules)
  }

  /// The artists of an album without album artists of which this is a track: those of `firstArtist`.
  var firstArtists: [TaggedArtist] {
    guard let firstArtist else { return [] }
    let names =
      artists.contains { $0.name == firstArtist }
      ? [firstArtist] : rules.artists.split(firstArtist)
    return names.map { name in artists.first { $0.name == name } ?? TaggedArtist(name: name) }
  }

  /// Returns what is stored of the track beside its row. Artists who are exactly those of its album are not credited
  /// again.
  func details(on album: AlbumGrouping.Album) -> TaggedDetails {
    var details = TaggedDetails(credits: people)
    let isImplied =
      artists.isEmpty
      || artists.count == album.artists.count
        && zip(artists, album.artists).allSatisfy {
          $0.name.caseFolded == $1.name.caseFolded && ($0.id == $1.id || $0.id == nil || $1.id == nil)
        }
    if !isImplied { details.credits = artists.map { TaggedCredit(artist: $0, role: .artist) } + details.credits }
    if let work = tags.title.work {
      details.work = TaggedWork(
        title: work, id: tags.title.workID, movement: tags.title.movement, number: tags.title.movementNumber,
        total: tags.title.movementTotal)
    }
    return details
  }

  /// Everybody who is named in a role other than artist.
  var people: [TaggedCredit] { TaggedCredit.credits(tags.people, rules) }
}
