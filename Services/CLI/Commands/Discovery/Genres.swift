import Client
import Messages
import Model

extension Command {
  static let genres = Command(
    name: "genres", summary: "the genres that the library has, with their subcategories",
    discussion: """
      Tags of albums are matched with 15 genres and their subcategories. `lunara genres assign` adds a tag that belongs to
      none; `lunara feed GENRE` shows the albums of one.
      """,
    examples: [
      "lunara genres": "all, with the number of albums", "lunara genres --unmatched": "tags that belong to none",
      "lunara genres assign \"Kraut\" rock-prog": "a tag that is added to a subcategory",
    ],
    takes: .flag("--unmatched", help: "the tags that belong to no genre, by their albums"),
    commands: [assignGenre, discoveryState],
    through: Client.startingDiscovery
  ) { client, console, isUnmatched in
    let list = try await client.ask(Discovery.ListGenres(), within: .seconds(12))
    if isUnmatched {
      return console.print(
        list.json, Table(list.unmatched.map { [.strong($0.tag), .number("\($0.albums)")] }),
        ifEmpty: "Every tag belongs to a genre.")
    }
    let rows = list.genres.flatMap { genre -> [[Table.Cell]] in
      [[.faint(genre.id), .strong(genre.name), .number("\(genre.albums)")]]
        + (genre.subcategories ?? []).map { [.faint($0.id), .init("  \($0.name)"), .number("\($0.albums)")] }
    }
    console.print(list.json, Table(rows), ifEmpty: "No album has a tag that belongs to a genre.")
    guard !list.unmatched.isEmpty else { return }
    console.remark(
      "\(Printable.count(list.unmatched.count, "tag")) belong to no genre: `lunara genres --unmatched` lists them.")
  }

  private static let assignGenre = Command(
    name: "assign", summary: "add a tag to a genre or subcategory, or take that back",
    examples: [
      "lunara genres assign \"Kraut\" rock-prog": "albums with this tag are Prog Rock",
      "lunara genres assign \"Kraut\" none": "as before",
    ],
    takes: .operands("TAG GENRE", 2...2, help: "the tag, and the id of the genre or subcategory, or none"),
    through: Client.startingDiscovery
  ) { client, console, words in
    let genre = words[1] == "none" ? nil : words[1]
    _ = try await client.ask(Discovery.AssignTag(tag: words[0], genre: genre), within: .seconds(60))
    console.print(["tag": words[0], "genre": genre], text: "\(Printable.line(words[0])): \(genre ?? "not assigned")\n")
  }

  private static let discoveryState = Command(
    name: "state", summary: "what walls are made from: sources, counts and tags",
    examples: ["lunara genres state": "whether all of the library is known"],
    through: Client.startingDiscovery
  ) { client, console in
    let known = try await client.ask(Discovery.ReadDiagnostics(), within: .seconds(12))
    let counts = [
      ("albums", known.shelf.albums), ("played", known.played), ("rated", known.rated), ("with tags", known.tagged),
      ("in a genre", known.matched), ("liked", known.likes), ("disliked", known.dislikes),
      ("held back", known.heldBack), ("walls kept", known.walls),
    ]
    var table = Table(counts.map { [.init($0.0), .number("\($0.1)")] })
    for source in known.sources {
      table.add(
        .init("read from \(source.name)"), .number("\(source.items)"),
        .faint(source.problem?.message ?? source.readAt?.local ?? "never"))
    }
    console.print(known.json, table, ifEmpty: "")
  }
}
