import Glibc
import Model

/// A property of a file: the form of its value, and its place in `FileTags`.
enum TagField: Sendable {
  /// A text of which the first value counts.
  case text(any WritableKeyPath<FileTags, String?> & Sendable)
  /// A MusicBrainz id, of which the first value of that form counts.
  case musicBrainzID(any WritableKeyPath<FileTags, String?> & Sendable)
  /// All values.
  case list(any WritableKeyPath<FileTags, [String]> & Sendable)
  /// Ids, of which one value may hold several.
  case ids(any WritableKeyPath<FileTags, [String]> & Sendable)
  case number(any WritableKeyPath<FileTags, Int?> & Sendable)
  case flag(any WritableKeyPath<FileTags, Bool> & Sendable)
  /// A number and perhaps the total: `3/12`.
  case disc, track, movement
  case person(CreditRole)
  /// The sort names of people in a role, in the order of the people.
  case personSort(CreditRole)
  /// A performer; an instrument stands behind the property's name, or in brackets behind the person's.
  case performer(instrument: String?)
  case level(LevelTags.Field)
  /// A rating, with the name of its property.
  case rating
  case playCount
  case cueSheet
  /// The CUESHEET block of a FLAC file.
  case cueBlock
  /// A name of one track of that block.
  case cueTrack(CueBlock.Name, number: Int)
}

