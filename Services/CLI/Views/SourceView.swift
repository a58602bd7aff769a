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
        ]).with("isFromSettings", section.isFromSettings.map { .bool($0) } ?? .null)
      })
  }

  /// Prints it for people.
  func print(to console: Console, at now: Timestamp) {
    var table = Table()
    status.add(to: &table, at: now)
    console.print(table)
    let facts = [
      account.map { "signed in as \(Printable.line($0))" }, status.address.map { Printable.line($0) },
      isFromSettings && sections.allSatisfy { $0.isFromSettings == nil } ? "from the settings" : nil,
    ].compactMap(\.self)
    if !facts.isEmpty { console.print("  \(console.style.faint(facts.joined(separator: ", ")))\n") }
    table = Table()
    for section in sections {
      table.add(
        Table.Cell("  " + (section.isOn ? "on" : "off"), section.isOn ? .good : .faint), .strong(section.title),
        .number("\(section.tracks) tracks"), .faint(section.note))
    }
    if !table.isEmpty { console.print(table) }
  }
}

extension Library.SourceDetail.Section {
  /// What a person needs beside its title: a server's key for it, or that a folder is not removed here.
  fileprivate var note: String {
    if isFromSettings == true { return "from the settings" }
    return key == title ? "" : key
  }
}
