import Testing

@testable import Records

/// Sheets as programs and people write them.
struct CueParserTests {
  private static let two = """
    FILE "a.flac" WAVE
      TRACK 01 AUDIO
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        INDEX 00 00:01:70
        INDEX 01 00:02:00
    """

  private static func starts(_ text: String) throws -> [Int] { try CueParser.parse(text).tracks.map(\.start) }

  @Test func aWholeSheetIsRead() throws {
    let sheet = try CueParser.parse(
      """
      REM GENRE "Alternative Rock"
      REM DATE 1991
      REM DISCID 860B640B
      REM DISCNUMBER 2
      REM TOTALDISCS 3
      REM COMMENT "ExactAudioCopy v1.6"
      REM REPLAYGAIN_ALBUM_GAIN -7.25 dB
      REM REPLAYGAIN_ALBUM_PEAK 0.988000
      CATALOG 0602527478271
      PERFORMER "The Band"
      SONGWRITER "All of Them"
      TITLE "An Album"
      FILE "An Album.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          PERFORMER "Guest"
          SONGWRITER "Somebody"
          FLAGS PRE DCP
          ISRC GBAYE9100001
          REM REPLAYGAIN_TRACK_GAIN -3.5 dB
          REM REPLAYGAIN_TRACK_PEAK 0.9
          INDEX 00 00:00:00
          INDEX 01 00:00:32
        TRACK 02 AUDIO
          TITLE "Two"
          PREGAP 00:02:00
          INDEX 01 103:58:74
          INDEX 02 104:00:00
          POSTGAP 00:01:00
      """)
    #expect(sheet.title == "An Album" && sheet.performer == "The Band" && sheet.songwriter == "All of Them")
    #expect(sheet.genre == "Alternative Rock" && sheet.date == "1991" && sheet.catalogue == "0602527478271")
    #expect(sheet.discNumber == 2 && sheet.discTotal == 3)
    #expect(sheet.albumGain == -7.25 && sheet.albumPeak == 0.988)
    #expect(sheet.files == ["An Album.wav"] && sheet.tracks.map(\.number) == [1, 2])
    #expect(sheet.tracks.map(\.start) == [32, (103 * 60 + 58) * 75 + 74] && sheet.tracks.map(\.line) == [14, 24])
    #expect(sheet.tracks[0].title == "One" && sheet.tracks[0].performer == "Guest")
    #expect(sheet.tracks[0].songwriter == "Somebody" && sheet.tracks[0].isrc == "GBAYE9100001")
    #expect(sheet.tracks[0].gain == -3.5 && sheet.tracks[0].peak == 0.9)
    #expect(sheet.tracks[1].title == "Two" && sheet.tracks[1].performer == nil && sheet.tracks[1].gain == nil)
  }

  @Test(arguments: ["1e300 dB", "-81 dB", "nan", "inf", "loud"])
  func loudnessThatCannotHaveBeenMeasuredIsLeftOut(_ gain: String) throws {
    let track = "REM REPLAYGAIN_TRACK_GAIN \(gain)\n    REM REPLAYGAIN_TRACK_PEAK 1e9\n    INDEX 01 00:02:00"
    let album = "REM REPLAYGAIN_ALBUM_GAIN \(gain)\nREM REPLAYGAIN_ALBUM_PEAK -1\n"
    let sheet = try CueParser.parse(album + Self.two.replacing("INDEX 01 00:02:00", with: track))
    #expect(sheet.albumGain == nil && sheet.albumPeak == nil && sheet.tracks.count == 2)
    #expect(sheet.tracks[1].gain == nil && sheet.tracks[1].peak == nil)
  }

  /// Ways of writing that all mean the same two tracks.
  @Test(arguments: [
    two, two + "\n\n", two.replacing("\n", with: "\r\n"), two.replacing("\n", with: "\r"), two.lowercased(),
    two.replacing("  ", with: "\t"), two.replacing("\"a.flac\"", with: "a.flac"), two.replacing("WAVE", with: "FLAC"),
    two.replacing("AUDIO", with: ""), two.replacing("TRACK 01", with: "TRACK 1"), "\u{FEFF}REM x\n" + two,
    "XYZ unknown words\n" + two, "REM\n;comment\n//\n" + two, two.replacing("INDEX 00 00:01:70", with: ""),
    two.replacing("00:02:00", with: "0:2:0"), two.replacing(" WAVE", with: "   WAVE   "),
    two + "\n    INDEX 02 00:03:00", "TITLE\nPERFORMER \"\"\n" + two,
  ])
  func manyWaysOfWritingAreOne(_ text: String) throws {
    let sheet = try CueParser.parse(text)
    #expect(sheet.tracks.map(\.start) == [0, 150] && sheet.files == ["a.flac"])
    #expect(sheet.tracks.map(\.number) == [1, 2] && sheet.title == nil)
  }

  @Test(arguments: [
    ("TITLE \"A \"quoted\" word\"", "A \"quoted\" word"), ("TITLE bare words here", "bare words here"),
    ("TITLE \"no end", "no end"), ("title 'single'", "'single'"), ("TITLE \"  blanks  \"", "blanks"),
    ("TITLE \"Überall\"", "Überall"),
  ])
  func titlesAreReadAsTheyStand(_ line: String, _ title: String) throws {
    #expect(try CueParser.parse(line + "\n" + Self.two).title == title)
  }

