import Client
import Messages
import Model
import System

extension Option {
  static let inNotes = Option("--notes", help: "only your notes")
}

extension Command {
  private static let position = Option("--at", "SECONDS", help: "about this passage of the track")

  static let note = Command(
    name: "note", summary: "write what you think of an album, track or artist",
    discussion: """
      A text of paragraphs, with *emphasis* where you like it, of at most 64 KiB. Without TEXT it is read from standard
      input. `lunara notes` lists what you wrote.
      """,
    examples: [
      "lunara note files:a3 \"The rain on the second side.\"": "about an album",
      "lunara note files:a3 --session \"With Ada, in the dark.\"": "about the last listening of it",
      "lunara note files:t12 --at 83 \"This turn.\"": "about a passage",
    ],
    takes: .flag("--session", help: "about the last listening of the album"),
    Parameter(position) {
      try $0.value(position).map { word in
        guard let seconds = Double(word), seconds >= 0 else {
          throw UsageError("--at takes seconds from the beginning of the track, not “\(word)”.")
        }
        return Milliseconds(seconds: seconds)
      }
    },
    Parameter(.room) {
      try $0.value(.room).map { try RoomName($0).orUsage("“\($0)” is not a room's name.") }
    }, .subject("ID [TEXT]", help: "the album, track or artist, and the text")
  ) { client, console, isOfSession, position, room, subject in
    let text = try subject.text ?? standardInput()
    let note = try await client.ask(
      Library.WriteNote(
        id: subject.id, text: text, isOfSession: isOfSession ? true : nil, room: room, position: position))
    try console.print(note.json, text: note.shown(on: console))
  }

  static let notes = Command(
    name: "notes", summary: "what you wrote, the latest first",
    examples: [
      "lunara notes": "all", "lunara notes rain": "those with a word that begins with “rain”",
      "lunara notes files:a3": "those about an album, its sessions and its tracks",
    ],
    takes: .id(
      Option("--on", "ID", help: "only those about this album, track or artist", completes: .household(.playables)),
      PlayableID.init), .pages,
    .operands("WORDS", 0...100, help: "words of the notes, or the id of what they are about"),
    commands: [showNote, editNote, deleteNote, dueNotes]
  ) { client, console, on, pages, words in
    let given = words.count == 1 ? TitleChoice.id(words[0]) : nil
    let items = try await pages.all { after, limit in
      let page = try await client.ask(
        Library.ListNotes(
          id: on ?? given, words: given != nil || words.isEmpty ? nil : words.joined(separator: " "), after: after,
          limit: limit))
      return (page.items, page.next)
    }
    try console.print(.list(items), text: items.map { $0.shown(on: console) }.joined(separator: "\n"))
    guard items.isEmpty else { return }
    if let about = on ?? given { return console.remark("There are no notes about \(about).") }
    console.remark(
      words.isEmpty
        ? "There are no notes. `lunara note ID TEXT` writes one." : "No note has “\(words.joined(separator: " "))”.")
  }

  private static let showNote = Command(
    name: "show", summary: "a note, with the texts that it had before",
    examples: ["lunara notes show 4": "by the number that `lunara notes` shows"],
    takes: .number("note")
  ) { client, console, number in
    let history = try await client.ask(Library.ReadNote(note: number))
    let texts = history.texts.map { text in
      let kind = (text.isRefused ?? false) ? "not taken, as the note had changed" : "before"
      return console.style.faint("version \(text.version), \(kind), \(text.at.local)") + "\n"
        + paragraphs(text.text)
    }
    try console.print(history.json, text: ([history.note.shown(on: console)] + texts).joined(separator: "\n"))
  }

  private static let editNote = Command(
    name: "edit", summary: "replace the text of a note; the former one is kept",
    examples: ["lunara notes edit 4 \"The rain on the first side.\"": "by its number"],
    takes: .integer(
      "--version-of-text", in: 1...Int.max, help: "the version that you edit; else the one that is there now"),
    Parameter(
      operand: Operand(name: "NUMBER [TEXT]", count: 1...1000, help: "the number of the note, and its new text")
    ) { (number: try Arguments.number($0.operands[0], "note"), text: try $0.text() ?? standardInput()) }
  ) { client, console, edited, given in
    var version = edited ?? 1
    if edited == nil { version = try await client.ask(Library.ReadNote(note: given.number)).note.version }
    let note = try await client.ask(Library.EditNote(note: given.number, text: given.text, version: version))
    try console.print(note.json, text: note.shown(on: console))
  }

