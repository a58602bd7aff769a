import Bus
import Client
import Messages
import Model

extension Option {
  private static let roles = CreditRole.allCases.filter { $0 != .unknown }.map(\.rawValue)
  static let role = Option(
    "--role", "ROLE", help: "artist, albumArtist, composer, conductor, lyricist, performer, producer …",
    completes: .words(roles))
  static let among = Option(
    "--among", "KIND:NAME", repeats: true, help: "only of albums with this; `--tag` of `lunara albums` takes the same")
  static let tagSort = Option(
    "--sort", "ORDER", help: "name, or albums for the most frequent first", completes: .words(["name", "albums"]))
  static let peopleSort = Option(
    "--sort", "ORDER", help: "name, or albums for those with the most", completes: .words(["name", "albums"]))
}

extension Arguments {
  /// Returns the tags of `--tag` and, as excluded ones, of `--without`; nil where there are none.
  func tags() throws -> [Library.Tag]? {
    let tags =
      try values(.tag).map { try Library.Tag(word: $0, of: .tag) }
      + values(.without).map { word in
        var tag = try Library.Tag(word: word, of: .without)
        tag.isExcluded = true
        return tag
      }
    return tags.isEmpty ? nil : tags
  }

  /// Returns the role of `--role`; nil where there is none.
  func role() throws -> CreditRole? {
    try value(.role).map { word in
      try CreditRole(word: word).orUsage("\(Option.role.help) are roles, “\(word)” is not.")
    }
  }
}

extension Library.Tag {
  /// Parses the value of an option, such as `mood:wistful`; a word without a kind is a genre.
  init(word: String, of option: Option) throws {
    if word.isEmpty { throw UsageError("\(option.name) takes a word, such as “jazz” or “mood:wistful”.") }
    if let tag = Library.Tag(text: word) {
      self = tag
      return
    }
    // A genre may have a colon in its name, but then a space or a capital letter, too.
    let kind = word.prefix { $0.isLowercase && $0.isASCII }
    if !kind.isEmpty, word.dropFirst(kind.count).hasPrefix(":"), !word.contains(" ") {
      let kinds = Kind.allCases.filter { $0 != .unknown }.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\(option.name) takes KIND:NAME, and “\(word)” has no kind that there is: \(kinds).")
    }
    self = Library.Tag(kind: .genre, name: word)
  }
}

extension Command {
  static let artists: Command = Command(
    name: "artists", summary: "the artists who have albums, by name; with --role the composers, conductors …",
    discussion: "By albums, people in a role are sorted by the tracks that credit them.",
    examples: [
      "lunara artists": "the first hundred", "lunara artists --limit 1000": "all, most likely",
      "lunara artists --role composer": "everybody who composed a track",
      "lunara artists --sort albums --reverse": "those with the fewest albums first",
    ],
    options: [.peopleSort, .reverse, .role, .startingAt, .after, .limit],
    action: .asynchronous { context in
      let (start, role) = (context.arguments.value(.startingAt), try context.arguments.role())
      let sort: Library.TagSort? = try context.arguments.choice(.peopleSort, of: [.name, .albums])
      let isReversed = context.arguments.has(.reverse) ? true : nil
      guard start == nil || sort != .albums else {
        throw UsageError("--starting-at goes with the order by name only.")
      }
      let client = try await Client(context)
      try await list(context, artists) { after, limit in
        try await client.ask(
          Library.ListArtists(
            after: after, limit: limit, startingAt: start, role: role, sort: sort, isReversed: isReversed),
          of: .library)
      }
    })

  static let artist: Command = Command(
    name: "artist", summary: "one artist with their albums, or the tracks for which they did something else",
    examples: [
      "lunara artist files:r3": "by the id", "lunara artist \"Nova\"": "by the name",
      "lunara artist \"Bach\" --role composer": "the tracks that Bach composed",
    ],
    options: [.role, .after, .limit],
    operand: .some("ID", help: "the artist's id, or name", completes: .household(.artists)),
    action: .asynchronous { context in
      let (console, words) = (context.console, context.arguments.operands)
      let role = try context.arguments.role()
      let client = try await Client(context)
      guard let role else {
        let page = try await client.artist(words)
        return console.isJSON ? console.print(page.json) : page.print(to: console)
      }
      let id = try await client.id(words) { try $0.artist() }
      try await list(context, artist) { after, limit in
        try await client.ask(
          Library.ListCredits(artist: id, role: role, after: after, limit: limit), of: .library)
      }
    })

