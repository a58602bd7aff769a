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
}

extension Arguments {
  /// Returns the tags of `--tag` and, as excluded ones, of `--without`; nil if there are none.
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
}

extension Parameter {
  fileprivate static var role: Parameter<CreditRole?> {
    Parameter<CreditRole?>(.role) {
      try $0.value(.role).map { word in
        try CreditRole(word: word).orUsage("\(Option.role.help) are roles, “\(word)” is not.")
      }
    }
  }

  /// The order of tags or people; `isReversed` is true for the opposite order, and nil for the usual one.
  fileprivate static func tagSort(_ help: String) -> Parameter<(sort: Library.TagSort?, isReversed: Bool?)> {
    let option = Option("--sort", "ORDER", help: help, completes: .words(["name", "albums"]))
    return Parameter<(sort: Library.TagSort?, isReversed: Bool?)>(option, .reverse) {
      let sort = try $0.word(option, ["name": Library.TagSort.name, "albums": .albums])
      guard !$0.has(.startingAt) || sort != .albums else { throw UsageError.startGoesWithNames }
      return (sort, $0.has(.reverse) ? true : nil)
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
  static let artists = list(
    "artists", "the artists who have albums, by name; with --role the composers, conductors …",
    discussion: "By albums, people in a role are sorted by the tracks that credit them.",
    examples: [
      "lunara artists": "the first hundred", "lunara artists --limit 1000": "all, most likely",
      "lunara artists --role composer": "everybody who composed a track",
      "lunara artists --sort albums --reverse": "those with the fewest albums first",
    ],
    takes: .tagSort("name, or albums for those with the most"), .role, .text(.startingAt)
  ) { client, after, limit, order, role, start in
    try await client.ask(
      Library.ListArtists(
        after: after, limit: limit, startingAt: start, role: role, sort: order.sort, isReversed: order.isReversed))
  }

  static let artist = Command(
    name: "artist", summary: "one artist with their albums, or the tracks for which they did something else",
    examples: [
      "lunara artist files:r3": "by the id", "lunara artist \"Nova\"": "by the name",
      "lunara artist \"Bach\" --role composer": "the tracks that Bach composed",
    ],
    each: .artists, takes: .role, Parameter(.after, .limit) { try $0.integer(.limit, in: 1...100_000) ?? 100 },
    .context()
  ) { client, console, id, role, limit, context in
    guard let role else {
      let page = try await client.artist(["\(id)"])
      return console.isJSON ? console.print(page.json) : page.print(to: console)
    }
    let page = try await Client.list(upTo: limit, after: context.arguments.value(.after)) {
      try await client.ask(Library.ListCredits(artist: id, role: role, after: $0, limit: $1))
    }
    print(page, of: "artist", hint: "`lunara status` shows the sources.", context)
  }

  private static let kinds = Library.Tag.Kind.allCases.filter { $0 != .unknown && $0 != .folder }.map(\.rawValue)

  static let tags = list(
    "tags", "the genres, labels, composers or other tags that albums have, with how many albums",
    discussion: "The kinds are \(kinds.joined(separator: ", ")).",
    examples: [
      "lunara tags": "the genres, with how many albums each has",
      "lunara tags mood": "the moods; `lunara albums --tag mood:WORD` shows the albums of one",
      "lunara tags style --among jazz --among decade:1960 --sort albums":
        "the styles of the jazz albums of the sixties, the most frequent first",
    ],
    takes: Parameter(.among) { try $0.values(.among).map { try Library.Tag(word: $0, of: .among) } },
    .tagSort("name, or albums for the most frequent first"), .text(.startingAt),
    Parameter(operand: .optional("KIND", help: "the kind; genre where none is given", completes: .words(kinds))) {
      let word = $0.operands.first ?? Library.Tag.Kind.genre.rawValue
      return try Library.Tag.Kind(word: word).orUsage(
        "KIND is \(kinds.dropLast().joined(separator: ", ")) or \(kinds.last ?? ""), not “\(word)”.")
    }
  ) { client, after, limit, among, order, start, kind in
    try await client.ask(
      Library.ListTags(
        of: kind, after: after, limit: limit, among: among.isEmpty ? nil : among, sort: order.sort, startingAt: start,
        isReversed: order.isReversed))
  }
}

extension Command {
  static let works = list(
    "works", "the musical works, by title",
    examples: ["lunara works": "the first hundred", "lunara works \"Bach\"": "those of a composer"],
    takes: .text(.startingAt),
    .operands(
      "COMPOSER", 0...10_000, help: "the composer's id, or name; all works where none is given",
      completes: .household(.artists))
  ) { client, after, limit, start, words in
    let composer = words.isEmpty ? nil : try await client.id(words) { try $0.artist() }
    return try await client.ask(Library.ListWorks(composer: composer, after: after, limit: limit, startingAt: start))
  }

  static let work = Command(
    name: "work", summary: "one musical work with its recordings",
    examples: ["lunara work library:w3": "by the id that `lunara works` shows; `lunara play library:w3` plays it"],
    takes: Parameter(operand: .one("ID", help: "the work's id")) {
      try WorkID($0.operands[0]).orUsage("ID is the id of a work, such as library:w3, not “\($0.operands[0])”.")
    }
  ) { client, console, id in
    try ItemKind.require(.work, of: id.playable)
    let page = try await client.work(id)
    console.isJSON ? console.print(page.json) : page.print(to: console)
  }

  static let musicFolders = Command(
    name: "folders", summary: "the music folders, or what is in one",
    examples: [
      "lunara folders": "the music folders", "lunara folders /music/Jazz": "its folders, albums and files",
      "lunara play library:folder:/music/Jazz": "plays everything in it; the id is in the list",
    ],
    takes: Parameter(
      .after, .limit,
      operand: .optional("PATH", help: "the absolute path of a folder on the library's host, or its file: URL")
    ) { arguments in
      try arguments.operands.first.map { text in
        let path = LocalPath(url: text) ?? LocalPath(text)
        guard path.bytes.first == UInt8(ascii: "/") else {
          throw UsageError("PATH is an absolute path, such as /music/Jazz, not “\(text)”.")
        }
        return path
      }
    }, .pageLimit(1000), .context()
  ) { client, console, path, limit, context in
    let page = try await client.folder(path, upTo: limit, after: context.arguments.value(.after))
    if console.isJSON { return console.print(page.json) }
    page.print(to: console)
    console.remark(more: page.next, context.arguments)
  }
}
