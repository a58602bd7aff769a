import Client
import Messages
import Model

extension Option {
  fileprivate static let block = Option("--block", "PLUGIN", help: "its source is the wrong song")
  fileprivate static let unblock = Option("--unblock", "PLUGIN", help: "its source may be used again")
  fileprivate static let prefer = Option("--prefer", "PLUGIN", help: "use this plugin for the track before others")
  fileprivate static let forget = Option(
    "--forget", help: "forget what was decided: the preferred plugin, and the wrong songs")
}

extension Command {
  static let resolve = Command(
    name: "resolve", summary: "where plugins find a track, in which order, and why",
    discussion: """
      A source with a rank can be used, the first one first. One without is another track (its confidence is below 0.60),
      was blocked, or its plugin is off. `lunara play --artist A --title T` plays the track.
      """,
    examples: [
      "lunara resolve \"Nova Kessler\" \"Tram at Night\"": "all sources",
      "lunara resolve \"Nova Kessler\" \"Tram at Night\" --block archive": "that one is the wrong song",
    ],
    takes: .flag("--fresh", help: "ask the plugins though their answers are known"),
    .context(.block, .unblock, .prefer, .forget),
    .operands("ARTIST TITLE [ALBUM]", 2...3, help: "the names of the track"),
    through: Client.withPlugins
  ) { client, console, isFresh, context, words in
    let arguments = context.arguments
    let described = DescribedTrack(title: words[1], artist: words[0], album: words.count > 2 ? words[2] : nil)
    var list = try await client.ask(Resolver.FindSources(described: described, isFresh: isFresh), within: .seconds(30))
    let verdicts: [(Option, Resolver.Verdict)] = [
      (.block, .block), (.unblock, .unblock), (.prefer, .prefer), (.forget, .forget),
    ]
    for (option, verdict) in verdicts where arguments.has(option) {
      let plugin = arguments.value(option) ?? ""
      list = try await client.ask(
        Resolver.DecideSource(
          described: described, plugin: plugin, sourceID: list.sources.first { $0.plugin.id == plugin }?.sourceID,
          verdict: verdict), within: .seconds(30))
    }
    console.print(list.json(of: described), list.table, ifEmpty: "No plugin has found this track.")
    for failure in list.failures { console.remark("\(failure.plugin.name): \(failure.error.message)") }
  }
}

extension Resolver.SourceList {
  fileprivate var table: Table {
    Table(
      sources.map { source in
        [
          .number(source.rank.map { "\($0)" } ?? "–"), .strong(source.plugin.name),
          .init("\(source.artist) – \(source.title)"), .number("\(Int((source.confidence * 100).rounded())) %"),
          .init(source.kind == .stream ? "plays" : source.kind == .device ? "on a device" : "link"),
          .faint(source.words), .faint(source.hasPreview == true ? "has a preview" : ""),
          .init(source.kind == .link ? source.url ?? "" : ""),
        ]
      })
  }
}

extension Resolver.Source {
  /// The reason for the source's place.
  fileprivate var words: String {
    switch reason {
    case "chosen": "chosen"
    case "preferred": "preferred for this track"
    case "order": "by the order of plugins"
    case "confidence": "by its confidence"
    case "belowFloor": "another track"
    case "blocked": "the wrong song"
    case "disabled": "its plugin is off"
    default: reason
    }
  }
}