  private static let kinds = Library.Tag.Kind.allCases.filter { $0 != .unknown && $0 != .folder }.map(\.rawValue)

  static let tags: Command = Command(
    name: "tags", summary: "the genres, labels, composers or other tags that albums have, with how many albums",
    discussion: "The kinds are \(kinds.joined(separator: ", ")).",
    examples: [
      "lunara tags": "the genres, with how many albums each has",
      "lunara tags mood": "the moods; `lunara albums --tag mood:WORD` shows the albums of one",
      "lunara tags style --among jazz --among decade:1960 --sort albums":
        "the styles of the jazz albums of the sixties, the most frequent first",
    ],
    options: [.among, .tagSort, .reverse, .startingAt, .after, .limit],
    operand: .optional("KIND", help: "the kind; genre where none is given", completes: .words(kinds)),
    action: .asynchronous { context in
      let arguments = context.arguments
      let word = arguments.operands.first ?? Library.Tag.Kind.genre.rawValue
      let kind = try Library.Tag.Kind(word: word).orUsage(
        "KIND is \(kinds.dropLast().joined(separator: ", ")) or \(kinds.last ?? ""), not “\(word)”.")
      let among = try arguments.values(.among).map { try Library.Tag(word: $0, of: .among) }
      let sort: Library.TagSort? = try arguments.choice(.tagSort, of: [.name, .albums])
      let start = arguments.value(.startingAt)
      let isReversed = arguments.has(.reverse) ? true : nil
      guard start == nil || sort != .albums else {
        throw UsageError("--starting-at goes with the order by name only.")
      }
      let client = try await Client(context)
      try await list(context, tags) { after, limit in
        try await client.ask(
          Library.ListTags(
            of: kind, after: after, limit: limit, among: among.isEmpty ? nil : among, sort: sort, startingAt: start,
            isReversed: isReversed),
          of: .library)
      }
    })
}

extension Command {
  static let works: Command = Command(
    name: "works", summary: "the musical works, by title",
    examples: ["lunara works": "the first hundred", "lunara works \"Bach\"": "those of a composer"],
    options: [.startingAt, .after, .limit],
    operand: Operand(
      name: "COMPOSER", count: 0...10_000, help: "the composer's id, or name; all works where none is given",
      completes: .household(.artists)),
    action: .asynchronous { context in
      let start = context.arguments.value(.startingAt)
      let words = context.arguments.operands
      let client = try await Client(context)
      let composer = words.isEmpty ? nil : try await client.id(words) { try $0.artist() }
      try await list(context, works) { after, limit in
        try await client.ask(
          Library.ListWorks(composer: composer, after: after, limit: limit, startingAt: start), of: .library)
      }
    })

  static let work: Command = Command(
    name: "work", summary: "one musical work with its recordings",
    examples: ["lunara work library:w3": "by the id that `lunara works` shows; `lunara play library:w3` plays it"],
    operand: .one("ID", help: "the work's id"),
    action: .asynchronous { context in
      let word = context.arguments.operands.first ?? ""
      let id = try WorkID(word).orUsage("ID is the id of a work, such as library:w3, not “\(word)”.")
      let page = try await Client(context).work(id)
      context.console.isJSON ? context.console.print(page.json) : page.print(to: context.console)
    })

  static let musicFolders: Command = Command(
    name: "folders", summary: "the music folders, or what is in one",
    examples: [
      "lunara folders": "the music folders", "lunara folders /music/Jazz": "its folders, albums and files",
      "lunara play library:folder:/music/Jazz": "plays everything in it; the id is in the list",
    ],
    options: [.after, .limit],
    operand: .optional("PATH", help: "the absolute path of a folder on the library's host, or its file: URL"),
    action: .asynchronous { context in
      let arguments = context.arguments
      let path = try arguments.operands.first.map { text in
        let path = LocalPath(url: text) ?? LocalPath(text)
        guard path.bytes.first == UInt8(ascii: "/") else {
          throw UsageError("PATH is an absolute path, such as /music/Jazz, not “\(text)”.")
        }
        return path
      }
      let limit = try arguments.integer(.limit, in: 1...100_000) ?? 1000
      let client = try await Client(context)
      let page = try await client.folder(path, upTo: limit, after: arguments.value(.after))
      if context.console.isJSON { return context.console.print(page.json) }
      page.print(to: context.console)
      if let next = page.next {
        context.console.note("more: " + arguments.commandLine(of: musicFolders, with: .after, next))
      }
    })
}
