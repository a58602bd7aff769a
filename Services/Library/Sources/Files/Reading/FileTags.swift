import Model

/// The tags of one file, as they are in the file: values are trimmed and normalised, and nothing is split, joined,
/// guessed or left out. `FileMetadata` makes of them what the catalogue shows.
///
/// A new tag needs its property here, its names in `TagField.swift` and a line in `FileTags+Packing.swift`.
struct FileTags: Hashable, Sendable {
  var title = TitleTags()
  var artists = ArtistTags()
  var albumArtists = ArtistTags()
  var albumName = AlbumNameTags()
  var place = PlaceTags()
  var dates = DateTags()
  /// Everybody who is named in a role other than artist, in the order of the file.
  var people: [CreditTag] = []
  var words = WordTags()
  var ids = IDTags()
  var owner = OwnerTags()
  var audio = AudioTags()
  /// The text of an embedded CUE sheet.
  var cueSheet: String?
  /// True if slashes stand between the values of lists, as between the ids of several artists.
  var joinsBySlash = false
  /// The text of the CUESHEET block of a FLAC file, as `CueBlock` has it.
  var cueBlock: String?

  /// True if it names neither title nor artist nor album.
  var isEmpty: Bool {
    title.title == nil && albumName.title == nil && artists.names.isEmpty && albumArtists.names.isEmpty
  }

  /// The MusicBrainz ids and the ISRC that scrobble services are sent.
  var musicIDs: MusicIDs {
    MusicIDs(
      artists: Array(artists.ids.prefix(MusicIDs.mostArtists)), releaseGroup: albumName.releaseGroupID, isrc: ids.isrc)
  }
}

/// The names of a track, and of the work that it is a recording of.
struct TitleTags: Hashable, Sendable {
  var title: String?
  var sort: String?
  var subtitle: String?
  var work: String?
  /// The MusicBrainz id of the work.
  var workID: String?
  var movement: String?
  var movementNumber: Int?
  var movementTotal: Int?
}

/// The artists of a track or an album.
struct ArtistTags: Hashable, Sendable {
  /// The values of `ARTIST` or `ALBUMARTIST`, as they are shown.
  var shown: [String] = []
  /// The values of `ARTISTS` or `ALBUMARTISTS`, which name each artist by itself.
  var each: [String] = []
  var sort: [String] = []
  /// MusicBrainz ids.
  var ids: [String] = []

  /// The values that are shown: the names one by one where nothing else is there.
  var names: [String] { shown.isEmpty ? each : shown }
}

/// The name of an album, and what tells its editions apart.
struct AlbumNameTags: Hashable, Sendable {
  var title: String?
  var sort: String?
  var edition: String?
  /// The MusicBrainz id of the release.
  var releaseID: String?
  /// The MusicBrainz id of the release group.
  var releaseGroupID: String?
  /// The types of the release, such as `album` and `live`.
  var types: [String] = []
  var status: String?
  var labels: [String] = []
  var catalogueNumbers: [String] = []
  var country: String?
  var media: String?
  var barcode: String?
  var isCompilation = false
}

/// The place of a track on its album.
struct PlaceTags: Hashable, Sendable {
  var disc: Int?
  var discTotal: Int?
  var discTitle: String?
  var number: Int?
  /// The text of the number where it is not a number from 1 on, such as `A1` or `0`.
  var numberText: String?
  var total: Int?
}

/// Dates as the file writes them.
struct DateTags: Hashable, Sendable {
  /// The value of `DATE`.
  var date: String?
  /// The value of `YEAR`.
  var year: String?
  /// The value of `RELEASEDATE`.
  var release: String?
  /// The value of `ORIGINALDATE`.
  var original: String?
  /// The value of `ORIGINALYEAR`.
  var originalYear: String?
}

/// A person in a role.
struct CreditTag: Hashable, Sendable {
  var role: CreditRole
  /// The value of the tag, which may hold several names.
  var name: String
  var sort: String?
  var instrument: String?
}

/// Words that describe a track.
struct WordTags: Hashable, Sendable {
  var genres: [String] = []
  var moods: [String] = []
  var styles: [String] = []
  var groupings: [String] = []
  var languages: [String] = []
  var comment: String?
  /// Beats a minute.
  var tempo: String?
  var key: String?
  /// The value of `ITUNESADVISORY`: 1 and 4 are explicit, 2 is a cleaned version.
  var advisory: String?
}

/// The ids of a track in public databases.
struct IDTags: Hashable, Sendable {
  /// The MusicBrainz id of the recording.
  var recordingID: String?
  var acoustID: String?
  /// The International Standard Recording Code.
  var isrc: String?
}

/// The values that the owner of the file made with other players.
struct OwnerTags: Hashable, Sendable {
  /// Ratings as `NAME=value`, such as `RATING:POPM:Windows Media Player 9 Series=196`.
  var ratings: [String] = []
  var playCount: Int?
}

/// The properties of the audio and what else is in the file.
struct AudioTags: Hashable, Sendable {
  var duration = Milliseconds.zero
  var properties = AudioProperties()
  var isLossless = false
  /// True if it becomes lossless with a correction file beside it.
  var isHybrid = false
  var levels: Levels?
  /// A digest of the audio alone; 0 if unknown.
  var digest: UInt64 = 0
  /// True if a picture is embedded that can stand for the album.
  var hasPicture = false
  var hasLyrics = false
  var hasTimedLyrics = false
  /// True if a value is marked as Latin-1 and is not ASCII.
  var hasLegacyText = false
  /// True if the file is shorter than its header says.
  var isTruncated = false
}
