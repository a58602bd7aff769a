import Client
import Messages
import Model

extension Command {
  static let mark = Command(
    name: "mark", summary: "mark an album, track or artist for deletion",
    discussion: """
      Lunara itself never deletes or changes music. `lunara marks` shows what helps to decide, and writes out what you
      confirm, for you to delete.
      """,
    examples: [
      "lunara mark files:a3 \"The FLAC is better.\"": "with a reason",
      "lunara mark files:a3 --because \"Never heard.\"": "the same",
    ],
    takes: .text("--because", "TEXT", help: "the reason"),
    .subject("ID [REASON]", help: "the album, track or artist, and the reason")
  ) { client, console, because, subject in
    let mark = try await client.ask(Library.MarkForDeletion(id: subject.id, reason: subject.text ?? because))
    try console.print(mark.json, Table([mark.row]), ifEmpty: "")
  }

  static let marks = Command(
    name: "marks", summary: "what is marked for deletion, with size, plays and duplicates",
    examples: [
      "lunara marks": "what is to be decided, and what is confirmed", "lunara marks keep 4": "it stays",
      "lunara marks confirm 4": "it is to be deleted, by you",
      "lunara marks export --form script": "a script to read, in which nothing is deleted yet",
    ],
    takes: .choice(
      "--state", "STATE", [Library.MarkState.marked, .kept, .confirmed],
      help: "marked, kept or confirmed; else the first and last"), .pages,
    commands: [keepMark, confirmMark, reopenMark, exportMarks]
  ) { client, console, state, pages in
    let items = try await pages.all { after, limit in
      let page = try await client.ask(Library.ListMarks(state: state, after: after, limit: limit))
      return (page.items, page.next)
    }
    try console.print(.list(items), Table(items), ifEmpty: "Nothing is marked. `lunara mark ID` marks an album.")
  }

  private static let keepMark = decision("keep", .kept, "keep what is marked; the mark leaves the list")
  private static let confirmMark = decision("confirm", .confirmed, "confirm that it is to be deleted, by you")
  private static let reopenMark = decision("reopen", .marked, "decide again later")

  private static func decision(_ name: String, _ state: Library.MarkState, _ summary: String) -> Command {
    numbered(name, summary, "mark") { client, number in
      try await client.ask(Library.DecideMark(mark: number, state: state))
    }
  }

  /// Returns a command that changes marks or todos by their numbers, and shows them as they are then.
  ///
  /// - Parameter noun: what has the numbers, in the singular.
  static func numbered<Changed: TableRow & MessageShaped & Sendable>(
    _ name: String, _ summary: String, _ noun: String,
    _ change: @escaping @Sendable (Client, Int64) async throws -> Changed
  ) -> Command {
    Command(
      name: name, summary: summary,
      examples: ["lunara \(noun)s \(name) 4": "by the number that `lunara \(noun)s` shows"],
      takes: .operands("NUMBER", help: "the numbers of \(noun)s")
    ) { client, console, words in
      var changed: [Changed] = []
      for word in words { changed.append(try await change(client, try Arguments.number(word, noun))) }
      try console.print(.list(changed), Table(changed), ifEmpty: "")
    }
  }

  private static let exportMarks = Command(
    name: "export", summary: "write out the files of confirmed marks",
    examples: [
      "lunara marks export": "paths, one a line",
      "lunara marks export --form script": "a script in which every deletion is commented out",
      "lunara marks export --form ids": "the ids that servers have for them",
    ],
    takes: .choice(
      "--form", "FORM", [Library.ExportMarks.Form.paths, .script, .ids],
      help: "paths, a script to read, or ids at servers")
  ) { client, console, chosen in
    let form = chosen ?? .paths
    var (text, items, leftOut) = ("", 0, 0)
    var after: String?
    repeat {
      let part = try await client.ask(Library.ExportMarks(form: form, after: after))
      text = text + part.text
      items = items + part.items
      leftOut = leftOut + part.leftOut
      after = part.next
    } while after != nil
    console.print(
      .object(["form": .text(form.rawValue), "items": .count(items), "leftOut": .count(leftOut), "text": .text(text)]
      ), text: text)
    guard leftOut > 0 else { return }
    console.remark(
      "\(Printable.count(leftOut, "file")) left out: a file of several albums, or a path that cannot be written down safely."
    )
  }
}

extension Library.Mark: TableRow {
  var row: [Table.Cell] {
    let twins = duplicates.map { "\($0.id) \($0.formats.joined(separator: ", "))" }.joined(separator: "; ")
    return [
      .number("\(mark)"), .strong(on.words), .init(text), .init(state.rawValue),
      .number(bytes.map { "\($0 >> 20) MiB" } ?? ""), .number(Printable.count(plays, "play")),
      .faint(lastHeard?.local ?? "never heard"), .faint(quality ?? ""), .faint(twins.isEmpty ? "" : "also \(twins)"),
    ]
  }
}
