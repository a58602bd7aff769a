import Foundation
import HTTP
import Messages
import Model
import Plugins
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// The servers at home that a plugin may contact, and the things that a file inherits from the one before.
@Suite struct PluginConsentTests {
  /// A plugin that reads a path of the server that its setting `server` names.
  private static let reading = [
    "resolve": """
    async (artist, title, album, config) => {
      const answer = await fetch(config.server + '/api');
      return { title: await answer.text(), artist, id: 'x' };
    }
    """
  ]

  private func proposing(_ address: String) -> [String: Any] {
    ["settings": ["configurable": ["server": ["type": "text", "label": "Address", "default": address]]]]
  }

  private func read(_ id: String, _ resolver: TestResolver) async throws -> PluginValue {
    try await resolver.service.registry.usable(id)
      .call("resolve", [.text("A"), .text("T"), .null], within: .seconds(30))["title"] ?? .null
  }

  // MARK: - Servers

  @Test func aProposalThatIsSentBackAsAValueOpensNothing() async throws {
    let resolver = try await TestResolver { _ in (200, "secret") }
    let address = resolver.address
    try await resolver.install("ask", Self.reading, hasServer: false, more: proposing(address))
    // A form with the proposal in its field sends this.
    let set = Resolver.SetPlugin(id: "ask", settings: [.init(name: "server", value: address)])
    let plugin = try await resolver.ask(set)
    #expect(
      plugin.servers == [.init(setting: "server", address: address, isAllowed: false, isProposed: true)])
    await #expect(throws: LunaraError.self) { _ = try await read("ask", resolver) }
    #expect(resolver.paths.isEmpty)
    let refused = try await resolver.ask(Resolver.ListPlugins()).plugins.first?.lastError
    #expect(refused?.message.contains("`lunara plugins allow ask \(address)`") == true)
    let server = try #require(plugin.servers?.first)
    let allowed = try await resolver.ask(Resolver.SetPlugin(id: "ask", server: server.consent(for: plugin)))
    #expect(allowed.servers?.first?.isAllowed == true)
    #expect(try await read("ask", resolver) == .text("secret"))
    let taken = Resolver.SetPlugin(id: "ask", server: server.consent(for: plugin, isAllowed: false))
    #expect(try await resolver.ask(taken).servers?.first?.isAllowed == false)
    await resolver.close()
  }

  @Test func aProposalIsShownApartFromAValue() async throws {
    let resolver = try await TestResolver()
    let plugin = try await resolver.install(
      "ask", Self.reading, hasServer: false, more: proposing("http://192.168.1.5:11434"))
    let setting = try #require(plugin.settings.first)
    #expect(setting.value == nil && setting.proposal == "http://192.168.1.5:11434" && !setting.isSet)
    await resolver.close()
  }

  @Test func aConsentToAServerHoldsForItsFileItsSettingAndItsValue() async throws {
    let resolver = try await TestResolver()
    let plugin = try await resolver.install("ask", Self.reading)
    let (address, server) = (resolver.address, try #require(plugin.servers?.first))
    #expect(server.isAllowed && !server.isProposed)
    func refusal(_ consent: Resolver.ServerConsent) async -> String? {
      await resolver.refusal(of: Resolver.SetPlugin(id: "ask", server: consent))?.code
    }
    func consent(_ address: String, setting: String = "server", digest: String? = nil) -> Resolver.ServerConsent {
      .init(setting: setting, address: address, digest: digest ?? plugin.digest)
    }
    #expect(await refusal(consent("http://192.168.1.9")) == "resolver.badHost")
    #expect(await refusal(consent(address, setting: "other")) == "resolver.badHost")
    #expect(await refusal(consent(address, digest: "00")) == "resolver.unknownPlugin")
    // Another value ends the consent, and changing it back does not restore that.
    for value in ["http://192.168.1.9/", address] {
      let set = Resolver.SetPlugin(id: "ask", settings: [.init(name: "server", value: value)])
      #expect(try await resolver.ask(set).servers?.map(\.isAllowed) == [false])
    }
    await resolver.close()
  }

  @Test func noConsentOpensAServerOfTheHousehold() async throws {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "the page") }
    let port = server.port
    let household = HouseholdServers(page: port, names: ["music.home"])
    let network = PluginNetwork(http: HTTPClient(userAgent: "Lunara/test"), household: household)
    for host in [
      "127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::]",
      "127.9.9.9",
    ] {
      let address = "http://\(host):\(port)"
      let access = PluginAccess(hosts: [], servers: [address])
      let fields = try #require(JSONView(Array(#"{"url":"\#(address)/api"}"#.utf8)))
      let error = await #expect(throws: LunaraError.self, "\(host)") {
        _ = try await network.send(fields, of: "one", access)
      }
      #expect(error?.code == "resolver.householdRefused", "\(host): \(error?.message ?? "")")
    }
    let named = try #require(Origin("https://music.home/x"))
    #expect(household.contains(named))
    #expect(!household.contains(try #require(Origin("http://127.0.0.1:\(port == 1024 ? 1025 : 1024)"))))
    await server.stop()
  }

  @Test func theServersOfOtherMachinesBelongToTheHousehold() throws {
    let household = HouseholdServers(
      page: 9000, media: 9001, bus: 9100, isPeer: { $0 == "192.168.1.7" || $0 == "fd00::7" })
    func contains(_ url: String) throws -> Bool { household.contains(try #require(Origin(url))) }
    for port in [8787, 9000, 8788, 9001, 7700, 7763, 9100, 9163] {
      #expect(try contains("http://192.168.1.7:\(port)"), "\(port)")
      #expect(try contains("http://[fd00::7]:\(port)") && contains("http://[::ffff:192.168.1.7]:\(port)"))
      #expect(try !contains("http://192.168.1.8:\(port)"))
    }
    #expect(try !contains("http://192.168.1.7:4533"))
  }

  @Test func aPluginsListDoesNotReachTheHousehold() async throws {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "{}") }
    let resolver = try await TestResolver(household: HouseholdServers(page: server.port))
    let offer = Resolver.OfferPlugin(address: "http://127.0.0.1:\(server.port)/own.axe")
    #expect(await resolver.refusal(of: offer)?.code == "resolver.badAddress")
    let plugin = try await resolver.install(
      "ask", Self.reading, hasServer: false, more: proposing("http://localhost:\(server.port)"))
    #expect(try await resolver.ask(Resolver.ListPlugins()).plugins.map(\.servers) == [nil])
    let consent = Resolver.ServerConsent(
      setting: "server", address: "http://localhost:\(server.port)", digest: plugin.digest)
    let refusal = await resolver.refusal(of: Resolver.SetPlugin(id: "ask", server: consent))
    #expect(refusal?.code == "resolver.householdRefused")
    await resolver.close()
    await server.stop()
  }

  // MARK: - Inheritance

  private func file(
    _ version: String, author: String?
  ) throws -> [UInt8] {
    var manifest: [String: Any] = ["id": "spotify", "name": "Spotify", "version": version, "hosts": [String]()]
    manifest["author"] = author
    return try TestResolver.file(
      "spotify",
      ["resolve": "async (artist, title) => ({ title, artist, id: '\(version)' })", "init": "async () => {}"],
      more: [
        "manifest": manifest, "capabilities": ["resolve": true, "playbackTelemetry": true],
        "settings": [
          "requiresAuth": true, "authType": "oauth",
          "configurable": [
            "server": ["type": "text", "label": "Address"], "apiKey": ["type": "password", "label": "Key"],
          ],
        ],
      ])
  }

  private func offer(_ bytes: [UInt8], _ resolver: TestResolver) async throws -> Resolver.Plugin {
    let offer = Resolver.OfferPlugin(part: Data(bytes).base64EncodedString(), offset: 0, size: bytes.count)
    return try #require(try await resolver.ask(offer).plugin)
  }

  private func allow(
    _ plugin: Resolver.Plugin, _ resolver: TestResolver, inherits: [String]? = nil
  ) async throws -> Resolver.Plugin {
    try await resolver.ask(Resolver.AllowPlugin(id: plugin.id, digest: plugin.digest, inherits: inherits))
  }

  /// Installs a plugin that has a secret, a server, a stored value, an account, a further host and a consent to receive
  /// plays.
  private func installed(_ accounts: TestAccounts) async throws -> Resolver.Plugin {
    let resolver = accounts.resolver
    let plugin = try await allow(try await offer(try file("1.2.0", author: "Ada"), resolver), resolver)
    _ = try await resolver.ask(
      Resolver.SetPlugin(id: "spotify", settings: [.init(name: "apiKey", value: "s3cret")], host: "more.example"))
    try await resolver.setServer(of: "spotify", to: resolver.address)
    #expect(try await resolver.service.registry.store.store(.text("kept"), "k", of: "spotify"))
    try await accounts.signIn("spotify")
    _ = try await resolver.ask(Resolver.SetSharing(plugin: "spotify", subject: .plays, isAllowed: true))
    return plugin
  }

  private func keys(_ plugin: Resolver.Plugin) -> [String] { plugin.consent?.inheritable?.map(\.key) ?? [] }

  @Test func aFileOfAnotherAuthorGetsNothingOfTheFormerOneByItself() async throws {
    let accounts = try await TestAccounts()
    let resolver = accounts.resolver
    _ = try await installed(accounts)
    let other = try await offer(try file("2.0.0", author: "Mallory"), resolver)
    #expect(
      keys(other) == [
        "server server \(resolver.address)", "setting apiKey", "setting server", "account", "stored",
        "host more.example", "plays",
      ])
    let allowed = try await allow(other, resolver)
    #expect(allowed.version == "2.0.0" && allowed.isEnabled && allowed.hosts == [] && allowed.servers == nil)
    #expect(allowed.settings.allSatisfy { !$0.isSet } && allowed.account?.isSignedIn == false)
    #expect(allowed.account?.clientID == nil)
    let registry = resolver.service.registry
    #expect(try await registry.settings(of: "spotify") == [:])
    #expect(try await registry.store.value("k", of: "spotify") == nil)
    let sharing = try await resolver.ask(Resolver.ListSharing()).plugins
    #expect(sharing.map(\.hearsPlays) == [false])
    await accounts.close()
  }

  @Test func aConsentOfAnOlderLunaraIsThatOfTheSameMaker() async throws {
    let accounts = try await TestAccounts()
    let resolver = accounts.resolver
    _ = try await installed(accounts)
    try await resolver.service.registry.forgetMakers()
    let newer = try await offer(try file("1.3.0", author: "Ada"), resolver)
    #expect(keys(newer).allSatisfy { $0.hasPrefix("server ") })
    let allowed = try await allow(newer, resolver)
    #expect(allowed.settings.contains { $0.name == "apiKey" && $0.isSet } && allowed.account?.isSignedIn == true)
    #expect(allowed.hosts == ["more.example"])
    await accounts.close()
  }

  @Test func aFileTakesOverWhatAPersonNames() async throws {
    let accounts = try await TestAccounts()
    let resolver = accounts.resolver
    _ = try await installed(accounts)
    let other = try await offer(try file("2.0.0", author: "Mallory"), resolver)
    let named = ["setting server", "server server \(resolver.address)", "account"]
    let allowed = try await allow(other, resolver, inherits: named)
    #expect(allowed.servers?.map(\.isAllowed) == [true] && allowed.account?.isSignedIn == true)
    #expect(try await resolver.service.registry.settings(of: "spotify") == ["server": resolver.address])
    #expect(allowed.hosts == [])
    await accounts.close()
  }

  @Test func anOlderVersionIsAskedForAndANewerOneOfTheSameAuthorKeepsAllButServers() async throws {
    let accounts = try await TestAccounts()
    let resolver = accounts.resolver
    _ = try await installed(accounts)
    let older = try await offer(try file("1.1.9", author: "Ada"), resolver)
    #expect(keys(older).contains("setting apiKey") && keys(older).contains("account"))
    let nameless = try await offer(try file("1.3.0", author: nil), resolver)
    #expect(keys(nameless).contains("setting apiKey"))
    let newer = try await offer(try file("1.3.0", author: "Ada"), resolver)
    #expect(keys(newer) == ["server server \(resolver.address)"])
    let allowed = try await allow(newer, resolver)
    #expect(allowed.account?.isSignedIn == true && allowed.hosts == ["more.example"])
    #expect(allowed.settings.map(\.isSet) == [true, true] && allowed.servers?.map(\.isAllowed) == [false])
    // The person used the former version before, so it keeps everything.
    let former = try #require(try await resolver.ask(Resolver.OfferFormerVersion(id: "spotify")).plugin)
    #expect(former.version == "1.2.0" && keys(former) == [])
    #expect(try await allow(former, resolver).account?.isSignedIn == true)
    await accounts.close()
  }

  @Test func aFileFromAnotherAddressIsOfAnotherMaker() throws {
    let plugin = try PluginFile(try file("1.0.0", author: "Ada"))
    let newer = try PluginFile(try file("1.1.0", author: "Ada"))
    func isSame(_ origin: String?, as former: String?) -> Bool {
      PluginConsent(to: plugin.content, digest: plugin.digest, origin: former)
        .isSameMaker(newer.content, digest: newer.digest, from: origin)
    }
    #expect(isSame("https://a.example/list", as: "https://a.example/list"))
    #expect(!isSame("https://b.example/list", as: "https://a.example/list"))
    #expect(!isSame(nil, as: "https://a.example/list") && !isSame("https://a.example/list", as: nil))
    #expect(isSame(nil, as: nil))
  }
}

extension PluginRegistry {
  /// Starts with consents as older versions wrote them.
  fileprivate func forgetMakers() async throws {
    var former = Array(records.values)
    for index in former.indices {
      former[index].consent?.author = nil
      former[index].consent?.origin = nil
      former[index].consent?.agreed = nil
      former[index].consent?.addedHosts = nil
    }
    try await store.write(former)
    try await start()
  }
}
