/// The program of the host, in JavaScript. It gives a plugin what plugins find elsewhere, and speaks with the resolver
/// by JSON lines.
///
/// It shares its context with the plugin, which may change whatever it wants there: it harms only itself, as each
/// plugin has a process of its own, and the resolver trusts no line.
enum HostProgram {
  /// The text of a function that takes the functions of the host (`send`, `wake`, `html`, `now`) and returns
  /// the receiver of lines.
  static let text =
    "(function (host) {\n'use strict';\n\(lines)\n\(timers)\n\(surface)\n\(DocumentProgram.text)\n\(calls)\n})"

  /// Lines in both directions, and questions to the resolver.
  private static let lines = #"""
    // Plugins are written for an engine without it, and what is not there needs no trust.
    delete globalThis.WebAssembly;
    const { parse, stringify } = JSON;
    const { keys, defineProperty } = Object;
    const asked = new Map();
    const askLimit = 64, resultLimit = 1 << 20, logLimit = 64 << 10;
    let lastAsk = 0;

    const send = (line) => host.send(stringify(line));

    function ask(kind, fields) {
      return new Promise((resolve, reject) => {
        if (asked.size >= askLimit) return reject(new Error('Too many questions at once'));
        const number = ++lastAsk;
        asked.set(number, { resolve, reject });
        send({ ask: number, kind, ...fields });
      });
    }

    function answered({ answer, result, error }) {
      const waiting = asked.get(answer);
      asked.delete(answer);
      if (!waiting) return;
      if (error === undefined) waiting.resolve(result);
      else waiting.reject(new Error(String(error)));
    }

    let logged = 0, loggedSince = 0;
    function log(level, values) {
      const now = Number(host.now());
      if (now - loggedSince > 60000) [logged, loggedSince] = [0, now];
      const text = values.map((value) => {
        if (typeof value === 'string') return value;
        if (value instanceof Error) return `${value.name}: ${value.message}`;
        try { return stringify(value) ?? String(value); } catch { return '[object]'; }
      }).join(' ').slice(0, 4000);
      if (logged + text.length > logLimit) return;
      logged += text.length;
      send({ log: level, text });
    }
    """#

  private static let timers = #"""
    const waiting = new Map();
    const timerLimit = 1000;
    let lastTimer = 0;

    function plan() {
      let next = Infinity;
      for (const { at } of waiting.values()) next = Math.min(next, at);
      host.wake(next === Infinity ? '' : String(Math.ceil(next)));
    }

    function runTimers() {
      const now = Number(host.now());
      const due = [...waiting].filter(([, { at }]) => at <= now).sort(([a, one], [b, other]) => one.at - other.at || a - b);
      for (const [number] of due) waiting.delete(number);
      plan();
      for (const [, { action, values }] of due) {
        try { action(...values); } catch (error) { log('error', ['A timer failed:', error]); }
      }
    }

    globalThis.setTimeout = (action, delay, ...values) => {
      if (typeof action !== 'function') throw new TypeError('setTimeout needs a function');
      if (waiting.size >= timerLimit) throw new Error('Too many timers');
      const time = Math.min(60000, Math.max(1, Number(delay) || 0));
      waiting.set(++lastTimer, { at: Number(host.now()) + time, action, values });
      plan();
      return lastTimer;
    };
    globalThis.clearTimeout = (number) => { if (waiting.delete(number)) plan(); };
    """#

  /// The objects and functions that plugins expect.
  private static let surface = #"""
    function request(address, options) {
      const { method, headers, body } = options ?? {};
      const texts = {};
      for (const name of keys(headers ?? {})) texts[name] = String(headers[name]);
      return {
        url: String(address), method: method === undefined ? 'GET' : String(method), headers: texts,
        body: body === undefined || body === null ? null : String(body),
      };
    }

    const response = ({ status, text }) => ({
      ok: status >= 200 && status < 300, status, text: async () => text, json: async () => parse(text),
    });

    globalThis.fetch = async (address, options) => response(await ask('fetch', request(address, options)));

    const console = {};
    for (const [name, level] of [['log', 'info'], ['info', 'info'], ['debug', 'info'], ['warn', 'warning'], ['error', 'error']]) {
      console[name] = (...values) => log(level, values);
    }
    globalThis.console = console;

    globalThis.window = globalThis;
    const open = (address) => {
      send({ link: String(address).slice(0, 4096) });
      return { success: true };
    };
    globalThis.open = (address) => { open(address); return null; };

