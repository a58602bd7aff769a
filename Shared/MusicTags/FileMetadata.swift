import Text

/// The metadata of a file for the catalogue: what its tags say by the rules, and values from its name where tags are
/// missing.
///
/// It is a class, as copying a struct of so many texts would retain each of them.
package final class FileMetadata: Sendable {
  package let tags: FileTags
  package let rules: TagRules
  package let packed: String
  package let title: String
  package let titleSort: String
  package let disc: Int
  package let number: Int?
  /// The track's own artists as one text; never "Various Artists".
  package let artist: String?
  /// The first of the values of the artist without featured artists, by which files without an album artist are
  /// grouped.
  package let firstArtist: String?
  /// The track's own artists.
  package let artists: [TaggedArtist]
  /// The album artist as one text.
  package let albumArtist: String?
  package let year: Int?
  package let genres: [String]

  package convenience init(packed: String, folder: [UInt8], name: [UInt8], _ rules: TagRules) {
    self.init(FileTags(packed: packed), packed: packed, folder: folder, name: name, rules)
  }

  package init(_ tags: FileTags, packed: String? = nil, folder: [UInt8], name: [UInt8], _ rules: TagRules) {
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
    disc = tags.place.disc ?? Self.disc(ofFolder: FileName.last(ofPath: folder), tags) ?? 1
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

  /// Returns the disc that the name of a folder names; nil if it is the title of the album, such as `LP5`.
  private static func disc(ofFolder name: [UInt8], _ tags: FileTags) -> Int? {
    guard let disc = FileName.disc(ofFolder: name) else { return nil }
    let isTitle = tags.albumName.title?.caseFolded == String(decoding: name, as: UTF8.self).normalised.caseFolded
    return isTitle ? nil : disc.number
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
  /// The name by which the artist is sorted; nil if the tags have none for the whole text.
  package var artistSort: String? { tags.artists.sort.isEmpty ? nil : tags.artists.sort.joined(separator: ", ") }

  /// The name by which the album artist is sorted; nil if the tags have none.
  package var albumArtistSort: String? {
    albumArtist == VariousArtists.name || tags.albumArtists.sort.isEmpty
      ? nil : tags.albumArtists.sort.joined(separator: ", ")
  }

  /// The artists of the album as the tags name them; empty if they name none.
  package var albumArtists: [TaggedArtist] {
    albumArtist == VariousArtists.name
      ? [TaggedArtist(name: VariousArtists.name)] : TaggedArtist.artists(tags.albumArtists, rules)
  }

  /// The artists of an album without album artists of which this is a track: those of `firstArtist`.
  package var firstArtists: [TaggedArtist] {
    guard let firstArtist else { return [] }
    let names =
      artists.contains { $0.name == firstArtist }
      ? [firstArtist] : rules.artists.split(firstArtist)
    return names.map { name in artists.first { $0.name == name } ?? TaggedArtist(name: name) }
  }

  /// Everybody who is named in a role other than artist.
  package var people: [TaggedCredit] { TaggedCredit.credits(tags.people, rules) }
}
