import Messages
import Model

extension Library.SourceDetail {
  /// The shape of one of `sources`: its status, and what is set for it.
  var json: JSON {
    status.json.with("account", .text(account)).with("isFromSettings", .bool(isFromSettings)).with(
      "sections",
      .list(sections) { section in
        .object([
          "key": .text(section.key), "title": .text(section.title), "isOn": .bool(section.isOn),
          "tracks": .count(section.tracks),
        ])
      })
  }

  /// Prints it for people.
  func print(to console: Console, at now: Timestamp) {
    var table = Table()
    status.add(to: &table, at: now)
    console.print(table)
    let facts = [
      account.map { "signed in as \(Printable.line($0))" }, status.address.map { Printable.line($0) },
      isFromSettings ? "from the settings" : nil,
    ].compactMap(\.self)
    if !facts.isEmpty { console.print("  \(console.style.faint(facts.joined(separator: ", ")))\n") }
    table = Table()
    for section in sections {
      table.add(
        Table.Cell("  " + (section.isOn ? "on" : "off"), section.isOn ? .good : .faint), .strong(section.title),
        .number("\(section.tracks) tracks"), .faint(section.key == section.title ? "" : section.key))
    }
    if !table.isEmpty { console.print(table) }
  }
}
