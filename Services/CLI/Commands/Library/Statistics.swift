import Client
import Messages
import Model

extension Command {
  static let statistics = Command(
    name: "statistics", summary: "what was heard most, how long and when",
    examples: [
      "lunara statistics": "of the whole history",
      "lunara statistics --from 2026-01-01 --to 2026-12-31": "of a year, beside the year before",
      "lunara statistics --limit 50 --json": "longer lists, as JSON",
    ],
    takes: .text(
      "--from", "DAY", help: "the first day, such as 2026-01-01; from the first listen on where it is left out"),
    .text("--to", "DAY", help: "the last day; today where it is left out"), .integer(.limit, in: 1...100)
  ) { client, console, first, last, limit in
    let statistics = try await client.ask(Library.ReadStatistics(from: first, to: last, limit: limit ?? 10))
    console.isJSON ? console.print(statistics.json) : statistics.print(to: console)
  }
}

extension Library.Statistics {
  fileprivate func print(to console: Console) {
    guard firstDay != nil else { return console.remark("Nothing was heard yet.") }
    console.print(console.style.strong("\(from) to \(to)") + "\n")
    console.print(totals.line + "\n")
    if let before { console.print(console.style.faint("the period before: " + before.line) + "\n") }
    for (name, rows) in [
      ("artists", artists), ("albums", albums), ("tracks", tracks), ("genres", genres), ("rediscovered", rediscovered),
    ] where !rows.isEmpty {
      console.print("\n" + console.style.faint(name) + "\n")
      console.print(Table(rows))
    }
    console.print("\n" + console.style.faint("time") + "\n")
    console.print(
      Table(steps.map { [.strong($0.name), .number(Printable.count($0.plays, "play")), .number($0.heard.text)] }))
  }
}

extension Library.Statistics.Totals {
  fileprivate var line: String {
    [
      Printable.count(plays, "play"), heard.text, Printable.count(artists, "artist"), Printable.count(albums, "album"),
      Printable.count(tracks, "track"), "\(firstHeard) of them for the first time", Printable.count(days, "day"),
    ].joined(separator: " · ")
  }
}

extension Library.Statistics.Row: TableRow {
  var row: [Table.Cell] {
    [
      .faint(key == title || isHere == false ? "" : key), .strong(title), .init(artist ?? ""),
      .number(Printable.count(plays, "play")), .number(heard.text),
      .faint(lastBefore.map { "last heard \($0.local)" } ?? ""),
    ]
  }
}
