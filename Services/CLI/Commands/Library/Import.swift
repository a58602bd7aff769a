import Client
import Messages
import Model

extension Command {
  static let importing = Command(
    name: "import", summary: "take over what other players wrote into your music files",
    examples: [
      "lunara import ratings --dry-run": "what would be rated",
      "lunara import plays --dry-run": "whose count of plays would be raised",
    ],
    commands: [importRatings, importPlays])

  private static let importRatings = Command(
    name: "ratings", summary: "take over the ratings in the tags of your music files",
    discussion: """
      Reads POPM, RATING, FMPS_RATING and the ratings of MP4 and Windows Media files, as the last scan found them. A
      track that you rated here keeps its rating, and one that a server rates is left out. Files are not changed.
      --undo gives each track its rating from before the last import, unless you rated it since.
      """,
    examples: [
      "lunara import ratings --dry-run": "what would be rated",
      "lunara import ratings --folder /music/Jazz": "one folder",
      "lunara import ratings --replace": "the ratings of the tags go before those given here",
      "lunara import ratings --undo": "takes the last import back",
    ],
    takes: .text("--folder", "PATH", help: "only files in this folder and below it"),
    .flag("--replace", help: "also where you gave another rating here"),
    .flag("--undo", help: "take the last import back"),
    .flag("--dry-run", help: "change nothing, and say what would change"),
    refuses: undoIsWhole
  ) { client, console, folder, replaces, isUndone, isDryRun in
    if isUndone { return try await undo(.ratings, isDryRun, client, console) }
    let result = try await client.ask(
      Library.ImportRatings(folder: folder.map(LocalPath.init(given:)), replaces: replaces, isDryRun: isDryRun))
    console.print(result.json.with(["isDryRun": isDryRun]), text: result.text(isDryRun: isDryRun))
  }

  private static let importPlays = Command(
    name: "plays", summary: "take over the counts of plays in the tags of your music files",
    discussion: """
      Reads the counters of POPM and PCNT, PLAYCOUNT and FMPS_PLAYCOUNT, as the last scan found them. The count of a
      track is added to what was heard here wherever plays are counted, once: a later import raises it where a file has
      a higher count, and never lowers it. Nothing is scrobbled, and files are not changed. --undo takes the last import
      back.
      """,
    examples: [
      "lunara import plays --dry-run": "whose count would be raised",
      "lunara import plays --folder /music/Jazz": "one folder",
      "lunara import plays --undo": "takes the last import back",
    ],
    takes: .text("--folder", "PATH", help: "only files in this folder and below it"),
    .flag("--undo", help: "take the last import back"),
    .flag("--dry-run", help: "change nothing, and say what would change"),
    refuses: undoIsWhole
  ) { client, console, folder, isUndone, isDryRun in
    if isUndone { return try await undo(.plays, isDryRun, client, console) }
    let result = try await client.ask(
      Library.ImportPlays(folder: folder.map(LocalPath.init(given:)), isDryRun: isDryRun))
    console.print(result.json.with(["isDryRun": isDryRun]), text: result.text(isDryRun: isDryRun))
  }

  private static let undoIsWhole = [
    Refusal("--undo takes the whole last import back; give neither --folder nor --replace with it.") {
      $0.has("--undo") && ($0.has("--folder") || $0.has("--replace"))
    }
  ]

  private static func undo(
    _ kind: Library.ImportKind, _ isDryRun: Bool, _ client: Client, _ console: Console
  ) async throws {
    let result = try await client.ask(Library.UndoImport(of: kind, isDryRun: isDryRun))
    console.print(result.json.with(["isDryRun": isDryRun]), text: result.text(of: kind, isDryRun: isDryRun))
  }
}

extension LocalPath {
  /// Creates the path that a person gave, as a path or as a `file:` address.
  init(given text: String) { self = LocalPath(url: text) ?? LocalPath(text) }
}

private func tracks(_ count: Int) -> String { Printable.count(count, "track") }

extension Library.ImportedPlays {
  fileprivate func text(isDryRun: Bool) -> String {
    guard found > 0 else { return "No file counts plays in its tags.\n" }
    var lines = [
      "The tags of \(tracks(found)) count plays.",
      "The count of \(tracks(raised)) \(isDryRun ? "would be" : "was") raised, by \(Printable.count(plays, "play")) together.",
    ]
    if same > 0 { lines.append("\(tracks(same)) had this count already.") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Library.UndoneImport {
  fileprivate func text(of kind: Library.ImportKind, isDryRun: Bool) -> String {
    let value = kind == .ratings ? "rating" : "count of plays"
    guard let importedAt else { return "No \(value) was imported that could be taken back.\n" }
    var lines = [
      "\(tracks(undone)) \(isDryRun ? "would have" : undone == 1 ? "has" : "have") the \(value) from before the import of \(importedAt.local) again."
    ]
    if kept > 0 { lines.append("\(tracks(kept)) kept the \(value), as it was changed since.") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Library.ImportedRatings {
  fileprivate func text(isDryRun: Bool) -> String {
    guard found > 0 else { return "No file has a rating in its tags.\n" }
    var lines = [
      "The tags of \(tracks(found)) have a rating.",
      "\(tracks(rated)) \(isDryRun ? "would be" : rated == 1 ? "was" : "were") rated.",
    ]
    if same > 0 { lines.append("\(tracks(same)) had the same rating already.") }
    if kept > 0 { lines.append("\(tracks(kept)) kept another rating that was given here; --replace changes that.") }
    if atServers > 0 { lines.append("\(tracks(atServers)) kept the rating of a server.") }
    if unclear > 0 { lines.append("The rating of \(tracks(unclear)) is written in a way that Lunara does not know.") }
    return lines.joined(separator: "\n") + "\n"
  }
}
