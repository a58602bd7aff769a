import Foundation
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// Newer and former versions of plugins, and lists of plugins.
@Suite struct PluginUpdatesTests {
  /// The files of a server, by their paths.
  private final class Files: Sendable {
    private let texts = Mutex<[String: String]>([:])

    subscript(_ path: String) -> String? {
      get { texts.withLock { $0[path] } }
      set { texts.withLock { $0[path] = newValue } }
    }
  }

  private func file(_ version: String, hosts: [String] = [], id: String = "own") throws -> String {
    let functions = ["resolve": "async (artist, title) => ({ title, artist, id: '\(version)' })"]
    return String(decoding: try TestResolver.file(id, functions, version: version, hosts: hosts), as: UTF8.self)
  }

  private func resolver(_ files: Files) async throws -> TestResolver {
    try await TestResolver { request in files[request.path].map { (200, $0) } ?? (404, "") }
  }

  private func install(_ address: String, _ resolver: TestResolver) async throws -> Resolver.Plugin {
    let offer = try await resolver.ask(Resolver.OfferPlugin(address: address))
    let plugin = try #require(offer.plugin)
    return try await resolver.ask(Resolver.AllowPlugin(id: plugin.id, digest: plugin.digest))
  }

  @Test func aNewerVersionIsOfferedWithWhatChangesAndInstalledOnlyByAPerson() async throws {
    let files = Files()
    let resolver = try await resolver(files)
    files["/own.axe"] = try file("1.0.0", hosts: ["a.example"])
    let installed = try await install(resolver.address + "/own.axe", resolver)
    #expect(installed.origin == resolver.address + "/own.axe")
    let none = try await resolver.ask(Resolver.FindUpdates())
    #expect(none.updates.isEmpty && none.current.map(\.id) == ["own"])
    files["/own.axe"] = try file("1.2.0", hosts: ["a.example", "b.example"])
    let found = try await resolver.ask(Resolver.FindUpdates(id: "own"))
    let update = try #require(found.updates.first)
    #expect(
      update.version == "1.2.0" && update.digest != installed.digest && update.hosts == ["a.example", "b.example"])
    #expect(update.consent?.newHosts == ["b.example"] && update.consent?.formerVersion == "1.0.0")
    let waiting = try #require(try await resolver.ask(Resolver.ListPlugins()).plugins.first)
    #expect(waiting.version == "1.0.0" && waiting.newVersion == "1.2.0" && waiting.isEnabled)
    let updated = try await resolver.ask(Resolver.AllowPlugin(id: "own", digest: update.digest))
    #expect(updated.version == "1.2.0" && updated.newVersion == nil && updated.formerVersion == "1.0.0")
    #expect(updated.origin == resolver.address + "/own.axe")
    await resolver.close()
  }

  @Test func theFormerVersionComesBackAndThePresentOneTakesItsPlace() async throws {
    let files = Files()
    let resolver = try await resolver(files)
    files["/own.axe"] = try file("1.0.0")
    _ = try await install(resolver.address + "/own.axe", resolver)
    let first = Resolver.OfferFormerVersion(id: "own")
    #expect(await resolver.refusal(of: first)?.code == "resolver.noFormerVersion")
    files["/own.axe"] = try file("2.0.0")
    _ = try await install(resolver.address + "/own.axe", resolver)
    for (version, former) in [("1.0.0", "2.0.0"), ("2.0.0", "1.0.0")] {
      let offered = try #require(try await resolver.ask(Resolver.OfferFormerVersion(id: "own")).plugin)
      #expect(offered.version == version && offered.consent?.isUpdate == (version > former))
      let plugin = try await resolver.ask(Resolver.AllowPlugin(id: "own", digest: offered.digest))
      #expect(plugin.version == version && plugin.formerVersion == former && plugin.isEnabled)
    }
    await resolver.close()
  }

  @Test func aListNamesPluginsAndNewerVersionsAreLookedForThere() async throws {
    let files = Files()
    let resolver = try await resolver(files)
    let list = resolver.address + "/list.json"
    func listing(_ version: String) -> String {
      """
      {"version": 3, "plugins": [{"id": "own", "version": "\(version)", "downloadUrl": "\(resolver.address)/\(version).axe"},
      {"id": "../odd", "version": "1", "downloadUrl": "https://x.example"}, {"id": "bare"}]}
      """
    }
    files["/list.json"] = listing("1.0.0")
    files["/1.0.0.axe"] = try file("1.0.0")
    let offer = try await resolver.ask(Resolver.OfferPlugin(address: list))
    #expect(offer.plugin == nil && offer.listed?.map(\.id) == ["own"] && offer.listed?.first?.installed == nil)
    let address = try #require(offer.listed?.first?.address)
    #expect(try await install(address, resolver).origin == list)
    files["/list.json"] = listing("1.1.0")
    files["/1.1.0.axe"] = try file("1.1.0")
    #expect(try await resolver.ask(Resolver.FindUpdates()).updates.map(\.version) == ["1.1.0"])
    files["/1.1.0.axe"] = nil
    let failed = try await resolver.ask(Resolver.FindUpdates())
    #expect(failed.failures.first?.error.code == "resolver.badAddress" && failed.updates.isEmpty)
    await resolver.close()
  }

  @Test func anotherPluginAtTheAddressAndAPluginFromAFileHaveNoUpdate() async throws {
    let files = Files()
    let resolver = try await resolver(files)
    try await resolver.install("sent", TestPlugins.finding())
    #expect(await resolver.refusal(of: Resolver.FindUpdates(id: "sent"))?.code == "resolver.noOrigin")
    #expect(await resolver.refusal(of: Resolver.FindUpdates(id: "none"))?.code == "resolver.unknownPlugin")
    files["/own.axe"] = try file("1.0.0")
    _ = try await install(resolver.address + "/own.axe", resolver)
    files["/own.axe"] = try file("9.0.0", id: "other")
    let list = try await resolver.ask(Resolver.FindUpdates())
    #expect(list.withoutOrigin.map(\.id) == ["sent"] && list.failures.first?.error.code == "plugin.badFile")
    files["/own.axe"] = try file("0.9.0")
    #expect(try await resolver.ask(Resolver.FindUpdates()).current.map(\.id) == ["own"])
    await resolver.close()
  }

  @Test func aPluginsAddressReachesNoOtherServerAtHome() async throws {
    let hidden = try HTTPServer(address: "127.0.0.2", port: 0) { _ in HTTPServerResponse(text: "{}") }
    let port = hidden.port
    let resolver = try await TestResolver { request in
      request.path == "/list.json"
        ? (200, #"{"plugins":[{"id":"own","version":"1","downloadUrl":"https://127.0.0.2:\#(port)/own.axe"}]}"#)
        : (302, "http://127.0.0.2:\(port)/own.axe")
    }
    func refusal(_ address: String) async -> String? {
      await resolver.refusal(of: Resolver.OfferPlugin(address: address))?.code
    }
    #expect(await refusal(resolver.address + "/moved.axe") == "http.privateAddress")
    // A name that begins like this machine's address is not that address.
    for address in ["http://127.evil.example/own.axe", "http://localhost.evil.example/own.axe"] {
      #expect(await refusal(address) == "resolver.badAddress", "\(address)")
    }
    let listed = try await resolver.ask(Resolver.OfferPlugin(address: resolver.address + "/list.json")).listed
    #expect(await refusal(try #require(listed?.first?.address)) == "http.privateAddress")
    await resolver.close()
    await hidden.stop()
  }
}
