import Client
import Messages
import Model

/// The commands for what plugins may know about the household.
extension Command {
  static let sharePlays = Command(
    name: "scrobble", summary: "send a plugin what you play, or no longer",
    discussion: """
      The plugin receives each track as it begins and each listen that counts: artist, title, album, length, ids and
      time. It sends them to its server. What private listening or a filter holds back is not sent. Without ID the plugins
      that can receive plays are listed.
      """,
    examples: [
      "lunara plugins scrobble": "which plugins receive plays, and what waits",
      "lunara plugins scrobble journal": "says what leaves the house, and asks",
      "lunara plugins scrobble journal --off": "no longer",
    ],
    takes: .flag("--off", help: "no longer; what it was not told yet is given up"), .flag(.yes),
    .optional("ID", help: "the plugin's id"), through: Client.withPlugins
  ) { try await share(.plays, of: $4, isOff: $2, agrees: $3, $0, $1) }

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
    takes: .flag("--off", help: "no longer; what it was not told yet is given up"), .flag(.yes),
    .optional("ID", help: "the plugin's id"), through: Client.withPlugins
  ) { try await share(.history, of: $4, isOff: $2, agrees: $3, $0, $1) }

  private static func share(
    _ subject: Resolver.SharedSubject, of id: String?, isOff: Bool, agrees: Bool, _ client: Client, _ console: Console
  ) async throws {
    let list = try await client.ask(Resolver.ListSharing()).plugins
      .filter { subject == .plays ? $0.takesPlays : $0.takesHistory }
    guard let id else {
      return console.print(.list(list), Table(list.map { $0.row(subject) }), ifEmpty: "No plugin can receive this.")
    }
    if !isOff, !agrees, let plugin = list.first(where: { $0.plugin.id == id }) {
      let name = plugin.plugin.name
      console.remark(
        subject == .plays
          ? "\(name) will receive each track that plays and each listen that counts: artist, title, album, length, ids and time. It sends them to its server."
          : "\(name) will get what you played most in the last 7 days, 30 days, 6 months and ever, and the last 50 plays. It sends them to its server."
      )
      guard try await SecretPrompt.confirm("Allow it? [y/N] ") else {
        throw LunaraError(
          "cli.notAgreed", "\(name) gets nothing, as nobody agreed to it. With --yes nothing is asked.")
      }
    }
    let sharing = try await client.ask(Resolver.SetSharing(plugin: id, subject: subject, isAllowed: !isOff))
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
    takes: .flag("--add", help: "add it to the list"), .flag("--remove", help: "take it from the list"),
    .operands("ARTIST [TITLE]", 0...2, help: "the artist, or one track of the artist"),
    refuses: [
      Refusal("Give --add or --remove, and an artist.") {
        $0.has("--add") == $0.has("--remove") && ($0.has("--add") || !$0.operands.isEmpty)
      },
      Refusal("Say which artist.") { $0.operands.isEmpty && ($0.has("--add") || $0.has("--remove")) },
    ],
    through: Client.withPlugins
  ) { client, console, adds, removes, words in
    let items = words.first.map { [Resolver.UnwantedMusic(artist: $0, title: words.count > 1 ? words[1] : nil)] } ?? []
    let list = try await client.ask(Resolver.ChangeUnwanted(add: adds ? items : [], remove: removes ? items : []))
    console.print(
      .list(list.items), Table(list.items.map { [.strong($0.artist), .init($0.title ?? "all")] }),
      ifEmpty: "No music is unwanted.")
  }
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
      case (.plays, true): "receives what you play"
      case (.plays, false): "does not receive what you play"
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
      let list = try await ask(Resolver.ListChoices(plugin: plugin.id), within: .seconds(20))
      for index in plugin.settings.indices where list.settings.contains(plugin.settings[index].name) {
        if !list.choices.isEmpty { plugin.settings[index].choices = list.choices }
      }
    } catch { console.remark(LunaraError(error).message) }
    return plugin
  }
}
