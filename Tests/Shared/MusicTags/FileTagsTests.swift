import Model
import TestSupport
import Testing

@testable import MusicTags

struct TagInterpretationTests {
  @Test(arguments: [
    ("3", 3, nil), ("03", 3, nil), ("3/12", 3, 12), (" 7 ", 7, nil), ("12 of 14", 12, nil), ("0", nil, nil),
    ("A1", nil, nil), ("", nil, nil), ("-2", nil, nil), ("99999999999999999999", nil, nil), ("3x", nil, nil),
  ])
  func numbersOfAllForms(_ text: String, _ number: Int?, _ total: Int?) {
    let read = FileTags(("TRACKNUMBER", text))
    #expect(read.place.number == number && read.place.total == total)
    #expect(read.place.numberText == (number == nil && !text.isEmpty ? text : nil))
  }

  @Test(arguments: [
    ("1999", 1999), ("1999-05-01", 1999), ("19990501", 1999), ("5 May 1999", 1999), ("05/1999", 1999), ("99", nil),
    ("0000", nil), ("", nil), ("not yet", nil), ("2999-01-01T00:00:00Z", 2999),
  ])
  func yearsOfAllForms(_ text: String, _ year: Int?) { #expect(FileMetadata(("DATE", text)).year == year) }

  @Test func severalArtistsAreOneTextAndStayApart() {
    let read = FileMetadata(
      ("ARTIST", "Nils Frahm"), ("ARTIST", "Ólafur Arnalds"), ("ALBUMARTIST", "A"), ("ALBUMARTIST", "B"))
    #expect(read.artist == "Nils Frahm, Ólafur Arnalds" && read.firstArtist == "Nils Frahm")
    #expect(read.artists.map(\.name) == ["Nils Frahm", "Ólafur Arnalds"])
    #expect(read.albumArtist == "A, B" && read.albumArtists.map(\.name) == ["A", "B"])
  }

  @Test(arguments: ["Various Artists", "various artists", "VARIOUS", "VA", "V.A."])
  func variousArtistsNeverMadeATrack(_ name: String) {
    let read = FileMetadata(("ARTIST", name), ("ALBUMARTIST", name))
    #expect(read.artist == nil && read.artists.isEmpty)
    #expect(read.albumArtist == "Various Artists" && read.albumArtists.map(\.name) == ["Various Artists"])
    #expect(FileMetadata(("ARTIST", name), ("ARTIST", "Real")).artist == "Real")
    #expect(FileTags(("ARTIST", name)).artists.shown == [name])
  }

  @Test(arguments: ["Van Morrison", "Variété", "V"])
  func namesThatBeginLikeVariousArtistsAreKept(_ name: String) {
    #expect(FileMetadata(("ARTIST", name)).artist == name)
  }

  @Test(arguments: [
    ("Nas feat. Olu Dara", "Nas"), ("Nas ft. X", "Nas"), ("A (feat. B)", "A"), ("A Featuring B", "A"),
    ("Little Feat", "Little Feat"), ("Little Feat feat. Bo", "Little Feat"), ("feat. X", "feat. X"),
    ("Defeat Them", "Defeat Them"),
  ])
  func guestsAreNotTheArtist(_ artist: String, _ first: String) {
    let read = FileMetadata(("ARTIST", artist))
    #expect(read.firstArtist == first && read.artist == artist)
  }

  @Test func genresAreSplitAndListedOnce() {
    func genres(_ values: String...) -> [String] {
      FileMetadata(FileTags(values.map { ("GENRE", $0) }), folder: [], name: [], .default).genres
    }
    #expect(genres("Jazz; Soul ;jazz", "Funk") == ["Jazz", "Soul", "Funk"])
    #expect(genres(" ; ;").isEmpty)
    #expect(genres("Rock / / Pop") == ["Rock", "Pop"])
    #expect(genres("R&B/Soul") == ["R&B/Soul"])
    #expect(genres(#"Rock\\Pop"#, "Blues / Country, Soul") == ["Rock", "Pop", "Blues", "Country", "Soul"])
    #expect(genres("Folk, World, & Country; Jazz", "Funk / Soul") == ["Folk, World, & Country", "Jazz", "Funk / Soul"])
  }

  @Test func theFirstValueCountsAndBlanksAreNone() {
    let read = FileTags(("TITLE", "  "), ("TITLE", "One"), ("TITLE", "Two"))
    #expect(read.title.title == "One")
    #expect(FileTags(("ALBUM", "\u{A0}")).albumName.title == nil)
  }

  @Test func textIsNormalisedCleanedAndBounded() throws {
    func title(_ text: String) -> String? { FileTags(("TITLE", text)).title.title }
    #expect(try Array(#require(title("Bjo\u{308}rk")).utf8) == Array("Björk".utf8))
    #expect(title("a\u{1F}b\u{7}c\nd") == "a b c d")
    #expect(try #require(title(String(repeating: "x", count: 4000))).utf8.count == 1000)
  }

  @Test func bytesThatAreNoTextBecomeReplacementCharacters() {
    var interpretation = TagInterpretation()
    Array("TITLE".utf8).withUnsafeBufferPointer { name in
      [UInt8]([0x41, 0xFF, 0x42]).withUnsafeBufferPointer { interpretation.add(name, $0) }
    }
    #expect(interpretation.finished().title.title == "A\u{FFFD}B")
  }

  @Test func peopleAreReadInTheirRoles() {
    let read = FileTags(
      ("COMPOSER", "Bach"), ("COMPOSERSORT", "Bach, J. S."), ("CONDUCTOR", "Karajan"), ("PERFORMER", "Gould (piano)"),
      ("PERFORMER:CELLO", "Ma"), ("ORCHESTRA", "BPO"), ("DJMIXER", "DJ"), ("PERFORMER", "Choir (of)(of)"),
      ("COMPOSER", "Bach"))
    #expect(
      read.people == [
        CreditTag(role: .composer, name: "Bach", sort: "Bach, J. S."), CreditTag(role: .conductor, name: "Karajan"),
        CreditTag(role: .performer, name: "Gould", instrument: "piano"),
        CreditTag(role: .performer, name: "Ma", instrument: "cello"),
        CreditTag(role: .performer, name: "BPO", instrument: "orchestra"), CreditTag(role: .djMixer, name: "DJ"),
        CreditTag(role: .performer, name: "Choir (of)", instrument: "of"),
      ])
  }

