import Client
import Messages
import Model

extension Command {
  static let discovery = Command(
    name: "discovery", summary: "sources outside the house for walls, and albums that are not in the library",
    discussion: """
      All sources outside are off until you switch them on. `lunara discovery sources` says of each what leaves the house.
      """,
    examples: [
      "lunara discovery sources": "what there is, with age and error",
      "lunara discovery sources listenbrainz-popularity on": "what the world hears of your albums",
      "lunara discovery missing on": "also show albums that you do not have",
    ],
    commands: [outsideSources, missingAlbums, refreshSources])

  private static let outsideSources = Command(
    name: "sources", summary: "the sources of walls; switch one outside the house on or off",
    discussion: "What a source gave is forgotten when it is switched off.",
    examples: [
      "lunara discovery sources": "all, with what leaves the house for each",
      "lunara discovery sources musicbrainz on": "albums of your artists that you do not have",
      "lunara discovery sources musicbrainz off": "forget them",
    ],
    takes: .operands("[NAME on|off]", 0...2, help: "the source, and whether it is read"),
    through: Client.startingDiscovery
  ) { client, console, words in
    if let name = words.first {
      guard words.count == 2, let isOn = ["on": true, "off": false][words[1]] else {
        throw UsageError("Say on or off: `lunara discovery sources \(Printable.line(name)) on`.")
      }
      _ = try await client.ask(Discovery.SetSource(name: name, isOn: isOn))
    }
    let list = try await client.ask(Discovery.ListSources(), within: .seconds(12))
    var table = Table()
    for source in list.sources {
      let state = source.outside.map { $0.isOn ? "on" : "off" } ?? "here"
      table.add(
        .strong(source.name), .init(state), .number("\(source.items)"),
        .faint(source.problem?.message ?? source.readAt?.local ?? "never read"))
      guard let outside = source.outside else { continue }
      table.add(.init(""), .init(""), .init(""), .init(outside.adds))
      table.add(.init(""), .init(""), .init(""), .faint("Leaves the house: \(outside.sends)"))
      if let needs = outside.needs { table.add(.init(""), .init(""), .init(""), .faint("Needs: \(needs)")) }
    }
    console.print(list.json, table, ifEmpty: "")
    console.remark(
      list.showsMissing
        ? "Albums that are not in the library are shown at the positions 3 to 5 of the dial."
        : "Albums that are not in the library are left out: `lunara discovery missing on` shows them.")
  }

  private static let missingAlbums = Command(
    name: "missing", summary: "show albums that are not in the library on walls, or leave them out",
    discussion: "At most 5, 10 and 15 percent of a page have them at the positions 3, 4 and 5 of the dial.",
    examples: ["lunara discovery missing on": "show them", "lunara discovery missing off": "leave them out"],
    takes: Parameter(operand: .one("on|off", help: "whether they are shown")) {
      try ["on": true, "off": false][$0.operands[0]].orUsage("Say on or off.")
    },
    through: Client.startingDiscovery
  ) { client, console, isOn in
    _ = try await client.ask(Discovery.SetMissingAlbums(isOn: isOn))
    console.print(
      ["showsMissing": isOn], text: "Albums that are not in the library are \(isOn ? "shown" : "left out").\n")
  }

  private static let refreshSources = Command(
    name: "refresh", summary: "read a source again soon, or all that are on",
    examples: [
      "lunara discovery refresh": "all that are on", "lunara discovery refresh lastfm-artists": "one of them",
    ],
    takes: .optional("NAME", help: "the source"),
    through: Client.startingDiscovery
  ) { client, console, name in
    _ = try await client.ask(Discovery.RefreshSource(name: name))
    console.print(["source": name], text: "\(Printable.line(name ?? "All sources that are on")): will be read soon\n")
  }
}
