import Model
import Testing

@testable import Records

/// Tests that rules of smart playlists are read and written.
@Suite struct PlaylistRulesTests {
  @Test func aFileOfRulesIsRead() throws {
    let text = """
      {"name":"Late","comment":"For nights","all":[{"is":{"genre":"Jazz"}},{"any":[{"gt":{"rating":3}},\
      {"inTheLast":{"lastPlayed":30}}]},{"inTheRange":{"year":[1959,1969]}}],"sort":"-rating,title","order":"desc",\
      "limit":50}
      """
    let rules = try PlaylistRules(json: Array(text.utf8))
    #expect(rules.name == "Late" && rules.comment == "For nights" && rules.limit == 50 && rules.unit == .tracks)
    #expect(
      rules.condition
        == .all([
          .comparison(.genre, .is, .text("Jazz")),
          .any([.comparison(.rating, .gt, .number(3)), .comparison(.lastPlayed, .inTheLast, .number(30))]),
          .comparison(.year, .inTheRange, .range(1959, 1969)),
        ]))
    #expect(rules.order == [.init(field: .rating), .init(field: .title, isDescending: true)])
  }

  @Test(arguments: [
    #"{"any":[{"contains":{"title":"a \"quoted\" é"}},{"is":{"rating":3.5}}],"sort":"random","seed":7,"unit":"albums"}"#,
    #"{"all":[{"inTheRange":{"added":["2025-01-01","2025-12-31"]}},{"before":{"lastplayed":"2024-02-29"}}]}"#,
    #"{"all":[{"inPlaylist":{"id":"lunara:p3"}}],"limitMinutes":90,"limitPercent":10,"sort":"-dateadded,album"}"#,
  ])
  func writtenRulesAreReadAsTheSame(_ text: String) throws {
    let rules = try PlaylistRules(json: Array(text.utf8))
    #expect(try PlaylistRules(json: rules.json()) == rules)
  }

  @Test(arguments: [
    (#"{"all":[{"is":{"title":"a"}},{"any":[{"is":{"colour":"red"}}]}]}"#, "all[1].any[0] names the field colour"),
    (#"{"all":[{"like":{"title":"a"}}]}"#, "all[0] names the comparison like"),
    (#"{"all":[{"gt":{"year":"soon"}}]}"#, "all[0] must be a number"),
    (#"{"all":[{"gt":{"title":"a"}}]}"#, "all[0] cannot compare title by gt"),
    (#"{"all":[{"is":{"loved":true}}]}"#, "all[0] compares loved, which this version does not keep yet"),
    (#"{"all":[{"before":{"added":"2025-13-01"}}]}"#, "all[0] must have a day"),
    (#"{"all":[]}"#, "all must be a list"), ("{}", "either a list"), ("[", "not an object"),
    (#"{"all":[{"is":{"year":1}}],"limt":3}"#, "limt is not known"),
    (#"{"all":[{"is":{"year":1}}],"limitPercent":101}"#, "limitPercent must be a whole number from 1 to 100"),
    (#"{"all":[{"is":{"year":1}}],"sort":"colour"}"#, "sort names the field colour"),
  ])
  func badRulesAreRefusedWithThePlace(_ text: String, _ words: String) throws {
    let error = try #require(throws: LunaraError.self) { try PlaylistRules(json: Array(text.utf8)) }
    #expect(error.code == "library.badRules")
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test func conditionsAndNestingHaveLimits() throws {
    func nested(_ depth: Int) -> String {
      depth == 0 ? #"{"is":{"year":1}}"# : #"{"all":[\#(nested(depth - 1))]}"#
    }
    _ = try PlaylistRules(json: Array(nested(8).utf8))
    #expect(throws: LunaraError.self) { try PlaylistRules(json: Array(nested(9).utf8)) }
    func wide(_ count: Int) -> String {
      #"{"all":[\#(Array(repeating: nested(0), count: count).joined(separator: ","))]}"#
    }
    _ = try PlaylistRules(json: Array(wide(100).utf8))
    #expect(throws: LunaraError.self) { try PlaylistRules(json: Array(wide(101).utf8)) }
  }
}