  @Test func aMovementIsANumberOrAName() {
    let picard = FileTags(("WORK", "Suite"), ("MOVEMENTNAME", "Gigue"), ("MOVEMENT", "7"), ("MOVEMENTTOTAL", "7"))
    #expect(picard.title.movement == "Gigue" && picard.title.movementNumber == 7 && picard.title.movementTotal == 7)
    let other = FileTags(("MOVEMENT", "Gigue"), ("MOVEMENTNUMBER", "7/8"))
    #expect(other.title.movement == "Gigue" && other.title.movementNumber == 7 && other.title.movementTotal == 8)
  }

  @Test(arguments: ["0", "Blue", "00000000-0000-0000-0000-000000000000"])
  func anIDOfAnotherFormIsNone(_ text: String) {
    let read = FileTags(
      ("MUSICBRAINZ_ALBUMID", text), ("MUSICBRAINZ_RELEASEGROUPID", text), ("MUSICBRAINZ_TRACKID", text))
    #expect(read == FileTags())
    let second = FileTags(("MUSICBRAINZ_ALBUMID", text), ("MUSICBRAINZ_ALBUMID", TestID.musicBrainz("a")))
    #expect(second.albumName.releaseID == TestID.musicBrainz("a"))
  }

  @Test func aCueSheetKeepsItsLines() {
    let read = FileTags(("CUESHEET", "FILE \"a\" WAVE\r\n\tTRACK 01\u{1F} AUDIO\n"))
    #expect(read.cueSheet == "FILE \"a\" WAVE\r\n\tTRACK 01  AUDIO")
    #expect(FileTags(packed: read.packed) == read)
  }
}

struct FileTagsPackingTests {
  @Test func namesOfPropertiesHoldNoFieldOfTheirOwn() {
    let read = FileTags(("PERFORMER:oud\u{1F}cbx", "Ann"), ("RATING:\u{1F}cbx", "3"))
    #expect(read.cueBlock == nil && read.people.first?.instrument == "oud cbx")
    #expect(FileTags(packed: read.packed) == read)
  }

  private static let names = [
    "TITLE", "TITLESORT", "SUBTITLE", "WORK", "MUSICBRAINZ_WORKID", "MOVEMENTNAME", "MOVEMENTNUMBER", "MOVEMENTTOTAL",
    "ARTIST", "ARTISTS", "ARTISTSORT", "MUSICBRAINZ_ARTISTID", "ALBUMARTIST", "ALBUMARTISTS", "ALBUMARTISTSORT",
    "MUSICBRAINZ_ALBUMARTISTID", "ALBUM", "ALBUMSORT", "EDITION", "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_RELEASEGROUPID",
    "RELEASETYPE", "RELEASESTATUS", "LABEL", "CATALOGNUMBER", "RELEASECOUNTRY", "MEDIA", "BARCODE", "COMPILATION",
    "DISCNUMBER", "DISCTOTAL", "DISCSUBTITLE", "TRACKNUMBER", "TRACKTOTAL", "DATE", "YEAR", "RELEASEDATE",
    "ORIGINALDATE", "ORIGINALYEAR", "COMPOSER", "PERFORMER:PIANO", "GENRE", "MOOD", "STYLE", "GROUPING", "LANGUAGE",
    "COMMENT", "BPM", "KEY", "ITUNESADVISORY", "MUSICBRAINZ_TRACKID", "ACOUSTID_ID", "ISRC", "RATING", "PLAYCOUNT",
    "CUESHEET", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK", "REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK",
  ]

