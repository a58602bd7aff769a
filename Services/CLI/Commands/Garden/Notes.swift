import Bus
import Client
import Messages
import Model
import System

extension Option {
  static let inNotes = Option("--notes", help: "search your notes as well")
  fileprivate static let session = Option("--session", help: "about the last listening of the album")
  fileprivate static let position = Option("--at", "SECONDS", help: "about this passage of the track")
  fileprivate static let editedVersion = Option(
    "--version-of-text", "N", help: "the version that you edit; else the one that is there now")
  fileprivate static let back = Option("--undo", help: "bring it back")
  fileprivate static let playing = Option("--album", "ID", help: "those of an album that plays")
  fileprivate static let on = Option(
    "--on", "ID", help: "only those about this album, track or artist", completes: .household(.playables))
}

extension Command {
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
    options: [.session, .position, .room],
    operand: Operand(
      name: "ID [TEXT]", count: 1...1000, help: "the album, track or artist, and the text",
      completes: .household(.playables)),
    action: .asynchronous { context in
      let words = context.arguments.operands
      let text = words.count > 1 ? words.dropFirst().joined(separator: " ") : try standardInput()
      let position = try context.arguments.value(.position).map { word in
        guard let seconds = Double(word), seconds >= 0 else {
          throw UsageError("--at takes seconds from the beginning of the track, not “\(word)”.")
        }
        return Milliseconds(seconds: seconds)
      }
      let client = try await Client(context)
      guard let id = try await client.playables([words[0]]).first else { return }
      let room = try context.arguments.value(.room).map { word in
        guard let room = RoomName(word) else { throw UsageError("“\(word)” is not a room's name.") }
        return room
      }
      let note = try await client.ask(
        Library.WriteNote(
          id: id, text: text, isOfSession: context.arguments.has(.session) ? true : nil, room: room,
          position: position), of: .library)
      try context.console.print(note.json, text: note.shown(on: context.console))
    })

  static let notes = Command(
    name: "notes", summary: "what you wrote, the latest first",
    examples: [
      "lunara notes": "all", "lunara notes rain": "those with a word that begins with “rain”",
      "lunara notes files:a3": "those about an album, its sessions and its tracks",
    ],
    options: [.on, .after, .limit],
    operand: Operand(name: "WORDS", count: 0...100, help: "words of the notes, or the id of what they are about"),
    commands: [showNote, editNote, deleteNote, dueNotes],
    action: .asynchronous { context in
      let words = context.arguments.operands
      var id = try context.arguments.value(.on).map { word in
        guard let id = PlayableID(word) else { throw UsageError("--on takes an id such as files:a3, not “\(word)”.") }
        return id
      }
      if id == nil, words.count == 1 { id = TitleChoice.id(words[0]) }
      let isID = words.count == 1 && TitleChoice.id(words[0]) != nil
      let client = try await Client(context)
      let items = try await pages(context) { after, limit in
        let page = try await client.ask(
          Library.ListNotes(
            id: id, words: isID || words.isEmpty ? nil : words.joined(separator: " "), after: after, limit: limit),
          of: .library)
        return (page.items, page.next)
      }
      let console = context.console
      try console.print(.list(items), text: items.map { $0.shown(on: console) }.joined(separator: "\n"))
      if items.isEmpty { console.note("There are no notes. `lunara note ID TEXT` writes one.") }
    })

  private static let showNote = Command(
    name: "show", summary: "a note, with the texts that it had before",
    examples: ["lunara notes show 4": "by the number that `lunara notes` shows"],
    operand: .one("NUMBER", help: "the number of the note"),
    action: .asynchronous { context in
      let number = try context.arguments.number(0, "note")
      let history = try await Client(context).ask(Library.ReadNote(note: number), of: .library)
      let console = context.console
      let texts = history.texts.map { text in
        let kind = (text.isRefused ?? false) ? "not taken, as the note had changed" : "before"
        return console.style.faint("version \(text.version), \(kind), \(text.at.local)") + "\n"
          + paragraphs(text.text)
      }
      try console.print(history.json, text: ([history.note.shown(on: console)] + texts).joined(separator: "\n"))
    })

  private static let editNote = Command(
    name: "edit", summary: "replace the text of a note; the former one is kept",
    examples: ["lunara notes edit 4 \"The rain on the first side.\"": "by its number"],
    options: [.editedVersion],
    operand: Operand(name: "NUMBER [TEXT]", count: 1...1000, help: "the number of the note, and its new text"),
    action: .asynchronous { context in
      let words = context.arguments.operands
      let number = try context.arguments.number(0, "note")
      let text = words.count > 1 ? words.dropFirst().joined(separator: " ") : try standardInput()
      let client = try await Client(context)
      var version = try context.arguments.integer(.editedVersion, in: 1...Int.max)
      if version == nil { version = try await client.ask(Library.ReadNote(note: number), of: .library).note.version }
      let note = try await client.ask(
        Library.EditNote(note: number, text: text, version: version ?? 1), of: .library)
      try context.console.print(note.json, text: note.shown(on: context.console))
    })

  private static let deleteNote = Command(
    name: "delete", summary: "delete a note, or bring it back",
    examples: ["lunara notes delete 4": "by its number", "lunara notes delete 4 --undo": "brings it back"],
    options: [.back],
    operand: .one("NUMBER", help: "the number of the note"),
    action: .asynchronous { context in
      let number = try context.arguments.number(0, "note")
      let isBack = context.arguments.has(.back)
      _ = try await Client(context).ask(
        Library.DeleteNote(note: number, isTakenBack: isBack ? true : nil), of: .library)
      context.console.print(
        .object(["note": .count(number), "deleted": .bool(!isBack)]),
        text: isBack ? "Note \(number) is back.\n" : "Note \(number) is deleted; --undo brings it back.\n")
    })

  private static let dueNotes = Command(
    name: "due", summary: "what you wrote a year ago or more, and did not see for two weeks",
    examples: [
      "lunara notes due": "anniversaries within three days", "lunara notes due --album files:a3": "those of an album",
    ],
    options: [.playing, .limit],
    action: .asynchronous { context in
      let album = try context.arguments.value(.playing).map { word in
        guard let id = AlbumID(word) else { throw UsageError("--album takes an id such as files:a3, not “\(word)”.") }
        return id
      }
      let client = try await Client(context)
      let due = try await client.ask(
        Library.ListDueNotes(album: album, limit: try context.arguments.integer(.limit, in: 1...50) ?? 5),
        of: .library)
      let console = context.console
      try console.print(
        due.json,
        text: due.items.map { console.style.strong($0.reason) + "\n" + $0.note.shown(on: console) }.joined(
          separator: "\n"))
      if due.items.isEmpty { return console.note("Nothing comes back today.") }
      _ = try await client.ask(Library.KeepNotesShown(notes: due.items.map(\.note.note)), of: .library)
    })

  /// Returns all text of standard input.
  private static func standardInput() throws -> String {
    do {
      return String(decoding: try Files.read("/dev/stdin", limit: 64 << 10), as: UTF8.self)
    } catch {
      throw UsageError("The text on standard input cannot be read, or has more than 64 KiB.")
    }
  }

  /// Returns the items of all pages, or as many as `--limit` says from `--after` on.
  static func pages<Item>(
    _ context: Context, _ read: (String?, Int) async throws -> (items: [Item], next: String?)
  ) async throws -> [Item] {
    let most = try context.arguments.integer(.limit, in: 1...100_000) ?? .max
    var after = context.arguments.value(.after)
    var items: [Item] = []
    repeat {
      let page = try await read(after, min(200, most - items.count))
      items += page.items
      after = page.next
    } while after != nil && items.count < most
    return items
  }

  /// Returns a text of several lines, each safe for a terminal.
  static func paragraphs(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \(Printable.line(String($0)))\n" }.joined()
  }
}

extension Arguments {
  /// Returns the number of a thing that an operand names.
  func number(_ index: Int, _ thing: String) throws -> Int64 {
    guard let number = Int64(operands[index]), number > 0 else {
      throw UsageError("A \(thing) is named by its number, not “\(operands[index])”.")
    }
    return number
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
