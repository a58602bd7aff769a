import Foundation
import Glibc
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// The resolver on a bus, with real processes of plugins.
@Suite struct ResolverServiceTests {
  private let wanted = DescribedTrack(title: "Old Song", artist: "Ada Blue")

  @Test func aPluginRunsOnlyAfterAPersonHasAgreedToItsFile() async throws {
    let resolver = try await TestResolver()
    let bytes = try TestResolver.file("own", TestPlugins.finding(), hosts: ["a.example", "*.b.example"])
    let offer = Resolver.OfferPlugin(part: Data(bytes).base64EncodedString(), offset: 0, size: bytes.count)
    let offered = try #require(try await resolver.ask(offer).plugin)
    #expect(offered.consent?.isNew == true && offered.hosts == ["*.b.example", "a.example"])
    #expect(try await resolver.ask(Resolver.ListPlugins()).plugins.isEmpty)
    #expect(await resolver.refusal(of: Resolver.FindSources(described: wanted))?.code == "resolver.noPlugins")
    let other = Resolver.AllowPlugin(id: "own", digest: "00")
    #expect(await resolver.refusal(of: other)?.code == "resolver.unknownPlugin")
    let allowed = try await resolver.ask(Resolver.AllowPlugin(id: "own", digest: offered.digest))
    #expect(allowed.isEnabled && allowed.place == 1 && allowed.consent == nil)
    #expect(FileManager.default.fileExists(atPath: "\(resolver.home.path)/plugins/own.axe"))
    await resolver.close()
  }

