import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// What people said in a home from before the release 0.2.0 is as before, and follows the music.
@Suite(.timeLimit(.minutes(2)))
struct OldHomeTests {
  private let folder = TemporaryDirectory()
  private var path: String { "\(folder.path)/library.sqlite" }

  /// What was said when the database was stored.
  private static let said = [
    "confirmed mark Blue: Blue", "confirmed mark Gone: Gone?", "confirmed mark Split: Split", "dislike: Court",
    "dislike: Hejira", "dislike: Mingus", "dislike: Split", "like: Blue", "like: Gone?", "like: Heir", "like: Mingus",
    "marked mark Heir: Heir", "marked mark Hejira: Hejira", "note album Blue: Blue", "note album Gone: Gone?",
    "note album Heir: Heir", "note album Hejira: Hejira", "note album Split: Split", "note artist Blue: Joni",
    "note artist Gone: Nobody?", "note artist Heir: Joni", "note artist Hejira: Ada", "note artist Split: Joni",
    "note track Blue: Song 2 of Blue", "note track Gone: Song 2 of Gone?", "note track Heir: Song 2 of Heir",
    "note track Hejira: Song 2 of Hejira", "note track Split: Song 2 of Split",
    #"theme Boat: ["Split", "Blue", "Heir", "Old (Deluxe Edition)"] ["Nobody – Gone"]"#,
    #"theme Folk: ["Blue", "Court", "Heir", "Hejira", "Mingus", "Mingus", "Old (Deluxe Edition)", "Split"] []"#,
    "todo todo Blue: Blue", "todo todo Gone: Gone?", "todo todo Heir: Heir", "todo todo Hejira: Hejira",
    "todo todo Split: Split",
  ]

  /// The servers of the home as they were when the database was stored.
  private struct Servers {
    let first = FakeServer()
    let second = FakeServer()

    init() {
      first.change { contents in
        contents.counter = 1000
        for (index, title) in ["Blue", "Hejira", "Mingus", "Court", "", "Split"].enumerated() where !title.isEmpty {
          contents.album(1000 + 100 * index, title, by: title == "Hejira" ? "Ada" : "Joni")
        }
        contents.album(1900, "Old (Deluxe Edition)")
      }
      second.change { contents in
        contents.counter = 1000
        contents.machine = "machine-2"
        contents.album(2000, "Blue")
        contents.album(2200, "Mingus", tracks: 5, seconds: 300)
        contents.album(2300, "Court")
        contents.album(2400, "Heir")
      }
    }

    func refresh(_ catalogue: TestCatalogue) async throws {
      try await catalogue.refresh(first, "plex", accepting: true)
      try await catalogue.refresh(second, "plex-2", accepting: true)
    }
  }

  private func open() throws -> TestCatalogue {
    let other = try TestCatalogue()
    other.wait(seconds: 1000)
    return try TestCatalogue(other, at: path) { _ in }
  }

  @Test func everyRowIsThereAndEverythingIsReadAsBefore() async throws {
    // The keys by which lists are sorted are those of this version.
    let before = try await OldDatabase.make(
      "library", of: "0.2", at: path, leavingOut: ["sort", "title_sort", "artist_sort", "title_key"])
    let catalogue = try open()
    #expect(try await OldDatabase.lost(of: before, in: catalogue.database, except: ["opinion_outbox"]) == [])
    #expect(try await catalogue.said() == Self.said.sorted())
    #expect(try await catalogue.opinionFaults().isEmpty)
    // What services are to be told is about the same albums.
    let (all, right) = try await catalogue.database.read { transaction in
      (
        try transaction.value("SELECT count(*) FROM opinion_outbox") as Int?,
        try transaction.value(
          """
          SELECT count(*) FROM opinion_outbox x JOIN album_opinions o ON o.subject = x.opinion
          JOIN subjects s ON s.id = o.subject WHERE x.album = s.item OR x.album IN (SELECT id FROM albums WHERE shelf = s.shown)
          """) as Int?
      )
    }
    #expect(all == right && (all ?? 0) > 0)
    // A later start changes nothing.
    await catalogue.database.close()
    #expect(try await open().said() == Self.said.sorted())
  }

