import Glibc
import Model
import Text

/// The tags of one file, as they are in the file.
///
/// A new tag needs a line in each part of this file: the property, the field of TagLib, its value, and packing and
/// unpacking.
struct FileTags: Hashable, Sendable {
  var title: String?
  var titleSort: String?
  /// The track's own artists as one text; never "Various Artists".
  var artist: String?
  /// The first of the artists, by which files without an album artist are grouped.
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
  /// The MusicBrainz ids of all of the track's artists, in their order.
  var artistIDs: [String] = []
  /// The International Standard Recording Code.
  var isrc: String?
  /// The MusicBrainz id of the first of the album artists.
  var albumArtistID: String?
  var levels: Levels?
  var isLossless = false
  /// The properties of the audio.
  var audio = AudioProperties()
  var duration = Milliseconds.zero
  var hasPicture = false

  /// The MusicBrainz ids and the ISRC that scrobble services are sent.
  var ids: MusicIDs { MusicIDs(artists: artistIDs, releaseGroup: releaseGroupID, isrc: isrc) }

  /// True if it names neither title nor artist nor album.
  var isEmpty: Bool { title == nil && artist == nil && album == nil && albumArtist == nil }
}

/// The properties that are read, by the names under which TagLib gives them for every format (its manual, "Mapping of
/// Tag Properties").
enum TagField: Sendable {
  case title, titleSort, artist, artistSort, album, albumSort, albumArtist, albumArtistSort
  case disc, number, date, genre, compilation, recording, release, releaseGroup, artistID, albumArtistID, isrc
  case trackGain, trackPeak, albumGain, albumPeak, trackR128, albumR128, reference

  private static let names: [(StaticString, TagField)] = [
    ("TITLE", .title), ("ARTIST", .artist), ("ALBUM", .album), ("ALBUMARTIST", .albumArtist),
    // The names that foobar2000 and ffmpeg write into APE tags.
    ("ALBUM ARTIST", .albumArtist), ("ALBUM_ARTIST", .albumArtist), ("TRACKNUMBER", .number), ("DISCNUMBER", .disc),
    ("DATE", .date), ("YEAR", .date),
    ("GENRE", .genre), ("COMPILATION", .compilation), ("MUSICBRAINZ_TRACKID", .recording),
    ("MUSICBRAINZ_ALBUMID", .release), ("TITLESORT", .titleSort), ("ARTISTSORT", .artistSort),
    ("ALBUMSORT", .albumSort), ("ALBUMARTISTSORT", .albumArtistSort),
    ("MUSICBRAINZ_RELEASEGROUPID", .releaseGroup), ("MUSICBRAINZ_ARTISTID", .artistID),
    ("MUSICBRAINZ_ALBUMARTISTID", .albumArtistID), ("ISRC", .isrc),
    ("REPLAYGAIN_TRACK_GAIN", .trackGain), ("REPLAYGAIN_TRACK_PEAK", .trackPeak),
    ("REPLAYGAIN_ALBUM_GAIN", .albumGain), ("REPLAYGAIN_ALBUM_PEAK", .albumPeak),
    ("REPLAYGAIN_REFERENCE_LOUDNESS", .reference), ("R128_TRACK_GAIN", .trackR128), ("R128_ALBUM_GAIN", .albumR128),
  ]

  /// The field for a property's name in capitals; nil for properties that are not read.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard let start = name.baseAddress else { return nil }
    let known = Self.names.first { known, _ in
      known.utf8CodeUnitCount == name.count && memcmp(known.utf8Start, start, name.count) == 0
    }
    guard let known else { return nil }
    self = known.1
  }
}

/// Makes tags out of the names and values that a file holds, in the order in which it holds them.
struct TagInterpretation {
  private var tags = FileTags()
  private var artists: [String] = []
  private var albumArtists: [String] = []
  private var levels = LevelTags()

  private static let mostGenres = 16

  mutating func add(_ field: TagField, _ value: UnsafeBufferPointer<UInt8>) {
    switch field {
    case .disc: tags.disc = tags.disc ?? Self.number(value)
    case .number: tags.number = tags.number ?? Self.number(value)
    case .date: tags.year = tags.year ?? Self.year(value)
    case .compilation: tags.isCompilation = value.first == UInt8(ascii: "1")
    case .title: tags.title = tags.title ?? Self.text(value)
    case .titleSort: tags.titleSort = tags.titleSort ?? Self.text(value)
    case .artist: artists += [Self.text(value)].compactMap { $0 }
    case .artistSort: tags.artistSort = tags.artistSort ?? Self.text(value)
    case .album: tags.album = tags.album ?? Self.text(value)
    case .albumSort: tags.albumSort = tags.albumSort ?? Self.text(value)
    case .albumArtist: albumArtists += [Self.text(value)].compactMap { $0 }
    case .albumArtistSort: tags.albumArtistSort = tags.albumArtistSort ?? Self.text(value)
    case .genre: addGenres(Self.text(value) ?? "")
    case .recording: tags.recordingID = tags.recordingID ?? Self.text(value)
    case .release: tags.releaseID = tags.releaseID ?? Self.text(value)
    case .releaseGroup: tags.releaseGroupID = tags.releaseGroupID ?? Self.text(value)
    case .artistID:
      tags.artistIDs = Array((tags.artistIDs + Self.ids(value)).prefix(MusicIDs.mostArtists))
    case .isrc: tags.isrc = tags.isrc ?? Self.text(value)
    case .albumArtistID: tags.albumArtistID = tags.albumArtistID ?? Self.ids(value).first
    case .trackGain, .trackPeak, .albumGain, .albumPeak, .trackR128, .albumR128, .reference: levels.add(field, value)
    }
  }

