import Bus
import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// Themes in a catalogue.
@Suite(.timeLimit(.minutes(2)))
struct ThemeTests {
  private static let now = Timestamp(seconds: 1_800_000_000)
  private static let look = Library.ThemeLook(first: "#1f5f8b", second: "#e8f0f2", texture: .paper)

  /// A catalogue with albums of these names.
  private func catalogue(_ names: [String]) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for name in names {
      try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=A", "GENRE=\(name == "X" ? "Jazz" : "Folk")"])
    }
    try await catalogue.refresh()
    return catalogue
  }

  @discardableResult
  private func save(_ catalogue: TestCatalogue, _ request: Library.SaveTheme) async throws -> Library.Theme {
    try await catalogue.database.write { try ThemeStore.save(request, at: Self.now, $0) }
  }

  private func page(_ catalogue: TestCatalogue, _ id: Int64) async throws -> Library.ThemePage {
    try await catalogue.database.read { try ThemeStore.page(.init(id: id), $0) }
  }

  private func refused(_ catalogue: TestCatalogue, _ request: Library.SaveTheme) async throws -> String? {
    do {
      try await save(catalogue, request)
      return nil
    } catch {
      return LunaraError(error).code
    }
  }

  @Test func pickedAlbumsKeepTheirOrderAndAreThereOnce() async throws {
    let catalogue = try await catalogue(["X", "Y", "Z"])
    let albums = try await catalogue.albums()
    let made = try await save(
      catalogue,
      .init(title: "Boat", text: "The summer.", look: Self.look, adding: [albums[2].id, albums[0].id, albums[2].id]))
    #expect(made.albumCount == 2 && made.look == Self.look && made.rules == nil && made.revision == 1)
    try await save(catalogue, .init(id: made.id, adding: [albums[1].id], removing: [albums[2].id]))
    let page = try await page(catalogue, made.id)
    #expect(page.albums.map(\.title) == ["X", "Y"] && page.missing == nil)
    #expect(page.theme.title == "Boat" && page.theme.text == "The summer." && page.theme.revision == 2)
    #expect(try await refused(catalogue, .init(id: made.id, text: "", revision: 1)) == "library.changedMeanwhile")
    #expect(try await save(catalogue, .init(id: made.id, text: "", revision: 2)).text == nil)
  }

  @Test func albumsThatDoNotFitIntoOneAnswerComeOnFurtherPages() async throws {
    let catalogue = try await catalogue((0..<60).map { "Album \($0)" })
    let albums = try await catalogue.albums()
    let made = try await save(catalogue, .init(title: "Boat", adding: albums.map(\.id)))
    let long = String(repeating: "x", count: 4000)
    try await catalogue.database.write { transaction in
      try transaction.execute("UPDATE albums SET title = ? || id", long)
    }
    var (found, pages, after): ([AlbumID], Int, String?) = ([], 0, nil)
    repeat {
      let request = Library.ReadTheme(id: made.id, after: after)
      let page = try await catalogue.database.read { try ThemeStore.page(request, $0) }
      #expect(page.theme.albumCount == 60)
      found += page.albums.map(\.id)
      (pages, after) = (pages + 1, page.next)
    } while after != nil && pages < 10
    #expect(found == albums.map(\.id) && pages == 2)
  }

  @Test func rulesFindTheAlbums() async throws {
    let catalogue = try await catalogue(["X", "Y", "Z"])
    let rules = #"{"all":[{"is":{"genre":"folk"}}],"sort":"-album"}"#
    let made = try await save(catalogue, .init(title: "Folk", rules: rules))
    #expect(try await page(catalogue, made.id).albums.map(\.title) == ["Z", "Y"])
    #expect(made.albumCount == 2)
    let album = try await catalogue.album("X").id
    #expect(try await refused(catalogue, .init(id: made.id, adding: [album])) == "library.badTheme")
    #expect(try await refused(catalogue, .init(title: "Bad", rules: "{}")) == "library.badRules")
    #expect(try await catalogue.database.read { try ThemeStore.list($0) }.items.map(\.title) == ["Folk"])
  }

  @Test func aListKeepsWhatRulesFindUntilTheCatalogueChanges() async throws {
    let catalogue = try await catalogue(["Y", "Z"])
    try await save(catalogue, .init(title: "Folk", rules: #"{"all":[{"is":{"genre":"folk"}}]}"#))
    let counts = KeptCounts<ThemeCount>()
    func listed() async throws -> [Int] {
      try await catalogue.database.read { try ThemeStore.list(keeping: counts, $0) }.items.map(\.albumCount)
    }
    #expect(try await listed() == [2])
    // The rules would find nothing now, and are not asked while the generation is the same.
    try await catalogue.write("UPDATE tracks SET shelf = NULL")
    #expect(try await listed() == [2])
    try await catalogue.write("UPDATE catalogue SET generation = generation + 1")
    #expect(try await listed() == [0])
  }

  @Test func anAlbumComesBackWithItsMusicUnderAnotherNumber() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "X")
    contents.album(200, "Y")
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    let albums = try await catalogue.albums()
    let made = try await save(catalogue, .init(title: "Boat", adding: albums.map(\.id)))
    server.change { $0.remove(100) }
    try await catalogue.refresh(server, accepting: true)
    let away = try await page(catalogue, made.id)
    #expect(away.albums.map(\.title) == ["Y"] && away.missing == ["Joni – X"] && away.theme.albumCount == 1)
    server.change { $0.album(700, "X") }
    try await catalogue.refresh(server)
    let back = try await page(catalogue, made.id)
    #expect(back.albums.map(\.title) == ["X", "Y"] && back.missing == nil)
    #expect(back.albums[0].id != albums[0].id)
  }

  @Test func anotherEditionStandsInThemesForOneThatLeft() async throws {
    let catalogue = try TestCatalogue()
    let servers = ["one", "two"].map { name in
      var contents = FakeServer.Contents()
      contents.machine = name
      return (name: name, server: FakeServer(contents))
    }
    servers[0].server.change { $0.album(100, "X") }
    servers[1].server.change { $0.album(200, "X (Deluxe Edition)", tracks: 5, seconds: 300) }
    try await catalogue.refresh(servers[0].server, servers[0].name)
    let album = try await catalogue.album("X")
    let made = try await save(catalogue, .init(title: "Boat", adding: [album.id]))
    try await catalogue.opine(album.id, .like)
    try await catalogue.refresh(servers[1].server, servers[1].name)
    #expect(try await page(catalogue, made.id).albums.map(\.title) == ["X"])
    servers[0].server.change { $0.remove(100) }
    try await catalogue.refresh(servers[0].server, servers[0].name, accepting: true)
    #expect(try await page(catalogue, made.id).albums.map(\.title) == ["X (Deluxe Edition)"])
    // What was said of the edition itself waits for it.
    #expect(try await catalogue.opinionWords() == ["X like?"])
    servers[1].server.change { $0.albums[0].title = "Y" }
    try await catalogue.refresh(servers[1].server, servers[1].name)
    #expect(try await page(catalogue, made.id).albums.map(\.title) == ["Y"])
  }

  @Test func whatAThemeCannotHaveIsRefused() async throws {
    let catalogue = try await catalogue(["X"])
    let bad: [Library.SaveTheme] = [
      .init(), .init(title: ""), .init(title: "  "), .init(title: String(repeating: "x", count: 201)),
      .init(title: "T", text: String(repeating: "x", count: 4001)),
      .init(title: "T", look: .init(first: "red", second: "#ffffff", texture: .linen)),
      .init(title: "T", look: .init(first: "#ffffff", second: "#ffffff", texture: .unknown)),
    ]
    for request in bad { #expect(try await refused(catalogue, request) == "library.badTheme", "\(request)") }
    #expect(try await refused(catalogue, .init(id: 7, title: "T")) == "library.unknownTheme")
    let stranger = AlbumID(source: "files", native: "a999")
    #expect(try await refused(catalogue, .init(title: "T", adding: [stranger])) == "library.unknownID")
    #expect(try await catalogue.database.read { try ThemeStore.list($0) }.items.isEmpty)
  }

  @Test func allThemesTogetherFitIntoOneAnswer() async throws {
    let catalogue = try await catalogue([])
    let text = String(repeating: "x", count: 3900)
    for number in 0..<30 { try await save(catalogue, .init(title: "Theme \(number)", text: text)) }
    #expect(try await refused(catalogue, .init(title: "One more", text: text)) == "library.tooManyThemes")
    #expect(try await refused(catalogue, .init(id: 1, text: text + text.prefix(100))) == nil)
    // Quotes take twice their bytes in the answer.
    #expect(
      try await refused(catalogue, .init(id: 2, text: String(repeating: "\"", count: 3900))) == "library.tooManyThemes")
    #expect(try await refused(catalogue, .init(id: 2, text: "Shorter.")) == nil)
    #expect(try await refused(catalogue, .init(title: "One more", text: text)) == nil)
    let list = try await catalogue.database.read { try ThemeStore.list($0) }
    #expect(list.items.count == 31)
    #expect(try MessageCoding.encode(list).count < 190_000)
    // The most themes stay within an answer too.
    #expect(try await refused(catalogue, .init(id: 3, text: "")) == nil)
    for number in 31..<200 { try await save(catalogue, .init(title: "Theme \(number)")) }
    #expect(try await refused(catalogue, .init(title: "Too many")) == "library.tooManyThemes")
    #expect(try MessageCoding.encode(try await catalogue.database.read { try ThemeStore.list($0) }).count < 190_000)
  }

  @Test func everyChangeOfAThemeIsToldAsAFact() async throws {
    let catalogue = try await catalogue(["X"])
    let journal = try await Journal(catalogue.database)
    let id = try await catalogue.database.write { transaction in
      let made = try ThemeStore.save(.init(title: "Boat"), at: Self.now, journal: journal, transaction)
      _ = try ThemeStore.save(.init(id: made.id, title: "Ship"), at: Self.now, journal: journal, transaction)
      try DeletedThemes.delete(made.id, at: Self.now, journal: journal, transaction)
      return made.id
    }
    let bodies = try await catalogue.database.read { transaction in
      try transaction.rows("SELECT kind, payload FROM bus_facts ORDER BY seq") { row in
        "\(try row.value(0) as String) \(String(decoding: try row.value(1) as [UInt8], as: UTF8.self))"
      }
    }
    #expect(
      bodies == [
        #"library.theme-changed {"id":\#(id),"title":"Boat"}"#, #"library.theme-changed {"id":\#(id),"title":"Ship"}"#,
        #"library.theme-changed {"id":\#(id),"isDeleted":true,"title":"Ship"}"#,
      ])
  }

  @Test func aDeletedThemeComesBackWithItsAlbumsFor30Days() async throws {
    let catalogue = try await catalogue(["X", "Y"])
    let albums = try await catalogue.albums()
    let made = try await save(
      catalogue, .init(title: "Boat", text: "The summer.", adding: [albums[1].id, albums[0].id]))
    try await catalogue.database.write { try DeletedThemes.delete(made.id, at: Self.now, $0) }
    #expect(try await catalogue.database.read { try ThemeStore.list($0) }.items.isEmpty)
    try await catalogue.database.write { try DeletedThemes.restore(made.id, $0) }
    let page = try await page(catalogue, made.id)
    #expect(page.theme == made && page.albums.map(\.title) == ["Y", "X"])
    // Nothing is left to bring back.
    func restoring(_ id: Int64) async throws -> String? {
      do {
        try await catalogue.database.write { try DeletedThemes.restore(id, $0) }
        return nil
      } catch {
        return LunaraError(error).code
      }
    }
    #expect(try await restoring(made.id) == "library.unknownTheme")
    // A later deletion forgets those of more than 30 days ago, with their albums.
    let other = try await save(catalogue, .init(title: "Ship"))
    try await catalogue.database.write { transaction in
      try DeletedThemes.delete(made.id, at: Self.now, transaction)
      try DeletedThemes.delete(other.id, at: Timestamp(seconds: 1_800_000_000 + 31 * 86_400), transaction)
    }
    #expect(try await restoring(made.id) == "library.unknownTheme")
    #expect(try await catalogue.database.read { try $0.value("SELECT count(*) FROM theme_picks") } == 0)
    #expect(try await restoring(other.id) == nil)
  }

  @Test func aThemeIsPlayedByItsID() async throws {
    let catalogue = try await catalogue(["X", "Y", "Z"])
    let albums = try await catalogue.albums()
    let made = try await save(catalogue, .init(title: "Boat", adding: [albums[2].id, albums[0].id]))
    let id = PlayableID(source: "library", native: "theme:\(made.id)")
    let tracks = try await catalogue.database.read {
      try Catalogue.playable(.init(ids: [id]), host: "h", $0).tracks.map(\.track.title)
    }
    #expect(tracks == (1...3).map { "Song \($0) of Z" } + (1...3).map { "Song \($0) of X" })
    try await catalogue.database.write { try DeletedThemes.delete(made.id, at: Self.now, $0) }
    await #expect {
      try await catalogue.database.read { try Catalogue.playable(.init(ids: [id]), host: "h", $0) }
    } throws: {
      ($0 as? LunaraError)?.code == "library.unknownID"
    }
  }
}
