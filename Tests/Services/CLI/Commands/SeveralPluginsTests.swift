import Bus
import Messages
import Model
import Synchronization
import Testing

@testable import lunara

private let listAddress = "https://a.example/list.json"

/// Several plugins that are added or updated by one command, of which some fail.
@Suite(.timeLimit(.minutes(1)))
struct SeveralPluginsTests {
  private static func plugin(_ id: String) -> Resolver.Plugin {
    .init(id: id, name: id, version: "2", digest: "ab", isEnabled: true)
  }

  /// A resolver that cannot install the plugins of these ids.
  private func fixture(failing: Set<String>) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let node = try await fixture.add("resolver@main")
    await node.serve(Resolver.OfferPlugin.self) { request, _ in
      guard request.address != listAddress else {
        let listed = ["one", "two"].map { id in
          Resolver.ListedPlugin(id: id, version: "2", address: "https://a.example/\(id)")
        }
        return Resolver.Offer(plugin: nil, listed: listed)
      }
      return Resolver.Offer(plugin: Self.plugin(request.address == "https://a.example/one" ? "one" : "two"))
    }
    await node.serve(Resolver.FindUpdates.self) { _, _ in
      let failures =
        failing.contains("address")
        ? [Resolver.PluginFailure(plugin: .init(id: "far", name: "far"), error: LunaraError("http.failed", "No."))] : []
      return Resolver.UpdateList(updates: [Self.plugin("one"), Self.plugin("two")], failures: failures)
    }
    await node.serve(Resolver.AllowPlugin.self) { request, _ in
      if failing.contains(request.id) { throw LunaraError("plugin.badFile", "It is torn.") }
      fixture.record("allow \(request.id)")
      return Self.plugin(request.id)
    }
    return fixture
  }

  @Test func aSecretIsAskedForWhereItsValueIsEmptyOrADash() throws {
    let plugin = Resolver.Plugin(
      id: "ask", name: "Ask", version: "1", digest: "ab", isEnabled: true,
      settings: [
        .init(name: "apiKey", label: "Key", isSecret: true), .init(name: "server", label: "Server"),
      ])
    for word in ["apiKey=", "apiKey=-"] {
      let (name, value) = try Command.setting(word, of: plugin)
      #expect(name == "apiKey" && value == nil)
    }
    #expect(try Command.setting("apiKey=a=b", of: plugin).value == "a=b")
    #expect(try Command.setting("server=-", of: plugin).value == "-")
    #expect(try Command.setting("server=", of: plugin).value?.isEmpty == true)
    #expect(throws: UsageError.self) { _ = try Command.setting("apiKey", of: plugin) }
  }

  @Test(arguments: [["plugins", "add", listAddress, "--yes"], ["plugins", "update", "--yes"]])
  func oneThatFailsKeepsNoneOfTheOthersBackAndIsTold(words: [String]) async throws {
    let fixture = try await fixture(failing: ["one"])
    let (status, printed) = await fixture.run(words)
    #expect(status == .failed && printed.errors.contains("one: It is torn."))
    #expect(printed.errors.contains("cli.pluginsFailed") && printed.errors.contains("Not installed: one."))
    #expect(fixture.asked.withLock { $0 } == ["allow two"])
    await fixture.close()
  }

  @Test(arguments: [["plugins", "add", listAddress, "--yes"], ["plugins", "update", "--yes"]])
  func allThatAreInstalledAreDone(words: [String]) async throws {
    let fixture = try await fixture(failing: [])
    #expect(await fixture.run(words).0 == .done)
    #expect(fixture.asked.withLock { $0 } == ["allow one", "allow two"])
    await fixture.close()
  }

  @Test(arguments: [["plugins", "update", "--yes"], ["plugins", "update", "--json"]])
  func anAddressThatGivesNoPluginIsAFailure(words: [String]) async throws {
    let fixture = try await fixture(failing: ["address"])
    let (status, printed) = await fixture.run(words)
    #expect(status == .failed && printed.errors.contains("cli.pluginsFailed"))
    await fixture.close()
  }
}
