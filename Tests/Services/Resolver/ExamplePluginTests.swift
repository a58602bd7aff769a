import Bus
import Foundation
import HTTP
import Messages
import Model
import Plugins
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// The plugins of docs/plugins, each against a stand-in for what it asks.
@Suite struct ExamplePluginTests {
  private func add(_ name: String, to resolver: TestResolver, _ settings: [String: String]) async throws {
    let bytes = try #require(try files(in: "docs/plugins").first { $0.name == "\(name).axe" }).bytes
    let offer = Resolver.OfferPlugin(part: Data(bytes).base64EncodedString(), offset: 0, size: bytes.count)
    let plugin = try #require(try await resolver.ask(offer).plugin)
    #expect(plugin.id == name && plugin.author == "Lunara")
    _ = try await resolver.ask(Resolver.AllowPlugin(id: plugin.id, digest: plugin.digest))
    let values = settings.map { Resolver.SettingValue(name: $0.key, value: $0.value) }
    let set = try await resolver.ask(Resolver.SetPlugin(id: plugin.id, settings: values))
    for server in set.servers ?? [] {
      _ = try await resolver.ask(Resolver.SetPlugin(id: plugin.id, server: server.consent(for: set)))
    }
  }

  private func url(_ locator: Library.Locator) -> String? {
    if case .url(let url, _, _, _, _) = locator { url } else { nil }
  }

