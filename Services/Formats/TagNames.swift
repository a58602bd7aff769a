import Model

/// The names of tags: libavformat's are turned into those that TagLib gives, which the library knows.
enum TagNames {
  /// Returns the name in capitals that TagLib uses for a tag.
  ///
  /// - Parameter name: the name that libavformat gives: one of its own, a name of an ID3 frame, the description of an
  ///   ID3 frame for texts of any kind, or the name in the file.
  static func standard(_ name: String) -> String {
    let capitals = name.uppercased()
    return others[capitals] ?? (capitals.hasPrefix("LYRICS-") ? "LYRICS" : capitals)
  }

  /// Returns true if a tag, by its name in capitals, has lyrics.
  static func isLyrics(_ name: String) -> Bool {
    ["LYRICS", "UNSYNCEDLYRICS", "SYNCEDLYRICS", "UNSYNCED LYRICS"].contains(name)
  }

  /// Returns true if a line of lyrics begins with its time, such as `[00:12.50]`.
  static func hasTimes(_ text: [UInt8]) -> Bool {
    func isDigit(_ index: Int) -> Bool { (48..<58).contains(text[index]) }
    return text.indices.dropLast(3).contains { index in
      text[index] == UInt8(ascii: "[") && isDigit(index + 1) && isDigit(index + 2)
        && text[index + 3] == UInt8(ascii: ":")
    }
  }

  /// Names in capitals that differ. Those of frames are in the specification of ID3v2.4, section 4.2; those with blanks
  /// are the descriptions by which MusicBrainz Picard writes; those with a slash are Matroska's, with the level that
  /// they are for.
  private static let others = [
    "ALBUM_ARTIST": "ALBUMARTIST", "TRACK": "TRACKNUMBER", "DISC": "DISCNUMBER", "PUBLISHER": "LABEL",
    "ALBUM-SORT": "ALBUMSORT", "ARTIST-SORT": "ARTISTSORT", "TITLE-SORT": "TITLESORT", "ENCODED_BY": "ENCODEDBY",
    "ENCODER": "ENCODING",
    "TSO2": "ALBUMARTISTSORT", "TSOC": "COMPOSERSORT", "TSOP": "ARTISTSORT", "TSOA": "ALBUMSORT", "TSOT": "TITLESORT",
    "TSRC": "ISRC", "TEXT": "LYRICIST", "TPE4": "REMIXER", "TBPM": "BPM", "TKEY": "INITIALKEY", "TMOO": "MOOD",
    "TMED": "MEDIA", "TSST": "DISCSUBTITLE", "TDOR": "ORIGINALDATE", "TORY": "ORIGINALDATE", "TDRL": "RELEASEDATE",
    "TIT3": "SUBTITLE", "TCMP": "COMPILATION", "MVNM": "MOVEMENTNAME", "MVIN": "MOVEMENTNUMBER",
    "MUSICBRAINZ ALBUM ID": "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ ARTIST ID": "MUSICBRAINZ_ARTISTID",
    "MUSICBRAINZ ALBUM ARTIST ID": "MUSICBRAINZ_ALBUMARTISTID",
    "MUSICBRAINZ RELEASE GROUP ID": "MUSICBRAINZ_RELEASEGROUPID",
    "MUSICBRAINZ RELEASE TRACK ID": "MUSICBRAINZ_RELEASETRACKID", "MUSICBRAINZ WORK ID": "MUSICBRAINZ_WORKID",
    "MUSICBRAINZ TRACK ID": "MUSICBRAINZ_TRACKID",
    "MUSICBRAINZ ALBUM TYPE": "RELEASETYPE", "MUSICBRAINZ ALBUM STATUS": "RELEASESTATUS",
    "MUSICBRAINZ ALBUM RELEASE COUNTRY": "RELEASECOUNTRY", "ACOUSTID ID": "ACOUSTID_ID",
    "ALBUM/TITLE": "ALBUM", "ALBUM/ARTIST": "ALBUMARTIST", "ALBUM/DATE_RELEASED": "DATE", "DATE_RELEASED": "DATE",
    "TRACK/TITLE": "TITLE", "TRACK/ARTIST": "ARTIST", "TRACK/GENRE": "GENRE", "ALBUM/GENRE": "GENRE",
    "SONG/TITLE": "TITLE", "SONG/ARTIST": "ARTIST", "ALBUM/TOTAL_PARTS": "TRACKTOTAL",
    "CATALOG_NUMBER": "CATALOGNUMBER", "LABEL_CODE": "LABELCODE",
  ]
}
