import Bus
import Client
import Messages
import Model
import ServiceKit

extension Option {
  static let dialPosition = Option("--dial", "1-5", help: "from what you play (1) to what you do not know (5)")
  static let wallSeed = Option("--seed", "N", help: "the number of a wall: the same number shows the same albums")
  static let subcategory = Option("--sub", "NAME", repeats: true, help: "only a subcategory; may be given again")
  fileprivate static let albumCount = Option("--count", "N", help: "how many albums, up to 200")
  fileprivate static let reasons = Option("--explain", help: "say why each album is there")
}

extension Command {
  static let wall = Command(
    name: "wall", summary: "a wall of albums, from what you love to what you forgot",
    discussion: """
      Each wall is drawn anew; its number, which the last line shows, brings it back. The dial goes from 1, nearly all
      what you play, to 5, almost random; `lunara dial` stores a position. What a wall showed is held back for some days.
      """,
    examples: [
      "lunara wall": "100 albums",
      "lunara wall --dial 5 --count 20 --explain": "twenty surprises, each with its reason",
      "lunara wall --seed 7": "the wall with this number", "lunara play --wall": "a wall that plays",
    ],
    takes: Parameter(.dialPosition, .albumCount, .after, .wallSeed) { try Discovery.ReadWall($0, genre: nil) },
    .flag(.reasons), through: Client.startingDiscovery
  ) { try await show($2, explains: $3, $0, $1) }

  static let feed = Command(
    name: "feed", summary: "albums of a genre, of some of its subcategories with --sub",
    examples: [
      "lunara feed jazz": "50 albums", "lunara feed rock --sub punk --sub metal": "of two subcategories",
      "lunara feed electronic --dial 5 --explain": "what you never heard of it, with the reasons",
    ],
    each: .genres,
    takes: Parameter(.subcategory, .dialPosition, .albumCount, .after, .wallSeed) {
      try Discovery.ReadWall($0, genre: nil)
    },
    .flag(.reasons), through: Client.startingDiscovery
  ) { client, console, genre, request, explains in
    var request = request
    request.genre = genre
    try await show(request, explains: explains, client, console)
  }

  private static func show(
    _ request: Discovery.ReadWall, explains: Bool, _ client: Client, _ console: Console
  ) async throws {
    let wall = try await client.ask(request, within: .seconds(12))
    console.print(
      wall.json, Table(wall.tiles.map { $0.row(explained: explains) }),
      ifEmpty: "There is no album for this wall. `lunara genres` shows what the library has.")
    if wall.endsRound { console.remark("These are all albums there are; a new round begins after them.") }
    guard let next = wall.next else { return }
    let command = request.genre.map { "lunara feed \"\($0)\"" } ?? "lunara wall"
    console.remark("Number \(wall.name.seed), dial \(wall.name.dial). More: \(command) --after \(next)")
  }

  static let dial = Command(
    name: "dial", summary: "how far walls lead away from what you play, 1 to 5",
    examples: ["lunara dial": "the stored position, and what each means", "lunara dial 4": "towards the unknown"],
    takes: .optional("1-5", help: "the new position", completes: .words(["1", "2", "3", "4", "5"])),
    through: Client.startingDiscovery
  ) { client, console, word in
    if let word {
      guard let position = Int(word), (1...5).contains(position) else {
        throw UsageError("The dial has the positions 1 to 5, not “\(word)”.")
      }
      _ = try await client.ask(Discovery.SetDial(dial: position))
    }
    let known = try await client.ask(Discovery.ReadDiagnostics())
    console.print(
      ["dial": known.shelf.dial, "dials": known.dials],
      Table(
        known.dials.map { row in
          [
            .init(row.dial == known.shelf.dial ? "▸" : ""), .number("\(row.dial)"), .strong(row.name),
            .faint(row.shares.map { "\($0.signal.rawValue) \($0.percent) %" }.joined(separator: ", ")),
          ]
        }), ifEmpty: "")
  }

  static let less = Command(
    name: "less", summary: "show fewer albums like one on walls and in feeds, for 90 days",
    discussion: "Albums of its artist, and those with the same subcategories, come only where nothing else is left.",
    examples: ["lunara less files:a3": "fewer like this one", "lunara less files:a3 --undo": "as before"],
    each: .albums(),
    takes: .flag("--undo", help: "take it back"),
    through: Client.startingDiscovery
  ) { client, console, album, isTakenBack in
    _ = try await client.ask(Discovery.ShowLess(album: album, isTakenBack: isTakenBack ? true : nil))
    console.print(
      ["id": album, "less": !isTakenBack],
      text: "\(album): \(isTakenBack ? "as before" : "fewer like it for 90 days")\n")
  }
}

extension Parameter {
  /// Genres by their names or ids. Words of which one is no genre are one name.
  fileprivate static var genres: Parameter<[String]> {
    .init(operand: .some("GENRE", help: "its name, or its id as `lunara genres` shows it")) { arguments in
      let words = arguments.operands
      return { client, _ in
        guard words.count > 1 else { return words }
        let names = try await client.ask(Discovery.ListGenres(), within: .seconds(12)).genres.flatMap {
          [$0.id, $0.name.lowercased()]
        }
        return Set(words.map { $0.lowercased() }).isSubset(of: names) ? words : [words.joined(separator: " ")]
      }
    }
  }
}

extension Discovery.ReadWall {
  /// Reads the options of a wall or feed.
  init(_ arguments: Arguments, genre: String?) throws {
    let subcategories = arguments.values(.subcategory)
    self.init(
      after: arguments.value(.after), seed: try arguments.integer(.wallSeed, in: 0...(1 << 53 - 1)).map { Int64($0) },
      dial: try arguments.integer(.dialPosition, in: 1...5), count: try arguments.integer(.albumCount, in: 1...200),
      genre: genre, subcategories: subcategories.isEmpty ? nil : subcategories)
  }
}

extension Discovery.Tile {
  fileprivate func row(explained: Bool) -> [Table.Cell] {
    let id = id.map { "\($0)" } ?? "not here"
    let cells: [Table.Cell] = [
      .faint(id), .strong(title), .init(artist), .number(year.map { "\($0)" } ?? ""), .faint(signal.rawValue),
    ]
    return explained ? cells + [.init(reason)] : cells
  }
}

extension Client {
  /// Connects to the household, and has it start the service that makes walls where none runs: that happens once there
  /// is its folder in the home folder.
  ///
  /// - Throws: `cli.noDiscovery` if none has started.
  static func startingDiscovery(_ context: Context) async throws -> Client {
    try await starting(.discovery, context, begin: beginDiscovery) { notStarted(home: $0) }
  }
}
