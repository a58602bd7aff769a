import Model
import Plugins
import Testing

@Suite struct AxeFileTests {
  private func read(_ text: String) throws -> AxeFile { try AxeFile(Array(text.utf8)) }

  @Test func aFileIsReadWithoutRunningIt() throws {
    let file = try read(
      #"""
      {"manifest": {"id": "archive", "name": "Old <b>Archive</b>", "version": "1.2.0", "author": "Ada", "type": "resolver",
        "description": "Finds\n\u0007recordings\u202e.", "color": "#Fa0", "homepage": "https://archive.test/", "extra": 1},
       "capabilities": {"search": true, "resolve": 1, "stream": false, "flying": true},
       "settings": {"requiresAuth": true, "authType": "apikey", "scopes": "a b", "configurable": {
         "key": {"type": "password", "label": "Key", "required": true},
         "model": {"type": "dynamic-select", "fallbackOptions": [{"value": "m1", "label": "One"}, "m2"]},
         "__proto__": {"type": "text"}}},
       "urlPatterns": ["archive.test/details/*", "*.mirror.test/x/*", "spotify:track:*"],
       "implementation": {
         "search": "async function(q) { return fetch('https://api.archive.test/search?q=' + q + 'https://127.0.0.1/') }",
         "resolve": "async function() { return `https://${shop}.shop.test https://media.$x.test https://host` }",
         "__proto__": "function() {}", "enabled": "function() {}", "other": 7}}
      """#)
    #expect(file.manifest.id == "archive" && file.manifest.name == "Old <b>Archive</b>")
    #expect(file.manifest.summary == "Finds recordings ." && file.manifest.color == "#ffaa00")
    #expect(file.manifest.icon == "🎵" && file.manifest.kind == .resolver && file.isResolver)
    #expect(file.capabilities == ["resolve", "search"])
    #expect(file.functions == ["search", "resolve", "other"])
    #expect(file.hosts == ["*.mirror.test", "api.archive.test", "archive.test"])
    #expect(file.settings.needsAccount && file.settings.authentication == .apikey)
    #expect(file.settings.scopes == ["a", "b"] && file.settings.fields.map(\.name) == ["key", "model"])
    #expect(file.settings.fields[0].kind == .password && file.settings.fields[0].isRequired)
    #expect(file.settings.fields[1].choices.map(\.label) == ["One", "m2"])
    #expect(file.urlPatterns.map(\.text).first == "archive.test/details/*")
  }

  @Test func theHostsOfAManifestCountBeforeThoseInTheCode() throws {
    let file = try read(
      #"""
      {"manifest": {"id": "x", "hosts": ["B.test", "a.test", "a.test", "192.168.1.1", "*", "router.local", "10"]},
       "implementation": {"search": "async () => fetch('https://hidden.test/')"}}
      """#)
    #expect(file.hosts == ["a.test", "b.test"] && file.manifest.name == "x" && file.settings.authentication == .none)
    #expect(!file.isResolver)
    #expect(PluginHosts.allow("A.test", file.hosts) && !PluginHosts.allow("c.a.test", file.hosts))
    #expect(PluginHosts.allow("c.a.test", ["*.a.test"]) && !PluginHosts.allow("a.test", ["*.a.test"]))
    #expect(!PluginHosts.allow("evila.test", ["*.a.test"]))
  }

  @Test(arguments: [
    "", "[]", "null", "{", #"{"manifest": []}"#, #"{"manifest": {}}"#, #"{"manifest": {"id": ""}}"#,
    #"{"manifest": {"id": "../x"}}"#, #"{"manifest": {"id": "<b>"}}"#, #"{"manifest": {"id": {"a": 1}}}"#,
    #"{"manifest": {"id": "é"}}"#, #"{"manifest": {"id": "\#(String(repeating: "a", count: 65))"}}"#,
  ])
  func whatIsNoPluginIsRefused(text: String) {
    let error = #expect(throws: LunaraError.self) { try read(text) }
    #expect(error?.code == "plugin.badFile")
  }

  @Test func aFileOfMoreThanOneMebibyteIsRefused() throws {
    func padded(_ size: Int) -> String {
      let start = #"{"manifest": {"id": "x"}, "more": ""#
      return start + String(repeating: "a", count: size - start.utf8.count - 2) + "\"}"
    }
    #expect(try read(padded(AxeFile.sizeLimit)).manifest.id == "x")
    #expect(throws: LunaraError.self) { try read(padded(AxeFile.sizeLimit + 1)) }
  }

  @Test func versionsAreInTheOrderOfTheirRules() {
    let order = [
      "", "0.0.1-alpha", "0.0.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
      "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.2", "1.10.0", "v2",
    ].map { SemanticVersion($0) }
    for (index, version) in order.enumerated() {
      #expect(order[(index + 1)...].allSatisfy { version < $0 && !($0 < version) }, "\(version)")
    }
    #expect(SemanticVersion("1.0.0+a") == SemanticVersion("v1.0") && SemanticVersion("").description == "0")
  }

  @Test func aConsentFitsOnlyWhatAPersonHasSeen() throws {
    let first = try read(
      #"{"manifest": {"id": "x", "version": "1.0", "hosts": ["a.test"]}, "capabilities": {"search": true}}"#)
    var consent = PluginConsent(to: first, digest: "d1")
    #expect(consent.change(in: first, digest: "d1") == nil)
    #expect(consent.change(in: first, digest: "d2")?.isOtherFile == true)
    let next = try read(
      #"""
      {"manifest": {"id": "x", "version": "1.1", "hosts": ["a.test", "b.test"]},
       "capabilities": {"search": true, "scrobbling": true}}
      """#)
    let change = try #require(consent.change(in: next, digest: "d2"))
    #expect(change.newHosts == ["b.test"] && change.newCapabilities == ["scrobbling"] && change.isUpdate)
    consent.hosts.append("more.test")
    #expect(consent.change(in: first, digest: "d1") == nil)
  }
}