  /// Each tag alone, so that a code that two fields share is found.
  @Test(arguments: names)
  func eachTagComesBackByItself(_ name: String) {
    let read = FileTags((name, name.hasPrefix("MUSICBRAINZ_") ? TestID.musicBrainz("1") : "1"))
    #expect(read != FileTags() && FileTags(packed: read.packed) == read)
  }

  @Test func packedTagsComeBackWhole() {
    var read = FileTags(Self.names.map { ($0, "1") } + [("TRACKNUMBER", "A1"), ("ARTIST", "Second"), ("GENRE", "x;y")])
    read.audio.duration = Milliseconds(123_456)
    (read.audio.hasPicture, read.audio.isLossless, read.audio.isHybrid) = (true, true, true)
    (read.audio.hasLyrics, read.audio.hasTimedLyrics, read.audio.hasLegacyText) = (true, true, true)
    read.audio.isTruncated = true
    read.audio.digest = .max - 1
    read.audio.properties = AudioProperties(codec: "flac", bitRate: 900, sampleRate: 96_000, bitDepth: 24, channels: 2)
    #expect(FileTags(packed: read.packed) == read)
    #expect(FileTags(packed: FileTags().packed) == FileTags())
  }

  @Test func unknownCodesOfAPackedTextAreLeftOut() {
    let read = FileTags(("TITLE", "One"), ("ALBUM", "Two"))
    var fields = read.packed.split(separator: "\u{1F}").map(String.init)
    fields.insert("zzlater", at: 1)
    #expect(FileTags(packed: fields.joined(separator: "\u{1F}")) == read)
  }

  @Test(arguments: ["", "tiger\u{1F}alpha\u{1F}", "ti"])
  func aTextOfAnEarlierVersionHasNoFields(_ text: String) { #expect(FileTags(packed: text) == FileTags()) }

  @Test func plainTagsAreShort() {
    let read = FileTags(
      ("TITLE", "A Song of Some Length"), ("ARTIST", "The Band"), ("ALBUM", "The Album"), ("DATE", "1999"),
      ("TRACKNUMBER", "3/12"), ("GENRE", "Rock"))
    #expect(read.packed.utf8.count < 100)
  }
}

struct LevelTagsTests {
  private func levels(_ values: (LevelTags.Field, String)...) -> Levels? {
    var tags = LevelTags()
    for (field, text) in values {
      var text = text
      text.withUTF8 { tags.add(field, $0) }
    }
    return tags.finished()
  }

  @Test(arguments: [
    ("-6.50 dB", -6.5), ("+3.2 dB", 3.2), ("-6,50 dB", -6.5), (" -7.1dB", -7.1), ("0.00 dB", 0), ("4", 4),
  ])
  func gainsOfAllForms(_ text: String, _ gain: Double) { #expect(levels((.trackGain, text))?.trackGain == gain) }

  @Test(arguments: ["", "dB", "nan", "inf dB", "-", "1e300 dB", "-200 dB", "none"])
  func invalidGainsAreIgnored(_ text: String) { #expect(levels((.trackGain, text)) == nil) }

  @Test(arguments: [("0.988553", 0.988553), ("1", 1), ("1.2345", 1.2345), ("0.0", nil), ("-1", nil), ("400", nil)])
  func peaksAreLinear(_ text: String, _ peak: Double?) { #expect(levels((.albumPeak, text))?.albumPeak == peak) }

  @Test func opusGainsAreConvertedToMinus18LUFS() {
    // The tag -1536 / 256 = -6 dB towards -23 LUFS is -1 dB towards -18 LUFS.
    let read = levels((.trackR128, "-1536"), (.albumR128, "0"))
    #expect(read == Levels(trackGain: -1, albumGain: 5))
    #expect(levels((.trackR128, "40000")) == nil)
  }

  @Test func theFormatsOwnGainCountsBeforeTheOtherOne() {
    #expect(levels((.trackGain, "-9 dB"), (.trackR128, "256"))?.trackGain == 6)
  }

  @Test(arguments: [
    ("89.0 dB", -6.0), ("83 dB", 0), ("-18.00 LUFS", -6), ("-23.00 LUFS", -1), ("nonsense", -6), ("5000", -6),
  ])
  func gainsWithOtherReferencesAreConverted(_ reference: String, _ gain: Double) {
    #expect(levels((.trackGain, "-6 dB"), (.reference, reference)) == Levels(trackGain: gain))
    #expect(levels((.reference, reference), (.trackGain, "-6 dB")) == Levels(trackGain: gain))
  }

  @Test func theFirstValueCounts() {
    #expect(levels((.trackGain, "-1 dB"), (.trackGain, "-2 dB")) == Levels(trackGain: -1))
  }
}
