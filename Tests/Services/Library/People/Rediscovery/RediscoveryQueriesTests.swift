import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// The shelves of a day, read from a catalogue.
@Suite(.timeLimit(.minutes(2)))
struct RediscoveryQueriesTests {
  /// The first refresh is at this time, in the morning of 15 January 2027.
  private static let start: Int64 = 1_800_000_000
  private static let day: Int64 = 86_400
  /// The same day two years later; 2028 has 366 days.
  private static let later = Timestamp(seconds: start + 731 * day)

  /// Returns the shelves as `title: reason`, by their kinds.
  private func shelves(
    _ catalogue: TestCatalogue, at now: Timestamp = later, day: String? = nil, opinions: AlbumOpinions = .init(),
    noted: [Anniversary] = []
  ) async throws -> [Library.RediscoveryKind: [String]] {
    let handler = RediscoveryRequestHandler(
      database: catalogue.database, opinions: { _ in opinions }, noted: { _, _ in noted })
    let found = try await catalogue.database.read { try handler.shelves(.init(day: day), at: now, $0) }
    return Dictionary(
      uniqueKeysWithValues: found.shelves.map { shelf in
        (shelf.shelf, shelf.items.map { "\($0.album.title): \($0.reason)" }.sorted())
      })
  }

  /// Returns a catalogue after its first scan, so that albums come with the scans that find them.
  private func scannedCatalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh()
    return catalogue
  }

  private func number(_ catalogue: TestCatalogue, _ title: String) async throws -> Int64 {
    try #require(CatalogueID.number(of: try await catalogue.album(title).id, .album))
  }

  private func hear(_ catalogue: TestCatalogue, _ title: String, tracks: [Int], at seconds: Int64) async throws {
    let all = try await catalogue.tracks(of: try await catalogue.album(title))
    let counted = try tracks.map { track in
      try PlaysTests.counted(all[track], listen: "\(title)\(seconds)-\(track)", at: seconds + Int64(track))
    }
    try await catalogue.database.write { transaction in
      for counted in counted { try ListenRows.record(counted, at: counted.subject.startedAt, transaction) }
    }
  }

  @Test func onThisDayHasWhatWasFirstHeardAddedAndReleased() async throws {
    let catalogue = try await scannedCatalogue()
    for name in ["Heard", "Again", "Added", "Noted"] {
      try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=A"])
    }
    try await catalogue.refresh()
    catalogue.wait(seconds: 40 * Self.day)
    try catalogue.tree.album("Released", ["ALBUM=Released", "ARTIST=A", "DATE=1999-01-15"])
    try catalogue.tree.album("Other", ["ALBUM=Other", "ARTIST=A", "DATE=1999-01-16"])
    try await catalogue.refresh()
    // The album of the day would hide one of these, so it is one that is here for nothing else.
    try await hear(catalogue, "Heard", tracks: [0], at: Self.start)
    try await hear(catalogue, "Again", tracks: [1], at: Self.start - 10 * Self.day)
    try await hear(catalogue, "Again", tracks: [0], at: Self.start)
    let noted = Anniversary(album: try await number(catalogue, "Noted"), event: .noted, years: 1)
    let found = try await shelves(catalogue, noted: [noted])
    let drawn = found[.chance]?.first?.split(separator: ":").first.map(String.init)
    let all = [
      "Added: 2 years ago today it came into the library.", "Again: 2 years ago today it came into the library.",
      "Heard: 2 years ago today you heard it for the first time.", "Noted: A year ago today you wrote about it.",
      "Released: 30 years ago today it was released.",
    ]
    #expect(found[.onThisDay] == all.filter { !$0.hasPrefix("\(drawn ?? "-"):") })
    let other = try await shelves(catalogue, day: "2029-01-16")
    let isDrawn = other[.chance]?.first?.hasPrefix("Other:") == true
    #expect(other[.onThisDay] == (isDrawn ? nil : ["Other: 30 years ago today it was released."]))
  }

  @Test func aDayOnWhichAWholeLibraryCameIsNoAnniversary() async throws {
    let catalogue = try await scannedCatalogue()
    for number in 0..<31 { try catalogue.tree.album("x\(number)", ["ALBUM=X\(number)", "ARTIST=A"]) }
    try await catalogue.refresh()
    #expect(try await shelves(catalogue)[.onThisDay] == nil)
  }

  @Test func lovedHalfHeardAndUnheardAlbumsAreFoundByTheirHistory() async throws {
    let catalogue = try await scannedCatalogue()
    for name in ["Loved", "Begun", "Silent", "Imported", "Disliked", "Drawn"] {
      try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=\(name)"], tracks: 5)
    }
    try await catalogue.refresh()
    for time in 1...3 {
      try await hear(catalogue, "Loved", tracks: [0, 1, 2, 3, 4], at: Self.start + Int64(time) * 9000)
    }
    try await hear(catalogue, "Begun", tracks: [0, 1], at: Self.start + Self.day)
    let imported = try await number(catalogue, "Imported")
    try await catalogue.write(
      "INSERT INTO imported_plays SELECT identity, 4, 1 FROM tracks WHERE shelf = \(imported) LIMIT 1")
    let opinions = AlbumOpinions(dislikes: [try await number(catalogue, "Disliked")])
    // Another day of the calendar, without anniversaries.
    let now = Timestamp(seconds: Self.start + 900 * Self.day)
    let found = try await shelves(catalogue, at: now, opinions: opinions)
    let drawn = found[.chance]?.first?.split(separator: ":").first.map(String.init)
    func expect(_ kind: Library.RediscoveryKind, _ all: [String]) {
      let shown = all.filter { !$0.hasPrefix("\(drawn ?? "-"):") }
      #expect((found[kind] ?? []) == shown)
    }
    expect(.forgotten, ["Loved: You played it 3 times, and have not heard it for 2 years."])
    expect(.halfHeard, ["Begun: 2 of its 5 tracks were heard, the last 2 years ago."])
    expect(
      .unheard,
      ["Drawn: Here since January 2027, and never heard.", "Silent: Here since January 2027, and never heard."])
    #expect(found[.onThisDay] == nil && drawn != "Disliked")
  }

  @Test func artistsWhoArePlayedAreFound() async throws {
    let catalogue = try await scannedCatalogue()
    for name in ["One", "Two", "Three", "Four"] { try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=Ann"]) }
    try await catalogue.refresh()
    let now = Timestamp(seconds: Self.start + 400 * Self.day)
    for time in 1...2 {
      try await hear(catalogue, "One", tracks: [0, 1, 2], at: now.seconds - Int64(time) * Self.day)
    }
    let artists = try await catalogue.database.read { transaction in
      let days = try AnniversaryDays(nil, at: now, transaction)
      return try RediscoveryQueries.facts(of: days, at: now, .init(), noted: [], transaction).artists
    }
    #expect(artists.map(\.name) == ["Ann"] && artists.map(\.plays) == [6])
  }

  @Test func likesDislikesAndNotesAreRead() async throws {
    let catalogue = try await scannedCatalogue()
    for name in ["Liked", "Disliked", "Noted"] { try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=A"]) }
    try await catalogue.refresh()
    try await catalogue.opine(try await catalogue.album("Liked").id, .like)
    try await catalogue.opine(try await catalogue.album("Disliked").id, .dislike)
    let album = try await number(catalogue, "Noted")
    try await catalogue.write(
      """
      INSERT INTO subjects (id, kind, item, shown, last_shown, reference, title, artist)
      SELECT 900, 3, id, id, id, 'files:t' || id, title, artist FROM tracks WHERE shelf = \(album) LIMIT 1
      """,
      "INSERT INTO garden_notes (uid, subject, text, written_at) VALUES ('u', 900, 'Rain.', \(Self.start)000000)")
    let (opinions, noted) = try await catalogue.database.read { transaction in
      let day = try AnniversaryDays(nil, at: Self.later, transaction)
      return (try RediscoveryQueries.opinions(transaction), try RediscoveryQueries.noted(on: day, transaction))
    }
    #expect(opinions.likes == [try await number(catalogue, "Liked")])
    #expect(opinions.dislikes == [try await number(catalogue, "Disliked")])
    #expect(noted == [Anniversary(album: album, event: .noted, years: 2)])
  }

  @Test func aDayThatIsNoneIsRefused() async throws {
    let catalogue = try await scannedCatalogue()
    for day in ["2027-02-30", "now", "", "2027-1-1", "tomorrow's"] {
      await #expect { try await shelves(catalogue, day: day) } throws: {
        ($0 as? LunaraError)?.code == "library.badDay"
      }
    }
    #expect(try await shelves(catalogue, day: "2028-02-29").isEmpty)
    let leap = try await catalogue.database.read { try AnniversaryDays("2028-02-29", at: Self.later, $0) }
    #expect(leap.former.map(\.years).prefix(3) == [4, 8, 12])
    #expect(leap.monthAndDay == "02-29" && leap.year == 2028)
  }

  @Test func anAlbumByChanceIsReadWhole() async throws {
    let catalogue = try await scannedCatalogue()
    let handler = RediscoveryRequestHandler(database: catalogue.database)
    await #expect {
      try await catalogue.database.read { transaction in
        var generator = SplitMix64(state: 1)
        return try handler.drawn(RecentDraws(), at: Self.later, using: &generator, transaction)
      }
    } throws: {
      ($0 as? LunaraError)?.code == "library.noAlbums"
    }
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let drawn = try await catalogue.database.read { transaction in
      var generator = SplitMix64(state: 1)
      return try handler.drawn(RecentDraws(), at: Self.later, using: &generator, transaction)
    }
    #expect(drawn.album.title == "X" && drawn.reason == "Drawn by chance. Never heard.")
  }
}
