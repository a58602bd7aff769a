import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let off = Option("--off", help: "no longer; what it was not told yet is given up")
  fileprivate static let add = Option("--add", help: "add it to the list")
  fileprivate static let remove = Option("--remove", help: "take it from the list")
}

/// The commands for what plugins are told of the household.
extension Command {
  static let sharePlays = Command(
    name: "scrobble", summary: "tell a plugin of what you play, or no longer",
    discussion: """
      The plugin is told of each track as it begins and of each listen that counts: artist, title, album, length, ids and
      time. It sends them to its server. What private listening or a filter holds back is not told. Without ID the plugins
      that can be told are listed.
      """,
    examples: [
      "lunara plugins scrobble": "which plugins are told, and what waits",
      "lunara plugins scrobble journal": "says what leaves the house, and asks",
      "lunara plugins scrobble journal --off": "no longer",
    ],
    options: [.off, .yes], operand: .optional("ID", help: "the plugin's id"),
    action: .asynchronous { try await share(.plays, $0) })

  static let shareHistory = Command(
    name: "history", summary: "let a plugin use what you have played, or no longer",
    discussion: """
      A plugin that makes queues or talks with you gets the artists, tracks and albums that were heard most in the last 7
      days, 30 days, 6 months and ever, and the last 50 plays. It sends them to its server. What private listening or a
      filter holds back is not among them. Without ID the plugins that can use it are listed.
      """,
    examples: [
      "lunara plugins history ask": "says what leaves the house, and asks",
      "lunara plugins history ask --off": "no longer",
    ],
    options: [.off, .yes], operand: .optional("ID", help: "the plugin's id"),
    action: .asynchronous { try await share(.history, $0) })

  private static func share(_ subject: Resolver.SharedSubject, _ context: Context) async throws {
    let (arguments, console) = (context.arguments, context.console)
    let client = try await Client.withPlugins(context)
    let list = try await client.ask(Resolver.ListSharing(), of: .resolver).plugins
      .filter { subject == .plays ? $0.takesPlays : $0.takesHistory }
    guard let id = arguments.operands.first else {
      return console.print(.list(list), Table(list.map { $0.row(subject) }), ifEmpty: "No plugin can be told of this.")
    }
    let isOff = arguments.has(.off)
    if !isOff, !arguments.has(.yes), let plugin = list.first(where: { $0.plugin.id == id }) {
      let name = plugin.plugin.name
      console.note(
        subject == .plays
          ? "\(name) will be told of each track that plays and of each listen that counts: artist, title, album, length, ids and time. It sends them to its server."
          : "\(name) will get what was heard most in the last 7 days, 30 days, 6 months and ever, and the last 50 plays. It sends them to its server."
      )
      guard try await SecretPrompt.confirm("Allow it? [y/N] ") else {
        throw LunaraError(
          "cli.notAgreed", "\(name) is told nothing, as nobody agreed to it. With --yes nothing is asked.")
      }
    }
    let sharing = try await client.ask(
      Resolver.SetSharing(plugin: id, subject: subject, isAllowed: !isOff), of: .resolver)
    console.print(sharing.json, text: sharing.text(subject))
  }

  static let unwantedMusic = Command(
    name: "unwanted", summary: "music that queues by plugins leave out",
    discussion: "A plugin adds to it in a conversation, when you say that you do not want an artist or a track.",
    examples: [
      "lunara plugins unwanted": "the list",
      "lunara plugins unwanted --add \"Nova Kessler\" \"Tram at Night\"": "one track",
      "lunara plugins unwanted --remove \"Nova Kessler\"": "the artist is wanted again",
    ],
    options: [.add, .remove],
    operand: Operand(name: "ARTIST [TITLE]", count: 0...2, help: "the artist, or one track of the artist"),
    action: .asynchronous { context in
      let (arguments, words) = (context.arguments, context.arguments.operands)
      let (adds, removes) = (arguments.has(.add), arguments.has(.remove))
      guard adds != removes || words.isEmpty && !adds else {
        throw UsageError("Give --add or --remove, and an artist.")
      }
      guard !(adds || removes) || !words.isEmpty else { throw UsageError("Say which artist.") }
      let items =
        words.first.map { [Resolver.UnwantedMusic(artist: $0, title: words.count > 1 ? words[1] : nil)] } ?? []
      let list = try await Client.withPlugins(context).ask(
        Resolver.ChangeUnwanted(add: adds ? items : [], remove: removes ? items : []), of: .resolver)
      context.console.print(
        .list(list.items), Table(list.items.map { [.strong($0.artist), .init($0.title ?? "all")] }),
        ifEmpty: "No music is unwanted.")
    })
}

extension Resolver.Sharing {
  fileprivate func isShared(_ subject: Resolver.SharedSubject) -> Bool {
    subject == .plays ? hearsPlays : seesHistory
  }

  fileprivate func row(_ subject: Resolver.SharedSubject) -> [Table.Cell] {
    let waits = subject == .plays && waiting > 0 ? "\(Printable.count(waiting, "listen")) wait" : ""
    return [
      .strong(plugin.id), .init(plugin.name), .init(isShared(subject) ? "allowed" : "not allowed"), .init(waits),
      .faint(subject == .plays ? problem?.message ?? "" : ""),
    ]
  }

  fileprivate func text(_ subject: Resolver.SharedSubject) -> String {
    let words =
      switch (subject, isShared(subject)) {
      case (.plays, true): "is told of what you play"
      case (.plays, false): "is not told of what you play"
      case (_, true): "gets what you have played"
      case (_, false): "does not get what you have played"
      }
    return Printable.line("\(plugin.name) \(words).") + "\n"
  }
}

extension Client {
  /// Returns a plugin with the values that it offers itself for its settings, such as models. Where it cannot say them,
  /// that is noted.
  func withChoices(_ plugin: Resolver.Plugin, _ console: Console) async -> Resolver.Plugin {
    guard plugin.isEnabled, plugin.consent == nil, plugin.functions.contains("listModels") else { return plugin }
    var plugin = plugin
    do {
      let list = try await ask(Resolver.ListChoices(plugin: plugin.id), of: .resolver, within: .seconds(20))
      for index in plugin.settings.indices where list.settings.contains(plugin.settings[index].name) {
        if !list.choices.isEmpty { plugin.settings[index].choices = list.choices }
      }
    } catch { console.note(LunaraError(error).message) }
    return plugin
  }
}
