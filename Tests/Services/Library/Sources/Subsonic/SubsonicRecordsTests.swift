import Messages
import Model
import TestSupport
import Testing

@testable import Records
@testable import Sources

struct SubsonicRecordsTests {
  private func row(_ json: String) throws -> JSONView { try #require(JSONView(Array(json.utf8))) }

  @Test func aTrackOfAnOpenServerIsReadWhole() throws {
    let track = try #require(
      SubsonicRecords.track(
        row(
          """
          {"id":"s1","parent":"p","albumId":"a1","title":"T","sortName":"t","artist":"X, Y","displayArtist":"X & Y",
           "displayAlbumArtist":"X","discNumber":2,"track":3,"year":1999,"genres":[{"name":"Jazz"},{"name":"Soul"}],
           "genre":"Jazz","moods":["Calm"],"duration":181,"musicBrainzId":"\(TestID.musicBrainz("mb"))","userRating":4,"starred":"2020-01-01T00:00:00Z",
           "path":"x/y.flac","suffix":"FLAC","created":"2024-05-06T07:08:09.5Z","played":"2025-01-01T00:00:00+02:00",
           "playCount":7,"type":"music","bitRate":912,"samplingRate":96000,
           "bitDepth":24,"channelCount":2,"isrc":["USRE17100017"],
           "artists":[
             {"id":"r1","name":"X","musicBrainzId":"\(TestID.musicBrainz("one"))"},
             {"id":"r2","name":"Y","musicBrainzId":"\(TestID.musicBrainz("two"))"}],
           "replayGain":{"trackGain":-6.5,"albumGain":-7,"trackPeak":0.9,"albumPeak":1}}
          """), section: "1"))
    #expect(track.native == "s1" && track.album == "a1" && track.title == "T" && track.artist == "X & Y")
    #expect(track.disc == 2 && track.number == 3 && track.year == 1999 && track.genres == ["Jazz", "Soul"])
    #expect(
      track.moods == ["Calm"] && track.duration == Milliseconds(181_000)
        && track.recordingID == TestID.musicBrainz("mb"))
    #expect(track.ids == MusicIDs(artists: ["one", "two"].map(TestID.musicBrainz), isrc: "USRE17100017"))
    #expect(track.rating?.rawValue == 8 && track.file == "x/y.flac" && track.format == "flac" && track.part == "s1")
    #expect(track.addedAt == Timestamp("2024-05-06T07:08:09.5Z"))
    #expect(track.lastPlayedAt == Timestamp("2024-12-31T22:00:00Z") && track.counts?.plays == 7 && track.section == "1")
    #expect(track.levels == Levels(trackGain: -6.5, trackPeak: 0.9, albumGain: -7, albumPeak: 1))
    #expect(
      track.audio == AudioProperties(codec: "flac", bitRate: 912, sampleRate: 96_000, bitDepth: 24, channels: 2))
  }

  @Test func anIDOfAnotherFormIsNone() throws {
    let track = try #require(
      try SubsonicRecords.track(row(#"{"id":"1","albumId":"a","title":"T","musicBrainzId":"0"}"#), section: nil))
    let album = try #require(
      try SubsonicRecords.album(row(#"{"id":"1","name":"A","musicBrainzId":"0"}"#), section: nil))
    #expect(track.recordingID == nil && album.releaseID == nil)
  }

  @Test(arguments: [
    ("mp3", 63_999, 63), ("mp3", 320, 320), ("flac", 912_000, 912), ("flac", 9216, 9216), ("flac", 0, nil),
    ("ogg", -1, nil), ("m4a", 1 << 40, nil),
  ])
  func bitRatesInBitsAreConverted(_ suffix: String, _ given: Int, _ bitRate: Int?) throws {
    let json = #"{"id":"1","albumId":"a","title":"T","suffix":"\#(suffix)","bitRate":\#(given),"bitDepth":900}"#
    let track = try #require(try SubsonicRecords.track(row(json), section: nil))
    #expect(track.audio.bitRate == bitRate && track.audio.bitDepth == nil)
  }

  @Test func aTrackOfAnOldServerHasFewerFields() throws {
    let track = try #require(
      SubsonicRecords.track(
        row(
          #"{"id":7,"parent":"2","title":"T","artist":"X","duration":"2","created":"2024-05-06T07:08:09","genre":"Jazz"}"#
        ),
        section: nil))
    #expect(track.native == "7" && track.album == "2" && track.artist == "X" && track.disc == 1 && track.number == nil)
    #expect(track.addedAt == Timestamp("2024-05-06T07:08:09Z") && track.genres == ["Jazz"] && track.rating == nil)
    #expect(track.duration == Milliseconds(2000) && track.levels == nil && track.counts == nil)
  }

  @Test(arguments: [
    #"{"id":"1","albumId":"a"}"#, #"{"title":"T","albumId":"a"}"#, #"{"id":"1","title":"T"}"#,
    #"{"id":"1","title":"T","albumId":"a","isDir":true}"#, #"{"id":"1","title":"T","albumId":"a","isVideo":true}"#,
    #"{"id":"1","title":"T","albumId":"a","type":"podcast"}"#,
  ])
  func whatIsNoTrackIsLeftOut(_ json: String) throws {
    #expect(try SubsonicRecords.track(row(json), section: nil) == nil)
  }

  @Test(arguments: [
    (#"{}"#, nil), (#"{"userRating":0}"#, nil), (#"{"userRating":1}"#, 2), (#"{"userRating":5}"#, 10),
    (#"{"userRating":6}"#, nil), (#"{"starred":"2020-01-01T00:00:00Z"}"#, 10),
    (#"{"starred":"2020-01-01T00:00:00Z","userRating":3}"#, 6),
  ])
  func starsAreHalfStarsTimesTwo(_ json: String, _ rating: Int?) throws {
    #expect(try SubsonicRecords.rating(row(json))?.rawValue == rating)
  }

  @Test func halfStarsAreRoundedUp() {
    let stars = (0...10).map { SubsonicRecords.stars(Rating(rawValue: $0)) }
    #expect(stars == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    #expect(SubsonicRecords.stars(nil) == 0)
  }

  @Test(arguments: [
    #"{"trackGain":0,"albumGain":0,"trackPeak":1,"albumPeak":1}"#, #"{}"#, #"{"trackPeak":0,"albumPeak":0}"#,
  ])
  func whatWasNotMeasuredIsNoLevel(_ json: String) throws { #expect(try SubsonicRecords.levels(row(json)) == nil) }

  @Test func albumsOfManyAreTheirsAndOfNobodyAreUnknown() throws {
    func artist(_ json: String) throws -> String? { try SubsonicRecords.album(row(json), section: nil)?.artist }
    #expect(try artist(#"{"id":"1","name":"A","artist":"VA"}"#) == "Various Artists")
    #expect(try artist(#"{"id":"1","name":"A","isCompilation":true}"#) == "Various Artists")
    #expect(try artist(#"{"id":"1","name":"A"}"#) == "Unknown Artist")
    #expect(try artist(#"{"id":"1","name":"A","artists":[{"id":"9","name":"X"}]}"#) == "X")
    #expect(try artist(#"{"id":"1"}"#) == nil)
  }

  @Test func validAnswersAreRecognised() throws {
    func kind(_ text: String) -> String {
      switch SubsonicAnswer(Array(text.utf8)) {
      case .content: "content"
      case .failed(let code, _, let version): "\(code) \(version ?? "")"
      case nil: "none"
      }
    }
    #expect(kind(#"{"subsonic-response":{"status":"ok","version":"1.16.1"}}"#) == "content")
    #expect(kind(#"{"subsonic-response":{"status":"failed","version":"1.1","error":{"code":"40"}}}"#) == "40 1.1")
    #expect(kind("<html>busy</html>") == "none" && kind("") == "none" && kind(#"{"error":1}"#) == "none")
  }
}
