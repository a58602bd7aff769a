import System
import Client
import Messages
import Model

extension Command {
  static let sources = Command(
    name: "sources", summary: "where the music comes from, in the order in which copies are preferred",
    examples: [
      "lunara sources": "with their folders and sections",
      "lunara sources add ~/Music": "a folder, looked through at once and from now on",
      "lunara sources add subsonic http://nas:4533 --user ann": "asks for the password",
      "lunara sources order plex subsonic": "what both have comes from plex",
    ],
    commands: [addSource, removeSource, orderSources, switchSection("on", true), switchSection("off", false)]
  ) { client, console in
    let sources = try await client.ask(Library.ListSources()).sources
    if console.isJSON { return console.print(.list(sources)) }
    if sources.isEmpty { console.remark("There are none. Add one with `lunara sources add`.") }
    for source in sources { source.print(to: console, at: .now()) }
  }

  private static let addSource = Command(
    name: "add", summary: "add a folder of music or a server, or sign in at a server anew",
    discussion: """
      A folder is one on the machine that runs the library. It is looked through at once, watched, and kept until it is
      removed; folders of LUNARA_MUSIC are there beside it.
      A server's password or token is asked for without showing it, or read from standard input, or taken from its
      variable, such as LUNARA_PLEX_TOKEN or LUNARA_SUBSONIC_PASSWORD; never from the command line, which others on this
      machine can see. Leave it empty where the server needs none, or where you are signed in already. A server that is a
      source already takes the new one once it has accepted it; until then the former one stays. With --set alone the
      settings of such a server are changed, and nothing is asked.
      """,
    examples: [
      "lunara sources add ~/Music": "a folder of music",
      "lunara sources add subsonic https://nas:4533 --user ann": "asks for the password",
      "lunara sources add plex http://10.0.0.2:32400": "a Plex Media Server by its address",
      "lunara sources add subsonic https://nas:4533 --set forwardsPlays=true": "changes a source; its password stays",
    ],
    takes: .text("--user", "NAME", help: "the user at the server, where it needs one"),
    .texts("--set", "KEY=VALUE", help: "another setting of the server's kind; a wrong one shows those there are"),
    .operands(
      "[KIND] ADDRESS", 1...2,
      help: "a folder; or the kind of a server, such as plex or subsonic, and its base address"), .context()
  ) { client, console, user, settings, words, context in
    if words.count == 2, words[0] == folders { return try await add(folder: words[1], client, console) }
    // A path cannot be the name of a kind, so the kinds are not read.
    let isPath = words.count == 1 && (words[0].contains("/") || words[0].hasPrefix("."))
    let list = isPath ? Library.SourceList(sources: []) : try await client.ask(Library.ListSources())
    let kinds = list.kinds?.filter { $0.kind != folders } ?? []
    let kind = kinds.first { $0.kind == words[0] }
    guard words.count == 2 else {
      guard let kind else { return try await add(folder: words[0], client, console) }
      throw UsageError("A server needs its address: `lunara sources add \(kind.kind) http://HOST:PORT`.")
    }
    guard let kind else {
      let names = kinds.map(\.kind).joined(separator: ", ")
      throw UsageError("A server is one of \(names), not “\(words[0])”. A folder is given alone.")
    }
    try await add(kind, at: words[1], user, settings, among: list.sources, client, context)
  }

  /// The kind of music folders. On the command line a folder is given by its path, without the kind.
  fileprivate static let folders = "files"

  private static func add(folder word: String, _ client: Client, _ console: Console) async throws {
    let folder = ProgramLocation.absolute(word)
    let added = try await client.ask(Library.AddSource(type: folders, address: folder))
    console.print(
      ["name": added.name, "folder": folder],
      text: "Added \(Printable.line(folder)); `lunara sync \(added.name) --wait` shows how it is read.\n")
  }

  private static func add(
    _ kind: Library.SourceKind, at address: String, _ user: String?, _ settings: [String],
    among sources: [Library.SourceDetail], _ client: Client, _ context: Context
  ) async throws {
    let chosen = try settings.map { try kind.chosenSetting($0) }
    let isKnown = sources.contains { $0.status.kind == kind.kind && $0.status.isAt(address) }
    var secret: String?
    // A known source that only gets other settings keeps its secret.
    let isSignIn = !isKnown || chosen.isEmpty || user != nil
    if isSignIn, let setting = kind.settings.first(where: { $0.key == "secret" }) {
      secret = try await SecretPrompt.read(
        "\(setting.title) (\(setting.meaning)): ", from: setting.name.flatMap { context.environment[$0] })
    }
    let added = try await client.ask(
      Library.AddSource(
        type: kind.kind, address: address, user: user, secret: secret, settings: chosen.isEmpty ? nil : chosen))
    let verb = sources.contains { $0.status.name == added.name } ? "Changed" : "Added"
    context.console.print(
      ["name": added.name], text: "\(verb) \(added.name); `lunara sync \(added.name) --wait` shows how it is read.\n")
  }

