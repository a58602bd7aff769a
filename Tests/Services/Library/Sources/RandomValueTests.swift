import Glibc
import Messages
import Model
import MusicTags
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

/// The library interprets any value in a sheet, in a row of a server or in the name of a folder. `make fuzz` gives it a
/// million of each.
@Suite(.timeLimit(.minutes(240)))
struct RandomValueTests {
  /// The number of each: `LUNARA_FUZZ_VALUES`, or a hundred thousand together.
  private static let count = getenv("LUNARA_FUZZ_VALUES").flatMap { Int(String(cString: $0)) } ?? 20_000

  private var generator = ValueGenerator(seed: 20_261_128)

  /// Calls `body` for each value, and yields to other tests.
  private mutating func each(_ body: (inout ValueGenerator) throws -> Void) async rethrows {
    for number in 0..<Self.count {
      if number.isMultiple(of: 100) { await Task.yield() }
      try body(&generator)
    }
  }

  private static func tags(_ generator: inout ValueGenerator) -> FileTags {
    var tags = FileTags(properties: generator.properties())
    // The longest and the highest that a reader's answer may have.
    tags.audio.duration = [.zero, Milliseconds(180_000), AudioLimits.durations.upperBound][generator.below(3)]
    tags.audio.properties.sampleRate = [nil, 1, 44_100, AudioLimits.sampleRates.upperBound][generator.below(4)]
    return tags
  }

  private static func name(_ name: String) -> [UInt8] { Array(name.utf8) }

  @Test mutating func sheetsOfRandomValuesCutOrFail() async {
    let keywords = [
      "TITLE ", "PERFORMER ", "REM DATE ", "REM GENRE ", "REM REPLAYGAIN_ALBUM_GAIN ", "ISRC ", "CATALOG ", "REM ",
      "INDEX 01 ", "INDEX ", "TRACK ", "FILE ", "",
    ]
    var (cuts, failures) = (0, 0)
    await each { generator in
      var text = "FILE \"a.flac\" WAVE\n"
      for track in 1...3 {
        text += "TRACK \(track) AUDIO\n"
        if generator.below(4) == 0 { text += keywords[generator.below(keywords.count)] + generator.text() + "\n" }
        let time = ["\(track):00:00", "9999:59:74", "\(generator.text())"][generator.below(40) == 0 ? 2 : track / 3]
        text += "INDEX 01 \(time)\n"
      }
      _ = CueText.likelyEncoding(of: generator.value())
      do throws(CueError) {
        let sheet = try CueParser.parse(CueText.decode(Array(text.utf8) + generator.value()))
        _ = try CueLayout.files(of: sheet, among: [Self.name("a.flac")])
        for track in sheet.tracks {
          let cut = try CueLayout.cut(
            sheet, track.file, Self.tags(&generator), folder: [], name: Self.name("a.flac"), .default)
          cuts += cut?.segments.count ?? 0
        }
      } catch {
        failures += 1
      }
    }
    #expect(cuts > Self.count / 100 && failures > Self.count / 100)
  }

  @Test mutating func blocksOfRandomValuesCutOrFail() async {
    var cuts = 0
    let numbers: [Int64] = [-1, 0, 1, 44_100, 1 << 32, 1 << 62, .max]
    await each { generator in
      var block = "0000\n"
      for track in 1...4 {
        let start = generator.below(3) == 0 ? numbers[generator.below(numbers.count)] : Int64(track) * 441_000
        block += "\(track) \(start) 1 \(generator.text())\n"
        if generator.below(3) == 0 { block += "T \(track) \(generator.text())\n" }
      }
      guard let sheet = CueSheet(block: block) else { return }
      do throws(CueError) {
        let cut = try CueLayout.cut(sheet, "", Self.tags(&generator), folder: [], name: [], .default)
        cuts += cut?.segments.count ?? 0
      } catch {
        // A track begins behind the end of the file, or its sample rate is unknown.
      }
    }
    #expect(cuts > Self.count / 100)
  }