  @Test func aFileThatChangesOnDiskIsNotRunUntilAPersonAgreesAgain() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("own", TestPlugins.finding())
    #expect(try await resolver.ask(Resolver.FindSources(described: wanted)).sources.count == 1)
    let changed = try TestResolver.file("own", TestPlugins.finding("Other"), version: "1.1.0", hosts: ["new.example"])
    try Data(changed).write(to: URL(fileURLWithPath: "\(resolver.home.path)/plugins/own.axe"))
    let plugin = try #require(try await resolver.ask(Resolver.ListPlugins()).plugins.first)
    #expect(plugin.consent?.isNew == false && plugin.consent?.isUpdate == true)
    #expect(plugin.consent?.newHosts == ["new.example"] && plugin.consent?.formerVersion == "1.0.0")
    #expect(await resolver.refusal(of: Resolver.FindSources(described: wanted))?.code == "resolver.noPlugins")
    let on = Resolver.SetPlugin(id: "own", isEnabled: true)
    #expect(await resolver.refusal(of: on)?.code == "resolver.consentNeeded")
    let digest = plugin.digest
    #expect(try await resolver.ask(Resolver.AllowPlugin(id: "own", digest: digest)).version == "1.1.0")
    await resolver.close()
  }

  @Test func anUpdateKeepsTheFormerVersionAndAFileThatIsNoPluginIsNamed() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("own", TestPlugins.finding())
    try await resolver.install("own", TestPlugins.finding("Newer"))
    let folder = "\(resolver.home.path)/plugins"
    let former = try String(contentsOfFile: "\(folder)/own.axe.former", encoding: .utf8)
    #expect(former.contains("Old Song") && !former.contains("Newer"))
    try "{}".write(toFile: "\(folder)/broken.axe", atomically: true, encoding: .utf8)
    let list = try await resolver.ask(Resolver.ListPlugins())
    #expect(list.plugins.map(\.id) == ["own"] && list.unusable.map(\.file) == ["broken.axe"])
    #expect(list.unusable.first?.error.code == "plugin.badFile")
    #expect(try await resolver.ask(Resolver.RemovePlugin(id: "own")).plugins.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/own.axe.former"))
    await resolver.close()
  }

  @Test(.timeLimit(.minutes(1))) func aPipeInTheFolderOfPluginsIsNamedAndHoldsNothingUp() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("own", TestPlugins.finding())
    for name in ["pipe.axe", "own.axe.former"] {
      #expect(mkfifo("\(resolver.home.path)/plugins/\(name)", 0o600) == 0)
    }
    let list = try await resolver.ask(Resolver.ListPlugins())
    #expect(list.plugins.map(\.id) == ["own"] && list.unusable.map(\.file) == ["pipe.axe"])
    #expect(list.plugins.first?.formerVersion == nil && list.unusable.first?.error.code == "plugin.badFile")
    await resolver.close()
  }

  @Test func sourcesAreRankedByThePersonsOrderAndOtherTracksAreNotUsed() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("one", TestPlugins.finding())
    try await resolver.install("two", TestPlugins.finding())
    try await resolver.install("wrong", TestPlugins.finding("Elsewhere", confidence: "0.99"))
    let sources = try await resolver.ask(Resolver.FindSources(described: wanted)).sources
    #expect(sources.map(\.plugin.id) == ["one", "two", "wrong"])
    #expect(sources.map(\.rank) == [1, 2, nil] && sources.map(\.confidence) == [0.95, 0.95, 0.5])
    #expect(sources.map(\.reason) == ["order", "order", "belowFloor"])
    #expect(sources[0].kind == .stream && sources[0].duration == Milliseconds(60_000))
    _ = try await resolver.ask(Resolver.OrderPlugins(ids: ["two"]))
    let ordered = try await resolver.ask(Resolver.FindSources(described: wanted)).sources
    #expect(ordered.map(\.plugin.id) == ["two", "one", "wrong"])
    await resolver.close()
  }

  @Test func aWrongSongIsNotUsedAgainAndAPreferredPluginComesFirst() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("one", TestPlugins.finding())
    try await resolver.install("two", TestPlugins.finding())
    let block = Resolver.DecideSource(described: wanted, plugin: "one", sourceID: "x", verdict: .block)
    let blocked = try await resolver.ask(block).sources
    #expect(blocked.map(\.plugin.id) == ["two", "one"] && blocked.map(\.reason) == ["order", "blocked"])
    let unblock = Resolver.DecideSource(described: wanted, plugin: "one", sourceID: "x", verdict: .unblock)
    #expect(try await resolver.ask(unblock).sources.map(\.plugin.id) == ["one", "two"])
    let prefer = Resolver.DecideSource(described: wanted, plugin: "two", verdict: .prefer)
    #expect(try await resolver.ask(prefer).sources.map(\.reason) == ["preferred", "order"])
    // Another track is not concerned.
    let other = DescribedTrack(title: "Old Song", artist: "Ben Red")
    #expect(
      try await resolver.ask(Resolver.FindSources(described: other)).sources.map(\.plugin.id) == ["one", "two"])
    let bare = Resolver.DecideSource(described: wanted, plugin: "two", verdict: .block)
    #expect(await resolver.refusal(of: bare)?.code == "resolver.unknownSource")
    await resolver.close()
  }

  @Test func aRoomGetsAnAddressWithHeadersAndThenThatOfTheNextPlugin() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("one", TestPlugins.finding(path: "/one.mp3"))
    try await resolver.install("two", TestPlugins.finding(path: "/two.mp3"))
    let first = try await resolver.ask(Resolver.Locate(described: wanted))
    guard case .url(let url, let headers, let time, _, let plugin) = first else { return #expect(Bool(false)) }
    #expect(url == resolver.address + "/one.mp3" && headers == ["X-Key": "k"] && plugin?.id == "one")
    // The server's address was typed by a person, so it may be in the private network.
    #expect(plugin?.isPublic == false && plugin?.insteadOf == nil)
    #expect(time.map { $0 <= Milliseconds(60_000) && $0 > Milliseconds(40_000) } == true)
    let second = try await resolver.ask(Resolver.Locate(described: wanted, failed: ["one"]))
    guard case .url(let other, _, _, _, let next) = second else { return #expect(Bool(false)) }
    #expect(other == resolver.address + "/two.mp3" && next?.id == "two" && next?.insteadOf == "One")
    // If no other is left, the first one is asked anew, once.
    let third = try await resolver.ask(Resolver.Locate(described: wanted, failed: ["one", "two", "two"]))
    guard case .url(let again, _, _, _, _) = third else { return #expect(Bool(false)) }
    #expect(again == resolver.address + "/one.mp3")
    let none = Resolver.Locate(described: wanted, failed: ["one", "one", "two", "two"])
    #expect(await resolver.refusal(of: none)?.code == "resolver.notFound")
    await resolver.close()
  }

  @Test func noPluginMakesARoomReadAFileOrAServerInThePrivateNetwork() async throws {
    let resolver = try await TestResolver()
    for (index, url) in ["file:///etc/passwd", "http://192.168.1.1/a.mp3", "/etc/passwd"].enumerated() {
      let functions = [
        "resolve": """
        async (artist, title) => ({ title, artist, source: { type: 'direct', url: '\(url)' } })
        """
      ]
      try await resolver.install("p\(index)", functions, hasServer: false)
    }
    let error = await resolver.refusal(of: Resolver.Locate(described: wanted))
    #expect(error?.code == "resolver.notFound", "\(String(describing: error))")
    // An encrypted address is given to the room, which reads it at public servers only.
    try await resolver.install(
      "public",
      [
        "resolve": "async (artist, title) => ({ title, artist, source: { type: 'direct', url: 'https://10.0.0.1/a' } })"
      ],
      hasServer: false)
    guard case .url(_, _, _, _, let plugin) = try await resolver.ask(Resolver.Locate(described: wanted)) else { return }
    #expect(plugin?.isPublic == true)
    await resolver.close()
  }

  @Test func whatAPluginPlaysComesFromItsFunctionPlay() async throws {
    let resolver = try await TestResolver()
    var functions = TestPlugins.finding()
    functions["resolve"] = "async (artist, title) => ({ id: 'own-7', title, artist })"
    functions["play"] = "async (source, config) => ({ type: 'local', url: config.server + '/' + source.id })"
    try await resolver.install("player", functions)
    guard case .url(let url, _, _, _, _) = try await resolver.ask(Resolver.Locate(described: wanted)) else { return }
    #expect(url == resolver.address + "/own-7")
    functions["play"] = "async () => true"
    try await resolver.install("player", functions)
    let error = await resolver.refusal(of: Resolver.Locate(described: wanted))
    #expect(error?.code == "resolver.notFound" && error?.cause?.contains("only a page to open") == true)
    await resolver.close()
  }

  @Test func aSearchAsksThePluginAndItsHitsCanBePlayed() async throws {
    let resolver = try await TestResolver { request in
      (200, #"[{"title":"Found \#(request.query["q"] ?? "")","artist":"Ada","url":"https://a.example/t"}]"#)
    }
    let functions = [
      "search": "async (words, config) => (await fetch(config.server + '/s?q=' + encodeURIComponent(words))).json()",
      "play": "async (source, config) => ({ type: 'direct', url: config.server + '/audio' })",
    ]
    try await resolver.install("finder", functions)
    let hits = try await resolver.ask(Resolver.Search(words: " tram ", plugin: "finder"))
    #expect(hits.tracks.map(\.title) == ["Found tram"] && hits.tracks.first?.location == "https://a.example/t")
    _ = try await resolver.ask(Resolver.Search(words: "tram", plugin: "finder"))
    #expect(resolver.paths == ["/s"])
    let hit = try #require(hits.tracks.first)
    guard case .url(let url, _, _, _, _) = try await resolver.ask(Resolver.Locate(described: hit)) else { return }
    #expect(url == resolver.address + "/audio")
    #expect(
      await resolver.refusal(of: Resolver.Search(words: "  ", plugin: "finder"))?.code == "resolver.badSearch")
    await resolver.close()
  }

  @Test func anAddressIsOpenedByThePluginWhosePatternFits() async throws {
    let resolver = try await TestResolver()
    let functions = [
      "resolve": "async () => null",
      "lookupAlbum": """
      async (url) => ({ name: 'Left', artist: 'Ada', albumArt: 'https://a.example/c',
        tracks: [{ title: 'One' }, { title: 'Two', artist: 'Ben' }] })
      """,
      "lookupPlaylist": "async () => { throw new Error('it is private'); }",
    ]
    try await resolver.install("opener", functions, patterns: ["*.bandcamp.com/album/*", "open.example/list/*"])
    let album = try await resolver.ask(Resolver.OpenAddress(address: "https://ada.bandcamp.com/album/left"))
    #expect(album.kind == .album && album.title == "Left" && album.tracks.map(\.artist) == ["Ada", "Ben"])
    #expect(album.tracks.first?.album == "Left" && album.tracks.first?.cover == "https://a.example/c")
    let unknown = Resolver.OpenAddress(address: "https://elsewhere.example/x")
    #expect(await resolver.refusal(of: unknown)?.code == "resolver.unknownAddress")
    await resolver.close()
  }

  @Test func aFailingPluginKeepsWhatItFoundBeforeAndTheRestGoesOn() async throws {
    let fails = Atomic(false)
    let resolver = try await TestResolver { _ in fails.load(ordering: .relaxed) ? (500, "") : (200, "{}") }
    let functions = [
      "resolve": """
      async (artist, title, album, config) => { const response = await fetch(config.server + '/r');
        if (!response.ok) throw new Error('429 rate limit'); return { id: 'k', title, artist }; }
      """
    ]
    try await resolver.install("shaky", functions)
    #expect(try await resolver.ask(Resolver.FindSources(described: wanted)).sources.count == 1)
    fails.store(true, ordering: .relaxed)
    let list = try await resolver.ask(Resolver.FindSources(described: wanted, isFresh: true))
    #expect(list.failures.first?.error.code == "resolver.pluginFailed")
    let plugin = try await resolver.ask(Resolver.ListPlugins()).plugins.first
    #expect(plugin?.lastError?.cause == "429 rate limit")
    #expect(try await resolver.ask(Resolver.FindSources(described: wanted)).sources.count == 1)
    await resolver.close()
  }

  @Test func secretsAreStoredApartAndReachOnlyTheirOwnPlugin() async throws {
    let resolver = try await TestResolver()
    let settings = ["settings": ["configurable": ["apiKey": ["type": "password"], "server": ["type": "text"]]]]
    for id in ["mine", "other"] {
      let bytes = try TestResolver.file(
        id, ["resolve": "async (artist, title, album, config) => ({ title, artist, id: String(config.apiKey) })"],
        more: settings)
      let offer = Resolver.OfferPlugin(part: Data(bytes).base64EncodedString(), offset: 0, size: bytes.count)
      let plugin = try #require(try await resolver.ask(offer).plugin)
      _ = try await resolver.ask(Resolver.AllowPlugin(id: id, digest: plugin.digest))
    }
    let set = Resolver.SetPlugin(id: "mine", settings: [.init(name: "apiKey", value: "s3cret")])
    let plugin = try await resolver.ask(set)
    let setting = try #require(plugin.settings.first { $0.name == "apiKey" })
    #expect(setting.isSecret && setting.isSet && setting.value == nil)
    let sources = try await resolver.ask(Resolver.FindSources(described: wanted)).sources
    #expect(
      Dictionary(uniqueKeysWithValues: sources.map { ($0.plugin.id, $0.sourceID) }) == [
        "mine": "s3cret", "other": "undefined",
      ])
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(resolver.home.path)/credentials")
    #expect(files == ["plugins.json"])
    let odd = Resolver.SetPlugin(id: "mine", settings: [.init(name: "colour", value: "red")])
    #expect(await resolver.refusal(of: odd)?.code == "resolver.unknownSetting")
    await resolver.close()
  }
}