    const store = {
      get: (key) => ask('storeGet', { key: String(key) }),
      set: (key, value) => ask('storeSet', { key: String(key), value: value === undefined ? null : value }),
      delete: (key) => ask('storeDelete', { key: String(key) }),
    };
    const crypto = {
      md5: (text) => ask('digest', { name: 'md5', text: String(text) }),
      sha256: (text) => ask('digest', { name: 'sha256', text: String(text) }),
    };
    const localFiles = {
      search: (words) => ask('localSearch', { words: String(words) }),
      // A list, the best one first; null where there is none.
      resolve: (track) => ask('localResolve', { artist: track?.artist ?? '', title: track?.track ?? track?.title ?? '', album: track?.album ?? null }),
      getStreamUrl: async () => null,
    };
    globalThis.electron = {
      shell: { openExternal: async (address) => open(address) },
      localFiles, store, crypto,
      config: { get: (name) => ask('config', { name: name === undefined ? null : String(name) }) },
      proxyFetch: (address, options) => ask('proxyFetch', request(address, options)),
    };
    Object.assign(globalThis, { storage: store, crypto, localFiles });
    globalThis.iTunesRateLimiter = {
      fetch: async (address, options) => response(await ask('itunesFetch', request(address, options))),
    };

    const scrobblers = new Map();
    globalThis.scrobbleManager = {
      registerPlugin(scrobbler) {
        scrobblers.set(String(scrobbler?.id), scrobbler);
        send({ scrobbler: String(scrobbler?.id).slice(0, 64), isRegistered: true });
      },
      unregisterPlugin(id) {
        if (scrobblers.delete(String(id))) send({ scrobbler: String(id).slice(0, 64), isRegistered: false });
      },
    };
    globalThis.resolveMbidForLove = (track) => ask('recordingID', { artist: String(track?.artist ?? ''), title: String(track?.title ?? '') });
    """#

  /// The plugin's functions, and the calls of them.
  private static let calls = #"""
    const skipped = new Set([
      '__proto__', 'constructor', 'prototype', 'id', 'name', 'version', 'author', 'description', 'icon', 'color', 'homepage',
      'email', 'capabilities', 'urlPatterns', 'requiresAuth', 'authType', 'configurable', 'enabled', 'weight', 'config',
      '_bindContext']);
    let plugin = null;

    function load(text) {
      const file = parse(text);
      const { id, name, version, author, description, icon, color, homepage, email } = file.manifest ?? {};
      const { requiresAuth = false, authType = 'none', configurable = {} } = file.settings ?? {};
      const implementation = file.implementation ?? {};
      plugin = {
        id, name, version, author, description, icon: icon || '🎵', color: color || '#888888', homepage, email,
        capabilities: file.capabilities ?? {}, urlPatterns: file.urlPatterns ?? [], requiresAuth, authType, configurable,
        enabled: false, weight: 0, config: {}, storage: store,
      };
      const functions = [], faults = [];
      for (const member of keys(implementation)) {
        if (skipped.has(member)) continue;
        let made;
        try {
          made = new Function('return ' + implementation[member])();
          if (typeof made !== 'function') throw new Error('it is no function');
          functions.push(member);
        } catch (error) {
          faults.push({ function: member, message: String(error?.message ?? error) });
          // A call of it fails with the words of the player that plugins are written for; some plugins look for them.
          made = async () => { throw new Error(`Function ${member} not implemented`); };
        }
        // Plugins pass their functions on as values, and expect them to know their plugin.
        const bound = plugin;
        plugin[member] = (...values) => made.apply(bound, values);
      }
      send({ loaded: { functions, faults } });
    }

    function ended(call, fields) {
      const text = stringify({ call, ...fields });
      const refusal = text.length > resultLimit ? 'is larger than 1 MiB' : host.send(text);
      if (refusal !== null) send({ call, error: { message: `The result ${refusal}`, isAuthError: false } });
    }

    const failed = (call, error) => ended(call, {
      error: { message: String(error?.message ?? error).slice(0, 1000), isAuthError: error?.authError === true },
    });

    function start({ call, function: name, arguments: values = [], account, scrobbler }) {
      const target = scrobbler === undefined ? plugin : scrobblers.get(scrobbler);
      // The object that holds the account gets the function that renews it.
      if (account !== undefined && values[account]) values[account].refreshToken = () => ask('refreshToken', {});
      let result;
      try {
        if (typeof target?.[name] !== 'function') throw new Error(`The plugin has no function ${name}`);
        result = target[name](...values);
      } catch (error) {
        return failed(call, error);
      }
      Promise.resolve(result).then((value) => ended(call, { result: value === undefined ? null : value }))
        .catch((error) => failed(call, error));
    }

    return (line) => {
      if (line === '') return runTimers();
      const message = parse(line);
      if (message.load !== undefined) {
        try { load(message.load); } catch (error) { send({ failed: String(error?.message ?? error).slice(0, 1000) }); }
      } else if (message.answer !== undefined) answered(message);
      else if (message.call !== undefined) start(message);
    };
    """#
}
