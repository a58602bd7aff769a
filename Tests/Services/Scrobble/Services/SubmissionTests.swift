import Messages
import Model
import Testing

@testable import lunara_scrobble

struct SubmissionTests {
  private func submission(_ change: (inout Track) -> Void = { _ in }) throws -> Submission {
    var track = subject("l1", 3).item.track
    change(&track)
    return try Submission(track, startedAt: Timestamp(microseconds: 1_700_000_000_900_000))
  }

  @Test func allThatIsKnownIsSent() throws {
    let made = try submission()
    #expect([made.artist, made.title, made.album, made.albumArtist] == ["Ada", "Track 3", "First Light", "Various"])
    #expect(made.number == 3)
    #expect(made.duration == Milliseconds(200_000))
    #expect(made.recordingID == "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
    #expect(made.startedAt == 1_700_000_000)
  }

  @Test func textIsBroughtIntoTheNormalFormCAndOtherwiseLeftAsItIs() throws {
    let made = try submission {
      $0.artist = "Bjo\u{308}rk"
      $0.title = "  ＡＢＣ (Remastered 2011) feat. X "
    }
    #expect(Array(made.artist.utf8) == Array("Bj\u{F6}rk".utf8))
    #expect(made.title == "ＡＢＣ (Remastered 2011) feat. X")
  }

  @Test func controlCharactersAreRemovedFromTitles() throws {
    #expect(try submission { $0.title = "A\u{0}B\nC" }.title == "A B C")
  }

  @Test func unknownFieldsAreLeftOut() throws {
    let made = try submission {
      $0.album = ""
      $0.albumArtist = "Ada"
      $0.number = 0
      $0.duration = .zero
      $0.recordingID = "not an id"
    }
    #expect(made.album == nil && made.albumArtist == nil && made.number == nil && made.duration == nil)
    #expect(made.recordingID == nil)
  }

  @Test(arguments: ["", " ", "Various Artists", "VARIOUS ARTISTS", "Various"])
  func aTrackWithoutAnArtistOfItsOwnIsToldToNobody(artist: String) {
    #expect(throws: Submission.Unsendable.self) { try submission { $0.artist = artist } }
  }

  @Test func theIDsOfArtistsAreSentOnlyWhereEachIsOne() throws {
    let ids = ["B1A9C0E9-D987-4042-AE91-78D6A3267D69", "0383dadf-2a4e-4d10-a46a-e9e041da8eb3"]
    #expect(try submission { $0.artistIDs = ids }.artistIDs == ids.map { $0.lowercased() })
    #expect(try submission { $0.artistIDs = ids + ["none"] }.artistIDs.isEmpty)
    #expect(try submission { $0.releaseGroupID = ids[1] }.releaseGroupID == ids[1])
  }

  @Test(
    arguments: [
      ("USRE17100017", "USRE17100017"), ("us-re1-71-00017", "USRE17100017"), ("USRE1710001", nil), ("", nil),
      ("12RE17100017", nil), ("USRE1710001X", nil), ("ＵSRE17100017", nil),
    ] as [(String, String?)]) func aCodeOfARecordingIsSentInOneForm(text: String, expected: String?) throws
  {
    #expect(try submission { $0.isrc = text }.isrc == expected)
  }

  @Test func aCompilationCarriesItsArtistAndThatOfTheTrack() throws {
    let made = try submission {
      $0.artist = "Ada"
      $0.albumArtist = "Various Artists"
    }
    #expect(made.artist == "Ada" && made.albumArtist == "Various Artists")
  }

  @Test(arguments: [
    "", "b1a9c0e9d9874042ae9178d6a3267d69", "b1a9c0e9-d987-4042-ae91-78d6a3267d6g",
    "b1a9c0e9-d987-4042-ae91_78d6a3267d69", "0", "00000000-0000-0000-0000-000000000000",
  ]) func invalidIDsAreLeftOut(text: String) {
    #expect(MusicBrainzID(text) == nil)
    #expect(
      MusicBrainzID("B1A9C0E9-D987-4042-AE91-78D6A3267D69")?.text == "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
  }
}