  private mutating func addGenres(_ text: String) {
    for genre in text.split(separator: ";").map({ String($0).trimmed }) where tags.genres.count < Self.mostGenres {
      let isKnown = tags.genres.contains { $0.caseFolded == genre.caseFolded }
      if !genre.isEmpty, !isKnown { tags.genres.append(genre) }
    }
  }

  /// The tags once all values were taken.
  consuming func finished() -> FileTags {
    tags.levels = levels.finished()
    // "Various Artists" is never the artist of a single track.
    let own = artists.filter { !VariousArtists.isMeant(by: $0) }
    tags.artist = own.isEmpty ? nil : own.joined(separator: ", ")
    tags.firstArtist = own.first.map(VariousArtists.withoutFeaturedArtists)
    if albumArtists.contains(where: VariousArtists.isMeant) {
      tags.albumArtist = VariousArtists.name
      tags.albumArtistSort = nil
    } else if !albumArtists.isEmpty {
      tags.albumArtist = albumArtists.joined(separator: ", ")
    }
    return tags
  }
}

/// Tags as one text for the store: fields in a fixed order, each ended by U+001F, genres by U+001E. New fields go to
/// the end.
extension FileTags {
  var packed: String {
    func flag(_ isSet: Bool) -> String? { isSet ? "1" : nil }
    func number(_ value: (some CustomStringConvertible)?) -> String? { value?.description }
    let fields: [String?] = [
      title, titleSort, artist, firstArtist == artist ? nil : firstArtist, artistSort, album, albumSort, albumArtist,
      albumArtistSort, number(disc), number(self.number), number(year), genres.map { $0 + "\u{1E}" }.joined(),
      flag(isCompilation), recordingID, releaseID, number(duration.rawValue), flag(hasPicture), releaseGroupID,
      artistIDs.first, albumArtistID, flag(isLossless), number(levels?.trackGain), number(levels?.trackPeak),
      number(levels?.albumGain), number(levels?.albumPeak),
      artistIDs.count > 1 ? artistIDs.joined(separator: "\u{1E}") : nil, isrc,
      audio.codec, number(audio.bitRate), number(audio.sampleRate), number(audio.bitDepth), number(audio.channels),
    ]
    return fields.reduce(into: "") { $0 += ($1 ?? "") + "\u{1F}" }
  }

  /// Reads the text of `packed`; missing fields at the end are empty.
  init(packed: String) {
    var fields = packed.utf8.split(separator: 0x1F, omittingEmptySubsequences: false)[...]
    func next() -> String? { fields.popFirst().flatMap { $0.isEmpty ? nil : String(Substring($0)) } }
    func nextNumber() -> Int? { next().flatMap { Int($0) } }
    func nextLevel() -> Double? { next().flatMap { Double($0) } }
    func nextList() -> [String]? { next()?.utf8.split(separator: 0x1E).map { String(Substring($0)) } }
    self.init()
    (title, titleSort, artist) = (next(), next(), next())
    (firstArtist, artistSort) = (next() ?? artist, next())
    (album, albumSort, albumArtist, albumArtistSort) = (next(), next(), next(), next())
    (disc, number, year) = (nextNumber(), nextNumber(), nextNumber())
    (genres, isCompilation, recordingID, releaseID) = (nextList() ?? [], next() != nil, next(), next())
    (duration, hasPicture) = (Milliseconds(Int64(nextNumber() ?? 0)), next() != nil)
    releaseGroupID = next()
    let firstArtistID = next()
    (albumArtistID, isLossless) = (next(), next() != nil)
    let read = Levels(
      trackGain: nextLevel(), trackPeak: nextLevel(), albumGain: nextLevel(), albumPeak: nextLevel())
    levels = read.isEmpty ? nil : read
    // A list of one id is not packed, as the first one is packed before.
    (artistIDs, isrc) = (nextList() ?? [firstArtistID].compactMap { $0 }, next())
    audio = AudioProperties(
      codec: next(), bitRate: nextNumber(), sampleRate: nextNumber(), bitDepth: nextNumber(), channels: nextNumber())
  }
}
