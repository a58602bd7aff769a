import Client
import Messages
import Model

extension Option {
  fileprivate static let parts = Option(
    "--sync", "PART=WAY", repeats: true,
    help: "playlists, liked, albums or artists; as off, pull (from there), push (to there) or both")
}

extension Command {
  static let providers = Command(
    name: "providers", summary: "services with which playlists and wishes are kept in step",
    discussion: """
      Nothing is asked of a provider before you link it, and nothing is sent there unless you choose push or both. What
      a provider has and your library lacks is a description in a playlist, or a wish (`lunara wishes`). An entry that a
      provider no longer has is removed here after two complete readings; if many are gone, you are asked first. Servers
      that are sources are listed as well: their playlists are edited in their own place.
      """,
    examples: [
      "lunara providers": "those that are linked, and those that can be",
      "lunara providers link listenbrainz --sync playlists=both": "ListenBrainz, both ways",
      "lunara providers report listenbrainz": "what the last runs did, and what they ask",
    ],
    commands: [
      linkProvider, setProvider, unlinkProvider, syncProvider, reportOfProvider, answerProvider, undoRemoval,
    ]
  ) { client, console in
    let list = try await client.ask(Library.ListProviders())
    console.print(list.json, text: list.text)
  }

  private static let linkProvider = Command(
    name: "link", summary: "link a provider, or sign in there again",
    discussion: """
      ListenBrainz takes a token, or the one with which the household already signed in there. Spotify needs an
      application of your own, with the redirect address http://127.0.0.1:8888/callback: give its client id, open the
      address that is shown, and give the address at which your browser ends, which shows nothing, with --redirect.
      """,
    examples: [
      "lunara providers link listenbrainz": "playlists and loved tracks come from there",
      "lunara providers link spotify --client 1f2e3d": "shows the address to open",
      "lunara providers link spotify --redirect \"http://127.0.0.1:8888/callback?code=A&state=B\"":
        "with the address at which the browser ended",
    ],
    takes: .ways, .text("--client", "ID", help: "the client id of your application, for spotify"),
    .text("--redirect", "ADDRESS", help: "the address at which your browser ended"),
    .flag("--ask", help: "ask for a token, even if one for it is known here"),
    .text("--url", "ADDRESS", help: "another server with the same interface"),
    .operand("KIND", help: "such as listenbrainz or spotify", completes: .words(["listenbrainz", "spotify"]))
  ) { client, console, ways, clientID, redirect, asks, server, word in
    let list = try await client.ask(Library.ListProviders())
    let known = list.providers.first { $0.name == word && !$0.isSource }
    guard let kind = list.kinds.first(where: { $0.kind == known?.kind ?? word }) else {
      let names = list.kinds.map(\.kind).joined(separator: ", ")
      throw UsageError("“\(word)” cannot be linked. These can: \(names.isEmpty ? "none" : names).")
    }
    var request = Library.LinkProvider(
      type: kind.kind, clientID: clientID, redirect: redirect, address: server, name: known?.name, parts: ways)
    if kind.signIn == .token, asks {
      request.token = try await SecretPrompt.read("Token (from \(kind.page)): ", from: nil)
    }
    let linking: Library.ProviderLinking
    do { linking = try await client.ask(request) } catch let error
      where kind.signIn == .token && request.token == nil && LunaraError(error).code == "library.tokenNeeded"
    {
      request.token = try await SecretPrompt.read("Token (from \(kind.page)): ", from: nil)
      guard request.token != nil else { throw error }
      linking = try await client.ask(request)
    }
    console.print(linking.json, text: linking.text(of: kind))
  }

  private static let setProvider = Command(
    name: "set", summary: "choose what is kept in step, and which way",
    examples: [
      "lunara providers set spotify --sync liked=both --sync albums=off": "liked tracks both ways, no albums",
      "lunara providers set spotify --leave \"Party\"": "that playlist stays on both sides, and each has its own",
    ],
    takes: .ways, .texts("--leave", "LIST", help: "a playlist that is no longer kept in step"),
    .texts("--take", "LIST", help: "a playlist that is kept in step again"),
    .operand("PROVIDER", help: "the provider's name")
  ) { client, console, ways, leave, take, name in
    var request = Library.SetProvider(name: name, parts: ways ?? [])
    request.leave = try await client.lists(leave, of: name)
    request.take = try await client.lists(take, of: name)
    guard !request.parts.isEmpty || request.leave != nil || request.take != nil else {
      throw UsageError("providers set needs --sync, --leave or --take.")
    }
    let provider = try await client.ask(request)
    console.print(provider.json, text: provider.text)
  }