  @Test func aDamagedDatabaseOfTheEarlierVersionIsSavedWithIt() async throws {
    try await OldDatabase.make("library", of: "0.2", at: path)
    Salvage.request(for: path)
    let catalogue = try open()
    #expect(try await catalogue.said() == Self.said.sorted())
    #expect(try await catalogue.opinionFaults().isEmpty)
  }

  /// Makes the home, changed by statements, as if a version before had left it so.
  private func make(_ statements: String...) async throws {
    try await OldDatabase.make("library", of: "0.2", at: path)
    let migrations = Journal.migrations + Catalogue.migrations.prefix { $0.name != "subjects-1" }
    let database = try Database(at: path, migrations: migrations)
    try await database.write { for statement in statements { try $0.execute(statement) } }
    await database.close()
  }

  @Test func whatDamageTookTheNameOfIsAboutNothingElse() async throws {
    try await make("DELETE FROM garden_subjects WHERE id > (SELECT max(id) FROM garden_subjects) - 5")
    Salvage.request(for: path)
    let catalogue = try open()
    let opinions = Self.said.filter { $0.hasPrefix("like") || $0.hasPrefix("dislike") }
    #expect(try await catalogue.said().filter(opinions.contains) == opinions.sorted())
    let named = try await catalogue.database.read { transaction in
      try transaction.values(
        """
        SELECT s.title FROM subjects s JOIN (SELECT subject FROM garden_notes UNION SELECT subject FROM garden_marks
          UNION SELECT subject FROM garden_todos) said ON said.subject = s.id
        WHERE s.id NOT IN (SELECT id FROM garden_subjects WHERE title <> 'Unknown')
        """) as [String]
    }
    #expect(!named.isEmpty && named.allSatisfy { $0 == "Unknown" })
  }

  @Test func aDatabaseWhoseCountersWereLostIsSavedWithWhatPeopleSaid() async throws {
    try await make("DELETE FROM catalogue")
    Salvage.request(for: path)
    #expect(try await open().said() == Self.said.sorted())
  }

  /// A version before gave what was imported without its music the number 0, and the id of the other library.
  @Test func whatWasImportedWithoutItsMusicIsOneThingEach() async throws {
    try await make(
      """
      INSERT INTO garden_subjects (id, kind, item, reference, key, title, artist)
      VALUES (9001, 2, 0, 'plex:a1', 'x', 'X', 'Y'), (9002, 2, 0, 'plex:a2', 'z', 'Z', 'Y')
      """,
      """
      INSERT INTO garden_notes (uid, subject, text, written_at) VALUES ('x', 9001, 'x', 1), ('z', 9002, 'z', 1)
      """)
    let catalogue = try open()
    let ids = try await catalogue.database.read { transaction in
      try transaction.rows("SELECT item, last_shown, reference FROM subjects WHERE id IN (9001, 9002)") { row in
        [
          try row.value(0) as Int64, try row.value(1) as Int64,
          CatalogueID.number(of: try row.value(2) as AlbumID, .album) ?? 0,
        ]
      }
    }
    #expect(ids.count == 2 && Set(ids.joined()).count == 2 && ids.allSatisfy { Set($0).count == 1 && $0[0] > 0 })
    let albums = try await catalogue.database.read { transaction in
      try transaction.value("SELECT count(*) FROM albums WHERE id IN (?, ?)", ids[0][0], ids[1][0]) as Int?
    }
    #expect(albums == 0)
  }

