import Bus
import Messages
import Model
import Synchronization
import Testing

@testable import lunara

/// The consents that commands of plugins give for a person, and those that they leave to a question.
@Suite(.timeLimit(.minutes(1)))
struct PluginConsentCommandTests {
  private static let address = "http://192.168.1.5:11434"

  private static var plugin: Resolver.Plugin {
    .init(
      id: "ask", name: "Ask", version: "2", digest: "ab", isEnabled: true,
      settings: [.init(name: "server", label: "Server")],
      servers: [.init(setting: "server", address: address, isAllowed: false, isProposed: false)])
  }

  /// A resolver with a plugin whose server nobody has allowed, and which would take over an account.
  private func fixture() async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let node = try await fixture.add("resolver@main")
    await node.serve(Resolver.ListPlugins.self) { _, _ in .init(plugins: [Self.plugin]) }
    await node.serve(Resolver.SetPlugin.self) { request, _ in
      for setting in request.settings ?? [] { fixture.record("set \(setting.name)") }
      if let host = request.host { fixture.record("host \(host)") }
      if let server = request.server { fixture.record("allow \(server.setting) \(server.address) \(server.digest)") }
      return Self.plugin
    }
    await node.serve(Resolver.OfferFormerVersion.self) { _, _ in
      var plugin = Self.plugin
      plugin.consent = .init(isNew: false, inheritable: [.init(key: "account", title: "the account at Spotify")])
      return .init(plugin: plugin)
    }
    await node.serve(Resolver.AllowPlugin.self) { request, _ in
      fixture.record("inherits \(request.inherits ?? [])")
      return Self.plugin
    }
    return fixture
  }

  private func asked(_ words: [String]) async throws -> (asked: [String], printed: String) {
    let fixture = try await fixture()
    let (_, printed) = await fixture.run(words)
    await fixture.close()
    return (fixture.asked.withLock { $0 }, printed.errors)
  }

  @Test func aSettingWithAnAddressAllowsNothingByItself() async throws {
    let (asked, printed) = try await asked(["plugins", "settings", "ask", "server=\(Self.address)/v1"])
    #expect(asked == ["set server"])
    #expect(printed.contains("`lunara plugins allow ask \(Self.address)`"))
    let agreed = try await self.asked(["plugins", "settings", "ask", "server=\(Self.address)/v1", "--yes"])
    #expect(agreed.asked == ["set server", "allow server \(Self.address) ab"])
  }

  @Test func anAddressIsAllowedAsAServerAndAnyOtherWordAsAHost() async throws {
    for address in [Self.address, "\(Self.address)/v1"] {
      #expect(try await asked(["plugins", "allow", "ask", address]).asked == ["allow server \(Self.address) ab"])
    }
    #expect(try await asked(["plugins", "allow", "ask", "http://other"]).asked == ["allow  http://other ab"])
    #expect(try await asked(["plugins", "allow", "ask", "media.example"]).asked == ["host media.example"])
  }

  @Test func agreeingToAFileIsNoConsentToWhatItWouldTakeOver() async throws {
    #expect(try await asked(["plugins", "revert", "ask", "--yes"]).asked == ["inherits []"])
    #expect(try await asked(["plugins", "revert", "ask", "--yes", "--inherit"]).asked == [#"inherits ["account"]"#])
  }
}
