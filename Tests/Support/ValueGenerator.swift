/// Makes values such as stand in tags, sheets and lists: names in many scripts with separators in all places, numbers,
/// dates, control characters and bytes that are no text. The same in every run.
package struct ValueGenerator {
  private var random: Seeded

  package init(seed: UInt64) { random = Seeded(seed) }

  package static let separators = [
    ";", " / ", " feat. ", " feat ", " ft. ", " ft ", " featuring ", ", ", "\\\\", "/", " x ", " & ", "、", " with ",
    "|",
    " und ", "; ", "·", " Feat. ", "(feat. ", "[ft. ", " (Featuring ", "//", " /", "/ ", " feat", "feat. ",
  ]
  private static let words = [
    "Ann", "Bo", "Little Feat", "AC/DC", "Yusuf / Cat Stevens", "Folk, World, & Country", "Various Artists", "V.A.",
    "Björk", "Bjo\u{308}rk", "Ænima", "久石譲", "Земфира", "أم كلثوم", "שלום", "ไทย", "हिन्दी", "한국", "ß", "ﬁ", "İ", "K",
    "👩‍👩‍👧", "🎵", "a\u{300}\u{301}\u{302}", "\u{200B}", "\u{202E}", "\u{FEFF}", "\u{1D160}", "\u{958}", "Ⅳ", "①", "",
    "1999", "1999-05-01", "19990501", "5 May 1999", "0000", "3/12", "03", "99999999999999999999", "-1", "A1", "AA2",
    "1.5",
    "-6.5 dB", "1e308", "-1e999", "nan", "inf", "0x10", "00000001 FFFFFFFF 0 0 0 0 7FFF 8000", "(piano)", "()", ")(",
    "[",
    "]", "(", ")", "http://x/y", "file:///%", "0:00", "9999:59:74", "album", "mixtape/street",
    "8a1b2c3d-0000-4000-8000-1",
  ]
  private static let bytes: [UInt8] =
    [0, 1, 7, 9, 10, 13, 0x1C, 0x1D, 0x1E, 0x1F, 32, 32, 32, 34, 40, 41, 47, 59, 0x7F]
    + [0x80, 0xA0, 0xC2, 0xE2, 0xF0, 0xFF, 0xC0, 0xED]
  /// The names of properties; some begin another one.
  private static let names = [
    "TITLE", "TITLESORT", "ARTIST", "ARTISTS", "ARTISTSORT", "ALBUMARTIST", "ALBUMARTISTS", "ALBUMARTISTSORT", "ALBUM",
    "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMARTISTID", "MUSICBRAINZ_ALBUMID", "RELEASETYPE", "LABEL", "CATALOGNUMBER",
    "DISCNUMBER", "DISCTOTAL", "TRACKNUMBER", "TRACKTOTAL", "MOVEMENT", "MOVEMENTNUMBER", "WORK", "DATE", "YEAR",
    "RELEASEDATE", "ORIGINALDATE", "ORIGINALYEAR", "COMPOSER", "COMPOSERSORT", "PERFORMER", "PERFORMER:GUITAR",
    "PERFORMER:", "ORCHESTRA", "GENRE", "MOOD", "STYLE", "GROUPING", "LANGUAGE", "COMMENT", "BPM", "KEY",
    "ITUNESADVISORY", "RATING", "RATING:POPM:x", "FMPS_RATING", "PLAYCOUNT", "PLAYCOUNT:", "CUESHEET", "FLAC:CUESHEET",
    "TITLE[3]", "ARTIST[99]", "CUE_TRACK03_TITLE", "CUE_TRACK", "CUE_TRACK_", "]", "[", ":", "",
    "REPLAYGAIN_TRACK_GAIN",
    "REPLAYGAIN_TRACK_PEAK", "REPLAYGAIN_ALBUM_GAIN", "R128_TRACK_GAIN", "ITUNNORM", "REPLAYGAIN_REFERENCE_LOUDNESS",
    "COMPILATION", "MEDIA", "RELEASECOUNTRY", "ISRC", "ACOUSTID_ID",
  ].map { Array($0.utf8) }
  private static let fileNames = [
    "1.flac", "03 - Blue.mp3", "A1. x.ogg", ".flac", "03.", "1-03 Title.wav", "999 - .m4a",
    "Artist - Album - 01 - T.ape",
  ].map { Array($0.utf8) }

  /// Returns a number from 0 to below `limit`, which is above 0.
  package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// Returns a value of up to some twenty parts; one of a thousand is many times as long.
  package mutating func value() -> [UInt8] {
    var value: [UInt8] = []
    for _ in 0...below(6) {
      switch below(8) {
      case 0, 1, 2: value += pick(Self.separators).utf8
      case 3: value.append(pick(Self.bytes))
      case 4: value.append(UInt8(below(256)))
      default: value += pick(Self.words).utf8
      }
    }
    if below(1000) == 0 {
      let part = value
      for _ in 0..<below(200) { value += part }
    }
    return value
  }

  package mutating func text() -> String { String(decoding: value(), as: UTF8.self) }

  /// Returns the properties of a file, as `lunara-tags` reads them.
  package mutating func properties() -> [UInt8] {
    var properties: [UInt8] = []
    for _ in 0...below(5) {
      properties += below(10) == 0 ? value().filter { $0 != 0 } : pick(Self.names)
      properties.append(0)
      properties += value().filter { $0 != 0 }
      if below(50) > 0 { properties.append(0) }
    }
    return properties
  }

  package mutating func fileName() -> [UInt8] { below(4) == 0 ? value() : pick(Self.fileNames) }

  /// Returns separators and names that are kept, as a person could set them.
  package mutating func list() -> [String] {
    (0...below(5)).map { _ in
      switch below(4) {
      case 0: text()
      case 1: pick(Self.words)
      default: pick(Self.separators)
      }
    }
  }
}
