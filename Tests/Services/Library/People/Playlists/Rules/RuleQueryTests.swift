import Messages
import Model
import Storage
import System
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// Tests that rules of smart playlists give the tracks that they describe.
@Suite(.timeLimit(.minutes(5))) struct RuleQueryTests {
  @Test(arguments: [
    (#"{"all":[{"is":{"genre":"JAZZ"}}]}"#, ["A1-1", "A1-2", "A2-1", "A2-2", "B1-1", "B1-2"]),
    (#"{"all":[{"is":{"genre":"jazz"}},{"isNot":{"genre":"Folk"}},{"gt":{"rating":1}}]}"#, ["B1-1", "B1-2"]),
    (#"{"all":[{"notContains":{"genre":"o"}}],"sort":"-title","limit":2}"#, ["B3-2", "B3-1"]),
    (#"{"all":[{"inTheRange":{"year":[1970,1971]}}],"sort":"-year"}"#, ["A3-1", "A3-2", "A2-1", "A2-2"]),
    // The composer has two names.
    (#"{"all":[{"is":{"composer":"cynthia"}}]}"#, ["A1-1", "A2-1", "B1-1"]),
    (#"{"all":[{"is":{"performer":"Cyn"}}]}"#, ["B1-1"]), (#"{"all":[{"is":{"work":"suite"}}]}"#, ["A1-1", "B1-1"]),
    // Ann sings on one album of Ben's.
    (
      #"{"all":[{"is":{"artist":"Ann"}}]}"#, ["A1-1", "A1-2", "A2-1", "A2-2", "A3-1", "A3-2", "B2-1"]
    ),
    (#"{"all":[{"is":{"folder":"/m/A"}}]}"#, ["A1-1", "A1-2"]),
    (#"{"all":[{"startsWith":{"folder":"/M/a"}}]}"#, ["A1-1", "A1-2", "A2-1", "A2-2"]),
    (#"{"all":[{"endsWith":{"filepath":"/F21"}}]}"#, ["A2-1"]),
    (
      #"{"all":[{"is":{"format":"FLAC"}},{"is":{"samplerate":96000}},{"is":{"bitdepth":24}}],"limitMinutes":1}"#,
      ["A1-1", "A1-2", "A2-1", "A2-2"]
    ),
    (#"{"all":[{"isNot":{"bitdepth":24}},{"is":{"tracknumber":2}}]}"#, ["A3-2", "B1-2", "B2-2", "B3-2"]),
    // Albums that nobody rated count as rated with nothing.
    (#"{"all":[{"lt":{"rating":1.5}}],"sort":"-rating"}"#, ["A1-1", "A1-2", "B2-1", "B2-2", "B3-1", "B3-2"]),
    (
      #"{"any":[{"is":{"title":"a1-2"}},{"endsWith":{"title":"2-1"}}],"unit":"albums","sort":"-year"}"#,
      ["B2-1", "B2-2", "A2-1", "A2-2", "A1-1", "A1-2"]
    ),
    (
      #"{"any":[{"startsWith":{"title":"B"}},{"is":{"album":"A2"}}],"unit":"albums","limitPercent":50}"#,
      ["A2-1", "A2-2", "B1-1", "B1-2"]
    ),
    (#"{"all":[{"before":{"lastplayed":"2023-11-14"}}]}"#, []),
    (#"{"all":[{"inTheRange":{"lastplayed":["2023-11-14","2023-11-15"]}},{"is":{"album":"A1"}}]}"#, ["A1-1", "A1-2"]),
    (#"{"all":[{"notInTheLast":{"lastplayed":30}},{"is":{"album":"A2"}}]}"#, ["A2-1", "A2-2"]),
    (#"{"all":[{"contains":{"title":"%"}}]}"#, []), (#"{"all":[{"contains":{"title":"' OR 1=1"}}]}"#, []),
  ])
  func rulesGiveTheTracksThatTheyDescribe(_ text: String, _ expected: [String]) async throws {
    let browsing = try await BrowsingCatalogue()
    let rules = try PlaylistRules(json: Array(text.utf8))
    let titles = try await browsing.catalogue.database.read { transaction in
      try Catalogue.tracks(of: rules, RuleContext(), transaction).map { try Catalogue.track($0, transaction)?.title }
    }
    #expect(titles == expected, "\(text)")
    let count = try await browsing.catalogue.database.read { try Catalogue.count(of: rules, RuleContext(), $0) }
    #expect(
      count
        == RuleCount(
          tracks: expected.count, albums: Set(expected.map { $0.prefix(2) }).count,
          duration: Milliseconds(Int64(expected.count) * 500)))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func thousandsOfRulesGiveWhatAPlainEvaluatorGives(_ seed: UInt64) async throws {
    let catalogue = try await RuleCatalogue(RuleMusic(seed: seed))
    let naive = try Self.naive(catalogue.music)
    var maker = RuleMaker(naive, seed: seed)
    var found = 0
    for _ in 0..<600 {
      let rules = maker.rules()
      let expected = naive.tracks(rules)
      let tracks = try await catalogue.tracks(rules)
      let text = String(decoding: try rules.json(), as: UTF8.self)
      try #require(tracks == expected, "\(text)")
      let count = try await catalogue.count(rules)
      let duration = catalogue.music.tracks.filter { expected.contains($0.number) }.reduce(0) { $0 + $1.duration }
      let albums = Set(expected.map { $0 / 100 }).count
      try #require(
        count == RuleCount(tracks: expected.count, albums: albums, duration: Milliseconds(duration)), "\(text)")
      let window = RuleQuery.Window(offset: 3, count: 4)
      try #require(try await catalogue.tracks(rules, window) == Array(expected.dropFirst(3).prefix(4)))
      if !expected.isEmpty && expected.count < catalogue.music.tracks.count { found += 1 }
    }
    // Most of the rules find something, and not everything.
    #expect(found > 300)
  }

  private static func naive(_ music: RuleMusic) throws -> NaiveRules {
    var playlists = ["lunara:p1", "plex:p2", "lunara:p4"].enumerated().reduce(into: [String: Set<Int64>]()) {
      $0[$1.element] = music.playlists[[1, 2, 4][$1.offset]]
    }
    let smart = try PlaylistRules(json: Array(RuleCatalogue.smart.utf8))
    playlists["lunara:p3"] = Set(NaiveRules(music: music, playlists: playlists).tracks(smart))
    return NaiveRules(music: music, playlists: playlists)
  }

  @Test func aRandomOrderIsThatOfItsSeed() async throws {
    let catalogue = try await RuleCatalogue(RuleMusic(seed: 9))
    func order(_ rest: String, _ seed: Int64) async throws -> [Int64] {
      try await catalogue.tracks(
        PlaylistRules(json: Array(#"{"all":[{"gt":{"duration":-1}}],"sort":"random"\#(rest)}"#.utf8)), seed: seed)
    }
    let whole = try await order("", 5)
    #expect(whole.sorted() == catalogue.music.tracks.map(\.number).sorted() && whole != whole.sorted())
    #expect(try await order("", 5) == whole)
    #expect(try await order("", 6) != whole)
    // A seed of its own counts more than that of the reading.
    #expect(try await order(#","seed":5"#, 6) == whole)
    #expect(try await order(#","limit":7"#, 5) == Array(whole.prefix(7)))
    // A track that is added leaves the others in their order.
    let removed = try #require(whole.first)
    try await catalogue.catalogue.write("UPDATE tracks SET shelf = NULL WHERE id = \(removed)")
    #expect(try await order("", 5) == Array(whole.dropFirst()))
  }

  /// SQLite reads statements of a certain depth only.
  @Test(arguments: ["filepath", "artist", "folder", "genre", "source", "playcount", "id"])
  func theDeepestRulesAreRead(_ field: String) async throws {
    let catalogue = try await RuleCatalogue(RuleMusic(seed: 4))
    let one =
      switch field {
      case "id": #"{"notInPlaylist":{"id":"lunara:p3"}}"#
      case "playcount": #"{"isNot":{"playcount":77}}"#
      default: #"{"notContains":{"\#(field)":"none"}}"#
      }
    func nested(_ depth: Int) -> String {
      depth == 0
        ? #"{"all":[\#(Array(repeating: one, count: 90).joined(separator: ","))]}"#
        : #"{"any":[{"is":{"year":1}},{"all":[{"gt":{"year":1}},\#(nested(depth - 1))]}]}"#
    }
    let text = #"{"any":[{"is":{"year":1}},\#(nested(3))],"limitPercent":50,"limitMinutes":90,"unit":"albums"}"#
    let rules = try PlaylistRules(json: Array(text.utf8))
    #expect(try await catalogue.tracks(rules) == Self.naive(catalogue.music).tracks(rules))
    #expect(try await catalogue.count(rules).tracks > 0)
  }

  @Test func aPlaylistThatContainsItselfIsRefused() async throws {
    let catalogue = try await RuleCatalogue(RuleMusic(seed: 2))
    let texts = [1: "lunara:p3", 3: "plex:p2", 2: "lunara:p1"]
    @Sendable func rules(_ number: Int64) throws -> PlaylistRules? {
      try texts[Int(number)].map { try PlaylistRules(json: Array(#"{"all":[{"inPlaylist":{"id":"\#($0)"}}]}"#.utf8)) }
    }
    let first = try #require(try rules(1))
    for playlist in [1, nil] as [Int64?] {
      let error = await #expect(throws: LunaraError.self) {
        try await catalogue.catalogue.database.read {
          try Catalogue.count(of: first, RuleContext(playlist: playlist) { number, _ in try rules(number) }, $0)
        }
      }
      #expect(error?.code == "library.badRules" && error?.message.contains("contain itself") == true)
    }
  }

  @Test(arguments: [
    (#"{"all":[{"inPlaylist":{"id":"lunara:p77"}}]}"#, "is not here"),
    (#"{"all":[{"notInPlaylist":{"id":"?"}}]}"#, "is not here"),
    (#"{"all":[{"is":{"folder":"Jazz"}}]}"#, "begins with a slash"),
  ])
  func whatIsNotHereIsRefused(_ text: String, _ words: String) async throws {
    let catalogue = try await RuleCatalogue(RuleMusic(seed: 3))
    let rules = try PlaylistRules(json: Array(text.utf8))
    let error = await #expect(throws: LunaraError.self) { try await catalogue.tracks(rules) }
    #expect(error?.code == "library.badRules" && error?.message.contains(words) == true)
  }
}

/// A maker of random rules with words of the music.
private struct RuleMaker {
  let naive: NaiveRules
  var dice: SplitMix64

  init(_ naive: NaiveRules, seed: UInt64) { (self.naive, dice) = (naive, SplitMix64(state: seed &* 977)) }

  mutating func rules() -> PlaylistRules {
    var rules = PlaylistRules(condition: group(0))
    if chance(4) {
      rules.isRandom = true
      rules.seed = .random(in: 0...99, using: &dice)
    } else {
      let fields = RuleField.allCases.filter { $0 != .playlist }.shuffled(using: &dice)
      rules.order = fields.prefix(.random(in: 0...3, using: &dice)).map {
        PlaylistRules.Order(field: $0, isDescending: Bool.random(using: &dice))
      }
    }
    if chance(3) { rules.limit = .random(in: 1...30, using: &dice) }
    if chance(4) { rules.limitMinutes = .random(in: 1...90, using: &dice) }
    if chance(4) { rules.limitPercent = .random(in: 1...100, using: &dice) }
    if chance(4) { rules.unit = .albums }
    return rules
  }

  private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 1...sides, using: &dice) == 1 }

  private mutating func group(_ depth: Int) -> PlaylistRules.Condition {
    let parts = (1...Int.random(in: 1...3, using: &dice)).map { _ in
      depth < 3 && chance(4) ? group(depth + 1) : comparison()
    }
    return chance(2) ? .all(parts) : .any(parts)
  }

  private mutating func comparison() -> PlaylistRules.Condition {
    let field = RuleField.allCases.randomElement(using: &dice) ?? .title
    let operators = RuleOperator.allCases.filter { $0.fits(field.kind) }
    let comparison = operators.randomElement(using: &dice) ?? .is
    return .comparison(field, comparison, value(field, comparison))
  }

  private mutating func value(_ field: RuleField, _ comparison: RuleOperator) -> PlaylistRules.Value {
    switch (field.kind, comparison) {
    case (.playlist, _): return .text(naive.playlists.keys.sorted().randomElement(using: &dice) ?? "")
    case (.text, _): return .text(text(field, comparison))
    case (.time, .inTheRange): return .days(day(), day())
    case (.time, .inTheLast), (.time, .notInTheLast): return .number(Double(Int.random(in: 0...70, using: &dice)))
    case (.time, _): return .day(day())
    case (.number, .inTheRange): return .range(number(field), number(field))
    case (.number, _): return .number(number(field))
    }
  }

  private mutating func day() -> PlaylistRules.Day {
    let ago = Int64.random(in: 0...70, using: &dice) * 86_400
    let text = Timestamp(seconds: RuleMusic.now.seconds - ago).description.prefix(10)
    return PlaylistRules.Day(String(text)) ?? day()
  }

  private mutating func number(_ field: RuleField) -> Double {
    switch field {
    case .year: Double(Int.random(in: 1953...1977, using: &dice))
    case .rating: Double(Int.random(in: 0...11, using: &dice)) / 2
    case .duration: Double(Int.random(in: 0...900, using: &dice)) / 2
    case .bitRate: [128, 320, 321, 900].randomElement(using: &dice) ?? 0
    case .sampleRate: [44_100, 96_000].randomElement(using: &dice) ?? 0
    case .bitDepth: [16, 20, 24].randomElement(using: &dice) ?? 0
    default: Double(Int.random(in: 0...8, using: &dice))
    }
  }

  /// A text that some track has, or a piece of it, in another case.
  private mutating func text(_ field: RuleField, _ comparison: RuleOperator) -> String {
    let texts = naive.music.tracks.flatMap { naive.texts(field, $0) }
    let text = texts.randomElement(using: &dice) ?? ""
    let isWhole = comparison == .is || comparison == .isNot
    if field == .folder, isWhole { return chance(2) ? text : "/music" }
    let cased = chance(2) ? text.uppercased() : text
    if isWhole { return chance(4) ? " \(cased) " : cased }
    let from = Int.random(in: 0...cased.count, using: &dice)
    return switch comparison {
    case .startsWith: String(cased.prefix(from))
    case .endsWith: String(cased.suffix(from))
    default: String(cased.dropFirst(from).prefix(.random(in: 0...4, using: &dice)))
    }
  }
}
