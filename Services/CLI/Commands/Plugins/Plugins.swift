import Bus
import Client
import Glibc
import Messages
import Model

/// The consent that the options of a command give, so that nobody is asked.
struct Consent: Sendable {
  let agrees, inherits: Bool
}

extension Parameter {
  static var consent: Parameter<Consent> {
    Parameter<Consent>(.yes, .inherit) { Consent(agrees: $0.has(.yes), inherits: $0.has(.inherit)) }
  }
}

extension Client {
  /// Returns an installed plugin. Throws `resolver.unknownPlugin`.
  fileprivate func plugin(_ id: String) async throws -> Resolver.Plugin {
    let plugins = try await ask(Resolver.ListPlugins()).plugins
    guard let plugin = plugins.first(where: { $0.id == id }) else {
      throw LunaraError(
        "resolver.unknownPlugin", "There is no plugin \(id). `lunara plugins` lists those that are installed.")
    }
    return plugin
  }
}

extension Option {
  static let yes = Option("--yes", help: "agree to what is shown, without being asked")
  fileprivate static let inherit = Option(
    "--inherit", help: "let the file take over what the former one of another maker has, such as settings and account")
}

extension Command {
  static let plugins = Command(
    name: "plugins", summary: "plugins that find music beyond the library: scripts of strangers, kept apart",
    discussion: """
      A plugin is a file whose name ends in `.axe`. It is run only after you have agreed to it, in a process that reaches
      no file, no other program, and only the hosts that are shown. `lunara plugins on` shows it again and asks where its
      file has changed. A household without plugins runs none of this.
      """,
    examples: [
      "lunara plugins": "those that are installed, in the order in which they are used",
      "lunara plugins add archive.axe": "shows what it is and which hosts it asks, then asks you",
      "lunara plugins order archive bandcamp": "the first one is used before the second",
    ],
    commands: [
      listPlugins, addPlugin, removePlugin, switchOn, switchOff, orderPlugins, pluginSettings, allowHost, testPlugin,
      updatePlugins, revertPlugin, pluginDevices, sharePlays, shareHistory, unwantedMusic,
    ],
    run: printPlugins)

  private static let listPlugins = Command(
    name: "list", summary: "those that are installed", examples: ["lunara plugins list": "as `lunara plugins`"],
    run: printPlugins)

  @Sendable private static func printPlugins(_ client: Client, _ console: Console) async throws {
    guard client.nodes().contains(.resolver) else {
      return console.print(.array([]), text: "No plugin is installed. `lunara plugins add FILE` adds one.\n")
    }
    console.show(try await client.ask(Resolver.ListPlugins()))
  }

  private static let addPlugin = Command(
    name: "add", summary: "install a plugin from a file, a folder or an https address",
    examples: [
      "lunara plugins add archive.axe": "a file",
      "lunara plugins add https://example.org/archive.axe --yes": "an address, without the question",
    ],
    takes: .consent,
    Parameter(
      operand: .one(
        "FILE", help: "the file, a folder of them, or an address that begins with https://", completes: .files)
    ) {
      // A file that cannot be read starts no resolver.
      try PluginUpload.files(at: $0.operands[0]).map { file in
        (name: file, bytes: try file.contains("://") ? nil : PluginUpload.read(file))
      }
    },
    through: Client.startingResolver
  ) { client, console, consent, files in
    for file in files {
      if let bytes = file.bytes {
        try await allow(try required(try await client.offer(bytes)), consent, client, console)
      } else {
        try await add(at: file.name, consent, client, console)
      }
    }
  }

  /// Adds the plugin at an address, or those of a list that is there, one after the other.
  private static func add(at address: String, _ consent: Consent, _ client: Client, _ console: Console) async throws {
    let offer = try await offer(address, client)
    guard let listed = offer.listed else {
      return try await allow(try required(offer.plugin), consent, client, console)
    }
    let new = listed.filter { $0.installed != $0.version }
    guard !new.isEmpty else { return console.remark("All plugins of this list are installed.") }
    var left = LeftPlugins()
    for one in new {
      do {
        try await allow(try required(try await Self.offer(one.address, client).plugin), consent, client, console)
      } catch {
        // Of a list a person may want some and not others.
        try left.add(one.id, error, console)
      }
    }
    try left.check()
  }

