import Bus
import Messages
import Model

extension Option {
  static let user = Option("--user", "NAME", help: "the user at the server, where it needs one")
  static let exposePassword = Option(
    "--expose-password", help: "let the password go unencrypted to a Subsonic server that takes nothing else")
  static let forwardPlays = Option("--forward-plays", help: "tell a Subsonic server what was heard")
}

extension Command {
  /// Shows and changes where music comes from.
  static let sources = Command(
    name: "sources", summary: "where the music comes from, in the order in which copies are preferred",
    examples: [
      .init("lunara sources", "with their folders and sections"),
      .init("lunara sources add ~/Music", "a folder, looked through at once and from now on"),
      .init("lunara sources add subsonic http://nas:4533 --user ann", "asks for the password"),
      .init("lunara sources order plex subsonic", "what both have comes from plex"),
    ],
    commands: [addSource, removeSource, orderSources, switchSection("on", true), switchSection("off", false)],
    action: .asynchronous { context in
      let sources = try await Client(context).ask(Library.ListSources(), of: .library).sources
      if context.console.isJSON { return context.console.print(.list(sources, \.json)) }
      if sources.isEmpty { context.console.note("There are none. Add one with `lunara sources add`.") }
      for source in sources { source.print(to: context.console, at: .now()) }
    })

  private static let addSource = Command(
    name: "add", summary: "add a folder of music or a server, or sign in at a server anew",
    discussion: """
      A folder is one on the machine that runs the library. It is looked through at once, watched, and kept until it is
      removed; folders of LUNARA_MUSIC are there beside it.
      A server's password or token is asked for without showing it, or read from standard input, or taken from
      LUNARA_PLEX_TOKEN or LUNARA_SUBSONIC_PASSWORD; never from the command line, which others on this machine can see.
      Leave it empty where the server needs none, or where you are signed in already. A server that is a source already
      takes the new one.
      """,
    examples: [
      .init("lunara sources add ~/Music", "a folder of music"),
      .init("lunara sources add subsonic https://nas:4533 --user ann", "asks for the password"),
      .init("lunara sources add plex http://10.0.0.2:32400", "a Plex Media Server by its address"),
    ],
    options: [.user, .exposePassword, .forwardPlays],
    operand: Operand(
      name: "[TYPE] ADDRESS", count: 1...2, help: "a folder; or plex or subsonic, and the server's base address"),
    action: .asynchronous { context in
      let words = context.arguments.operands
      guard words.count == 2, words[0] != "files" else {
        guard let folder = words.last, !["plex", "subsonic"].contains(folder) else {
          throw UsageError("A server needs its address: `lunara sources add \(words[0]) http://HOST:PORT`.")
        }
        return try await add(folder: Folders.absolute(folder, in: Programs.workingDirectory()), context)
      }
      let type = words[0]
      guard ["plex", "subsonic"].contains(type) else {
        throw UsageError("A server is one of plex and subsonic, not “\(type)”. A folder is given alone.")
      }
      let household = try await Client(context)
      let secret = try await Secret.read(
        type == "plex" ? "Token (empty for the account you are signed in with): " : "Password: ",
        from: context.environment[type == "plex" ? "LUNARA_PLEX_TOKEN" : "LUNARA_SUBSONIC_PASSWORD"])
      let added = try await household.ask(
        Library.AddSource(
          type: type, address: words[1], user: context.arguments.value(.user), secret: secret,
          exposesPassword: context.arguments.has(.exposePassword) ? true : nil,
          forwardsPlays: context.arguments.has(.forwardPlays) ? true : nil),
        of: .library, within: .seconds(30))
      context.console.isJSON
        ? context.console.print(.object(["name": .text(added.name)]))
        : context.console.print("Added \(added.name); `lunara sync \(added.name) --wait` shows how it is read.\n")
    })

  private static func add(folder: String, _ context: Context) async throws {
    let added = try await Client(context).ask(
      Library.AddSource(type: "files", address: folder), of: .library, within: .seconds(30))
    context.console.isJSON
      ? context.console.print(.object(["name": .text(added.name), "folder": .text(folder)]))
      : context.console.print(
        "Added \(Printable.line(folder)); `lunara sync \(added.name) --wait` shows how it is read.\n")
  }

  private static let removeSource = Command(
    name: "remove", summary: "forget a folder or a server; what was heard and rated stays",
    examples: [
      .init("lunara sources remove subsonic", "its music leaves the catalogue, the server keeps it"),
      .init("lunara sources remove ~/Music", "a folder that was added; nothing in it is touched"),
    ],
    operand: .one("NAME", help: "the source's name, or the folder's path"),
    action: .asynchronous { context in
      let word = context.arguments.operands[0]
      // Names of sources have no slash in them; what begins with a dot is a folder that is near.
      let isFolder = word.contains("/") || word.hasPrefix(".")
      let name = isFolder ? Folders.absolute(word, in: Programs.workingDirectory()) : word
      // Some hundred thousand tracks may have to go, on a machine that is busy with other things.
      _ = try await Client(context).ask(Library.RemoveSource(name: name), of: .library, within: .seconds(180))
      context.console.isJSON
        ? context.console.print(.object(["removed": .text(name)]))
        : context.console.print("Removed \(Printable.line(name)).\n")
    })

  private static let orderSources = Command(
    name: "order", summary: "say which source's copies are preferred",
    discussion: """
      Of several copies of a track the lossless one plays; of equals one in a folder before one of a server; of servers
      that of the first in this order. Covers, ratings and what is said of artists come from the first that has any.
      """,
    examples: [.init("lunara sources order plex subsonic", "plex first; those that are not named follow as they were")],
    operand: .some("NAME", help: "sources, the best first"),
    action: .asynchronous { context in
      let order = try await Client(context).ask(
        Library.OrderSources(names: context.arguments.operands), of: .library, within: .seconds(30))
      context.console.isJSON
        ? context.console.print(.object(["order": .list(order.names) { .text($0) }]))
        : context.console.print("The order is \(order.names.joined(separator: ", ")).\n")
    })

  private static func switchSection(_ name: String, _ isOn: Bool) -> Command {
    Command(
      name: name, summary: isOn ? "have a section's music in the catalogue" : "leave a section's music out",
      examples: [.init("lunara sources \(name) plex \"Audiobooks\"", "from the next refresh on, which begins at once")],
      operand: .exactly(2, "NAME SECTION", help: "the source's name, and the section's title or key"),
      action: .asynchronous { context in
        let (source, word) = (context.arguments.operands[0], context.arguments.operands[1])
        let household = try await Client(context)
        let section = try await household.section(word, of: source)
        _ = try await household.ask(
          Library.SwitchSection(source: source, section: section.key, isOn: isOn), of: .library)
        context.console.isJSON
          ? context.console.print(
            .object(["source": .text(source), "section": .text(section.key), "isOn": .bool(isOn)]))
          : context.console.print("\(section.title) of \(source) is \(isOn ? "on" : "off").\n")
      })
  }
}

extension Household {
  /// A section by its key or title.
  fileprivate func section(_ word: String, of source: String) async throws -> Library.SourceDetail.Section {
    let sources = try await ask(Library.ListSources(), of: .library).sources
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
