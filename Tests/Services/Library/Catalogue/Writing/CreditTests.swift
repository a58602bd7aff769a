import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue

/// The artists, people and works that tags name, from music files to the catalogue.
@Suite(.timeLimit(.minutes(5)))
struct CreditTests {
  private let catalogue: TestCatalogue

  init() throws { catalogue = try TestCatalogue() }

  private func rows(_ query: String) async throws -> [String] {
    try await catalogue.database.read { try $0.values(query) }
  }

  private func credits() async throws -> [String] {
    try await rows(
      """
      SELECT t.title || ' ' || c.role || ' ' || c.name || ifnull(' ' || c.instrument, '') FROM credits c
      JOIN tracks t ON t.id = c.track ORDER BY t.title, c.role, c.place
      """)
  }

  private func detail(_ title: String) async throws -> Library.TrackDetail {
    let track = try #require(try await catalogue.tracks().first { $0.title == title })
    return try await catalogue.database.read { try Catalogue.track(.init(id: track.id), $0) }
  }

  private func write(_ title: String, _ tags: [String], album: String = "Album") throws {
    try catalogue.tree.flac("\(album)/\(title).flac", ["TITLE=\(title)", "ALBUM=\(album)"] + tags)
  }

  @Test func aTrackOfItsAlbumsArtistHasNoCreditRows() async throws {
    try write("one", ["ARTIST=A", "ALBUMARTIST=A", "TRACKNUMBER=1"])
    try write("two", ["ARTIST=a", "ALBUMARTIST=A", "TRACKNUMBER=2"])
    try write("three", ["ARTIST=A", "ALBUMARTIST=A", "TRACKNUMBER=3"])
    try await catalogue.refresh()
    #expect(try await credits().isEmpty)
    #expect(try await catalogue.tracks().allSatisfy { $0.artists == nil && $0.composer == nil && $0.work == nil })
    #expect(try await detail("one").credits?.map(\.name) == ["A"])
    try await catalogue.expectWholeIndex()
  }

