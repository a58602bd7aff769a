import Glibc

/// The properties that are read, by the names under which TagLib gives them for every format (its manual, "Mapping of
/// Tag Properties").
enum TagField: Sendable {
  case title, titleSort, artist, artistSort, album, albumSort, albumArtist, albumArtistSort
  case disc, number, date, genre, compilation, recording, release, releaseGroup, artistID, albumArtistID, isrc
  case trackGain, trackPeak, albumGain, albumPeak, trackR128, albumR128, reference

  private static let names: [(StaticString, TagField)] = [
    ("TITLE", .title), ("ARTIST", .artist), ("ALBUM", .album), ("ALBUMARTIST", .albumArtist),
    // What foobar2000 and ffmpeg write into APE tags.
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

  /// The property of this name, a C string in capitals; nil for those that are of no use here.
  init?(_ name: UnsafePointer<CChar>) {
    for (known, field) in Self.names {
      let matches = known.utf8Start.withMemoryRebound(to: CChar.self, capacity: known.utf8CodeUnitCount + 1) {
        strcmp($0, name) == 0
      }
      if matches {
        self = field
        return
      }
    }
    return nil
  }
}