  @Test(arguments: [
    ("", nil, "no tracks"), ("TRACK 01 AUDIO\nINDEX 01 00:00:00", 1, "before any FILE"),
    (two.replacing("TRACK 02", with: "TRACK 01"), 4, "twice"),
    (two.replacing("TRACK 02", with: "TRACK 100"), 4, "1 to 99"),
    (two.replacing("TRACK 02", with: "TRACK two"), 4, "1 to 99"),
    (two.replacing("00:02:00", with: "00:60:00"), 6, "possible"),
    (two.replacing("00:02:00", with: "00:00:75"), 6, "possible"),
    (two.replacing("00:02:00", with: "-1:00:00"), 6, "possible"),
    (two.replacing("00:02:00", with: "00:02"), 6, "possible"),
    (two.replacing("00:02:00", with: "99999:00:00"), 6, "possible"),
    (two.replacing("INDEX 01 00:02:00", with: "INDEX 4294567296 00:02:00"), 6, "INDEX has no number"),
    (two.replacing("INDEX 01 00:02:00", with: "INDEX 01"), 6, "INDEX has no number"),
    (two.replacing("INDEX 01 00:02:00", with: "INDEX 02 00:02:00"), 4, "no INDEX 01"),
    (two.replacing("00:02:00", with: "00:00:00"), 6, "before the one above"),
    (two + "\nINDEX 01 00:03:00", 7, "twice in one track"), ("FILE \"a.flac WAVE\n" + two, 1, "closing quote"),
    ("FILE\n" + two, 1, "names no file"), ("INDEX 01 00:00:00\n" + two, 1, "before any TRACK"),
  ])
  func aBrokenSheetNamesItsLine(_ text: String, _ line: Int?, _ reason: String) {
    let error = #expect(throws: CueError.self) { try CueParser.parse(text) }
    #expect(error?.line == line && error?.reason.contains(reason) == true, "\(error.debugDescription)")
  }

  @Test func theFileOfATrackIsThatOfItsFirstIndex() throws {
    // Gaps at the ends of the files before them, as Exact Audio Copy writes them.
    let sheet = try CueParser.parse(
      """
      FILE "1.wav" WAVE
        TRACK 01 AUDIO
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          INDEX 00 04:10:00
      FILE "2.wav" WAVE
          INDEX 01 00:00:00
        TRACK 03 AUDIO
          INDEX 00 03:00:10
      FILE "3.wav" WAVE
          INDEX 01 00:00:00
      """)
    #expect(sheet.tracks.map(\.file) == ["1.wav", "2.wav", "3.wav"] && sheet.tracks.map(\.start) == [0, 0, 0])
  }

  @Test func aTrackMayBeNamedInTheFileBeforeItsOwnAsWell() throws {
    // As cyanrip writes the gaps.
    let sheet = try CueParser.parse(
      """
      FILE "1.flac" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          INDEX 00 00:38:10
      FILE "2.flac" WAVE
        TRACK 02 AUDIO
          TITLE "Two"
          PERFORMER "Guest"
          INDEX 01 00:00:00
      """)
    #expect(sheet.tracks.map(\.number) == [1, 2] && sheet.tracks.map(\.title) == ["One", "Two"])
    #expect(sheet.tracks.map(\.file) == ["1.flac", "2.flac"] && sheet.tracks[1].performer == "Guest")
    // A track that has begun is not named again.
    let twice = "FILE 1.flac WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE 2.flac WAVE\nTRACK 01 AUDIO"
    let error = #expect(throws: CueError.self) { try CueParser.parse(twice) }
    #expect(error?.reason.contains("twice") == true)
  }

  @Test func aTrackOfDataIsNoMusic() throws {
    let sheet = try CueParser.parse(Self.two.replacing("TRACK 02 AUDIO", with: "TRACK 02 MODE1/2352"))
    #expect(sheet.tracks.map(\.isAudio) == [true, false])
  }

  @Test func textsAreDecodedByTheirEncoding() {
    let text = "TITLE \"Café – Été\""
    let utf16 = Array(text.utf16)
    #expect(CueText.decode(Array(text.utf8)) == text)
    #expect(CueText.decode([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == text)
    #expect(CueText.decode([0xFF, 0xFE] + utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == text)
    #expect(CueText.decode([0xFE, 0xFF] + utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }) == text)
    let latin = Array("TITLE \"Caf".utf8) + [0xE9, 0x20, 0x96, 0x20, 0xC9, 0x74, 0xE9, 0x22]
    #expect(CueText.decode(latin) == text)
    #expect(CueText.decode([]).isEmpty && CueText.decode([0xFF, 0xFE, 0x41]).isEmpty)
  }

  /// No bytes whatever bring the parser down.
  @Test func anyBytesAreReadOrRefused() {
    var random = SystemRandomNumberGenerator()
    let words = ["FILE", "TRACK", "INDEX", "\"", "01", "00:00:00", "AUDIO", "\n", " ", "REM", "TITLE", "99", ":", "\r"]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in words.randomElement() ?? "" }.joined()
      do throws(CueError) {
        let sheet = try CueParser.parse(text)
        for (one, next) in zip(sheet.tracks, sheet.tracks.dropFirst()) where one.fileIndex == next.fileIndex {
          #expect(one.start < next.start)
        }
      } catch {
        #expect(!error.reason.isEmpty)
      }
    }
  }
}