  private static func offer(_ address: String, _ client: Client) async throws -> Resolver.Offer {
    try await client.ask(Resolver.OfferPlugin(address: address), within: .seconds(30))
  }

  private static func required(_ plugin: Resolver.Plugin?) throws -> Resolver.Plugin {
    guard let plugin else {
      throw LunaraError("plugin.badFile", "The file is no plugin that can be used: it did not arrive whole.")
    }
    return plugin
  }

  private static let switchOn = Command(
    name: "on", summary: "switch a plugin on; asks where nobody has agreed to its file",
    examples: ["lunara plugins on archive": "by its id"],
    takes: .consent, .operand("ID", help: "the plugin's id"),
    through: Client.withPlugins
  ) { client, console, consent, id in
    let list = try await client.ask(Resolver.ListPlugins())
    if let plugin = list.plugins.first(where: { $0.id == id }), plugin.consent != nil {
      return try await allow(plugin, consent, client, console)
    }
    try await set(Resolver.SetPlugin(id: id, isEnabled: true), client, console)
  }

  /// Shows a plugin, asks if it may be used, and installs it.
  static func allow(_ plugin: Resolver.Plugin, _ consent: Consent, _ client: Client, _ console: Console) async throws {
    if !consent.agrees {
      console.remark(plugin.introduction)
      guard try await SecretPrompt.confirm("Use this plugin? [y/N] ") else {
        throw LunaraError(
          "cli.notAgreed", "\(plugin.name) was not installed, as nobody agreed to it. With --yes nothing is asked.")
      }
    }
    let inherits = try await chosen(of: plugin.consent?.inheritable ?? [], consent, console)
    let request = Resolver.AllowPlugin(id: plugin.id, digest: plugin.digest, inherits: inherits)
    let allowed = try await client.ask(request)
    console.print(allowed.json, text: allowed.text)
  }

  /// Asks for each item of the former file by name, and returns the keys of those to take over. The default is no.
  private static func chosen(
    of items: [Resolver.Inheritable], _ consent: Consent, _ console: Console
  ) async throws -> [String] {
    if consent.inherits { return items.map(\.key) }
    var chosen: [String] = []
    for item in items {
      guard !consent.agrees else {
        console.remark(Printable.line("It does not get \(item.title). With --inherit it does."))
        continue
      }
      if try await SecretPrompt.confirm(Printable.line("Let it take over \(item.title)?") + " [y/N] ") {
        chosen.append(item.key)
      }
    }
    return chosen
  }

  private static let switchOff = Command(
    name: "off", summary: "switch a plugin off; its settings are kept",
    examples: ["lunara plugins off archive": "by its id"], takes: .operand("ID", help: "the plugin's id"),
    through: Client.withPlugins
  ) { client, console, id in try await set(Resolver.SetPlugin(id: id, isEnabled: false), client, console) }

  private static func set(_ request: Resolver.SetPlugin, _ client: Client, _ console: Console) async throws {
    let plugin = try await client.ask(request)
    console.print(plugin.json, text: plugin.text)
  }

  private static let removePlugin = Command(
    name: "remove", summary: "remove a plugin with its settings and what it keeps",
    examples: ["lunara plugins remove archive": "by its id"],
    takes: .operand("ID", help: "the plugin's id"),
    through: Client.withPlugins
  ) { client, console, id in console.show(try await client.ask(Resolver.RemovePlugin(id: id))) }

  private static let orderPlugins = Command(
    name: "order", summary: "set the order in which plugins are used",
    examples: ["lunara plugins order archive bandcamp": "others follow as they were"],
    takes: .operands("ID", help: "the plugins' ids, the first one first"),
    through: Client.withPlugins
  ) { client, console, ids in console.show(try await client.ask(Resolver.OrderPlugins(ids: ids))) }

