import HTTP
import Messages
import Model
import Testing

@testable import Records
@testable import Sources

/// Recorded answers of real servers, parsed as in use.
@Suite(
  .enabled(if: Recordings.folder != nil, "needs the recordings of real servers: set LUNARA_RECORDINGS to their folder"))
struct PlexRecordingTests {
  private func page(_ name: String) throws -> PlexPage { try PlexPage(Recordings.bytes(name), of: "Nas") }
  private func xml(_ name: String) throws -> PlexPage { try PlexPage(Recordings.json(ofXML: name), of: "Nas") }

  private func file(_ start: String) throws -> String {
    let index = String(decoding: try Recordings.bytes("pms-1.29/INDEX.tsv"), as: UTF8.self)
    let line = try #require(index.split(separator: "\n").first { $0.hasPrefix(start) })
    return "pms-1.29/" + String(line.prefix { $0 != "\t" })
  }

  @Test func gainIsTheAlbumsAndATracksOwnFollowsFromItsLoudness() throws {
    let page = try page("misc/track_detail.flac-loudness.json")
    let row = try #require(page.rows.first)
    let track = try #require(PlexRecords.track(row, section: nil))
    #expect(track.native == "684925")
    #expect(track.album == "684924")
    #expect(track.levels == Levels(trackGain: -3.23, trackPeak: 0.489227, albumGain: -3.23, albumPeak: 0.977234))
    // The recording has `abc123` there, which is not an id.
    #expect(track.recordingID == nil)
    #expect(track.format == "flac")
    #expect(
      track.audio == AudioProperties(codec: "flac", bitRate: 716, sampleRate: 44_100, bitDepth: 16, channels: 2))
    #expect(track.file == "/AD-FLAC/3rd Bass/The Cactus Album/01 - Stymie's Theme.flac")
    #expect(track.part == "/library/parts/653835/1723508508/file.flac")
    #expect(track.duration == Milliseconds(13360))
    #expect(track.year == 1989)
    #expect(track.genres == ["Hip-Hop"])
    #expect(track.counts?.listeners == 316)
    #expect(track.section == "15")
    #expect(track.artist == nil)
    #expect(track.rating == nil)
  }

  @Test func sectionsOfMusicAreFoundWithTheirCounters() throws {
    let two = PlexSections(try page("misc/library_sections.two-music.pms1.24.json"))
    #expect(two.all.map(\.key) == ["7", "8"])
    #expect(two.all.map(\.title) == ["Music", "Jane's Music"])
    #expect(two.all.map(\.counter) == ["2237080", "1662751"])
    #expect(two.all.allSatisfy { $0.isOnByDefault })
    let one = PlexSections(try page("misc/library_sections.one-music.pms1.32.json"))
    #expect(one.all.map(\.counter) == ["48"])
    let old = PlexSections(try xml("sections/library_sections.xml"))
    #expect(old.all.map(\.key) == ["3"])
  }

  @Test func aCountWithoutRowsIsACount() throws {
    let page = try xml("sections/library_music_size.xml")
    #expect(page.total == 1)
    #expect(page.rows.isEmpty)
  }

  @Test func numbersWrittenAsTextAreRead() throws {
    let page = try xml(file("16-"))
    #expect(page.total == 19403)
    let row = try #require(page.rows.first)
    let track = try #require(PlexRecords.track(row, section: "1"))
    #expect(track.title == "可能否")
    #expect(track.rating?.stars == 5)
    #expect(track.duration == Milliseconds(227_944))
    #expect(track.addedAt == Timestamp(seconds: 1_638_002_162))
    #expect(track.year == 2018)
    #expect(track.disc == 1)
    #expect(track.number == 1)
    #expect(track.guid == "plex://track/6344359ca5c478aa2b7a54b8")
    #expect(track.levels == nil)
    #expect(track.counts?.listeners == 673)
    let detail = try xml(file("17-"))
    let fullRow = try #require(detail.rows.first)
    let full = try #require(PlexRecords.track(fullRow, section: "1"))
    #expect(full.levels == Levels(trackGain: -3.84, trackPeak: 1, albumGain: -3.84, albumPeak: 1))
    #expect(full.recordingID == "ea6cdd7e-d9fc-419c-b994-01c1c1f79b5c")
  }

  @Test func aGuestsTrackKeepsItsOwnArtist() throws {
    let page = try xml(file("18-"))
    let tracks = page.rows.compactMap { PlexRecords.track($0, section: nil) }
    #expect(tracks.map(\.artist) == ["弦子/李茂", nil])
    #expect(tracks.map { $0.counts?.plays } == [10, 1])
    #expect(tracks.allSatisfy { $0.counts?.listeners == nil })
    #expect(tracks.first?.lastPlayedAt == Timestamp(seconds: 1_713_282_859))
    // One of the two tracks has no disc number.
    #expect(tracks.map(\.disc) == [1, 1])
    #expect(tracks.first?.guid == "local://20887")
  }

  @Test func artistsAndAlbumsOfARealServerAreRead() throws {
    let row = try #require(try xml("pms-1.29/10-metadata-get-host-library-metadata-id.fixed.xml").rows.first)
    let artist = try #require(PlexRecords.artist(row, section: nil))
    #expect(artist.name == "24kGoldn")
    #expect(artist.sort == "24KGOLDN")
    #expect(artist.artistID == "0fe5df51-ba65-4784-ba85-7d024a107a8a")
    #expect(artist.art == "/library/metadata/17139/thumb/1711359367")
    let albums = try xml(file("07-")).rows.compactMap { PlexRecords.album($0, section: nil) }
    #expect(!albums.isEmpty)
    #expect(albums.allSatisfy { !$0.title.isEmpty && !$0.artist.isEmpty })
    let artists = try xml(file("09-")).rows.compactMap { PlexRecords.artist($0, section: nil) }
    #expect(!artists.isEmpty)
    let playlists = try xml(file("15-")).rows.compactMap { PlexRecords.playlist($0, items: []) }
    #expect(!playlists.isEmpty)
  }

  @Test(arguments: ["400.body.html", "401-api.body.html", "401-root.body.html", "404.body.html"])
  func anErrorPageIsNoAnswerWhateverItsStatus(_ name: String) async throws {
    let bytes = try Recordings.bytes("misc/\(name)")
    #expect(await refusal { _ = try PlexPage(bytes, of: "Nas") } == "library.sourceAway")
  }

  @Test func notificationsAboutVideosAreIgnored() throws {
    let lines = try Recordings.bytes("notifications/recorded.jsonl").split(separator: 10)
    #expect(lines.count == 6)
    for line in lines {
      #expect(JSONView(Array(line)) != nil)
      #expect(!PlexNotifications.isChange(ServerSentEvent(data: String(decoding: line, as: UTF8.self))))
    }
  }
}
