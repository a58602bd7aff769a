import Model
import Plugins
import Testing

/// The comparison of names, and patterns of addresses.
@Suite struct MatchingTests {
  private func names(_ artist: String, _ title: String) -> MatchConfidence.Names { .init(artist: artist, title: title) }

  @Test(arguments: [
    ("ガ", "カ"), ("Σίσυφος", "σισυφος"), ("ΣΙΣΥΦΟΣ", "σισυφος"), ("ΟΔΟΣ ΣΑΣ", "οδοςσας"), ("İstanbul", "istanbul"),
    ("①②", "12"), ("ﬁn", "fin"), ("Straße", "straße"), ("Ⅷ", "viii"), ("100%", "100"), ("…", ""),
    ("한", "\u{1112}\u{1161}\u{11AB}"), ("५", "५"), ("x²", "x2"),
  ])
  func namesHaveOneForm(name: String, form: String) {
    #expect(Array(names(name, "").artist.unicodeScalars) == Array(form.unicodeScalars))
  }

  @Test func emptyNamesFitNothing() {
    #expect(!names("", "Creep").fit(names("", "Creep")))
    #expect(!names("Radiohead", "!!!").fit(names("Radiohead", "!!!")))
    #expect(names("M", "Frozen").fit(names("Madonna", "Frozen")))
  }

  @Test func aPluginsOwnConfidenceCountsOnlyWhereItIsHighAndTheNamesFit() {
    let wanted = names("Radiohead", "Creep")
    #expect(MatchConfidence.confidence(of: wanted, for: wanted, own: 0.97) == 0.97)
    #expect(MatchConfidence.confidence(of: wanted, for: wanted, own: 7) == 1)
    #expect(MatchConfidence.confidence(of: wanted, for: wanted, own: .nan) == 0.95)
    #expect(MatchConfidence.confidence(of: names("Muse", "Creep"), for: wanted, own: 1) == 0.5)
  }

  @Test func tracksOfTheLibraryAreScoredByWhatIsEqual() {
    let wanted = names("Radiohead", "Creep")
    func score(_ artist: String, _ title: String, _ album: String?) -> Int? {
      MatchConfidence.localScore(of: names(artist, title), album: album, for: wanted, album: "Pablo Honey")
    }
    #expect(score("Radiohead", "Creep", "Pablo Honey") == 175)
    #expect(score("radiohead", "CREEP", nil) == 150)
    #expect(score("Radiohead", "Creep (Live)", "Pablo  Honey!") == 75)
    #expect(score("Radiohead & Friends", "Creep (Live)", nil) == 0)
    #expect(score("Muse", "Creep", "Pablo Honey") == nil)
  }

  @Test(arguments: [
    ("example.org/*", "https://example.org/a/b?c=d", true), ("example.org/*", "https://example.org/", false),
    ("https://example.org/a/", "http://EXAMPLE.org/A", true), ("example.org/a", "https://example.org/ab", false),
    ("*.example.org/x", "a.b.example.org/x", true), ("*.example.org/x", "example.org/x", false),
    ("*.example.org/x", "evil.test/.example.org/x", false), ("example.org/*/b", "example.org/a/a/b", false),
    ("example.org/w?v=*", "example.org/w?v=1&x=2", true), ("example.org/w?v=*", "example.org/w", false),
    ("spotify:track:*", "spotify:track:1?x", true), ("spotify:track:*", "https://spotify:track:1", true),
    ("a.b+c(d)[e]/*", "a.b+c(d)[e]/x", true), ("a.b/*", "aXb/x", false), ("HTTPS://a.b/*", "https://a.b/x", false),
  ])
  func patternsFitAddresses(pattern: String, address: String, fits: Bool) {
    #expect(URLPattern(pattern).matches(address) == fits)
  }

  @Test func noPatternTakesLong() {
    let pattern = URLPattern("a" + String(repeating: "*a", count: 200) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 4000)))
    #expect(!URLPattern("a*").matches(String(repeating: "a", count: 100_000)))
  }

  @Test func theFirstPluginInTheOrderOfLoadingOpensAnAddress() {
    var matcher = URLMatcher()
    matcher.set(["a.org/*"], of: "one")
    matcher.set(["a.org/*", "b.org/*"], of: "two")
    #expect(matcher.plugin(for: "https://a.org/x") == "one")
    matcher.set(["c.org/*"], of: "one")
    #expect(matcher.plugin(for: "https://a.org/x") == "two")
    matcher.remove("two")
    #expect(matcher.plugin(for: "https://a.org/x") == nil && matcher.plugin(for: "https://c.org/x") == "one")
  }

  @Test(arguments: [
    ("https://soundcloud.com/a/b/s-x?in=1", ServiceURLKind.track), ("https://nelson.soundcloud.com/a", .track),
    ("https://soundcloud.com/", .unknown), ("https://music.apple.com/us/song/x/1", .track),
    ("https://open.spotify.com/ALBUM/x", .unknown), ("https://a.bandcamp.com/", .unknown),
    ("https://www.youtube.com/@someone", .track), ("m.soundcloud.com/a/b", .track), ("soundcloud.com/a", .track),
    ("http://on.soundcloud.com/x", .track), ("https://www.soundcloud.com/a?x=/b", .artist),
    ("https://spotify.link/track/x", .track), ("https://spotify.example/playlist/x", .playlist),
  ])
  func addressesHaveAKind(address: String, kind: ServiceURLKind) { #expect(ServiceURLKind(of: address) == kind) }
}
