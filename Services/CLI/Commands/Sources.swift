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
      .init("lunara sources", "with their sections"),
      .init("lunara sources add subsonic http://nas:4533 --user ann", "asks for the password"),
    ],
    commands: [addSource, removeSource, switchSection("on", true), switchSection("off", false)],
    action: .asynchronous { context in
      let sources = try await BusHousehold(context).ask(Library.ListSources(), of: .library).sources
      if context.console.isJSON { return context.console.print(.list(sources, \.json)) }
      if sources.isEmpty { context.console.note("There are none. Add one with `lunara sources add`.") }
      for source in sources { source.print(to: context.console, at: .now()) }
    })

  private static let addSource = Command(
    name: "add", summary: "add a server, or sign in at one anew; folders are set by LUNARA_MUSIC",
    discussion: """
      A password or token is asked for without showing it, or read from standard input, or taken from LUNARA_PLEX_TOKEN
      or LUNARA_SUBSONIC_PASSWORD; never from the command line, which others on this machine can see. Leave it empty
      where the server needs none, or where you are signed in already. A server that is a source already takes the new
      one.
      """,
    examples: [
      .init("lunara sources add subsonic https://nas:4533 --user ann", "asks for the password"),
      .init("lunara sources add plex http://10.0.0.2:32400", "a Plex Media Server by its address"),
    ],
    options: [.user, .exposePassword, .forwardPlays],
    operand: .exactly(2, "TYPE ADDRESS", help: "plex or subsonic, and the server's base address"),
    action: .asynchronous { context in
      let type = context.arguments.operands[0]
      guard ["plex", "subsonic"].contains(type) else {
        throw UsageError("A server is one of plex and subsonic, not “\(type)”. Folders are set by LUNARA_MUSIC.")
      }
      let household = try await BusHousehold(context)
      let secret = try await Secret.read(
        type == "plex" ? "Token (empty for the account you are signed in with): " : "Password: ",
        from: context.environment[type == "plex" ? "LUNARA_PLEX_TOKEN" : "LUNARA_SUBSONIC_PASSWORD"])
      let added = try await household.ask(
        Library.AddSource(
          type: type, address: context.arguments.operands[1], user: context.arguments.value(.user), secret: secret,
          exposesPassword: context.arguments.has(.exposePassword) ? true : nil,
          forwardsPlays: context.arguments.has(.forwardPlays) ? true : nil),
        of: .library, within: .seconds(30))
      context.console.isJSON
        ? context.console.print(.object(["name": .text(added.name)]))
        : context.console.print("Added \(added.name); `lunara sync \(added.name) --wait` shows how it is read.\n")
    })

  private static let removeSource = Command(
    name: "remove", summary: "forget a source; what was heard and rated stays",
    examples: [.init("lunara sources remove subsonic", "its music leaves the catalogue, the server keeps it")],
    operand: .one("NAME", help: "the source's name"),
    action: .asynchronous { context in
      let name = context.arguments.operands[0]
      _ = try await BusHousehold(context).ask(Library.RemoveSource(name: name), of: .library, within: .seconds(30))
      context.console.isJSON
        ? context.console.print(.object(["removed": .text(name)])) : context.console.print("Removed \(name).\n")
    })

  private static func switchSection(_ name: String, _ isOn: Bool) -> Command {
    Command(
      name: name, summary: isOn ? "have a section's music in the catalogue" : "leave a section's music out",
      examples: [.init("lunara sources \(name) plex \"Audiobooks\"", "from the next refresh on, which begins at once")],
      operand: .exactly(2, "NAME SECTION", help: "the source's name, and the section's title or key"),
      action: .asynchronous { context in
        let (source, word) = (context.arguments.operands[0], context.arguments.operands[1])
        let household = try await BusHousehold(context)
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
