import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_resolver

/// The values that plugins store, and the settings that open servers to them.
@Suite struct PluginStoreTests {
  @Test func aValueThatIsTooLargeLeavesTheFormerOne() async throws {
    let (bus, home) = (try TestBus(), TemporaryDirectory())
    let database = try bus.database("resolver", migrations: ResolverSchema.migrations)
    let store = PluginStore(database: database, credentials: CredentialStore(home: home.path))
    let large = PluginValue.text(String(repeating: "x", count: PluginStore.valueLimit))
    #expect(try await store.store(.text("one"), "k", of: "p"))
    #expect(try await store.store(large, "k", of: "p") == false)
    #expect(try await store.value("k", of: "p") == .text("one"))
    #expect(try await store.store(.text("two"), "k", of: "p"))
    #expect(try await store.value("k", of: "p") == .text("two"))
    #expect(try await store.store(nil, "k", of: "p"))
    #expect(try await store.value("k", of: "p") == nil)
    await database.close()
    withExtendedLifetime((bus, home)) {}
  }

  @Test func onlySettingsThatAPersonTypesOpenServers() throws {
    let text = #"""
      {"manifest":{"id":"p"},"settings":{"configurable":{
        "server":{"type":"text"}, "mode":{"type":"select","options":[{"value":"http://192.168.1.1/","label":"Fast"}]},
        "model":{"type":"dynamic-select"}, "secret":{"type":"password"}
      }},"implementation":{}}
      """#
    #expect(try PluginFile(Array(text.utf8)).typedSettings == ["server"])
  }
}
