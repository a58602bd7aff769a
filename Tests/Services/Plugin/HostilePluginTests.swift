import Foundation
import Glibc
import Model
import System
import Testing

/// Plugins that want to harm: whatever they do stays in their process, and ends with it.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HostilePluginTests {
  @Test func aLoopIsEndedByTheEngine() throws {
    let plugin = try TestPlugin(["spin": "() => { for (;;); }", "regexp": "() => /(a+)+b/.test('a'.repeat(40))"])
    #expect(try plugin.call("spin")["ended"] as? String == "tooLong")
    #expect(try plugin.line() == nil)
  }

  @Test func resultsAreBounded() throws {
    let plugin = try TestPlugin([
      "long": "() => 'é'.repeat(900000)", "huge": "() => 'a'.repeat(10 << 20)",
      "deep": "(n) => { let a = 1; while (n--) a = [a]; return a }",
      "circle": "() => { const a = {}; a.a = a; return a }",
      "getter": "() => ({ get a() { throw new Error('read') } })",
      "json": "() => ({ toJSON() { return { ended: 1 } } })",
      "number": "() => 10n",
    ])
    #expect(try plugin.failure("huge") == "The result is larger than 1 MiB")
    #expect(try plugin.result("long").utf16.count == 900_002)
    #expect(
      try plugin.result("deep", [32]).hasPrefix("[[") && plugin.failure("deep", [33])?.contains("32 deep") == true)
    #expect(try plugin.failure("deep", [90_000]) != nil)
    for name in ["circle", "getter", "number"] { #expect(try plugin.failure(name) != nil, "\(name)") }
    #expect(try plugin.result("json") == #"{"ended":1}"#)
  }

  @Test func manyLargeAnswersAreReadWhileGarbageIsCollected() throws {
    let functions = [
      "read":
        "async (n) => { let sum = 0; for (let i = 0; i < n; i++) { const page = await (await fetch('https://a.test/')).json(); sum += page.items.filter((one) => one.title.includes('7')).map((one) => ({ ...one })).length; } return sum; }"
    ]
    let items = (0..<10_000).map {
      ["title": "Title \($0)", "link": "https://a.test/of/the/item/\($0)/with/a/long/name"]
    }
    let page = TestPlugin.json(["items": items])
    #expect(page.utf8.count > 800_000)
    // The collector of the engine must neither need a system call that is refused, nor wait for itself.
    for _ in 0..<2 {
      let plugin = try TestPlugin(functions)
      let sum = try plugin.result("read", [20]) { _ in ["result": ["status": 200, "text": page]] }
      #expect(sum == "\(20 * items.count { $0["title"]?.contains("7") == true })")
    }
  }

  @Test func questionsAtOnceAreBounded() throws {
    let plugin = try TestPlugin([
      "flood":
        "async () => (await Promise.allSettled(Array.from({ length: 200 }, (_, n) => fetch('https://a.test/' + n)))).filter((one) => one.status === 'rejected').length"
    ])
    var asked = 0
    let rejected = try plugin.result("flood") { _ in
      asked += 1
      return ["result": ["status": 200, "text": ""]]
    }
    #expect(asked == 64 && rejected == "136")
  }

  @Test(arguments: [
    "JSON.parse = JSON.stringify = () => { throw 1 }", "Object.prototype.result = { evil: 1 }",
    "Object.prototype.call = 7", "Promise.prototype.then = () => {}", "Object.freeze(globalThis)",
    "delete globalThis.fetch", "globalThis.setTimeout = null", "Error.prototype.toString = () => { for (;;); }",
  ])
  func whatAPluginDoesToItsOwnContextLeavesTheLinesWellFormed(code: String) throws {
    let plugin = try TestPlugin(["spoil": "() => { \(code) }", "work": "async (a) => a"])
    _ = try plugin.call("spoil")
    // The plugin may have made itself useless, or be ended. What comes is a line of the protocol, or nothing.
    try plugin.send(["call": 99, "function": "work", "arguments": ["x"]])
    let line = try? plugin.line(within: 3)
    if let line, let result = line["result"] as? String { #expect(result == "x") }
  }

  @Test func theProcessOpensNothing() throws {
    let plugin = try TestPlugin(["work": "() => 1"])
    #expect(try plugin.result("work") == "1")
    let status = try Files.text("/proc/\(plugin.process.pid)/status")
    #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"))
    #expect(try Files.text("/proc/\(plugin.process.pid)/oom_score_adj") == "1000\n")
    // No memory is both writable and executable.
    let maps = try Files.text("/proc/\(plugin.process.pid)/maps")
    #expect(!maps.contains("rwx"))
    let environment = try Files.text("/proc/\(plugin.process.pid)/environ")
    #expect(!environment.contains("HOME="))
  }

  @Test func theProcessEndsWithItsInput() throws {
    let plugin = try TestPlugin(["wait": "() => new Promise(() => setTimeout(() => {}, 60000))"])
    try plugin.send(["call": 1, "function": "wait", "arguments": [String]()])
    plugin.close()
    #expect(try plugin.line() == nil)
  }
}

extension Files {
  fileprivate static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }
}
