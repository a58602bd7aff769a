import Bus
import Client
import Messages
import Model

/// The values that shells complete and that only the household knows.
enum CompletionValues {
  enum Kind: String, Sendable, CaseIterable {
    case rooms, nodes, albums, artists, tracks, collections, playlists, sources, accounts, codes, commands
    /// The services that can receive likes and dislikes.
    case opinionServices = "opinion-services"
    /// Albums, and what else may be played or rated.
    case playables
  }

  /// A value and a short description, which shells show beside it.
  struct Value: Sendable, Equatable {
    var text: String
    var description: String

    /// True if shells take the value as it is. Names of accounts may contain anything, and shells would expand it.
    var isPlain: Bool {
      !text.isEmpty
        && text.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 48...57: true
          default: "-_./:@".utf8.contains(byte)
          }
        }
    }
  }

  /// The largest number of items of the catalogue that are offered.
  private static let limit = 1000

  static func values(_ kind: Kind, _ context: Context) async throws -> [Value] {
    switch kind {
    case .codes: return Explanation.all().map { Value(text: $0.code, description: $0.meaning) }
    case .commands: return Command.lunara.commands.map { Value(text: $0.name, description: $0.summary) }
    default: break
    }
    return try await values(kind, in: try await Client(context))
  }

  private static func values(_ kind: Kind, in client: Client) async throws -> [Value] {
    switch kind {
    case .rooms: client.rooms().map { Value(text: $0.rawValue, description: "a room") }
    case .nodes: client.nodes().map { Value(text: $0.description, description: "pid \(client.pid(of: $0) ?? 0)") }
    case .albums, .playables:
      try await items(client) {
        Library.ListAlbums(after: $0, limit: $1)
      } describe: {
        Value(text: $0.id.description, description: Byline.text($0.title, $0.artist))
      }
    case .artists:
      try await items(client) {
        Library.ListArtists(after: $0, limit: $1)
      } describe: {
        Value(text: $0.id.description, description: $0.name)
      }
    case .tracks:
      try await items(client) {
        Library.ListTracks(after: $0, limit: $1)
      } describe: {
        Value(text: $0.id.description, description: Byline.text($0.title, $0.artist))
      }
    case .collections:
      try await items(client) {
        Library.ListCollections(after: $0, limit: $1)
      } describe: {
        Value(text: $0.id.description, description: $0.title)
      }
    case .playlists:
      try await items(client) {
        Library.ListPlaylists(after: $0, limit: $1)
      } describe: {
        Value(text: $0.id.description, description: $0.title)
      }
    case .sources:
      try await client.ask(Library.ListSources(), of: .library).sources.map {
        Value(text: $0.status.name, description: $0.status.kind)
      }
    case .accounts:
      try await client.ask(Scrobble.ListAccounts(), of: .scrobble).accounts.map {
        Value(text: $0.name, description: $0.state)
      }
    case .opinionServices:
      try await client.ask(Library.ReadOpinionSharing(), of: .library).services.map {
        Value(text: $0.service, description: $0.title)
      }
    case .codes, .commands: []
    }
  }

  private static func items<Item, R: Request>(
    _ client: Client, _ request: (String?, Int) -> R, describe: (Item) -> Value
  ) async throws -> [Value] where R.Answer == Library.Page<Item> {
    try await Client.list(upTo: limit) { try await client.ask(request($0, $1), of: .library) }.items.map(describe)
  }
}

extension Command {
  /// The command that completion scripts call. It prints nothing where no household runs.
  static let completionValues: Command = Command(
    name: "values", summary: "the rooms, ids and other values that the household knows, for completion",
    discussion: "One a line, with a tab and a description. Kinds: \(kinds.joined(separator: ", ")).",
    examples: [
      "lunara completions values rooms": "the rooms",
      "lunara completions values albums files:": "the ids of albums that begin so",
    ],
    operand: Operand(name: "KIND [BEGINNING]", count: 1...2, help: "what, and how it begins", completes: .words(kinds)),
    action: .asynchronous { context in
      let words = context.arguments.operands
      let kind = try CompletionValues.Kind(rawValue: words[0]).orUsage(
        "KIND is \(kinds.joined(separator: ", ")), not “\(words[0])”.")
      let beginning = words.count > 1 ? words[1] : ""
      let all: [CompletionValues.Value]
      do { all = try await CompletionValues.values(kind, context) } catch {
        // An error message would stand in the middle of the line that is being typed.
        return
      }
      let values = all.filter { $0.isPlain && $0.text.hasPrefix(beginning) }
      context.console.print(
        .list(values) { .object(["value": .string($0.text), "description": .string($0.description)]) },
        text: values.map { "\($0.text)\t\(Printable.line($0.description))\n" }.joined())
    })

  private static let kinds = CompletionValues.Kind.allCases.map(\.rawValue)
}
