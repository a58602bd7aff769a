import Foundation
import HTTP
import Messages
import Model
import Plugins
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// Sources that are found where a plugin's function `resolve` finds nothing, or its requests fail.
@Suite struct SourceFindingTests {
  private let wanted = DescribedTrack(title: "Old Song", artist: "Ada Blue")

  private func hits(_ titles: String...) -> String {
    let hits = titles.enumerated().map { "{ id: 'h\($0)', title: '\($1)', artist: 'Ada Blue' }" }
    return "async () => [\(hits.joined(separator: ", "))]"
  }

  @Test(arguments: ["async () => null", "async (artist) => ({ id: 'r', title: 'Elsewhere', artist })"])
  func whereResolveFindsNothingThatFitsASearchIsTried(resolve: String) async throws {
    let resolver = try await TestResolver()
    try await resolver.install("own", ["resolve": resolve, "search": hits("Other", "Old Song (Live)", "Old Song")])
    let sources = try await resolver.ask(Resolver.FindSources(described: wanted)).sources
    #expect(sources.map(\.sourceID) == ["h2"] && sources.first?.rank == 1)
    await resolver.close()
  }

  @Test func whatResolveGaveStaysWhereNoHitCanBeUsed() async throws {
    let resolver = try await TestResolver()
    try await resolver.install(
      "own",
      [
        "resolve": "async (artist) => ({ id: 'r', title: 'Elsewhere', artist })", "search": hits("Nowhere"),
      ])
    let sources = try await resolver.ask(Resolver.FindSources(described: wanted)).sources
    #expect(sources.map(\.sourceID) == ["r"] && sources.first?.reason == "belowFloor")
    await resolver.close()
  }

