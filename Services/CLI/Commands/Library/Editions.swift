import Client
import Messages
import Model

extension Option {
  static let editions = Option("--editions", help: "every edition of an album, and not only the preferred one")
}

extension Command {
  static let editions = Command(
    name: "editions", summary: "choose which edition of an album stands in lists",
    discussion: """
      Editions of one release group stand together: lists show one of them, and `lunara album` names the others. All of
      them are found by `lunara search`, and each can be played.
      """,
    examples: ["lunara editions prefer files:a3": "this edition is listed from now on"],
    commands: [preferEdition])

  private static let preferEdition = Command(
    name: "prefer", summary: "list this edition, and the others of the album beside it",
    examples: [
      "lunara editions prefer files:a3": "by its id",
      "lunara albums --editions": "shows every edition with its id",
    ],
    each: .albums("ALBUM")
  ) { client, console, id in
    _ = try await client.ask(Library.PreferEdition(id: id))
    console.print(["id": id, "isPreferred": true], text: "\(id): preferred\n")
  }
}
