import Bus
import Client
import Messages
import Model

extension HouseholdStatus {
  /// Prints it for people.
  func print(to console: Console, at now: Timestamp) {
    let style = console.style
    func heading(_ text: String) { console.print("\n" + style.faint(text) + "\n") }
    func problem(_ error: LunaraError) {
      console.print("  \(style.notable("!")) \(Printable.line(error.message)) \(style.faint(error.code))\n")
    }
    var table = Table()
    for node in nodes { node.add(to: &table) }
    console.print(style.faint("nodes") + "\n")
    console.print(table)
    nodes.compactMap(\.presence?.problem).forEach(problem)
    table = Table()
    for room in rooms { room.add(to: &table) }
    heading("rooms")
    console.print(table)
    table = Table()
    for source in catalogue?.sources ?? [] { source.add(to: &table, at: now) }
    heading("sources")
    console.print(table)
    for source in catalogue?.sources ?? [] {
      source.printRuns(to: console, at: now)
      source.problems.forEach(problem)
      if source.problemCount > source.problems.count {
        console.print(
          style.faint("  and \(source.problemCount - source.problems.count) more, in the library's log") + "\n")
      }
    }
    guard let outbox else { return }
    heading("scrobbles")
    console.print("\(outbox.counted) counted, \(outbox.pending) to be sent, \(outbox.failed) refused\n")
    table = Table()
    for account in outbox.accounts ?? [] { account.add(to: &table) }
    if !table.isEmpty { console.print(table) }
    (outbox.accounts ?? []).compactMap(\.error).forEach(problem)
  }
}

extension NodeStatus {
  /// Adds a row to a table.
  fileprivate func add(to table: inout Table) {
    table.add(
      .strong(id.description),
      Table.Cell(isAway ? "does not answer" : "up \(uptime?.spoken ?? "")", isAway ? .bad : .good),
      .faint("pid \(presence?.pid ?? pid ?? 0)"), .faint(presence?.version ?? ""),
      .faint(presence?.journal.map { "journal \($0.seq)" } ?? ""), .faint(presence?.endpoints?.requests ?? ""),
      Table.Cell((presence?.lag ?? 0) > 0 ? "\(presence?.lag ?? 0) facts behind" : "", .notable))
  }
}

extension Library.SyncCounts {
  /// One line for people on what a refresh came to.
  var line: String {
    let seconds = (seconds * 10).rounded() / 10
    return "\(new) new, \(changed) changed, \(unchanged) unchanged, \(deleted) deleted, in \(seconds) s"
  }
}

extension Library.SourceStatus {
  /// Prints where a source is, and what its last refreshes did.
  fileprivate func printRuns(to console: Console, at now: Timestamp) {
    let facts = [address.map { Printable.line($0) }, method.map { "last asked by \($0)" }].compactMap(\.self)
    if !facts.isEmpty { console.print("  \(console.style.faint(facts.joined(separator: ", ")))\n") }
    for run in runs ?? [] {
      let line = "\((now - run.startedAt).spoken) ago: \(run.counts.line)"
      console.print("  \(console.style.faint(line))\n")
    }
  }

  /// Adds a row to a table.
  fileprivate func add(to table: inout Table, at now: Timestamp) {
    let progress = self.progress.map { " \($0.done)\($0.total.map { " of \($0)" } ?? "")" } ?? ""
    table.add(
      .strong(name), Table.Cell(health + progress, health == "ready" ? .good : .notable),
      .number("\(albums) albums"), .number("\(tracks) tracks"),
      .faint(lastRefreshed.map { "refreshed \((now - $0).spoken) ago" } ?? "never refreshed"),
      Table.Cell(problemCount == 0 ? "" : "\(problemCount) problems", .notable))
  }
}

extension Library.SourceDetail {
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
  /// A remark beside the title: a server's key for the section, or that a folder is not removed here.
  fileprivate var note: String {
    if isFromSettings == true { return "from the settings" }
    return key == title ? "" : key
  }
}
