import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People

/// Marks for deletion, and their export.
@Suite(.timeLimit(.minutes(2)))
struct MarkTests {
  private func export(_ form: Library.ExportMarks.Form, _ catalogue: TestCatalogue) async throws -> Library.MarkExport {
    try await catalogue.database.read { try MarkExport.part(.init(form: form), $0) }
  }

  private func server(_ fill: (inout FakeServer.Contents) -> Void) -> FakeServer {
    var contents = FakeServer.Contents()
    fill(&contents)
    return FakeServer(contents)
  }

  @Test func aMarkShowsSizePlaysAndTheLossyCopyBesideTheLosslessOne() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 2) })
    try await catalogue.refresh(server { $0.album(700, "Blue", tracks: 2, format: "flac") }, "plex-2")
    let blue = try await catalogue.album("Blue")
    let heard = try await catalogue.tracks(of: blue)[0]
    let counted = try PlaysTests.counted(heard, listen: "l1", at: 1_799_000_000)
    try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: 1), $0) }
    let mark = try await catalogue.garden { try $0.marks.mark(.init(id: blue.id.playable, reason: "Twice.")) }
    #expect(mark.state == .marked && mark.text == "Twice." && mark.tracks == 2 && mark.plays == 1)
    #expect(mark.lastHeard == Timestamp(seconds: 1_799_000_000) && mark.bytes == nil)
    #expect(mark.duplicates.map(\.isLossless).sorted { !$0 && $1 } == [false, true])
    // Marking it again is one mark, with the new reason.
    let again = try await catalogue.garden { try $0.marks.mark(.init(id: blue.id.playable, reason: "Never.")) }
    #expect(again.mark == mark.mark && again.text == "Never.")
    #expect(try await export(.ids, catalogue).text.isEmpty)
    _ = try await catalogue.garden { try $0.marks.decide(.init(mark: mark.mark, state: .confirmed)) }
    #expect(try await export(.ids, catalogue).text == "plex\t100\nplex-2\t700\n")
    _ = try await catalogue.garden { try $0.marks.decide(.init(mark: mark.mark, state: .kept)) }
    let listed = try await catalogue.database.read { try Catalogue.marks(.init(), $0).items }
    let kept = try await catalogue.database.read { try Catalogue.marks(.init(state: .kept), $0).items }
    #expect(listed.isEmpty && kept.map(\.mark) == [mark.mark])
    #expect(
      await gardenCode { try await catalogue.garden { try $0.marks.decide(.init(mark: 99, state: .kept)) } }
        == "library.unknownMark")
  }

  @Test func aConfirmedMarkThatComesToOtherMusicIsToBeConfirmedAgain() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 2) })
    try await catalogue.refresh(server { $0.album(700, "Blue", tracks: 2, format: "flac") }, "plex-2")
    let blue = try await catalogue.album("Blue")
    let mark = try await catalogue.garden { try $0.marks.mark(.init(id: blue.id.playable, reason: "Twice.")) }
    _ = try await catalogue.garden { try $0.marks.decide(.init(mark: mark.mark, state: .confirmed)) }
    // The person deletes the copy that is shown. The other one is left, and nobody has confirmed that it goes, too.
    try await catalogue.refresh(server { _ in }, blue.id.source, accepting: true)
    let left = try await catalogue.database.read { try Catalogue.marks(.init(), $0).items }
    #expect(left.map(\.state) == [.marked] && left.first?.on.isHere != false)
    #expect(try await export(.ids, catalogue).text.isEmpty)
  }

  @Test func whatIsShownOfAnAlbumIsFoundWithoutReadingAllAlbums() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 2) })
    let blue = try await catalogue.album("Blue").id
    let plan = try await catalogue.database.read { transaction in
      let scope = try PlayScope(Library.PlayFilter(album: blue), transaction)
      let queries = ["SELECT t.id FROM \(Catalogue.tracks(of: .album))", try #require(scope.tracks)]
      return try queries.flatMap { query in
        try transaction.rows("EXPLAIN QUERY PLAN \(query)", scope.number) { try $0.value(3) as String }
      }
    }
    #expect(plan.contains { $0.contains("albums_of_shelf") } && !plan.contains { $0.hasPrefix("SCAN ") })
  }

  @Test func aQuoteWithAMarkOnItIsQuotedToo() {
    #expect(MarkExport.quoted("a'\u{301}b").utf8.elementsEqual("'a'\\''\u{301}b'".utf8))
  }

  @Test func aScriptIsQuotedAndDeletesNothing() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("it's $(here)/01 `x`.flac", ["ALBUM=It's", "ARTIST=A\nrm -rf /", "TITLE=One"])
    try catalogue.tree.flac("it's $(here)/02\nrm -rf x.flac", ["ALBUM=It's", "ARTIST=A\nrm -rf /", "TITLE=Two"])
    try await catalogue.refresh()
    let album = try await catalogue.album("It's")
    let mark = try await catalogue.garden {
      try $0.marks.mark(.init(id: album.id.playable, reason: "no\nrm -rf /"))
    }
    #expect((mark.bytes ?? 0) > 0)
    _ = try await catalogue.garden { try $0.marks.decide(.init(mark: mark.mark, state: .confirmed)) }
    let script = try await export(.script, catalogue)
    let lines = script.text.split(separator: "\n")
    #expect(lines.filter { !$0.hasPrefix("#") } == ["set -eu"])
    #expect(lines.contains { $0.hasPrefix("# rm -- '") && $0.hasSuffix("/it'\\''s $(here)/01 `x`.flac'") })
    #expect(script.items == 1 && script.leftOut == 1)
    let paths = try await export(.paths, catalogue)
    #expect(paths.text.hasSuffix("/it's $(here)/01 `x`.flac\n") && paths.items == 1)
  }
}