  @Test func aHitThatIsTheWrongSongGivesWayToTheNextOneAndForgettingBringsItBack() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("own", ["resolve": "async () => null", "search": hits("Old Song", "Old Song (Live)")])
    #expect(try await resolver.ask(Resolver.FindSources(described: wanted)).sources.first?.sourceID == "h0")
    let block = Resolver.DecideSource(described: wanted, plugin: "own", sourceID: "h0", verdict: .block)
    #expect(try await resolver.ask(block).sources.map(\.sourceID) == ["h1"])
    let forget = Resolver.DecideSource(described: wanted, plugin: "", verdict: .forget)
    #expect(try await resolver.ask(forget).sources.map(\.sourceID) == ["h0"])
    await resolver.close()
  }

  @Test(arguments: [503, 429, 403])
  func anEmptyAnswerAfterARequestThatFailedKeepsWhatIsKnown(status: Int) async throws {
    let fails = Atomic(false)
    let resolver = try await TestResolver { _ in fails.load(ordering: .relaxed) ? (status, "") : (200, "{}") }
    let functions = [
      "resolve": """
      async (artist, title, album, config) => { const response = await fetch(config.server + '/r');
        return response.ok ? { id: 'k', title, artist } : null; }
      """,
      "search": """
      async (words, config) => { try { const response = await fetch(config.server + '/s'); return response.ok ? [] : []; }
        catch (error) { return []; } }
      """,
    ]
    try await resolver.install("quiet", functions)
    #expect(try await resolver.ask(Resolver.FindSources(described: wanted)).sources.count == 1)
    fails.store(true, ordering: .relaxed)
    let list = try await resolver.ask(Resolver.FindSources(described: wanted, isFresh: true))
    #expect(list.sources.map(\.sourceID) == ["k"])
    #expect(list.failures.first?.error.cause?.contains("\(status)") == true)
    #expect(
      await resolver.refusal(of: Resolver.Search(words: "tram", plugin: "quiet"))?.code == "resolver.pluginFailed")
    await resolver.close()
  }

  @Test func aRequestThatIsRefusedHereKeepsWhatIsKnownAndAnHonestNothingDoesNot() async throws {
    let answers = Atomic(0)
    let resolver = try await TestResolver { _ in (answers.load(ordering: .relaxed) == 0 ? 200 : 404, "{}") }
    let functions = [
      "resolve": """
      async (artist, title, album, config) => {
        const where = title === 'Flood' ? 65 : 1; let response = null;
        for (let i = 0; i < where; i++) { try { response = await fetch(config.server + '/r'); } catch (e) { return null; } }
        return response.ok ? { id: 'k', title, artist } : null; }
      """
    ]
    try await resolver.install("flood", functions)
    #expect(try await resolver.ask(Resolver.FindSources(described: wanted)).sources.count == 1)
    answers.store(1, ordering: .relaxed)
    // The service says that it has no such track.
    let none = try await resolver.ask(Resolver.FindSources(described: wanted, isFresh: true))
    #expect(none.sources.isEmpty && none.failures.isEmpty)
    answers.store(0, ordering: .relaxed)
    #expect(try await resolver.ask(Resolver.FindSources(described: wanted, isFresh: true)).sources.count == 1)
    let flood = DescribedTrack(title: "Flood", artist: "Ada Blue")
    let refused = try await resolver.ask(Resolver.FindSources(described: flood))
    #expect(refused.failures.first?.error.cause?.contains("60 a minute") == true)
    let kept = try await resolver.ask(Resolver.FindSources(described: wanted, isFresh: true))
    #expect(kept.sources.count == 1 && kept.failures.count == 1)
    await resolver.close()
  }

  @Test func anAddressIsOpenedByThePluginThatWasLoadedFirstAndNotByTheFirstInTheOrder() async throws {
    let resolver = try await TestResolver()
    for id in ["beta", "alpha"] {
      // It finds music, and so has a place in the person's order.
      let functions = ["lookupUrl": "async () => ({ title: '\(id)', artist: 'A' })", "resolve": "async () => null"]
      try await resolver.install(id, functions, patterns: ["open.example/*"])
    }
    let list = try await resolver.ask(Resolver.ListPlugins())
    #expect(list.plugins.map(\.id) == ["beta", "alpha"])
    let opened = try await resolver.ask(Resolver.OpenAddress(address: "https://open.example/x"))
    #expect(opened.plugin.id == "alpha")
    await resolver.close()
  }

  @Test(arguments: [("spotify", 10), ("localfiles", 10), ("applemusic", 3), ("own", 4)])
  func spotifyAndLocalFilesAreNotHeldUpByTheLimitsOfOthers(plugin: String, atOnce: Int) async throws {
    let resolver = try await TestResolver()
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { try await resolver.service.finder.limited(plugin) { await gate.wait() } } }
      #expect(await eventually(equals: atOnce) { gate.waiting })
      gate.open()
      try await group.waitForAll()
    }
    await resolver.close()
  }

  @Test func aSourceThatIsEmbeddedIsALinkAndOneOfAnUnknownKindIsNone() async throws {
    let resolver = try await TestResolver()
    let sources = [
      "embedded": "{ type: 'embed', embedUrl: 'https://player.example/1' }",
      "odd": "{ type: 'wormhole', url: 'https://x.example' }",
      "remote": "{ type: 'spotify', trackId: 'abc' }", "script": "{ type: 'embed', embedUrl: 'javascript:alert(1)' }",
    ]
    for (id, source) in sources {
      try await resolver.install(id, ["resolve": "async (artist, title) => ({ title, artist, source: \(source) })"])
    }
    let found = try await resolver.ask(Resolver.FindSources(described: wanted)).sources
    let urls = Dictionary(uniqueKeysWithValues: found.map { ($0.plugin.id, $0.url) })
    #expect(
      urls == [
        "embedded": "https://player.example/1", "remote": "https://open.spotify.com/track/abc", "script": nil,
      ])
    #expect(found.allSatisfy { $0.kind == .link })
    await resolver.close()
  }
}
