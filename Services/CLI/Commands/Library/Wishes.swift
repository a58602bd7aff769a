import Client
import Messages
import Model

extension Command {
  static let wishes = list(
    "wishes", "the albums and artists that you wish for, the latest first",
    discussion: """
      A wish leaves the list once it is in the library. What a linked provider has and the library lacks is a wish as
      well; one of these that you remove does not come back for a year. An album that a wall shows and the library
      lacks is wished for by its id, which `lunara wall --json` has in missing.releaseGroup.
      """,
    examples: [
      "lunara wishes": "all, with the providers that have them",
      "lunara wishes add \"Alice Coltrane\" \"Eternity\"": "an album",
      "lunara wishes remove 1": "by its number",
    ],
    commands: [addWish, removeWish], hint: "`lunara wishes add ARTIST ALBUM` adds one."
  ) { client, after, limit in try await client.wishes(Library.ListWishes(after: after, limit: limit)) }

  private static let addWish = Command(
    name: "add", summary: "wish for an album or an artist",
    examples: [
      "lunara wishes add \"Alice Coltrane\" \"Eternity\"": "an album", "lunara wishes add Moondog": "whatever there is",
      "lunara wishes add f32fab67-77dd-3937-addc-9062e28e4c37": "an album that a wall shows, by its MusicBrainz id",
    ],
    takes: .operands(
      "ARTIST [ALBUM]", 1...2, help: "the artist, and the album if one is meant; or an album's id"),
    through: {
      isReleaseGroup($0.arguments.operands) ? try await Client.startingDiscovery($0) : try await Client($0)
    }
  ) { client, console, words in
    guard isReleaseGroup(words) else {
      let wish = try await client.ask(Library.AddWish(artist: words[0], album: words.dropFirst().first))
      return console.print(wish.json, text: wish.line + "\n")
    }
    _ = try await client.ask(Discovery.SetWish(releaseGroup: words[0], isWished: true))
    console.print(
      ["releaseGroup": words[0], "isWished": true], text: "The album \(words[0]) is on the wish list.\n")
  }

  /// True for one word with the form of a MusicBrainz id, by which a wall shows an album.
  private static func isReleaseGroup(_ words: [String]) -> Bool {
    guard words.count == 1, let text = words.first else { return false }
    return text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(\.count) == [
      8, 4, 4, 4, 12,
    ]
      && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isHexDigit }
  }

  private static let removeWish = Command(
    name: "remove", summary: "no longer wish for something",
    examples: ["lunara wishes remove 1": "by the number that `lunara wishes` shows"],
    takes: Parameter(operand: .one("NUMBER", help: "the number of the wish")) {
      try Int64($0.operands[0]).orUsage("A wish is named by its number, not “\($0.operands[0])”.")
    }
  ) { client, console, id in
    _ = try await client.ask(Library.RemoveWish(id: id))
    console.print(["removed": id], text: "Wish \(id) is removed.\n")
  }
}

extension DescribedWish: TableRow {
  var row: [Table.Cell] {
    [
      .number("\(wish.id)"), .strong(wish.album ?? wish.artist), .init(wish.album == nil ? "" : wish.artist),
      .number(missing?.date ?? ""), .faint(wish.providers.joined(separator: ", ")),
    ]
  }
}

extension Library.Wish {
  fileprivate var line: String {
    Printable.line("\(id)  " + [artist, album].compactMap(\.self).joined(separator: " – "))
  }
}
