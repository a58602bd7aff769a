import Model
import Testing

@testable import lunara_library

struct TagInterpretationTests {
  private func tags(_ values: (TagField, String)...) -> FileTags {
    var interpretation = TagInterpretation()
    for (field, text) in values {
      var text = text
      text.withUTF8 { interpretation.add(field, $0) }
    }
    return interpretation.finished()
  }

  @Test(arguments: [
    ("3", 3), ("03", 3), ("3/12", 3), (" 7 ", 7), ("12 of 14", 12), ("0", nil), ("A1", nil), ("", nil), ("-2", nil),
    ("99999999999999999999", nil), ("3x", nil),
  ])
  func numbersOfAllForms(_ text: String, _ number: Int?) { #expect(tags((.number, text)).number == number) }

  @Test(arguments: [
    ("1999", 1999), ("1999-05-01", 1999), ("19990501", 1999), ("5 May 1999", 1999), ("05/1999", 1999), ("99", nil),
    ("0000", nil), ("", nil), ("not yet", nil), ("2999-01-01T00:00:00Z", 2999),
  ])
  func yearsOfAllForms(_ text: String, _ year: Int?) { #expect(tags((.date, text)).year == year) }

  @Test func severalArtistsAreOneText() {
    let read = tags((.artist, "Nils Frahm"), (.artist, "Ólafur Arnalds"), (.albumArtist, "A"), (.albumArtist, "B"))
    #expect(read.artist == "Nils Frahm, Ólafur Arnalds")
    #expect(read.firstArtist == "Nils Frahm")
    #expect(read.albumArtist == "A, B")
  }

  @Test(arguments: ["Various Artists", "various artists", "VARIOUS", "VA", "V.A."])
  func variousArtistsNeverMadeATrack(_ name: String) {
    let read = tags((.artist, name), (.albumArtist, name))
    #expect(read.artist == nil)
    #expect(read.albumArtist == "Various Artists")
    #expect(tags((.artist, name), (.artist, "Real")).artist == "Real")
  }

  @Test(arguments: ["Van Morrison", "Variété", "V"])
  func namesThatBeginLikeVariousArtistsAreKept(_ name: String) { #expect(tags((.artist, name)).artist == name) }

  @Test(arguments: [
    ("Nas feat. Olu Dara", "Nas"), ("Nas ft. X", "Nas"), ("A (feat. B)", "A"), ("A Featuring B", "A"),
    ("Little Feat", "Little Feat"), ("feat. X", "feat. X"), ("Defeat Them", "Defeat Them"),
  ])
  func guestsAreNotTheArtist(_ artist: String, _ first: String) {
    #expect(tags((.artist, artist)).firstArtist == first)
    #expect(tags((.artist, artist)).artist == artist)
  }

  @Test func genresAreSplitAndListedOnce() {
    #expect(tags((.genre, "Jazz; Soul ;jazz"), (.genre, "Funk")).genres == ["Jazz", "Soul", "Funk"])
    #expect(tags((.genre, " ; ;")).genres.isEmpty)
    #expect(tags((.genre, "R&B/Soul")).genres == ["R&B/Soul"])
  }

  @Test func theFirstValueCountsAndBlanksAreNone() {
    let read = tags((.title, "  "), (.title, "One"), (.title, "Two"))
    #expect(read.title == "One")
    #expect(tags((.album, "\u{A0}")).album == nil)
  }

  @Test func textIsNormalisedCleanedAndBounded() throws {
    #expect(try Array(#require(tags((.title, "Bjo\u{308}rk")).title).utf8) == Array("Björk".utf8))
    #expect(tags((.title, "a\u{1F}b\u{7}c\nd")).title == "a b c d")
    #expect(try #require(tags((.title, String(repeating: "x", count: 4000))).title).utf8.count == 1000)
  }

  @Test func bytesThatAreNoTextBecomeReplacementCharacters() {
    var interpretation = TagInterpretation()
    [UInt8]([0x41, 0xFF, 0x42]).withUnsafeBufferPointer { interpretation.add(.title, $0) }
    #expect(interpretation.finished().title == "A\u{FFFD}B")
  }

  @Test func packedTagsComeBackWhole() {
    var read = tags(
      (.title, "Title"), (.titleSort, "t"), (.artist, "A feat. B"), (.artistSort, "a"), (.album, "Album"),
      (.albumSort, "al"), (.albumArtist, "AA"), (.albumArtistSort, "aa"), (.disc, "2/3"), (.number, "4"),
      (.date, "1999"), (.genre, "x;y"), (.compilation, "1"), (.recording, "rec"), (.release, "rel"),
      (.releaseGroup, "group"), (.artistID, "one/two"), (.albumArtistID, "three"), (.trackGain, "-6.1 dB"),
      (.albumPeak, "0.97"), (.isrc, "USRE17100017"))
    read.duration = Milliseconds(123_456)
    read.hasPicture = true
    read.isLossless = true
    read.audio = AudioProperties(codec: "flac", bitRate: 900, sampleRate: 96_000, bitDepth: 24, channels: 2)
    #expect(read.artistIDs == ["one", "two"] && read.isrc == "USRE17100017")
    #expect(tags((.artistID, "one"), (.artistID, "two")).artistIDs == ["one", "two"])
    let single = tags((.artistID, "one"))
    #expect(FileTags(packed: single.packed) == single && single.ids.artists == ["one"])
    #expect(FileTags(packed: read.packed) == read)
    #expect(FileTags(packed: FileTags().packed) == FileTags())
    #expect(FileTags(packed: "") == FileTags())
    // Tags that an earlier version packed end after the picture, without levels.
    var old = read
    (old.releaseGroupID, old.albumArtistID, old.levels, old.isLossless) = (nil, nil, nil, false)
    (old.artistIDs, old.isrc, old.audio) = ([], nil, AudioProperties())
    #expect(
      FileTags(
        packed: old.packed.split(separator: "\u{1F}", omittingEmptySubsequences: false).prefix(18)
          .joined(separator: "\u{1F}")) == old)
  }
}

struct LevelTagsTests {
  private func levels(_ values: (TagField, String)...) -> Levels? {
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