  private static let unlinkProvider = Command(
    name: "unlink", summary: "end the link; what came from there stays, and so does what it got",
    examples: ["lunara providers unlink spotify": "its sign-in is deleted here"],
    takes: .operand("PROVIDER", help: "the provider's name")
  ) { client, console, name in
    _ = try await client.ask(Library.UnlinkProvider(name: name))
    console.print(["unlinked": name], text: "\(Printable.line(name)) is no longer linked.\n")
  }

  private static let syncProvider = Command(
    name: "sync", summary: "compare with a provider now",
    examples: ["lunara providers sync listenbrainz": "instead of waiting for the next of the six-hourly runs"],
    takes: .operand("PROVIDER", help: "the provider's name")
  ) { client, console, name in
    let provider = try await client.ask(Library.SyncProvider(name: name))
    console.print(
      provider.json, text: "The run begins; `lunara providers report \(Printable.line(name))` tells what it did.\n")
  }

  private static let reportOfProvider = Command(
    name: "report", summary: "what the last runs did, what they ask, and what can be taken back",
    examples: ["lunara providers report spotify --limit 3": "the last three runs"],
    takes: .integer(.limit, in: 1...50), .operand("PROVIDER", help: "the provider's name, or a source such as plex")
  ) { client, console, limit, name in
    let reports = try await client.ask(Library.ReadProviderReports(name: name, limit: limit ?? 10))
    console.print(reports.json, text: reports.text(of: name))
  }

  private static let answerProvider = Command(
    name: "answer", summary: "say if many removals are to be made",
    examples: [
      "lunara providers answer spotify lunara:p4 --keep": "they stay here, and the provider gets them again",
      "lunara providers answer spotify albums --remove": "they are removed here as well",
    ],
    takes: .flag("--remove", help: "remove them here as well"),
    .flag("--keep", help: "keep them here; the provider gets them again"),
    .operands("PROVIDER QUESTION", 2...2, help: "the provider's name, and the question's id"),
    refuses: [Refusal("providers answer needs either --remove or --keep.") { $0.has("--remove") == $0.has("--keep") }]
  ) { client, console, removes, _, words in
    let request = Library.AnswerProvider(name: words[0], question: words[1], removes: removes)
    _ = try await client.ask(request)
    console.print(
      ["answered": request.question, "removes": request.removes],
      text: "The next run, which begins now, acts on that.\n")
  }

  private static let undoRemoval = Command(
    name: "undo", summary: "take back a removal of the last 30 days",
    examples: ["lunara providers undo spotify p4-1795500000000000-17": "an id that the report shows"],
    takes: .operands("PROVIDER REMOVAL", 2...2, help: "the provider's name, and the removal's id")
  ) { client, console, words in
    _ = try await client.ask(Library.UndoRemoval(name: words[0], removal: words[1]))
    console.print(["restored": words[1]], text: "It is here again.\n")
  }
}

extension Parameter {
  /// The ways of parts; nil if none is given.
  fileprivate static var ways: Parameter<[Library.ChosenWay]?> {
    Parameter<[Library.ChosenWay]?>(.parts) { try $0.ways() }
  }
}

extension Arguments {
  fileprivate func ways() throws -> [Library.ChosenWay]? {
    var ways: [Library.ChosenWay] = []
    for text in values(.parts) {
      let words = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2, let part = Library.SyncPart(rawValue: words[0]), part != .unknown,
        let way = Library.SyncWay(rawValue: words[1]), way != .unknown
      else {
        throw UsageError("--sync takes PART=WAY, such as playlists=both or albums=off, not “\(text)”.")
      }
      ways.append(.init(part: part, way: way))
    }
    return ways.isEmpty ? nil : ways
  }
}