  private static let deleteNote = Command(
    name: "delete", summary: "delete a note, or bring it back",
    examples: ["lunara notes delete 4": "by its number", "lunara notes delete 4 --undo": "brings it back"],
    takes: .flag("--undo", help: "bring it back"), .number("note")
  ) { client, console, isBack, number in
    _ = try await client.ask(Library.DeleteNote(note: number, isTakenBack: isBack ? true : nil))
    console.print(
      ["note": number, "deleted": !isBack],
      text: isBack ? "Note \(number) is back.\n" : "Note \(number) is deleted; --undo brings it back.\n")
  }

  private static let dueNotes = Command(
    name: "due", summary: "what you wrote a year ago or more, and did not see for two weeks",
    examples: [
      "lunara notes due": "anniversaries within three days", "lunara notes due --album files:a3": "those of an album",
    ],
    takes: .id(Option("--album", "ID", help: "those of an album that plays"), AlbumID.init),
    .integer(.limit, in: 1...50)
  ) { client, console, album, limit in
    let due = try await client.ask(Library.ListDueNotes(album: album, limit: limit ?? 5))
    try console.print(
      due.json,
      text: due.items.map { console.style.strong($0.reason) + "\n" + $0.note.shown(on: console) }.joined(
        separator: "\n"))
    if due.items.isEmpty { return console.remark("Nothing comes back today.") }
    _ = try await client.ask(Library.KeepNotesShown(notes: due.items.map(\.note.note)))
  }

  /// Returns all text of standard input.
  private static func standardInput() throws -> String {
    do {
      return String(decoding: try Files.read("/dev/stdin", limit: 64 << 10), as: UTF8.self)
    } catch {
      throw UsageError("The text on standard input cannot be read, or has more than 64 KiB.")
    }
  }

  /// Returns a text of several lines, each safe for a terminal.
  static func paragraphs(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \(Printable.line(String($0)))\n" }.joined()
  }
}

/// The items of all pages, or as many as `--limit` says from `--after` on.
struct Pages: Sendable {
  let (after, most): (String?, Int)

  func all<Item>(_ read: (String?, Int) async throws -> (items: [Item], next: String?)) async throws -> [Item] {
    var items: [Item] = []
    var after = after
    repeat {
      let page = try await read(after, min(200, most - items.count))
      items += page.items
      after = page.next
    } while after != nil && items.count < most
    return items
  }
}

extension Parameter {
  static var pages: Parameter<Pages> {
    Parameter<Pages>(.after, .limit) {
      Pages(after: $0.value(.after), most: try $0.integer(.limit, in: 1...100_000) ?? .max)
    }
  }

  fileprivate static func id<ID: Sendable>(
    _ option: Option, _ read: @escaping @Sendable (String) -> ID?
  ) -> Parameter<ID?> {
    Parameter<ID?>(option) {
      try $0.value(option).map { try read($0).orUsage("\(option.name) takes an id such as files:a3, not “\($0)”.") }
    }
  }

  /// The album, track or artist of the first operand, and the text that the others make; nil without them.
  static func subject(_ name: String, help: String) -> Parameter<(id: PlayableID, text: String?)> {
    let operand = Operand(name: name, count: 1...1000, help: help, completes: .household(.playables))
    return .init(operand: operand) { arguments in
      { client, _ in (try await client.playables([arguments.operands[0]])[0], arguments.text()) }
    }
  }
}

extension Arguments {
  /// The operands behind the first as one text; nil without them.
  fileprivate func text() -> String? {
    operands.count > 1 ? operands.dropFirst().joined(separator: " ") : nil
  }
}

extension Library.GardenSubject {
  /// The thing in words.
  var words: String {
    let name = kind == .artist ? title : "\(title) – \(artist)"
    return Printable.line("\(name)  \(id)") + ((isHere ?? true) ? "" : "  (not in the library)")
  }
}

extension Library.Note {
  /// Returns the note for people: its subject and the time of writing, then its text.
  func shown(on console: Console) -> String {
    var head = "\(note)  \(on.words)  \(at.local)"
    if let session { head += "  session in \(session.room), \(Printable.count(session.listens.count, "track"))" }
    if let position { head += "  at \(position.seconds) s" }
    return console.style.faint(head) + "\n" + Command.paragraphs(text)
  }
}