  @Test func everythingFollowsItsMusic() async throws {
    try await OldDatabase.make("library", of: "0.2", at: path)
    let (catalogue, servers) = (try open(), Servers())
    var said = Self.said
    func expect(_ what: String) async throws {
      #expect(try await catalogue.said() == said.sorted(), "\(what)")
      #expect(try await catalogue.opinionFaults().isEmpty, "\(what)")
    }
    func replace(_ former: String, _ now: String) {
      said = said.map { $0.contains(former) ? $0.replacing(former, with: now) : $0 }
    }
    try await servers.refresh(catalogue)
    try await expect("nothing changed")
    servers.first.change { $0.renumber(by: 10_000, guids: false, files: false) }
    try await servers.refresh(catalogue)
    try await expect("a server was built anew")
    for server in [servers.first, servers.second] {
      server.change { contents in
        for index in contents.albums.indices where contents.albums[index].title == "Blue" {
          contents.albums[index].title = "Azure"
        }
      }
    }
    try await servers.refresh(catalogue)
    replace(": Blue", ": Azure")
    replace(#""Split", "Blue""#, #""Split", "Azure""#)
    replace(#"["Blue", "Court""#, #"["Azure", "Court""#)
    try await expect("an album was renamed")
    servers.first.change { $0.album(5000, "Gone", by: "Nobody") }
    try await servers.refresh(catalogue)
    replace("Gone?", "Gone")
    replace("Nobody?", "Nobody")
    replace("confirmed mark Gone", "marked mark Gone")
    replace(#"Boat: ["#, #"Boat: ["Gone", "#)
    replace(#" ["Nobody – Gone"]"#, " []")
    replace(#""Court", "Heir""#, #""Court", "Gone", "Heir""#)
    try await expect("an album came back under another number")
    servers.second.change { contents in
      contents.remove(2300)
      contents.album(2300, "Court", tracks: 5, seconds: 300)
    }
    try await servers.refresh(catalogue)
    said.append("like: Court")
    replace(#""Court", "Gone""#, #""Court", "Court", "Gone""#)
    try await expect("copies became two albums")
    servers.first.change { $0.remove(11500) }
    try await servers.refresh(catalogue)
    replace(": Split", ": Split?")
    replace("of Split", "of Split?")
    replace(#", "Split"] []"#, "] []")
    replace(#""Gone", "Split","#, #""Gone","#)
    said = said.map { $0.hasPrefix("theme Boat") ? $0.replacing("] []", with: #"] ["Joni – Split"]"#) : $0 }
    try await expect("an album was removed")
    // An opinion that was taken back while its album was away is given back by the id of that time.
    servers.first.change { $0.album(6000, "Former") }
    try await servers.refresh(catalogue)
    let former = try #require(AlbumID("plex:a8"))
    #expect(try await catalogue.opine(former, .like) == nil)
    #expect(try await catalogue.said().contains("like: Former"))
  }
}

extension TestCatalogue {
  /// One line for each note, mark, todo, like, dislike and theme; a question mark stands after what is away.
  fileprivate func said() async throws -> [String] {
    try await database.read { transaction in
      func line(_ kind: String, _ text: String, _ on: Library.GardenSubject) -> String {
        "\(kind) \(text): \(on.title)\(on.isHere == false ? "?" : "")"
      }
      let opinions = try OpinionStore.page(.init(limit: 500), transaction).items.map { one in
        "\(one.opinion.rawValue): \(one.title)\(one.isHere == false ? "?" : "")"
      }
      let notes = try Catalogue.notes(.init(limit: 100), transaction).items.map { line("note", $0.text, $0.on) }
      let marks = try [Library.MarkState.marked, .confirmed, .kept].flatMap { state in
        try Catalogue.marks(.init(state: state), transaction).items.map { line(state.rawValue, $0.text, $0.on) }
      }
      let todos = try Catalogue.todos(.init(state: .open), transaction).items.map { line("todo", $0.text, $0.on) }
      let themes = try ThemeStore.list(transaction).items.map { theme in
        let page = try ThemeStore.page(.init(id: theme.id), transaction)
        return "theme \(theme.title): \(page.albums.map(\.title)) \(page.missing ?? [])"
      }
      return (opinions + notes + marks + todos + themes).sorted()
    }
  }
}
