package import Model

/// The tags of one file, as they are in the file: values are trimmed and normalised, and nothing is split, joined,
/// guessed or left out. `FileMetadata` makes of them what the catalogue shows.
///
/// A new tag needs its property and a code here, and its names in `TagField.swift`.
package struct FileTags: Hashable, Sendable {
  package var title = TitleTags()
  package var artists = ArtistTags()
  package var albumArtists = ArtistTags()
  package var albumName = AlbumNameTags()
  package var place = PlaceTags()
  package var dates = DateTags()
  /// Everybody who is named in a role other than artist, in the order of the file.
  package var people: [CreditTag] = []
  package var words = WordTags()
  package var ids = IDTags()
  package var owner = OwnerTags()
  package var audio = AudioTags()
  /// The text of an embedded CUE sheet.
  package var cueSheet: String?
  /// True if slashes stand between the values of lists, as between the ids of several artists.
  package var joinsBySlash = false
  /// The text of the CUESHEET block of a FLAC file, as `CueBlock` has it.
  package var cueBlock: String?

  /// True if it names neither title nor artist nor album.
  package var isEmpty: Bool {
    title.title == nil && albumName.title == nil && artists.names.isEmpty && albumArtists.names.isEmpty
  }

  package init() {}
}

/// The names of a track, and of the work that it is a recording of.
package struct TitleTags: Hashable, Sendable {
  package var title: String?
  package var sort: String?
  package var subtitle: String?
  package var work: String?
  /// The MusicBrainz id of the work.
  package var workID: String?
  package var movement: String?
  package var movementNumber: Int?
  package var movementTotal: Int?

  package init() {}
}

/// The artists of a track or an album.
package struct ArtistTags: Hashable, Sendable {
  /// The values of `ARTIST` or `ALBUMARTIST`, as they are shown.
  package var shown: [String] = []
  /// The values of `ARTISTS` or `ALBUMARTISTS`, which name each artist by itself.
  package var each: [String] = []
  package var sort: [String] = []
  /// MusicBrainz ids.
  package var ids: [String] = []

  /// The values that are shown: the names one by one where nothing else is there.
  package var names: [String] { shown.isEmpty ? each : shown }

  package init(shown: [String] = []) { self.shown = shown }
}

/// The name of an album, and the tags that distinguish its editions.
package struct AlbumNameTags: Hashable, Sendable {
  package var title: String?
  package var sort: String?
  package var edition: String?
  /// The MusicBrainz id of the release.
  package var releaseID: String?
  /// The MusicBrainz id of the release group.
  package var releaseGroupID: String?
  /// The types of the release, such as `album` and `live`.
  package var types: [String] = []
  package var status: String?
  package var labels: [String] = []
  package var catalogueNumbers: [String] = []
  package var country: String?
  package var media: String?
  package var barcode: String?
  package var isCompilation = false

  package init() {}
}

/// The place of a track on its album.
package struct PlaceTags: Hashable, Sendable {
  package var disc: Int?
  package var discTotal: Int?
  package var discTitle: String?
  package var number: Int?
  /// The text of the number where it is not a number from 1 on, such as `A1` or `0`.
  package var numberText: String?
  package var total: Int?

  package init() {}
}

/// Dates as the file writes them.
package struct DateTags: Hashable, Sendable {  // memberwise
  /// The value of `DATE`.
  package var date: String? = nil
  /// The value of `YEAR`.
  package var year: String? = nil
  /// The value of `RELEASEDATE`.
  package var release: String? = nil
  /// The value of `ORIGINALDATE`.
  package var original: String? = nil
  /// The value of `ORIGINALYEAR`.
  package var originalYear: String? = nil
}

/// A person in a role.
package struct CreditTag: Hashable, Sendable {  // memberwise
  package var role: CreditRole
  /// The value of the tag, which may hold several names.
  package var name: String
  package var sort: String? = nil
  package var instrument: String? = nil
}

/// Words that describe a track.
package struct WordTags: Hashable, Sendable {
  package var genres: [String] = []
  package var moods: [String] = []
  package var styles: [String] = []
  package var groupings: [String] = []
  package var languages: [String] = []
  package var comment: String?
  /// Beats a minute.
  package var tempo: String?
  package var key: String?
  /// The value of `ITUNESADVISORY`: 1 and 4 are explicit, 2 is a cleaned version.
  package var advisory: String?

  package init() {}
}

/// The ids of a track in public databases.
package struct IDTags: Hashable, Sendable {
  /// The MusicBrainz id of the recording.
  package var recordingID: String?
  package var acoustID: String?
  /// The International Standard Recording Code.
  package var isrc: String?

  package init() {}
}

/// The values that the owner of the file made with other players.
package struct OwnerTags: Hashable, Sendable {
  /// Ratings as `NAME=value`, such as `RATING:POPM:Windows Media Player 9 Series=196`.
  package var ratings: [String] = []
  package var playCount: Int?

  package init() {}
}

