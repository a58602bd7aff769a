import CEmbedded
import Client
import Model

extension Command {
  static let lunara: Command = Command(
    name: "lunara", summary: "Lunara plays your own music, in whichever room you are in.",
    options: [.version],
    commands: [
      up, status, rooms, albums, artists, tracks, collections, playlists, providers, wishes, tags, works, work,
      musicFolders, problems,
    ]
      + catalogueItems + [
        lyrics, review, article, similar, search, play, rediscover, themes, wall, feed, genres, dial, less, discovery,
        plugins, resolve,
        concerts, ask,
      ]
      + [note, notes, mark, marks, todo, todos, garden]
      + transport + [
        move, queue, output, offline, rate, like, dislike, unlike, likes, importing, pin, editions, plays,
        statistics, scrobbles,
        sources, login, logout, sync, tap,
        replay, pair,
        join, key,
        doctor, web, backup, restore, enable, disable, help, explain, completions, manual, composeDemo,
      ])
}

extension Command {
  static let help: Command = Command(
    name: "help", summary: "what a command does, with its options and examples",
    examples: ["lunara help": "all commands", "lunara help play": "one, as `lunara play --help`"],
    operand: Operand(
      name: "COMMAND…", count: 0...8, help: "a command, and its subcommand; all where none is given",
      completes: .household(.commands)),
    action: .blocking { context in
      var command = lunara
      for word in context.arguments.operands {
        guard let next = command.commands.first(where: { $0.name == word }) else {
          throw UsageError("There is no command “\(word)”.\(Spelling.guess(word, in: command.commands.map(\.name)))")
        }
        command = next
      }
      context.console.print(Help(path: context.arguments.operands, command: command).text(context.console.style))
      return .done
    })

  static let explain = Command(
    name: "explain", summary: "what an error code means and what to do",
    examples: ["lunara explain storage.full": "one code", "lunara explain": "all of them"],
    operand: .optional(
      "CODE", help: "the code, as errors show it; all where none is given", completes: .household(.codes)),
    action: .blocking { context in
      let console = context.console
      guard let code = context.arguments.operands.first else {
        let all = Explanation.all()
        console.print(.list(all, \.json), Table(all.map { [.strong($0.code), .init($0.meaning)] }), ifEmpty: "")
        return .done
      }
      guard let explanation = Explanation.all().first(where: { $0.code == code }) else {
        let nearest = Spelling.nearest(to: code, in: Explanation.all().map(\.code))
        throw LunaraError(
          "cli.unknownCode",
          "There is no error code \(code).\(nearest.map { " Did you mean \($0)?" } ?? " `lunara explain` lists all.")")
      }
      console.print(
        explanation.json,
        text: "\(console.style.strong(explanation.code))\n\(explanation.meaning)\n\(explanation.remedy)\n")
      return .done
    })
}

extension Command {
  static let completions: Command = Command(
    name: "completions", summary: "what a shell needs to complete commands and options",
    discussion: "An installation has put it where the shells look already.",
    examples: ["lunara completions bash": "to be sourced by bash; zsh and fish alike"],
    operand: .one("SHELL", help: "bash, zsh or fish", completes: .words(["bash", "zsh", "fish"])),
    commands: [completionValues],
    action: .blocking { context in
      let scripts = [
        "bash": { BashCompletion(root: .lunara).script }, "zsh": { ZshCompletion(root: .lunara).script },
        "fish": { FishCompletion(root: .lunara).script },
      ]
      context.console.print(try context.arguments.word(0, "SHELL", scripts)())
      return .done
    })

  static let manual: Command = Command(
    name: "manual", summary: "a page of the manual, as `man` reads it",
    discussion:
      "An installation has put them where `man` looks already. Pages: \(ManualPage.names.joined(separator: ", ")).",
    examples: [
      "lunara manual lunara.1": "this program; | man -l - shows it",
      "lunara manual lunara.env": "a file of settings to begin with",
    ],
    operand: .one("PAGE", help: "its name", completes: .words(ManualPage.names)),
    action: .blocking { context in
      let name = context.arguments.operands[0]
      guard let text = ManualPage.text(name, root: .lunara) else {
        throw UsageError("There is no page “\(name)”. There are \(ManualPage.names.joined(separator: ", ")).")
      }
      context.console.print(text)
      return .done
    })
}

struct Explanation: Sendable, Equatable {
  let code: String
  let meaning: String
  let remedy: String

  /// Returns the codes of `docs/errors.md`, sorted. Each section of the page has a heading with the code, a paragraph
  /// that says what happened, and one that begins with "To do:".
  static func all(in page: String) -> [Explanation] {
    page.split(separator: "\n### `").dropFirst().compactMap { section in
      guard let end = section.firstIndex(of: "`") else { return nil }
      let body = section[section.index(after: end)...].split(separator: "\n## ", maxSplits: 1)
      let paragraphs = (body.first ?? "").split(separator: "\n\n").map { $0.replacing("\n", with: " ") }
      let remedy = paragraphs.first { $0.hasPrefix("To do: ") }.map { String($0.dropFirst(7)) } ?? ""
      let meaning = paragraphs.filter { !$0.hasPrefix("To do: ") }.joined(separator: " ")
      return Explanation(code: String(section[..<end]), meaning: trimmed(meaning), remedy: trimmed(remedy))
    }.sorted { $0.code < $1.code }
  }

  /// Returns all codes, from the copy of the page in this program.
  static func all() -> [Explanation] {
    let page = lunara_errors()
    return all(in: String(decoding: UnsafeBufferPointer(start: page.bytes, count: page.count), as: UTF8.self))
  }

  var json: JSON { ["code": code, "meaning": meaning, "remedy": remedy] }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
