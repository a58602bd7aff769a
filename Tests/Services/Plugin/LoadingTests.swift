import Foundation
import Testing

/// Files as plugins' processes load them.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LoadingTests {
  @Test func functionsAreMadeAsPluginsExpectAndOthersReject() throws {
    let plugin = try TestPlugin()
    let loaded = try plugin.load([
      "manifest": ["id": "x", "name": "X", "version": "1.0"], "settings": ["requiresAuth": true],
      "implementation": [
        "arrow": "() => 1;", "comment": "() => 2 // two", "newline": "\n() => 3", "broken": "() =>", "number": "7",
        "enabled": "() => 4", "__proto__": "() => 5", "_help": "function() { return this.name }",
        "search":
          "async function() { return [this._help(), this.enabled, this.weight, this.config, this.icon, this.requiresAuth, this.authType] }",
      ],
    ])
    let parts = try #require(loaded["loaded"] as? TestPlugin.Fields)
    #expect(Set(try #require(parts["functions"] as? [String])) == ["arrow", "comment", "_help", "search"])
    let faults = try #require(parts["faults"] as? [TestPlugin.Fields])
    #expect(Set(faults.compactMap { $0["function"] as? String }) == ["newline", "broken", "number"])
    #expect(try plugin.result("search") == #"["X",false,0,{},"🎵",true,"none"]"#)
    #expect(try plugin.result("arrow") == "1" && plugin.result("comment") == "2")
    for name in ["newline", "broken", "number"] {
      #expect(try plugin.failure(name) == "Function \(name) not implemented")
    }
    for name in ["enabled", "missing"] { #expect(try plugin.failure(name) == "The plugin has no function \(name)") }
  }

  @Test func whatIsNoFileIsTold() throws {
    let plugin = try TestPlugin()
    try plugin.send(["load": "{"])
    #expect(try plugin.line()?["failed"] != nil)
    // The process goes on, and loads another one.
    #expect(try plugin.load(["manifest": ["id": "x"]])["loaded"] != nil)
  }

  @Test func theEngineHasNothingThatReachesOutside() throws {
    let plugin = try TestPlugin([
      "see":
        "() => ['process', 'require', 'XMLHttpRequest', 'WebSocket', 'Worker', 'WebAssembly', 'URL', 'atob', 'host'].filter((name) => typeof globalThis[name] !== 'undefined')"
    ])
    #expect(try plugin.result("see") == "[]")
  }

  @Test func aThrownErrorIsTheEndOfACallAndNotOfTheProcess() throws {
    let plugin = try TestPlugin([
      "now": "() => { throw new Error('now') }", "later": "async () => { throw 'later' }", "none": "() => undefined",
    ])
    #expect(try plugin.failure("now") == "now" && plugin.failure("later") == "later")
    #expect(try plugin.result("none") == "null")
  }
}