/// The properties of the audio and of other parts of the file.
package struct AudioTags: Hashable, Sendable {
  package var duration = Milliseconds.zero
  package var properties = AudioProperties()
  package var isLossless = false
  /// True if it becomes lossless with a correction file beside it.
  package var isHybrid = false
  package var levels: Levels?
  /// A digest of the audio alone; 0 if unknown.
  package var digest: UInt64 = 0
  /// True if a picture is embedded that can stand for the album.
  package var hasPicture = false
  package var hasLyrics = false
  package var hasTimedLyrics = false
  /// True if a value is marked as Latin-1 and is not ASCII.
  package var hasLegacyText = false
  /// True if the file is shorter than its header says.
  package var isTruncated = false

  package init() {}
}

extension FileTags {
  /// Visits all fields, each with its code of two letters. A code is never used again for another field.
  mutating func visitFields(_ visitor: inout some FileTagsVisitor) {
    visitor.visit("ti", &title.title)
    visitor.visit("ts", &title.sort)
    visitor.visit("tb", &title.subtitle)
    visitor.visit("wk", &title.work)
    visitor.visit("wi", &title.workID)
    visitor.visit("mv", &title.movement)
    visitor.visit("mn", &title.movementNumber)
    visitor.visit("mt", &title.movementTotal)
    visitor.visit("ar", &artists.shown)
    visitor.visit("ae", &artists.each)
    visitor.visit("as", &artists.sort)
    visitor.visit("ai", &artists.ids)
    visitor.visit("br", &albumArtists.shown)
    visitor.visit("be", &albumArtists.each)
    visitor.visit("bs", &albumArtists.sort)
    visitor.visit("bi", &albumArtists.ids)
    visitor.visit("al", &albumName.title)
    visitor.visit("ab", &albumName.sort)
    visitor.visit("ed", &albumName.edition)
    visitor.visit("ri", &albumName.releaseID)
    visitor.visit("rg", &albumName.releaseGroupID)
    visitor.visit("ty", &albumName.types)
    visitor.visit("st", &albumName.status)
    visitor.visit("lb", &albumName.labels)
    visitor.visit("ca", &albumName.catalogueNumbers)
    visitor.visit("cy", &albumName.country)
    visitor.visit("me", &albumName.media)
    visitor.visit("bc", &albumName.barcode)
    visitor.visit("cp", &albumName.isCompilation)
    visitor.visit("di", &place.disc)
    visitor.visit("dt", &place.discTotal)
    visitor.visit("dn", &place.discTitle)
    visitor.visit("nu", &place.number)
    visitor.visit("nt", &place.numberText)
    visitor.visit("to", &place.total)
    visitor.visit("da", &dates.date)
    visitor.visit("ye", &dates.year)
    visitor.visit("dr", &dates.release)
    visitor.visit("do", &dates.original)
    visitor.visit("dy", &dates.originalYear)
    var people = people.map(\.packed)
    visitor.visit("pe", &people)
    self.people = people.compactMap(CreditTag.init(packed:))
    visitor.visit("ge", &words.genres)
    visitor.visit("mo", &words.moods)
    visitor.visit("sy", &words.styles)
    visitor.visit("gr", &words.groupings)
    visitor.visit("la", &words.languages)
    visitor.visit("co", &words.comment)
    visitor.visit("bm", &words.tempo)
    visitor.visit("ke", &words.key)
    visitor.visit("ad", &words.advisory)
    visitor.visit("id", &ids.recordingID)
    visitor.visit("ac", &ids.acoustID)
    visitor.visit("is", &ids.isrc)
    visitor.visit("ra", &owner.ratings)
    visitor.visit("pc", &owner.playCount)
    audio.visitFields(&visitor)
    visitor.visit("cu", &cueSheet)
    visitor.visit("sl", &joinsBySlash)
    visitor.visit("cb", &cueBlock)
  }
}

extension AudioTags {
  fileprivate mutating func visitFields(_ visitor: inout some FileTagsVisitor) {
    var milliseconds = duration == .zero ? nil : Int(clamping: duration.rawValue)
    visitor.visit("xd", &milliseconds)
    duration = Milliseconds(Int64(milliseconds ?? 0))
    visitor.visit("xc", &properties.codec)
    visitor.visit("xb", &properties.bitRate)
    visitor.visit("xr", &properties.sampleRate)
    visitor.visit("xp", &properties.bitDepth)
    visitor.visit("xn", &properties.channels)
    visitor.visit("xl", &isLossless)
    visitor.visit("xh", &isHybrid)
    var levels = levels ?? Levels()
    visitor.visit("tg", &levels.trackGain)
    visitor.visit("tp", &levels.trackPeak)
    visitor.visit("ag", &levels.albumGain)
    visitor.visit("ap", &levels.albumPeak)
    self.levels = levels.isEmpty ? nil : levels
    var hash = digest == 0 ? nil : Int(Int64(bitPattern: digest))
    visitor.visit("xa", &hash)
    digest = UInt64(bitPattern: Int64(hash ?? 0))
    visitor.visit("xi", &hasPicture)
    visitor.visit("xy", &hasLyrics)
    visitor.visit("xt", &hasTimedLyrics)
    visitor.visit("xe", &hasLegacyText)
    visitor.visit("xz", &isTruncated)
  }
}