  @Test mutating func rowsOfServersBecomeRecordsOrNone() async {
    let keys = [
      "ratingKey", "parentRatingKey", "title", "titleSort", "parentTitle", "originalTitle", "index", "parentIndex",
      "year",
      "duration", "addedAt", "lastViewedAt", "userRating", "viewCount", "originallyAvailableAt", "guid", "thumb", "id",
      "name", "albumId", "artist", "artistId", "displayArtist", "track", "discNumber", "created", "played", "starred",
      "bitRate", "samplingRate", "bitDepth", "channelCount", "suffix", "path", "musicBrainzId", "playCount", "coverArt",
    ]
    let lists = ["Genre", "Guid", "Media", "artists", "genres", "replayGain", "moods", "isrc"]
    let numbers = [
      "0", "-1", "7", "1e999", "-1e308", "9223372036854775807", "-9223372036854775808", "1e18", "0.5", "null", "true",
      "[]", "{}", "253402300799", "\"2024-01-01T00:00:00.5+99:99\"", "\"9999-12-31T23:59:59Z\"", "\"-00:-1\"",
    ]
    func value(_ generator: inout ValueGenerator) -> String {
      guard generator.below(2) == 0 else { return numbers[generator.below(numbers.count)] }
      let text = generator.text().unicodeScalars.filter { $0.value >= 32 && $0 != "\"" && $0 != "\\" }
      return "\"\(String(String.UnicodeScalarView(text)))\""
    }
    func members(_ generator: inout ValueGenerator, depth: Int) -> String {
      var all = (0..<8).map { _ in "\"\(keys[generator.below(keys.count)])\":\(value(&generator))" }
      if depth < 3 {
        let inner = ["Part", "Stream", "tag", "trackGain"][generator.below(4)]
        let nested = members(&generator, depth: depth + 1)
        all += [lists[generator.below(lists.count)], inner].map {
          "\"\($0)\":[{\(nested)}]"
        }
      }
      return all.joined(separator: ",")
    }
    var records = 0
    await each { generator in
      let text = "{\"ratingKey\":\"1\",\"id\":\"1\",\"parentRatingKey\":\"2\",\(members(&generator, depth: 0))}"
      guard let row = JSONView(Array(text.utf8)) else { return }
      if var track = PlexRecords.track(row, section: nil) {
        _ = track.removeImplausible()
        #expect(AudioLimits.durations.contains(track.duration))
        records += 1
      }
      if var track = SubsonicRecords.track(row, section: nil) {
        _ = track.removeImplausible()
        #expect(AudioLimits.durations.contains(track.duration))
        records += 1
      }
      _ = (PlexRecords.artist(row, section: nil), PlexRecords.album(row, section: nil))
      _ = (PlexRecords.collection(row, section: "", items: []), PlexRecords.playlist(row, items: []))
      _ = (SubsonicRecords.artist(row, section: nil), SubsonicRecords.album(row, section: nil))
    }
    #expect(records > Self.count / 10)
  }

  @Test mutating func namesOfFoldersAndFilesAreGuessedOrNot() async {
    await each { generator in
      let folder = Self.name("/music/") + generator.fileName().filter { $0 != 0 }
      let files = (0..<3).map { _ in FolderNames.File(folder: folder, name: generator.fileName()) }
      let guesses = FolderNames.guesses(for: files, in: folder, roots: [Self.name("/music")])
      #expect(guesses.count == 3)
      _ = FolderNames.guess(for: files[0].name, title: generator.text(), artists: [generator.text()])
      let read = files.map { FileMetadata(Self.tags(&generator), folder: folder, name: $0.name, .default) }
      let albums = AlbumGrouping.albums(of: read, in: folder)
      #expect(albums.flatMap(\.members).sorted() == [0, 1, 2])
    }
  }

  @Test mutating func lyricsAndRatingsAreReadOrNot() async {
    let times = ["[00:01.00]", "[99:59:99]", "[999999:999999]", "[offset:-1e308]", "[offset:nan]", "<00:01>", "[", "]"]
    await each { generator in
      let text = (0..<4).map { _ in times[generator.below(times.count)] + generator.text() }.joined(separator: "\n")
      var lyrics = LyricsText(text)
      lyrics.cut(to: AudioSegment(start: 0, end: Int64(generator.below(.max)), sampleRate: 44_100))
      let names = ["RATING", "FMPS_RATING", "RATING:POPM", "RATING:POPM:TRAKTOR", "SHAREDUSERRATING"]
      let numbers = ["0", "-1", "1e308", "255", "0.5", "nan", "5,5", generator.text()]
      let ratings = names.map { "\($0)=\(numbers[generator.below(numbers.count)])" }
      _ = TagRating.rating(of: ratings, isOfTen: generator.below(2) == 0)
    }
  }
}
