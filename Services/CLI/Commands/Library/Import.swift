import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let ratedFolder = Option("--folder", "PATH", help: "only files in this folder and below it")
  fileprivate static let replaceRating = Option("--replace", help: "also where you gave another rating here")
  fileprivate static let dryRun = Option("--dry-run", help: "change nothing, and say what would be rated")
}

extension Command {
  static let importing = Command(
    name: "import", summary: "take over what other players wrote into your music files",
    examples: ["lunara import ratings --dry-run": "what would be rated"],
    commands: [importRatings])

  private static let importRatings = Command(
    name: "ratings", summary: "take over the ratings in the tags of your music files",
    discussion: """
      Reads POPM, RATING, FMPS_RATING and the ratings of MP4 and Windows Media files, as the last scan found them. A
      track that you rated here keeps its rating, and one that a server rates is left out. Files are not changed.
      """,
    examples: [
      "lunara import ratings --dry-run": "what would be rated",
      "lunara import ratings --folder /music/Jazz": "one folder",
      "lunara import ratings --replace": "the ratings of the tags go before those given here",
    ],
    options: [.ratedFolder, .replaceRating, .dryRun],
    action: .asynchronous { context in
      let arguments = context.arguments
      let isDryRun = arguments.has(.dryRun)
      let folder = arguments.value(.ratedFolder).map { LocalPath(url: $0) ?? LocalPath($0) }
      let result = try await Client(context).ask(
        Library.ImportRatings(folder: folder, replaces: arguments.has(.replaceRating), isDryRun: isDryRun), of: .library
      )
      context.console.print(
        .object([
          "found": .count(result.found), "rated": .count(result.rated), "same": .count(result.same),
          "kept": .count(result.kept), "unclear": .count(result.unclear), "atServers": .count(result.atServers),
          "isDryRun": .bool(isDryRun),
        ]), text: result.text(isDryRun: isDryRun))
    })
}

extension Library.ImportedRatings {
  fileprivate func text(isDryRun: Bool) -> String {
    func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }
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