extension TagField {
  /// The properties that are read, by the names under which TagLib gives them for every format (its manual, "Mapping of
  /// Tag Properties"), and those that other programs write into tags of free names.
  private static let names: [(StaticString, TagField)] = [
    ("TITLE", .text(\.title.title)), ("TITLESORT", .text(\.title.sort)), ("SUBTITLE", .text(\.title.subtitle)),
    ("WORK", .text(\.title.work)), ("MUSICBRAINZ_WORKID", .musicBrainzID(\.title.workID)),
    // Picard writes the number of the movement as MOVEMENT into Vorbis comments.
    ("MOVEMENTNAME", .text(\.title.movement)), ("MOVEMENT", .movement), ("MOVEMENTNUMBER", .movement),
    ("MOVEMENTTOTAL", .number(\.title.movementTotal)), ("MOVEMENTCOUNT", .number(\.title.movementTotal)),

    ("ARTIST", .list(\.artists.shown)), ("ARTISTS", .list(\.artists.each)), ("ARTISTSORT", .list(\.artists.sort)),
    ("MUSICBRAINZ_ARTISTID", .ids(\.artists.ids)),
    // The names that foobar2000 and ffmpeg write into APE tags.
    ("ALBUMARTIST", .list(\.albumArtists.shown)), ("ALBUM ARTIST", .list(\.albumArtists.shown)),
    ("ALBUM_ARTIST", .list(\.albumArtists.shown)), ("ALBUMARTISTS", .list(\.albumArtists.each)),
    ("ALBUMARTISTSORT", .list(\.albumArtists.sort)), ("MUSICBRAINZ_ALBUMARTISTID", .ids(\.albumArtists.ids)),

    ("ALBUM", .text(\.albumName.title)), ("ALBUMSORT", .text(\.albumName.sort)),
    ("EDITION", .text(\.albumName.edition)), ("ALBUMVERSION", .text(\.albumName.edition)),
    ("VERSION", .text(\.albumName.edition)), ("MUSICBRAINZ_ALBUMCOMMENT", .text(\.albumName.edition)),
    ("RELEASECOMMENT", .text(\.albumName.edition)), ("MUSICBRAINZ_ALBUMID", .musicBrainzID(\.albumName.releaseID)),
    ("MUSICBRAINZ_RELEASEGROUPID", .musicBrainzID(\.albumName.releaseGroupID)),
    ("RELEASETYPE", .list(\.albumName.types)),
    ("MUSICBRAINZ_ALBUMTYPE", .list(\.albumName.types)), ("RELEASESTATUS", .text(\.albumName.status)),
    ("MUSICBRAINZ_ALBUMSTATUS", .text(\.albumName.status)), ("LABEL", .list(\.albumName.labels)),
    ("PUBLISHER", .list(\.albumName.labels)), ("ORGANIZATION", .list(\.albumName.labels)),
    ("CATALOGNUMBER", .list(\.albumName.catalogueNumbers)), ("LABELNO", .list(\.albumName.catalogueNumbers)),
    ("RELEASECOUNTRY", .text(\.albumName.country)), ("COUNTRY", .text(\.albumName.country)),
    ("MUSICBRAINZ_ALBUMRELEASECOUNTRY", .text(\.albumName.country)), ("MEDIA", .text(\.albumName.media)),
    ("BARCODE", .text(\.albumName.barcode)), ("UPC", .text(\.albumName.barcode)), ("EAN", .text(\.albumName.barcode)),
    ("COMPILATION", .flag(\.albumName.isCompilation)),

    ("DISCNUMBER", .disc), ("DISC", .disc), ("DISCTOTAL", .number(\.place.discTotal)),
    ("TOTALDISCS", .number(\.place.discTotal)), ("DISCSUBTITLE", .text(\.place.discTitle)),
    ("SETSUBTITLE", .text(\.place.discTitle)), ("TRACKNUMBER", .track), ("TRACKTOTAL", .number(\.place.total)),
    ("TOTALTRACKS", .number(\.place.total)),

    ("DATE", .text(\.dates.date)), ("YEAR", .text(\.dates.year)), ("RELEASEDATE", .text(\.dates.release)),
    ("ORIGINALDATE", .text(\.dates.original)), ("ORIGINALYEAR", .text(\.dates.originalYear)),
    ("ORIGINALRELEASEYEAR", .text(\.dates.originalYear)), ("ORIGINALRELEASETIME", .text(\.dates.original)),

    ("COMPOSER", .person(.composer)), ("COMPOSERSORT", .personSort(.composer)), ("CONDUCTOR", .person(.conductor)),
    ("LYRICIST", .person(.lyricist)), ("WRITER", .person(.writer)), ("AUTHOR", .person(.writer)),
    ("REMIXER", .person(.remixer)), ("MIXARTIST", .person(.remixer)), ("MODIFIEDBY", .person(.remixer)),
    ("ARRANGER", .person(.arranger)), ("PRODUCER", .person(.producer)), ("ENGINEER", .person(.engineer)),
    ("MIXER", .person(.mixer)), ("DJMIXER", .person(.djMixer)), ("DIRECTOR", .person(.director)),
    ("PERFORMER", .performer(instrument: nil)), ("SOLOIST", .performer(instrument: nil)),
    ("SOLOISTS", .performer(instrument: nil)), ("ORCHESTRA", .performer(instrument: "orchestra")),
    ("ENSEMBLE", .performer(instrument: "ensemble")), ("CHOIR", .performer(instrument: "choir")),

    ("GENRE", .list(\.words.genres)), ("MOOD", .list(\.words.moods)), ("STYLE", .list(\.words.styles)),
    ("STYLES", .list(\.words.styles)), ("GROUPING", .list(\.words.groupings)),
    ("CONTENTGROUP", .list(\.words.groupings)),
    // Two names in files of Windows Media.
    ("CONTENTGROUPDESCRIPTION", .list(\.words.groupings)), ("ISCOMPILATION", .flag(\.albumName.isCompilation)),
    ("LANGUAGE", .list(\.words.languages)),
    ("COMMENT", .text(\.words.comment)), ("DESCRIPTION", .text(\.words.comment)), ("BPM", .text(\.words.tempo)),
    ("TEMPO", .text(\.words.tempo)), ("INITIALKEY", .text(\.words.key)), ("KEY", .text(\.words.key)),
    ("ITUNESADVISORY", .text(\.words.advisory)),

    ("MUSICBRAINZ_TRACKID", .musicBrainzID(\.ids.recordingID)), ("ACOUSTID_ID", .text(\.ids.acoustID)),
    // The name that Picard writes into MP4.
    ("ACOUSTID ID", .text(\.ids.acoustID)),
    ("ISRC", .text(\.ids.isrc)),

    ("RATING", .rating), ("FMPS_RATING", .rating), ("SHAREDUSERRATING", .rating), ("PLAYCOUNT", .playCount),
    ("FMPS_PLAYCOUNT", .playCount), ("PLAY_COUNT", .playCount), ("PLAY COUNT", .playCount),
    ("PLAY_COUNTER", .playCount), ("PLAY COUNTER", .playCount), ("CUESHEET", .cueSheet),
    ("FLAC:CUESHEET", .cueBlock),

    ("REPLAYGAIN_TRACK_GAIN", .level(.trackGain)), ("REPLAYGAIN_TRACK_PEAK", .level(.trackPeak)),
    ("REPLAYGAIN_ALBUM_GAIN", .level(.albumGain)), ("REPLAYGAIN_ALBUM_PEAK", .level(.albumPeak)),
    ("REPLAYGAIN_REFERENCE_LOUDNESS", .level(.reference)), ("R128_TRACK_GAIN", .level(.trackR128)),
    ("R128_ALBUM_GAIN", .level(.albumR128)),
    // The values of Sound Check, as iTunes writes them.
    ("ITUNNORM", .level(.soundCheck)),
  ]

  /// The names by their lengths.
  private static let byLength: [[(StaticString, TagField)]] = {
    let longest = names.map(\.0.utf8CodeUnitCount).max() ?? 0
    return (0...longest).map { length in names.filter { $0.0.utf8CodeUnitCount == length } }
  }()

  /// The field for a property's name in capitals; nil for properties that are not read.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    guard let start = name.baseAddress else { return nil }
    if name.count < Self.byLength.count {
      // Only the field that is found is copied.
      let names = Self.byLength[name.count]
      for index in names.indices where memcmp(names[index].0.utf8Start, start, name.count) == 0 {
        self = names[index].1
        return
      }
    }
    if name.last == UInt8(ascii: "]") || name.starts(with: "CUE_TRACK".utf8) {
      guard let cue = CueBlock.name(String(decoding: name, as: UTF8.self)) else { return nil }
      self = .cueTrack(cue.name, number: cue.number)
      return
    }
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    switch String(decoding: name[..<colon], as: UTF8.self) {
    case "PERFORMER":
      let instrument = TagInterpretation.text(UnsafeBufferPointer(rebasing: name[(colon + 1)...]))
      self = .performer(instrument: instrument?.lowercased())
    case "RATING": self = .rating
    case "PLAYCOUNT": self = .playCount
    default: return nil
    }
  }
}
