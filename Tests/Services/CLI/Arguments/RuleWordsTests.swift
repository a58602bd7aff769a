import Testing

@testable import lunara

/// Tests that rules of smart playlists are read as a person writes them.
struct RuleWordsTests {
  @Test(arguments: [
    ("genre is Jazz", #"{"all":[{"is":{"genre":"Jazz"}}]}"#),
    (
      "genre is Free Jazz and rating over 3", #"{"all":[{"is":{"genre":"Free Jazz"}},{"gt":{"rating":3}}]}"#
    ),
    (
      "genre is Jazz and year before 1970 or rating = 4.5",
      #"{"any":[{"all":[{"is":{"genre":"Jazz"}},{"lt":{"year":1970}}]},{"is":{"rating":4.5}}]}"#
    ),
    (
      "Genre IS NOT Jazz and (plays under 2 or last played not in the last 2 weeks)",
      #"{"all":[{"isNot":{"genre":"Jazz"}},{"any":[{"lt":{"playcount":2}},{"notInTheLast":{"lastplayed":14}}]}]}"#
    ),
    (#"title contains "rock and roll""#, #"{"all":[{"contains":{"title":"rock and roll"}}]}"#),
    ("artist is Guns N' Roses", #"{"all":[{"is":{"artist":"Guns N' Roses"}}]}"#),
    (#"title does not contain 'a "b"'"#, #"{"all":[{"notContains":{"title":"a \"b\""}}]}"#),
    (
      "year between 1960 and 1969 and album artist starts with The",
      #"{"all":[{"inTheRange":{"year":[1960,1969]}},{"startsWith":{"albumartist":"The"}}]}"#
    ),
    ("rating at least 4", #"{"any":[{"gt":{"rating":4}},{"is":{"rating":4}}]}"#),
    ("duration over 5 minutes", #"{"all":[{"gt":{"duration":300}}]}"#),
    ("duration is under 90s", #"{"all":[{"lt":{"duration":90}}]}"#),
    ("added in the last month", #"{"all":[{"inTheLast":{"added":30}}]}"#),
    ("added after 2026-01-31", #"{"all":[{"after":{"added":"2026-01-31"}}]}"#),
    (
      "in playlist lunara:p3 and not in playlist plex:p1",
      #"{"all":[{"inPlaylist":{"id":"lunara:p3"}},{"notInPlaylist":{"id":"plex:p1"}}]}"#
    ),
    (#"genre is "and""#, #"{"all":[{"is":{"genre":"and"}}]}"#),
  ])
  func wordsAreRules(_ words: String, _ expected: String) throws {
    #expect(try RuleWords.json(where: words) == expected)
  }

  @Test func orderAndLimitsAreAdded() throws {
    #expect(
      try RuleWords.json(where: "skips > 3", sort: "-plays, last played,title", limit: "50", ofAlbums: true)
        == #"{"all":[{"gt":{"skips":3}}],"sort":"-playcount,lastplayed,title","limit":50,"unit":"albums"}"#)
    #expect(
      try RuleWords.json(where: "skips > 3", sort: "random", limit: "90m", seed: 7)
        == #"{"all":[{"gt":{"skips":3}}],"sort":"random","seed":7,"limitMinutes":90}"#)
    #expect(try RuleWords.json(where: "skips > 3", limit: "10%") == #"{"all":[{"gt":{"skips":3}}],"limitPercent":10}"#)
  }

  @Test(arguments: [
    ("", "end too early"), ("genre", "does not say how genre compares"), ("genre is", "A value is missing"),
    ("genre is and rating over 3", "before “and rating over 3”"), ("colour is red", "begins with no field"),
    ("(genre is Jazz", "bracket is not closed"), ("genre is Jazz)", "left over"), (#"genre is "Jazz"#, "quote"),
    ("rating over high", "“high” must be a number"), ("year between 1960", "needs two values"),
    ("added in the last fortnight", "no number of days"), ("duration over 5 parsecs", "no duration"),
    (#"genre is "Jazz" Rock"#, "“Rock” is left over"), ("genre is Jazz and", "end too early"),
  ])
  func whatIsNotUnderstoodIsSaid(_ words: String, _ message: String) throws {
    let error = try #require(throws: UsageError.self) { try RuleWords.json(where: words) }
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test func limitsAndOrdersHaveTheirForms() {
    for limit in ["0", "-3", "101%", "soon", "20s"] {
      #expect(throws: UsageError.self) { try RuleWords.json(where: "year > 1", limit: limit) }
    }
    #expect(throws: UsageError.self) { try RuleWords.json(where: "year > 1", sort: "colour") }
  }
}