  @Test func everyCreditedNameIsAnArtist() async throws {
    try write(
      "one",
      [
        "ARTIST=A feat. B", "ALBUMARTIST=A", "COMPOSER=C; D", "CONDUCTOR=E", "PERFORMER=F (cello)",
        "PERFORMER=F (voice)",
      ])
    try await catalogue.refresh()
    #expect(
      try await credits() == [
        "one 0 A", "one 0 B", "one 2 C", "one 2 D", "one 3 E", "one 6 F cello", "one 6 F voice",
      ])
    #expect(
      try await rows("SELECT name || ' ' || albums || ' ' || credits || ' ' || roles FROM artists ORDER BY name") == [
        "A 1 1 3", "B 0 1 1", "C 0 1 4", "D 0 1 4", "E 0 1 8", "F 0 1 64",
      ])
    // The list of artists has those of albums.
    #expect(try await catalogue.artists().map(\.name) == ["A"])
    let track = try #require(try await catalogue.tracks().first)
    #expect(track.artist == "A feat. B" && track.artists?.map(\.name) == ["A", "B"] && track.composer == "C, D")
    #expect(try await catalogue.search("f").artists.map(\.name) == ["F"])
    #expect(try await catalogue.search("b").tracks.map(\.title) == ["one"])
    try await catalogue.expectWholeIndex()
  }

  @Test func albumArtistsStayApart() async throws {
    try write("one", ["ARTIST=A", "ALBUMARTIST=A", "ALBUMARTIST=B", "ALBUMARTISTSORT=Z"])
    try await catalogue.refresh()
    let (album, artists) = (try await catalogue.album("Album"), try await catalogue.artists())
    #expect(album.artist == "A, B" && album.artistID == artists.first?.id)
    #expect(artists.map(\.name) == ["A", "B"] && artists.map(\.albumCount) == [1, 1])
    // The track has only one of the two.
    #expect(try await credits() == ["one 0 A"])
    #expect(try await catalogue.search("b").albums.map(\.title) == ["Album"])
    try await catalogue.expectWholeIndex()
  }

  @Test func tracksOfACompilationCreditTheirArtists() async throws {
    try write("one", ["ARTIST=A", "ALBUMARTIST=Various Artists"])
    try write("two", ["ARTIST=VA", "ALBUMARTIST=Various Artists"])
    try await catalogue.refresh()
    #expect(try await credits() == ["one 0 A"])
    #expect(try await catalogue.artists().map(\.name) == ["Various Artists"])
    #expect(try await detail("two").credits?.isEmpty == true)
    try await catalogue.expectWholeIndex()
  }

  @Test func aRescanWritesNoCredit() async throws {
    try write("one", ["ARTIST=A", "COMPOSER=B", "WORK=W", "TRACKNUMBER=1"])
    try write("two", ["ARTIST=C", "TRACKNUMBER=2"])
    try await catalogue.refresh()
    try await catalogue.database.write { transaction in
      for table in ["credits", "album_artists", "track_works", "works", "artist_names", "album_tags"] {
        for change in ["INSERT", "UPDATE", "DELETE"] {
          try transaction.execute(
            "CREATE TEMP TRIGGER \(table)_\(change) BEFORE \(change) ON \(table) BEGIN SELECT RAISE(ABORT, '\(table)'); END"
          )
        }
      }
    }
    // The same tags with another time: the files are read and written again.
    try write("one", ["ARTIST=A", "COMPOSER=B", "WORK=W", "TRACKNUMBER=1", "PADDING=x"])
    #expect(try await catalogue.refresh() == [0, 1, 1, 0])
  }

  @Test func changedCreditsAreThoseOfTheFile() async throws {
    try write("one", ["ARTIST=A", "COMPOSER=Bach", "WORK=Partita"])
    try await catalogue.refresh()
    #expect(try await catalogue.search("bach").tracks.map(\.title) == ["one"])
    try write("one", ["ARTIST=A", "COMPOSER=Handel", "WORK=Messiah"])
    try await catalogue.refresh()
    #expect(try await credits() == ["one 2 Handel"])
    #expect(try await rows("SELECT title FROM works") == ["Messiah"])
    let nothing = Library.SearchResults(
      artists: [], albums: [], tracks: [], collections: [], playlists: [], tags: [], people: [])
    #expect(try await catalogue.search("bach") == nothing)
    #expect(try await catalogue.search("handel").artists.map(\.name) == ["Handel"])
    try await catalogue.expectWholeIndex()
    try catalogue.tree.remove("Album/one.flac")
    try write("two", ["ARTIST=A"])
    try await catalogue.refresh(accepting: true)
    for table in ["credits", "works", "track_works"] {
      #expect(try await rows("SELECT count(*) || '' FROM \(table)") == ["0"], "\(table)")
    }
    #expect(try await rows("SELECT name FROM artists") == ["A"])
    #expect(try await rows("SELECT name FROM artist_names") == ["A"])
    try await catalogue.expectWholeIndex()
  }

  @Test func creditsFollowTheAlbumsArtist() async throws {
    try write("one", ["ARTIST=A", "ALBUMARTIST=A", "TRACKNUMBER=1"])
    try write("two", ["ARTIST=A", "ALBUMARTIST=A", "TRACKNUMBER=2"])
    try await catalogue.refresh()
    // The tags of the first file are those that count; the second is not read again.
    try write("one", ["ARTIST=A", "ALBUMARTIST=A", "ALBUMARTIST=B", "TRACKNUMBER=1"])
    try write("three", ["ARTIST=A", "ALBUMARTIST=A", "ALBUMARTIST=B", "TRACKNUMBER=3"])
    try await catalogue.refresh()
    #expect(try await credits().contains("one 0 A"))
    try await catalogue.expectWholeIndex()
  }

  @Test func anArtistOfTwoNamesWithOneIDIsOne() async throws {
    try write("1", ["ARTIST=Prince", "MUSICBRAINZ_ARTISTID=\(TestID.musicBrainz("p"))"], album: "First")
    try write("2", ["ARTIST=The Artist"], album: "Second")
    try write("3", ["ARTIST=The Artist", "MUSICBRAINZ_ARTISTID=\(TestID.musicBrainz("p"))"], album: "Third")
    try await catalogue.refresh()
    #expect(try await catalogue.artists().map(\.name) == ["Prince"])
    #expect(try await catalogue.artists().first?.albumCount == 3)
    #expect(try await rows("SELECT name FROM artist_names ORDER BY name") == ["Prince", "The Artist"])
    #expect(try await catalogue.search("the artist").artists.map(\.name) == ["Prince"])
    #expect(try await catalogue.album("Third").artist == "The Artist")
    try await catalogue.expectWholeIndex()
  }

  @Test func aNameThatIsFoundToBeAnAliasKeepsItsID() async throws {
    try write("2", ["ARTIST=The Artist"], album: "Second")
    try await catalogue.refresh()
    let before = try #require(try await catalogue.artists().first)
    try write("1", ["ARTIST=Prince", "MUSICBRAINZ_ARTISTID=\(TestID.musicBrainz("p"))"], album: "First")
    try await catalogue.refresh()
    try write("3", ["ARTIST=The Artist", "MUSICBRAINZ_ARTISTID=\(TestID.musicBrainz("p"))"], album: "Third")
    try await catalogue.refresh()
    let prince = try #require(try await catalogue.artists().first)
    #expect(prince.albumCount == 3 && prince.id != before.id)
    let found = try await catalogue.database.read { try Catalogue.artist(.init(id: before.id), $0) }
    #expect(found.artist.id == prince.id)
    try await catalogue.expectWholeIndex()
  }

  @Test func twoArtistsOfOneNameStayTwo() async throws {
    try write("1", ["ARTIST=Nirvana", "MUSICBRAINZ_ARTISTID=\(TestID.musicBrainz("us"))"], album: "Nevermind")
    try write("2", ["ARTIST=Nirvana", "MUSICBRAINZ_ARTISTID=\(TestID.musicBrainz("uk"))"], album: "Local Anaesthetic")
    try write("3", ["ARTIST=Nirvana"], album: "Bleach")
    try await catalogue.refresh()
    #expect(try await catalogue.artists().map(\.name) == ["Nirvana", "Nirvana"])
    #expect(
      try await rows("SELECT mbid || ' ' || albums FROM artists ORDER BY albums") == [
        "\(TestID.musicBrainz("us")) 1", "\(TestID.musicBrainz("uk")) 2",
      ])
    #expect(try await catalogue.search("nirvana").artists.count == 2)
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
    try await catalogue.expectWholeIndex()
  }

  @Test func anIDOfAnotherFormJoinsNoArtists() async throws {
    try write("1", ["ARTIST=Prince", "MUSICBRAINZ_ARTISTID=0"], album: "First")
    try write("2", ["ARTIST=Nirvana", "MUSICBRAINZ_ARTISTID=0"], album: "Second")
    try await catalogue.refresh()
    #expect(try await catalogue.artists().map(\.name) == ["Nirvana", "Prince"])
    #expect(try await rows("SELECT name FROM artists WHERE mbid IS NOT NULL") == [])
  }

  @Test func namesThatTagsGiveByThemselvesAreKeptWhole() async throws {
    try write("1", ["ARTIST=Yin / Yang", "MUSICBRAINZ_ARTISTID=\(TestID.musicBrainz("y"))"], album: "First")
    try await catalogue.refresh()
    try write("2", ["ARTIST=Yin / Yang; Other"], album: "Second")
    try await catalogue.refresh()
    #expect(try await catalogue.artists().map(\.name) == ["Other", "Yin / Yang"])
  }

  @Test func composersAreFoundBySearch() async throws {
    let tags = [
      "ARTIST=Glenn Gould", "ALBUMARTIST=Glenn Gould", "COMPOSER=Johann Sebastian Bach",
      "COMPOSERSORT=Bach, Johann Sebastian", "WORK=Partita No. 1",
    ]
    try write("I. Praeludium", tags + ["MOVEMENTNAME=Praeludium", "MOVEMENTNUMBER=1", "MOVEMENTTOTAL=7"])
    try write("II. Allemande", tags + ["MOVEMENTNAME=Allemande", "MOVEMENT=2/7"])
    try write("So You Want to Write a Fugue", ["ARTIST=Glenn Gould", "ALBUMARTIST=Glenn Gould"])
    try write("Air", ["ARTIST=Bach"], album: "Best of Bach")
    try await catalogue.refresh()
    let found = try await catalogue.search("bach")
    #expect(found.artists.map(\.name) == ["Bach", "Johann Sebastian Bach"])
    #expect(found.albums.map(\.title) == ["Best of Bach", "Album"])
    #expect(found.tracks.map(\.title) == ["Air", "I. Praeludium", "II. Allemande"])
    #expect(try await catalogue.search("partita gould").tracks.count == 2)
    #expect(try await rows("SELECT title || ' ' || sort FROM works") == ["Partita No. 1 partita no. 11"])
    #expect(
      try await rows("SELECT sort FROM artists WHERE name LIKE 'Johann%'") == ["bach, johann sebastian"])
    let work = try #require(try await detail("II. Allemande").track.work)
    #expect(work.title == "Partita No. 1" && work.composer?.name == "Johann Sebastian Bach")
    #expect(work.movement == "Allemande" && work.number == 2 && work.total == 7)
    try await catalogue.expectWholeIndex()
  }

  @Test func worksOfOneTitleByTwoComposersAreTwo() async throws {
    try write("1", ["ARTIST=A", "COMPOSER=Bach", "WORK=Magnificat"])
    try write("2", ["ARTIST=A", "COMPOSER=Vivaldi", "WORK=Magnificat"])
    try write("3", ["ARTIST=A", "COMPOSER=bach", "WORK=MAGNIFICAT"])
    try await catalogue.refresh()
    #expect(try await rows("SELECT key FROM works ORDER BY key") == ["bach|magnificat", "vivaldi|magnificat"])
  }

  @Test func moodsStylesAndLabelsAreTagsOfTheAlbum() async throws {
    try write(
      "1",
      [
        "ARTIST=A", "MOOD=Calm; Dark", "STYLE=Ambient", "LABEL=Kompakt", "RELEASETYPE=Album; Live", "MEDIA=CD",
        "RELEASECOUNTRY=DE", "LANGUAGE=deu", "GROUPING=Favourites", "KEY=Am",
      ])
    try write("2", ["ARTIST=A", "MOOD=calm", "LABEL=Kompakt"])
    try await catalogue.refresh()
    func tags(_ kind: Library.Tag.Kind) async throws -> [String] {
      try await catalogue.database.read { try Catalogue.tags(.init(of: kind), $0).items.map(\.name) }
    }
    #expect(try await tags(.mood) == ["Calm", "Dark"])
    #expect(try await tags(.style) == ["Ambient"])
    #expect(try await tags(.label) == ["Kompakt"])
    #expect(try await tags(.type) == ["album", "live"])
    #expect(try await tags(.media) == ["CD"])
    #expect(try await tags(.country) == ["DE"])
    #expect(try await tags(.language) == ["deu"])
    #expect(try await tags(.grouping) == ["Favourites"])
    #expect(try await tags(.key) == ["Am"])
    #expect(try await tags(.format) == ["flac"])
    #expect(try await tags(.sampleRate) == ["44100"])
    #expect(try await tags(.bitDepth) == ["16"])
    try write("1", ["ARTIST=A", "COMPILATION=1", "ALBUMARTIST=A"])
    try await catalogue.refresh()
    #expect(try await tags(.mood) == ["calm"])
    #expect(try await tags(.style).isEmpty)
    #expect(try await tags(.type) == ["compilation"])
  }

  @Test func theRestOfTheTagsAreFactsOfTheTrack() async throws {
    try write(
      "1",
      [
        "ARTIST=A", "BPM=120.5", "INITIALKEY=Am", "COMMENT=Nice", "ORIGINALDATE=1973-03", "DATE=2011-09-26",
        "ACOUSTID_ID=x", "ITUNESADVISORY=1", "LYRICS=la la", "SUBTITLE=S", "DISCSUBTITLE=D", "LANGUAGE=eng;deu",
      ])
    try write("2", ["ARTIST=A"])
    try await catalogue.refresh()
    let detail = try await detail("1")
    var facts = TrackFacts()
    (facts.beatsPerMinute, facts.key, facts.comment, facts.originalDate) = (120.5, "Am", "Nice", "1973-03")
    (facts.date, facts.acoustID, facts.isExplicit, facts.subtitle) = ("2011-09-26", "x", true, "S")
    (facts.discTitle, facts.languages) = ("D", ["eng", "deu"])
    #expect(detail.facts == facts && detail.hasLyrics == true)
    let plain = try await self.detail("2")
    #expect(plain.facts == nil && plain.hasLyrics == false)
  }
}