  @Test func theArchiveIsSearchedItsTracksPlayAndItsAddressesOpen() async throws {
    let resolver = try await TestResolver { request in
      switch request.path {
      case "/advancedsearch.php":
        (200, #"{"response":{"docs":[{"identifier":"tram-1931","title":["Night Lines"],"creator":"Nova Kessler"}]}}"#)
      case "/metadata/tram-1931":
        (
          200,
          #"""
          {"metadata":{"title":"Night Lines","creator":["Nova Kessler","Others"]},"files":[
            {"name":"b side/02 Tram.mp3","format":"VBR MP3","title":"Tram at Night","length":"03:25"},
            {"name":"02 Tram.flac","format":"Flac","title":"Tram at Night","length":"205.2"},
            {"name":"cover.jpg","format":"JPEG"}]}
          """#
        )
      default: (404, "")
      }
    }
    try await add("archive", to: resolver, ["server": resolver.address])
    let hits = try await resolver.ask(Resolver.Search(words: "night lines", plugin: "archive"))
    #expect(hits.tracks.map(\.title) == ["Night Lines"] && hits.tracks.map(\.artist) == ["Nova Kessler"])
    let wanted = DescribedTrack(title: "Tram at night", artist: "Nova Kessler")
    let source = try #require(try await resolver.ask(Resolver.FindSources(described: wanted)).sources.first)
    #expect(source.rank == 1 && source.duration == Milliseconds(205_000) && source.album == "Night Lines")
    let place = url(try await resolver.ask(Resolver.Locate(described: wanted)))
    #expect(place == resolver.address + "/download/tram-1931/b%20side/02%20Tram.mp3")
    let album = try await resolver.ask(Resolver.OpenAddress(address: "https://archive.org/details/tram-1931"))
    #expect(album.kind == .album && album.title == "Night Lines" && album.tracks.map(\.title) == ["Tram at Night"])
    await resolver.close()
  }

  @Test func aListThatAnotherHouseholdSharesIsPlayedFromItsFolder() async throws {
    let resolver = try await TestResolver { request in
      guard request.path == "/music/all.jspf" else { return (404, "") }
      return (
        200,
        #"""
        {"playlist":{"track":[{"title":"Über uns","creator":"Éloïse","album":"Eau","duration":61000,
          "location":["ea/01%20%C3%9Cber uns.flac"]},{"title":"Away","creator":"Nobody"}]}}
        """#
      )
    }
    try await add("shared-list", to: resolver, ["list": resolver.address + "/music/all.jspf"])
    let test = try await resolver.ask(Resolver.TestPlugin(id: "shared-list"))
    #expect(test.works && test.message == "2 tracks are in the list.")
    let wanted = DescribedTrack(title: "uber UNS", artist: "Eloise")
    let place = url(try await resolver.ask(Resolver.Locate(described: wanted)))
    #expect(place == resolver.address + "/music/ea/01%20%C3%9Cber%20uns.flac")
    #expect(
      try await resolver.ask(Resolver.Search(words: "eau éloïse", plugin: "shared-list")).tracks.map(\.title)
        == ["Über uns"])
    await resolver.close()
  }

  @Test func concertsAreFoundWithAKeyAndAMissingOneIsSaid() async throws {
    let resolver = try await TestResolver { request in
      guard request.path == "/artists/Nova Kessler/events", request.query["app_id"] == "k" else { return (403, "") }
      return (
        200,
        #"""
        [{"id":7,"datetime":"2027-03-01T20:00:00","lineup":["Nova Kessler"],"url":"https://b.example/7",
          "venue":{"name":"Hall","city":"Graz","country":"Austria","latitude":"47.07","longitude":"15.43"},
          "offers":[{"url":"https://t.example/7"}]}]
        """#
      )
    }
    try await add("concerts", to: resolver, ["server": resolver.address, "apiKey": "k"])
    let plugin = try await resolver.service.registry.usable("concerts")
    #expect(!plugin.file.content.isResolver)
    let events = try await plugin.call("searchArtistEvents", [.text("Nova Kessler")], within: .seconds(30))
    let event = try #require(events.elements.first)
    #expect(event["venue"]?["city"]?.string == "Graz" && event["date"]?.string == "2027-03-01")
    #expect(event["ticketUrl"]?.string == "https://t.example/7")
    _ = try await resolver.ask(
      Resolver.SetPlugin(id: "concerts", settings: [.init(name: "apiKey", value: "")]))
    let bare = try await resolver.service.registry.usable("concerts")
    do {
      _ = try await bare.call("searchArtistEvents", [.text("Nova Kessler")], within: .seconds(30))
      Issue.record("A plugin without its key has found something.")
    } catch { #expect(LunaraError(error).cause == "the key is not set") }
    await resolver.close()
  }
}

/// The plugin with a language model, against a stand-in for its server.
@Suite struct AskPluginTests {
  private func household(
    _ answer: @escaping @Sendable (HTTPServerRequest) async -> (Int, String)
  ) async throws -> TestResolver {
    let resolver = try await TestResolver(answer)
    let bytes = try #require(try files(in: "docs/plugins").first { $0.name == "ask.axe" }).bytes
    let offer = Resolver.OfferPlugin(part: Data(bytes).base64EncodedString(), offset: 0, size: bytes.count)
    let plugin = try #require(try await resolver.ask(offer).plugin)
    _ = try await resolver.ask(Resolver.AllowPlugin(id: plugin.id, digest: plugin.digest))
    _ = try await resolver.ask(
      Resolver.SetPlugin(
        id: "ask",
        settings: [
          .init(name: "apiKey", value: "k3y"), .init(name: "model", value: "m1"),
        ]))
    try await resolver.setServer(of: "ask", to: resolver.address + "/v1")
    return resolver
  }

  @Test func itTalksUsesToolsAndListsModels() async throws {
    let bodies = Mutex([String]())
    let resolver = try await household { request in
      if request.path == "/v1/models" { return (200, #"{"data":[{"id":"m1"},{"id":"m2"}]}"#) }
      guard request.header("Authorization") == "Bearer k3y" else { return (401, "{}") }
      let count = bodies.withLock { bodies in
        bodies.append(String(decoding: request.body, as: UTF8.self))
        return bodies.count
      }
      guard count == 1 else { return (200, #"{"choices":[{"message":{"content":"It is noted."}}]}"#) }
      return (
        200,
        #"""
        {"choices":[{"message":{"content":null,"tool_calls":[{"id":"t1","type":"function","function":
        {"name":"block_recommendation","arguments":"{\"artist\":\"Nobody\"}"}}]}}]}
        """#
      )
    }
    let choices = try await resolver.ask(Resolver.ListChoices(plugin: "ask"))
    #expect(choices.settings == ["model"] && choices.choices.map(\.value) == ["m1", "m2"])
    let begun = try await resolver.ask(Resolver.Chat(words: "never Nobody again"))
    var state = begun
    while state.isBusy { state = try await resolver.ask(Resolver.ReadChat(conversation: begun.conversation)) }
    #expect(state.error == nil && state.messages.map(\.role) == [.person, .action, .plugin])
    let second = bodies.withLock { $0.last ?? "" }
    #expect(second.contains(#""model":"m1""#) && second.contains(#""tool_call_id":"t1""#))
    #expect(second.contains(#""type":"function""#))
    let unwanted = try await resolver.ask(Resolver.ChangeUnwanted()).items
    #expect(unwanted == [.init(artist: "Nobody")])
    await resolver.close()
  }

  @Test func itMakesAQueueWithoutUnwantedMusicAndWithTheHistoryOnceThatIsAllowed() async throws {
    let bodies = Mutex([String]())
    let resolver = try await household { request in
      bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
      let list =
        #"[{\"title\":\"One\",\"artist\":\"Ada\"},{\"title\":\"One\",\"artist\":\"Ada\"},"#
        + #"{\"title\":\"Two\",\"artist\":\"NOBODY\"},{\"title\":7}]"#
      return (200, #"{"choices":[{"message":{"content":"Here you are: \#(list) Enjoy!"}}]}"#)
    }
    let library = try await resolver.bus.node("library@main")
    await library.serve(Library.ReadListeningContext.self) { _, _ in
      Library.ListeningContext(
        periods: [.init(days: 7, artists: ["Heard Artist"], tracks: [], albums: [])], recent: [])
    }
    _ = try await resolver.ask(Resolver.ChangeUnwanted(add: [.init(artist: "Nobody")]))
    let queue = try await resolver.ask(Resolver.Generate(words: "quiet"))
    #expect(queue.tracks.map(\.title) == ["One"] && queue.unwanted == 1)
    #expect(bodies.withLock { !($0.last ?? "").contains("Heard Artist") })
    _ = try await resolver.ask(Resolver.SetSharing(plugin: "ask", subject: .history, isAllowed: true))
    _ = try await resolver.ask(Resolver.Generate(words: "quiet"))
    #expect(bodies.withLock { ($0.last ?? "").contains("Heard Artist") })
    #expect(
      await resolver.refusal(of: Resolver.SetSharing(plugin: "ask", subject: .plays, isAllowed: true))?.code
        == "resolver.notShared")
    await library.close()
    await resolver.close()
  }
}
