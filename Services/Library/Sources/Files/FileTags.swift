import Model
import Text

/// The tags of one file. Nothing here is guessed.
struct FileTags: Hashable, Sendable {
  var title: String?
  var titleSort: String?
  /// The track's own artists as one text; never "Various Artists".
  var artist: String?
  /// The first of them, by which an album is gathered that names no album artist.
  var firstArtist: String?
  var artistSort: String?
  var album: String?
  var albumSort: String?
  var albumArtist: String?
  var albumArtistSort: String?
  var disc: Int?
  var number: Int?
  var year: Int?
  var genres: [String] = []
  var isCompilation = false
  var recordingID: String?
  var releaseID: String?
  var releaseGroupID: String?
  /// The MusicBrainz id of the first of the track's artists.
  var artistID: String?
  /// Those of all of them, in their order.
  var artistIDs: [String] = []
  /// The International Standard Recording Code.
  var isrc: String?
  /// The MusicBrainz id of the first of the album artists.
  var albumArtistID: String?
  /// Its loudness; nil where nobody measured it.
  var levels: Levels?
  /// True if nothing was lost in its encoding.
  var isLossless = false
  var duration = Milliseconds.zero
  var hasPicture = false

  /// The MusicBrainz ids and the ISRC that scrobble services are sent.
  var ids: MusicIDs {
    MusicIDs(
      artists: artistIDs.isEmpty ? [artistID].compactMap { $0 } : artistIDs, releaseGroup: releaseGroupID, isrc: isrc)
  }

  /// True if it names neither title nor artist nor album.
  var isEmpty: Bool { title == nil && artist == nil && album == nil && albumArtist == nil }
}

/// Tags as one text for the store: fields in a fixed order, each ended by U+001F, genres by U+001E. New fields go to
/// the end.
extension FileTags {
  /// The tags as text.
  var packed: String {
    var text = ""
    func put(_ field: String?) {
      if let field { text += field }
      text += "\u{1F}"
    }
    put(title)
    put(titleSort)
    put(artist)
    put(firstArtist == artist ? nil : firstArtist)
    put(artistSort)
    put(album)
    put(albumSort)
    put(albumArtist)
    put(albumArtistSort)
    put(disc.map(String.init))
    put(number.map(String.init))
    put(year.map(String.init))
    for genre in genres {
      text += genre
      text += "\u{1E}"
    }
    put(nil)
    put(isCompilation ? "1" : nil)
    put(recordingID)
    put(releaseID)
    put(String(duration.rawValue))
    put(hasPicture ? "1" : nil)
    put(releaseGroupID)
    put(artistID)
    put(albumArtistID)
    put(isLossless ? "1" : nil)
    for level in [levels?.trackGain, levels?.trackPeak, levels?.albumGain, levels?.albumPeak] {
      put(level.map { "\($0)" })
    }
    put(artistIDs.count > 1 ? artistIDs.joined(separator: "\u{1E}") : nil)
    put(isrc)
    return text
  }

  /// Reads what `packed` gave; missing fields at the end are empty.
  init(packed: String) {
    var fields = packed.utf8.split(separator: 0x1F, omittingEmptySubsequences: false)[...]
    func next() -> String? { fields.popFirst().flatMap { $0.isEmpty ? nil : String(Substring($0)) } }
    func nextNumber() -> Int? { next().flatMap { Int($0) } }
    self.init()
    title = next()
    titleSort = next()
    artist = next()
    firstArtist = next() ?? artist
    artistSort = next()
    album = next()
    albumSort = next()
    albumArtist = next()
    albumArtistSort = next()
    disc = nextNumber()
    number = nextNumber()
    year = nextNumber()
    genres = (next() ?? "").utf8.split(separator: 0x1E).map { String(Substring($0)) }
    isCompilation = next() != nil
    recordingID = next()
    releaseID = next()
    duration = Milliseconds(Int64(nextNumber() ?? 0))
    hasPicture = next() != nil
    releaseGroupID = next()
    artistID = next()
    albumArtistID = next()
    isLossless = next() != nil
    func nextLevel() -> Double? { next().flatMap { Double($0) } }
    let read = Levels(
      trackGain: nextLevel(), trackPeak: nextLevel(), albumGain: nextLevel(), albumPeak: nextLevel())
    levels = read.isEmpty ? nil : read
    // A single one is the first of all.
    artistIDs = next()?.utf8.split(separator: 0x1E).map { String(Substring($0)) } ?? [artistID].compactMap { $0 }
    isrc = next()
  }
}

/// The metadata that a file gives the catalogue: its tags, and what its name says where they are silent.
///
/// A class, for it has a score of texts that never change: passing it on costs one count of references, not twenty.
final class FileMetadata: Sendable {
  let tags: FileTags
  let title: String
  let titleSort: String
  let disc: Int
  let number: Int?
  /// The tags as the store keeps them.
  let packed: String

  /// Reads what stored tags and the path say.
  convenience init(packed: String, folder: [UInt8], name: [UInt8]) {
    self.init(FileTags(packed: packed), packed: packed, folder: folder, name: name)
  }

  /// Reads what tags and path say.
  convenience init(_ tags: FileTags, folder: [UInt8], name: [UInt8]) {
    self.init(tags, packed: tags.packed, folder: folder, name: name)
  }

  private init(_ tags: FileTags, packed: String, folder: [UInt8], name: [UInt8]) {
    self.tags = tags
    self.packed = packed
    if let title = tags.title, let number = tags.number {
      self.title = title
      self.number = number
    } else {
      let fromName = FileName.numberedTitle(FileName.stem(name))
      title = tags.title ?? fromName.title.normalised
      number = tags.number ?? fromName.number
    }
    disc = tags.disc ?? FileName.discNumber(ofFolder: FilePath.name(folder)) ?? 1
    titleSort = SortKey.of(tags.titleSort ?? title)
  }
}
