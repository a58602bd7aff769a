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
  fileprivate static let takenBack = Option("--undo", help: "take it back")
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
    options: [.dialPosition, .albumCount, .after, .wallSeed, .reasons],
    action: .asynchronous { try await show($0, genre: nil) })

  static let feed = Command(
    name: "feed", summary: "albums of a genre, of some of its subcategories with --sub",
    examples: [
      "lunara feed jazz": "50 albums", "lunara feed rock --sub punk --sub metal": "of two subcategories",
      "lunara feed electronic --dial 5 --explain": "what you never heard of it, with the reasons",
    ],
    options: [.subcategory, .dialPosition, .albumCount, .after, .wallSeed, .reasons],
    operand: .some("GENRE", help: "its name, or its id as `lunara genres` shows it"),
    action: .asynchronous { try await show($0, genre: $0.arguments.operands.joined(separator: " ")) })

  private static func show(_ context: Context, genre: String?) async throws {
    let request = try Discovery.ReadWall(context.arguments, genre: genre)
    let client = try await Client.startingDiscovery(context)
    let wall = try await client.ask(request, of: .discovery, within: .seconds(12))
    let explains = context.arguments.has(.reasons)
    context.console.print(
      wall.json, Table(wall.tiles.map { $0.row(explained: explains) }),
      ifEmpty: "There is no album for this wall. `lunara genres` shows what the library has.")
    if wall.endsRound { context.console.note("These are all albums there are; a new round begins after them.") }
    guard let next = wall.next else { return }
    let command = genre.map { "lunara feed \"\($0)\"" } ?? "lunara wall"
    context.console.note("Number \(wall.name.seed), dial \(wall.name.dial). More: \(command) --after \(next)")
  }

  static let dial = Command(
    name: "dial", summary: "how far walls lead away from what you play, 1 to 5",
    examples: ["lunara dial": "the stored position, and what each means", "lunara dial 4": "towards the unknown"],
    operand: .optional("1-5", help: "the new position", completes: .words(["1", "2", "3", "4", "5"])),
    action: .asynchronous { context in
      let client = try await Client.startingDiscovery(context)
      if let word = context.arguments.operands.first {
        guard let position = Int(word), (1...5).contains(position) else {
          throw UsageError("The dial has the positions 1 to 5, not “\(word)”.")
        }
        _ = try await client.ask(Discovery.SetDial(dial: position), of: .discovery)
      }
      let known = try await client.ask(Discovery.ReadDiagnostics(), of: .discovery)
      context.console.print(
        ["dial": known.shelf.dial, "dials": known.dials],
        Table(
          known.dials.map { row in
            [
              .init(row.dial == known.shelf.dial ? "▸" : ""), .number("\(row.dial)"), .strong(row.name),
              .faint(row.shares.map { "\($0.signal.rawValue) \($0.percent) %" }.joined(separator: ", ")),
            ]
          }), ifEmpty: "")
    })

  static let less = Command(
    name: "less", summary: "show fewer albums like one on walls and in feeds, for 90 days",
    discussion: "Albums of its artist, and those with the same subcategories, come only where nothing else is left.",
    examples: ["lunara less files:a3": "fewer like this one", "lunara less files:a3 --undo": "as before"],
    options: [.takenBack],
    operand: .some("ID", help: "the album's id, or its title", completes: .household(.albums)),
    action: .asynchronous { context in
      let client = try await Client.startingDiscovery(context)
      let album = try await client.id(context.arguments.operands) { try $0.album() }
      let isTakenBack = context.arguments.has(.takenBack)
      _ = try await client.ask(Discovery.ShowLess(album: album, isTakenBack: isTakenBack ? true : nil), of: .discovery)
      context.console.print(
        .object(["id": .text(album), "less": .bool(!isTakenBack)]),
        text: "\(album): \(isTakenBack ? "as before" : "fewer like it for 90 days")\n")
    })
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
    let client = try await Client(context)
    if client.nodes().contains(.discovery) { return client }
    let home = try context.settings().home
    try beginDiscovery(home: home)
    let end = ContinuousClock.now + discoveryStartTime
    while ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(100))
      let client = try await Client(context)
      if client.nodes().contains(.discovery) { return client }
    }
    throw notStarted(home: home)
  }
}
