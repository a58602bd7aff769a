import Messages
import Model
import MusicTags
import Storage
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Values of servers that cannot be right: they are left out, and the refresh goes on.
@Suite(.timeLimit(.minutes(2)))
struct ImplausibleValuesTests {
  private func row(_ json: String) throws -> JSONView { try #require(JSONView(Array(json.utf8))) }

  /// Returns the track that a Plex server describes with these fields of the track and of its stream.
  private func plexTrack(_ fields: String, stream: String = #""loudness":"-9.5""#) throws -> ServerTrack {
    let json = #"""
      {"ratingKey":"1","parentRatingKey":"2","title":"Odd",\#(fields),
      "Media":[{"Part":[{"key":"/library/parts/1/2/file.mp3","Stream":[{"streamType":2,\#(stream)}]}]}]}
      """#
    return try #require(PlexRecords.track(try row(json), section: "1"))
  }

  private func subsonicTrack(_ fields: String) throws -> ServerTrack {
    try #require(
      SubsonicRecords.track(try row(#"{"id":"1","albumId":"2","title":"Odd",\#(fields)}"#), section: "1"))
  }

  @Test(arguments: [
    #""loudness":1e308"#, #""loudness":"-1e308""#, #""loudness":-9.5,"peak":1e300"#, #""albumGain":81"#,
    #""albumPeak":-1"#,
  ])
  func aLoudnessThatCannotBeMeasuredIsLeftOut(_ stream: String) throws {
    var track = try plexTrack(#""duration":1000"#, stream: stream)
    #expect(track.removeImplausible() == ["loudness"])
    #expect(track.levels?.trackGain == (stream.contains("-9.5") ? -8.5 : nil))
    #expect(track.levels?.trackPeak == nil && track.levels?.albumGain == nil && track.levels?.albumPeak == nil)
    _ = try MessageCoding.encode(track)
  }

  @Test(arguments: [Int64.max, 3_600_000_001, -1])
  func aLengthOfAFileThatCannotBeRightIsLeftOut(_ length: Int64) throws {
    var answer = TagReading.Answer(.read)
    answer.text = Array(FileTags(("TITLE", "Odd")).packed.utf8)
    answer.duration = length
    answer.audio.sampleRate = Int(UInt32.max)
    let tags = try FileTags(answer, size: 1 << 20)
    #expect(tags.title.title == "Odd")
    #expect(tags.audio.duration == .zero && tags.audio.properties.sampleRate == nil)
    (answer.duration, answer.audio.sampleRate) = (AudioLimits.durations.upperBound.rawValue, 100_000_000)
    let sheet = try CueParser.parse("FILE a WAVE\nTRACK 1 AUDIO\nINDEX 01 0:0:0\nTRACK 2 AUDIO\nINDEX 01 9999:0:0")
    let longest = try FileTags(answer, size: 1 << 20)
    #expect(try CueLayout.cut(sheet, "a", longest, folder: [], name: [], .default)?.segments.count == 2)
  }

  @Test(arguments: ["9223372036854775807", "3600000001", "1e15"])
  func aLengthThatCannotBeRightIsLeftOut(_ length: String) throws {
    var tracks = [try plexTrack(#""duration":\#(length)"#), try subsonicTrack(#""duration":\#(length)"#)]
    for index in tracks.indices {
      #expect(tracks[index].removeImplausible() == ["length"])
      #expect(tracks[index].duration == .zero)
    }
    var longest = try plexTrack(#""duration":3600000000"#)
    #expect(longest.removeImplausible() == [])
  }

  @Test func aNumberOfPlaysThatCannotBeRightIsLeftOut() throws {
    var tracks = [try plexTrack(#""viewCount":9223372036854775807"#), try subsonicTrack(#""playCount":-1"#)]
    for index in tracks.indices {
      #expect(tracks[index].removeImplausible() == ["number of plays"])
      #expect(tracks[index].counts?.plays == nil)
    }
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "1e300", "-1"])
  func aTotalThatCannotBeRightIsNone(_ total: String) throws {
    let page = PlexPage(try row(#"{"totalSize":\#(total),"Metadata":[]}"#))
    #expect(page.total == nil)
  }

  @Test func oneBadRecordDoesNotFailARefreshAndIsNamed() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    for number in 1...2 { contents.album(number * 100, "Album \(number)") }
    contents.tracks[0].levels = Levels(trackGain: .infinity, trackPeak: 0.5)
    contents.tracks[1].duration = Milliseconds(.max)
    contents.tracks[2].title = String(repeating: "long", count: 1_000_000)
    let server = FakeServer(contents)
    #expect(try await catalogue.refresh(server) == [6, 0, 0, 0])
    let problem = try #require(try await catalogue.status().problems.first)
    #expect(problem.code == "library.implausibleValues")
    #expect(problem.message.hasPrefix("3 values of plex"))
    #expect(problem.message.contains("the loudness of “Song 1 of Album 1”"))
    let durations = try await catalogue.database.read {
      try $0.rows("SELECT duration FROM tracks ORDER BY id") { try $0.value(0) as Int64 }
    }
    #expect(durations.count { $0 == 0 } == 1)
    // The problem stays until all is read again.
    try await catalogue.refresh(server)
    #expect(try await catalogue.problems() == ["library.implausibleValues"])
    server.change { contents in
      contents.tracks[0].levels = nil
      contents.tracks[1].duration = Milliseconds(1000)
      contents.tracks[2].title = "Short"
    }
    try await catalogue.refresh(server)
    #expect(try await catalogue.problems() == [])
  }
}