extension Client {
  /// Returns the ids of playlists that are named by an id of either side or by a title; nil for none.
  fileprivate func lists(_ words: [String], of provider: String) async throws -> [String]? {
    guard !words.isEmpty else { return nil }
    let lists = try await ask(Library.ReadProviderReports(name: provider, limit: 1)).lists
    return try words.map { word in
      let found = lists.filter {
        $0.id?.description == word || $0.native == word || $0.title.lowercased() == word.lowercased()
      }
      guard let list = found.first, found.count == 1 || list.id?.description == word || list.native == word else {
        throw LunaraError(
          "cli.unknownList",
          found.isEmpty
            ? "\(provider) and this library have no playlist “\(word)”. `lunara providers report \(provider)` lists them."
            : "Several playlists are called “\(word)”. Name one by its id: `lunara providers report \(provider)`.")
      }
      return list.id?.description ?? list.native ?? word
    }
  }
}

extension Library.ProviderList {
  fileprivate var text: String {
    let unlinked = kinds.filter { kind in !providers.contains { $0.kind == kind.kind } }
    return providers.map(\.text).joined()
      + unlinked.map { "\($0.title): not linked. `lunara providers link \($0.kind)` links it.\n" }.joined()
  }
}

extension Library.Provider {
  /// Returns a few lines about the provider.
  fileprivate var text: String {
    var lines = ["\(name)\(account.map { " (\($0))" } ?? ""): \(words)"]
    if isSource { lines.append("  its playlists are edited in their own place") }
    let ways = parts.filter { $0.way != .off }.map { "\($0.part.rawValue) \($0.way.words)" }
    if !ways.isEmpty { lines.append("  \(ways.joined(separator: ", "))") }
    if let lastRun, !isSource {
      lines.append("  last run \(lastRun.local): \(added) added, \(removed) removed")
    }
    if held > 0 { lines.append("  \(held) removals wait for your answer: `lunara providers report \(name)`") }
    if let problem { lines.append("  \(problem.message)") }
    return lines.map { Printable.line($0) + "\n" }.joined()
  }

  private var words: String {
    switch health {
    case "syncing": "is compared now"
    case "waiting": "waits, and is tried again"
    case "signed-out": "signed out"
    case "off": "linked, and nothing is kept in step"
    default: health
    }
  }
}

extension Library.SyncWay {
  fileprivate var words: String {
    switch self {
    case .pull: "from there"
    case .push: "to there"
    case .both: "both ways"
    case .off, .unknown: "off"
    }
  }
}

extension Library.ProviderLinking {
  fileprivate func text(of kind: Library.ProviderKind) -> String {
    if let provider { return "\(kind.title) is linked; the first run begins.\n" + provider.text }
    return """
      Open this address and allow Lunara there:
        \(Printable.line(open ?? ""))

      Your browser then ends at an address of this machine that shows nothing. Copy it, and give it within ten minutes:
        lunara providers link \(kind.kind) --redirect "ADDRESS"

      """
  }
}

extension Library.ProviderReports {
  fileprivate func text(of name: String) -> String {
    var lines: [String] = []
    for report in reports {
      lines.append("\(report.startedAt.local): \(report.added) added, \(report.removed) removed")
      lines += report.lines.map { "  \($0.title): \($0.text)" }
      if let problem = report.problem { lines.append("  \(problem.message)") }
    }
    if reports.isEmpty { lines.append("There was no run yet.") }
    for question in questions {
      lines.append(
        "\(question.title): \(question.removed) of \(question.total) are gone there. `lunara providers answer \(name) "
          + "\(question.id) --remove` or `--keep`.")
    }
    if !removals.isEmpty { lines.append("Removals that `lunara providers undo \(name) ID` takes back:") }
    lines += removals.prefix(20).map { removal in
      let what = [removal.artist, removal.title].filter { !$0.isEmpty }.joined(separator: " – ")
      return "  \(removal.id)  \(what), from \(removal.from)\(removal.isHere ? "" : " at \(name)")"
    }
    let left = lists.filter { !$0.isKept }
    if !left.isEmpty { lines.append("Not kept in step: \(left.map(\.title).joined(separator: ", ")).") }
    return lines.map { Printable.line($0) + "\n" }.joined()
  }
}
