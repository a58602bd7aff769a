import Foundation
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_resolver

/// The source that a person chose for a track, previews, and plugins that are switched off.
@Suite struct ChosenSourceTests {
  private func wanted(_ choice: ChosenSource? = nil) -> DescribedTrack {
    DescribedTrack(title: "Old Song", artist: "Ada Blue", choice: choice)
  }

  private func located(
    _ resolver: TestResolver, _ described: DescribedTrack, failed: [String]? = nil
  ) async throws -> (url: String, plugin: Library.PluginSource) {
    let locator = try await resolver.ask(Resolver.Locate(described: described, failed: failed))
    guard case .url(let url, _, _, _, let plugin?) = locator else {
      throw LunaraError("test.noAddress", "There is no address of a plugin.")
    }
    return (url, plugin)
  }

  @Test func theChosenPluginComesBeforeTheOrderAndTheFloorAndAfterAFailureTheOthers() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("one", TestPlugins.finding(path: "/one.mp3"))
    try await resolver.install("two", TestPlugins.finding("Elsewhere", path: "/two.mp3"))
    #expect(try await located(resolver, wanted()).url == resolver.address + "/one.mp3")
    let choice = wanted(ChosenSource(plugin: "two"))
    // The description is that of the same track, so nothing is asked anew for it.
    #expect(choice.track.id == wanted().track.id)
    #expect(try await located(resolver, choice).url == resolver.address + "/two.mp3")
    let listed = try await resolver.ask(Resolver.FindSources(described: choice)).sources
    #expect(listed.map(\.reason) == ["chosen", "order"] && listed.map(\.rank) == [1, 2])
    let next = try await located(resolver, choice, failed: ["two"])
    #expect(next.plugin.id == "one" && next.plugin.insteadOf == "Two")
    await resolver.close()
  }

  @Test func aPreviewIsPlayedOnRequestOnlyAndIsCalledSo() async throws {
    let resolver = try await TestResolver()
    let preview = """
      async (artist, title, album, config) => ({ id: 'p', title, artist, previewUrl: config.server + '/preview.m4a' })
      """
    try await resolver.install("plain", TestPlugins.finding(path: "/plain.mp3"))
    try await resolver.install("applemusic", ["resolve": preview])
    let sources = try await resolver.ask(Resolver.FindSources(described: wanted())).sources
    #expect(sources.filter { $0.hasPreview == true }.map(\.plugin.id) == ["applemusic"])
    #expect(sources.first { $0.plugin.id == "applemusic" }?.kind == .link)
    #expect(try await located(resolver, wanted()).plugin.id == "plain")
    let asked = try await located(resolver, wanted(ChosenSource(isPreview: true)))
    #expect(asked.url == resolver.address + "/preview.m4a" && asked.plugin.isPreview == true)
    let none = Resolver.Locate(described: wanted(ChosenSource(plugin: "plain", isPreview: true)))
    #expect(await resolver.refusal(of: none)?.code == "resolver.noPreview")
    let failed = Resolver.Locate(described: wanted(ChosenSource(isPreview: true)), failed: ["applemusic"])
    #expect(await resolver.refusal(of: failed)?.code == "resolver.noPreview")
    await resolver.close()
  }

  @Test func aTrackThatOnlyAPluginFindsWhichIsOffSaysSo() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("one", TestPlugins.finding())
    try await resolver.install("two", ["resolve": "async () => null"])
    _ = try await located(resolver, wanted())
    _ = try await resolver.ask(Resolver.SetPlugin(id: "one", isEnabled: false))
    let error = await resolver.refusal(of: Resolver.Locate(described: wanted()))
    #expect(error?.code == "resolver.noEnabledSource" && error?.message.contains("`lunara plugins on one`") == true)
    let sources = try await resolver.ask(Resolver.FindSources(described: wanted())).sources
    #expect(sources.map(\.reason) == ["disabled"] && sources.first?.plugin.name == "One")
    await resolver.close()
  }
}