  private static let removeSource = Command(
    name: "remove", summary: "forget a folder or a server; what was heard and rated stays",
    examples: [
      "lunara sources remove subsonic": "its music leaves the catalogue, the server keeps it",
      "lunara sources remove ~/Music": "a folder that was added; nothing in it is touched",
      "lunara sources remove Music": "a folder in this one, where no source is called so",
    ],
    takes: .operand("NAME", help: "the source's name, or the folder's path", completes: .household(.sources))
  ) { client, console, word in
    // Names of sources have no slash and do not begin with a dot, so such a word is the path of a folder.
    let isPath = word.contains("/") || word.hasPrefix(".")
    let name = isPath ? ProgramLocation.absolute(word) : try await client.nameOrFolder(word)
    _ = try await client.ask(Library.RemoveSource(name: name))
    console.print(["removed": name], text: "Removed \(Printable.line(name)).\n")
  }

  private static let orderSources = Command(
    name: "order", summary: "say which source's copies are preferred",
    discussion: """
      Of several copies of a track the lossless one plays; of equals one in a folder before one of a server; of servers
      that of the first in this order. Covers, ratings and what is said of artists come from the first that has any.
      """,
    examples: ["lunara sources order plex subsonic": "plex first; those that are not named follow as they were"],
    takes: .operands("NAME", help: "sources, the best first", completes: .household(.sources))
  ) { client, console, names in
    let order = try await client.ask(Library.OrderSources(names: names))
    console.print(["order": order.names], text: "The order is \(order.names.joined(separator: ", ")).\n")
  }

  private static func switchSection(_ name: String, _ isOn: Bool) -> Command {
    Command(
      name: name, summary: isOn ? "have a section's music in the catalogue" : "leave a section's music out",
      examples: ["lunara sources \(name) plex \"Audiobooks\"": "from the next refresh on, which begins at once"],
      takes: .operands(
        "NAME SECTION", 2...2, help: "the source's name, and the section's title or key",
        completes: .household(.sources))
    ) { client, console, words in
      let (source, word) = (words[0], words[1])
      let section = try await client.section(word, of: source)
      _ = try await client.ask(Library.SwitchSection(source: source, section: section.key, isOn: isOn))
      console.print(
        ["source": source, "section": section.key, "isOn": isOn],
        text: "\(Printable.line(section.title)) of \(Printable.line(source)) is \(isOn ? "on" : "off").\n")
    }
  }
}

extension Library.SourceKind {
  /// Returns the setting of an argument of --set, such as `forwardsPlays=true`.
  fileprivate func chosenSetting(_ text: String) throws -> Library.ChosenSetting {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let offered = settings.filter { !["address", "user", "secret"].contains($0.key) }
    guard parts.count == 2, let setting = offered.first(where: { $0.key == parts[0] }) else {
      let keys = offered.map { "\($0.key) (\($0.meaning))" }.joined(separator: ", ")
      throw UsageError("--set takes KEY=VALUE, not “\(text)”. Settings of \(title): \(keys.isEmpty ? "none" : keys).")
    }
    guard !setting.isSwitch || ["true", "false"].contains(parts[1]) else {
      throw UsageError("\(setting.key) is true or false, not “\(parts[1])”.")
    }
    return Library.ChosenSetting(key: setting.key, value: parts[1])
  }
}

extension Library.SourceStatus {
  /// Returns true if an address as a person types it is that of the source.
  fileprivate func isAt(_ typed: String) -> Bool {
    func plain(_ text: String) -> String {
      var text = text.contains("://") ? text : "http://\(text)"
      while text.hasSuffix("/") { text.removeLast() }
      return text.lowercased()
    }
    return address.map { plain($0) == plain(typed) } ?? false
  }
}

extension Client {
  /// Returns the path of a music folder that a word names relative to the working directory; the word itself if a
  /// source has that name, or if there is no such folder.
  fileprivate func nameOrFolder(_ word: String) async throws -> String {
    let sources = try await ask(Library.ListSources()).sources
    guard !sources.contains(where: { $0.status.name == word }) else { return word }
    let path = ProgramLocation.absolute(word)
    return sources.contains { $0.status.kind == Command.folders && $0.sections.contains { $0.key == path } }
      ? path : word
  }

  fileprivate func section(_ word: String, of source: String) async throws -> Library.SourceDetail.Section {
    let sources = try await ask(Library.ListSources()).sources
    guard let detail = sources.first(where: { $0.status.name == source }) else {
      let names = sources.map(\.status.name).joined(separator: ", ")
      throw LunaraError(
        "library.unknownSource",
        "There is no source \(source). \(names.isEmpty ? "None is set up" : "There are: \(names)").")
    }
    let wanted = word.lowercased()
    if let section = detail.sections.first(where: { $0.key == word || $0.title.lowercased() == wanted }) {
      return section
    }
    let titles = detail.sections.map(\.title).joined(separator: ", ")
    throw LunaraError(
      "cli.unknownSection",
      "\(source) has no section “\(word)”. \(titles.isEmpty ? "It has none at all" : "It has: \(titles)").")
  }
}
