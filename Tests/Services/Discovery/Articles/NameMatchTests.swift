import Messages
import Model
import Testing

@testable import Discovery

/// Decisions by names: in doubt a page is a guess.
@Suite struct NameMatchTests {
  private func page(_ title: String, _ about: String?, _ text: String) -> WikiPage? {
    let quoted = text.replacing("\"", with: "'")
    let description = about.map { #","description":"\#($0)""# } ?? ""
    return JSONView(Array(#"{"ns":0,"title":"\#(title)","extract":"\#(quoted)"\#(description)}"#.utf8)).flatMap {
      WikiPage($0)
    }
  }

  private func degree(
    _ artist: String, _ title: String?, _ name: String, _ about: String?, _ text: String, albums: [String] = []
  ) throws -> NameMatch.Degree {
    let subject = Discovery.ArticleSubject(album: AlbumID(source: "files", native: "a1"))
    let match = NameMatch(topic: ArticleTopic(subject, artist: artist, title: title), albums: albums)
    return match.degree(of: try #require(page(name, about, text)))
  }

  @Test(arguments: [
    ("Homogenic", "1997 studio album by Björk", NameMatch.Degree.sure), ("HOMOGENIC (album)", "1997 album", .sure),
    ("Homogenic (Björk album)", "Studio album", .sure), ("Homogenic (1997 album)", "Album", .sure),
    ("Homogenic (Album)", "Studioalbum der Sängerin", .sure), ("Homogenic (Moby album)", "Album", .near),
    ("Homogenic (song)", "Song by Björk from an album", .unlikely), ("Homogenic Live", "Live album", .near),
    ("Homogenic", "Concept in physics", .unlikely), ("Post", "1995 album by Björk", .unlikely),
  ]) func anAlbumNeedsItsExactTitleAndTheWordAlbum(name: String, about: String, expected: NameMatch.Degree) throws {
    #expect(try degree("Björk", "Homogenic", name, about, "It is by Björk.") == expected)
  }

  @Test func anAlbumWhoseTextDoesNotNameTheArtistIsNotSure() throws {
    #expect(try degree("Air", "Blue", "Blue", "2001 album", "It is by an airline.") == .exact)
    #expect(try degree("Air", "Blue", "Blue", "2001 album", "It is by Air.") == .sure)
  }

  @Test(arguments: [
    ("Air (French band)", "French electronic music duo", NameMatch.Degree.sure), ("Air (musician)", "DJ", .sure),
    ("Air", "Rockband", .sure), ("Air (album)", "Album by the band Air", .unlikely),
    ("Air", "Mixture of gases", .unlikely),
    ("Air Supply", "Australian band", .near), ("Air (singer, born 1980)", "Sängerin", .sure),
    ("Air (husband)", "Husband of a queen", .unlikely),
  ]) func anArtistNeedsTheExactNameAndAWordForMusicians(name: String, about: String, expected: NameMatch.Degree) throws
  {
    let text = "They made Moon Safari."
    #expect(try degree("Air", nil, name, about, text, albums: ["Moon Safari"]) == expected)
  }

  @Test(arguments: [
    ("Hair", "Hair (musical)", "1967 rock musical"), ("Hair", "Hair", "1967 rock musical"),
    ("Air", "Air", "Composition by Johann Sebastian Bach"), ("Air", "Air", "Choreographer and theorist"),
    ("Air", "Air (bandit)", "Bandit of the 19th century"), ("Air", "Air", "Music festival in Germany"),
    ("Air", "Air", "Chord with three notes"),
  ]) func aPageAboutAWorkOrAnotherPersonIsNoArtist(artist: String, name: String, about: String) throws {
    #expect(try degree(artist, nil, name, about, "It has Moon Safari.", albums: ["Moon Safari"]) == .unlikely)
  }

  @Test(arguments: ["Electronic music group", "French musical artist", "Music project", "Brazilian composer", "Banda"])
  func musicCountsWithAWordForThoseWhoMakeIt(about: String) throws {
    #expect(try degree("Air", nil, "Air", about, "They made Moon Safari.", albums: ["Moon Safari"]) == .sure)
  }

  @Test func anAlbumTitleOfOneWordProvesNothing() throws {
    let text = "John Smith is a singer, best heard live."
    #expect(try degree("John Smith", nil, "John Smith", "Singer", text, albums: ["Live"]) == .exact)
    let named = "John Smith is a singer who made Live at Home."
    #expect(try degree("John Smith", nil, "John Smith", "Singer", named, albums: ["Live at Home"]) == .sure)
    #expect(try degree("Ado", nil, "Ado", "歌手", "Adoは「狂言」を出した。", albums: ["狂言"]) == .sure)
  }

  @Test func anAlbumOfTheArtistsOwnNameProvesNothing() throws {
    #expect(try degree("Air", nil, "Air", "Band", "Air are a band.", albums: ["Air"]) == .exact)
  }

  @Test func aPageWithoutADescriptionIsJudgedByItsBeginning() throws {
    #expect(try degree("Air", "Blue", "Blue", nil, "Blue is the first album by Air.") == .sure)
  }
}