  private static let pluginSettings = Command(
    name: "settings", summary: "show or change the settings of a plugin",
    discussion: """
      Everybody on this machine can read the words of a command while it runs, so give no password or token as VALUE.
      With NAME=- or NAME= it is asked for without showing it, or read from the first line of standard input; an empty
      line removes it. From standard input one command reads one of them.

      A server that a setting names may be in your own network, so the plugin asks it only after you agreed to it, here or
      with `lunara plugins allow ID ADDRESS`.
      """,
    examples: [
      "lunara plugins settings archive": "what there is to set",
      "lunara plugins settings archive collection=opera": "sets one",
    ],
    takes: .flag(.yes), .operands("ID [NAME=VALUE…]", 1...50, help: "the plugin's id, and values"),
    through: Client.withPlugins
  ) { client, console, agrees, words in
    let plugin = try await client.plugin(words[0])
    guard words.count > 1 else {
      let plugin = await client.withChoices(plugin, console)
      return console.print(plugin.json, text: plugin.settingsText)
    }
    var values: [Resolver.SettingValue] = []
    for word in words.dropFirst() {
      let (name, given) = try setting(word, of: plugin)
      let value: String
      if let given { value = given } else { value = try await SecretPrompt.read("\(name): ", from: nil) ?? "" }
      values.append(.init(name: name, value: value))
    }
    var changed = try await client.ask(Resolver.SetPlugin(id: plugin.id, settings: values))
    let names = Set(values.map(\.name))
    for server in changed.servers ?? [] where names.contains(server.setting) && !server.isAllowed {
      guard changed.consent == nil, try await mayAsk(server, changed, agrees: agrees, console) else { continue }
      changed = try await client.ask(changed.allowing(server))
    }
    console.print(changed.json, text: changed.settingsText)
  }

  /// Asks for consent to a server of a plugin. If nobody can answer, explains how to agree later.
  private static func mayAsk(
    _ server: Resolver.PluginServer, _ plugin: Resolver.Plugin, agrees: Bool, _ console: Console
  ) async throws -> Bool {
    if agrees { return true }
    if isatty(0) == 1 {
      let question = "\(plugin.name) may ask \(server.address), which may be in your own network. Allow it?"
      if try await SecretPrompt.confirm(Printable.line(question) + " [y/N] ") { return true }
    }
    console.remark(
      Printable.line(
        "\(plugin.name) may not ask \(server.address). `lunara plugins allow \(plugin.id) \(server.address)` allows it."
      ))
    return false
  }

  /// Returns the name and the value of a word `NAME=VALUE`; no value for a secret that must be asked for, which is
  /// written as `NAME=` or `NAME=-`. Throws a `UsageError` for any other word.
  static func setting(_ word: String, of plugin: Resolver.Plugin) throws -> (name: String, value: String?) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { throw UsageError("A setting is given as NAME=VALUE, not “\(word)”.") }
    let isSecret = plugin.settings.first { $0.name == parts[0] }?.isSecret ?? false
    return (parts[0], isSecret && (parts[1].isEmpty || parts[1] == "-") ? nil : parts[1])
  }

  private static let allowHost = Command(
    name: "allow", summary: "let a plugin ask one more host, or a server of your own that a setting names",
    examples: [
      "lunara plugins allow archive media.example.org": "also *.example.org, for all hosts below one",
      "lunara plugins allow ask http://localhost:11434": "the server of one of its settings",
    ],
    takes: .operands("ID HOST", 2...2, help: "the plugin's id, and the host's name or the server's address"),
    through: Client.withPlugins
  ) { client, console, words in
    let (id, host) = (words[0], words[1])
    guard host.contains("://") else { return try await set(Resolver.SetPlugin(id: id, host: host), client, console) }
    let plugin = try await client.plugin(id)
    let named = (plugin.servers ?? []).filter { host == $0.address || host.hasPrefix($0.address + "/") }
    // For a server that no setting names, the resolver's error explains the problem.
    let server = named.first ?? .init(setting: "", address: host, isAllowed: false, isProposed: false)
    try await set(plugin.allowing(server), client, console)
    for other in named.dropFirst() { _ = try await client.ask(plugin.allowing(other)) }
  }

  private static let testPlugin = Command(
    name: "test", summary: "try a plugin: load it, and let it test itself or search",
    examples: ["lunara plugins test archive": "with its log"],
    takes: .operand("ID", help: "the plugin's id"),
    through: Client.withPlugins
  ) { client, console, id in
    let result = try await client.ask(Resolver.TestPlugin(id: id), within: .seconds(30))
    console.print(result.json, text: result.text)
  }
}
