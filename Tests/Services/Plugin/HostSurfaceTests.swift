import Foundation
import Testing

/// The functions that plugins find in their process.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HostSurfaceTests {
  @Test func aRequestIsAskedOfTheResolverAndItsAnswerIsRead() throws {
    let plugin = try TestPlugin([
      "get": """
      async function(address) {
        const answer = await fetch(address, { method: 'POST', headers: { A: 1 }, body: 7 });
        return [answer.ok, answer.status, await answer.text(), await answer.json()];
      }
      """
    ])
    let result = try plugin.result("get", ["https://a.test/"]) { ask in
      #expect(
        TestPlugin.json(ask)
          == #"{"ask":1,"body":"7","headers":{"A":"1"},"kind":"fetch","method":"POST","url":"https://a.test/"}"#)
      return ["result": ["status": 404, "text": #"{"a":[1]}"#]]
    }
    #expect(result == #"[false,404,"{\"a\":[1]}",{"a":[1]}]"#)
    // Only a request without an answer fails.
    let failed = try plugin.call("get", ["https://a.test/"]) { _ in ["error": "no route"] }
    #expect(TestPlugin.json(failed).contains("no route"))
  }

  @Test func timersFireInTheirOrderAndCanBeCleared() throws {
    let plugin = try TestPlugin([
      "wait": """
      async function() {
        const seen = [];
        const never = setTimeout(() => seen.push('never'), 10);
        setTimeout((word) => seen.push(word), 40, 'late');
        setTimeout(() => seen.push('soon'), 0);
        setTimeout(() => { throw new Error('lost') }, 20);
        clearTimeout(never);
        await new Promise((done) => setTimeout(done, 60));
        return seen;
      }
      """
    ])
    #expect(try plugin.result("wait") == #"["soon","late"]"#)
    #expect(plugin.lines.contains { ($0["text"] as? String)?.contains("lost") == true })
  }

  @Test func whatIsPrintedIsALineOfTheLogUntilItIsTooMuch() throws {
    let plugin = try TestPlugin([
      "talk":
        "() => { console.warn('a', { b: 1 }, new Error('c')); for (let i = 0; i < 100; i++) console.log('x'.repeat(5000)); }"
    ])
    _ = try plugin.call("talk")
    let logged = plugin.lines.filter { $0["log"] != nil }
    #expect(TestPlugin.json(logged[0]) == #"{"log":"warning","text":"a {\"b\":1} Error: c"}"#)
    #expect(logged.count == 17 && logged.dropFirst().allSatisfy { ($0["text"] as? String)?.count == 4000 })
  }

  @Test func theHouseIsAskedForFilesValuesAndAccounts() throws {
    let plugin = try TestPlugin([
      "ask": """
      async function(config) {
        const { localFiles, store, config: settings } = window.electron;
        return [
          await localFiles.search('w'), await localFiles.resolve({ artist: 'A', track: 'T', album: 'B' }),
          await store.get('k'), await store.set('k', { v: 1 }), await storage.delete('k'), await settings.get('s'),
          await config.refreshToken(), await resolveMbidForLove({ artist: 'A', title: 'T' }),
        ];
      }
      """
    ])
    var kinds: [String] = []
    let line = try plugin.call("ask", [["token": "TOK"]], more: ["account": 0]) { ask in
      kinds.append(TestPlugin.json(ask))
      return ["result": kinds.count]
    }
    #expect(TestPlugin.json(line["result"] ?? "") == "[1,2,3,4,5,6,7,8]")
    #expect(
      kinds == [
        #"{"ask":1,"kind":"localSearch","words":"w"}"#,
        #"{"album":"B","artist":"A","ask":2,"kind":"localResolve","title":"T"}"#,
        #"{"ask":3,"key":"k","kind":"storeGet"}"#, #"{"ask":4,"key":"k","kind":"storeSet","value":{"v":1}}"#,
        #"{"ask":5,"key":"k","kind":"storeDelete"}"#, #"{"ask":6,"kind":"config","name":"s"}"#,
        #"{"ask":7,"kind":"refreshToken"}"#, #"{"artist":"A","ask":8,"kind":"recordingID","title":"T"}"#,
      ])
  }

  @Test func nothingIsOpenedALinkIsOffered() throws {
    let plugin = try TestPlugin([
      "open":
        "async () => [window.open('https://a.test/1'), await window.electron.shell.openExternal('https://a.test/2')]"
    ])
    #expect(try plugin.result("open") == #"[null,{"success":true}]"#)
    #expect(plugin.lines.compactMap { $0["link"] as? String } == ["https://a.test/1", "https://a.test/2"])
  }

  @Test func aScrobblerIsRegisteredAndCalled() throws {
    let plugin = try TestPlugin([
      "init": """
      async function() {
        window.scrobbleManager.registerPlugin({ id: this.id, async isEnabled() { return true }, async scrobble(track, at) {
          const error = new Error(track.title + at); error.authError = true; throw error } });
      }
      """
    ])
    _ = try plugin.call("init")
    #expect(plugin.lines.contains { $0["scrobbler"] as? String == "own" && $0["isRegistered"] as? Bool == true })
    #expect(try plugin.call("isEnabled", more: ["scrobbler": "own"])["result"] as? Bool == true)
    let failed = try plugin.call("scrobble", [["title": "T"], 5], more: ["scrobbler": "own"])
    #expect(TestPlugin.json(failed["error"] ?? "") == #"{"isAuthError":true,"message":"T5"}"#)
  }

  @Test(arguments: [
    (".a", #"["One!","Two"]"#), ("p.a", #"["One!"]"#), ("meta[property=\"og:title\"]", #"["C"]"#), ("#x b", #"["!"]"#),
    ("div > p", "[]"), ("li, b", #"["!","Two"]"#), ("[data-n^='1']", #"["Two"]"#), (".none", "[]"), ("", "[]"),
  ])
  func elementsOfAPageAreFound(selector: String, texts: String) throws {
    let plugin = try TestPlugin([
      "find": """
      (page, selector) => {
        const found = [];
        new DOMParser().parseFromString(page, 'text/html').querySelectorAll(selector)
          .forEach((one) => found.push(one.content || one.textContent));
        return found;
      }
      """
    ])
    let page = """
      <html><head><meta property="og:title" content="C"></head><body><div id=x><p class="b a">One<b>!</b></p>
      <ul><li class=a data-n="12">Two</ul></div><script>evil()</script></body>
      """
    #expect(try plugin.result("find", [page, selector]) == texts)
  }

  @Test func functionsKnowTheirPluginWhereverTheyArePassed() throws {
    let plugin = try TestPlugin([
      "passed": "async function() { const { name: own } = this; return ['a', 'b'].map(this.named).concat(own); }",
      "named": "function(text) { return text + ' of ' + this.id + ' ' + typeof this.storage.get; }",
    ])
    #expect(try plugin.result("passed") == #"["a of own function","b of own function","Own"]"#)
  }

  @Test func partsOfAFileThatAreNullAreTakenForMissing() throws {
    let plugin = try TestPlugin()
    let loaded = try plugin.load([
      "manifest": ["id": "own", "icon": "", "color": NSNull()], "settings": NSNull(), "capabilities": NSNull(),
      "implementation": ["look": "function() { return [this.icon, this.color, this.authType, this.capabilities]; }"],
    ])
    #expect((loaded["loaded"] as? TestPlugin.Fields)?["functions"] as? [String] == ["look"])
    #expect(try plugin.result("look") == ##"["🎵","#888888","none",{}]"##)
  }

  @Test func digestsAreAskedOfTheResolver() throws {
    let plugin = try TestPlugin(["both": "async (t) => [await window.electron.crypto.md5(t), await crypto.sha256(t)]"])
    let result = try plugin.result("both", ["é"]) { ["result": "\($0["name"] ?? "") of \($0["text"] ?? "")"] }
    #expect(result == #"["md5 of é","sha256 of é"]"#)
  }
}
