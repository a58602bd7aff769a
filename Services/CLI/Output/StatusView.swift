import Bus
import Client
import Messages
import Model

extension HouseholdStatus {
  func print(to console: Console, at now: Timestamp) {
    let style = console.style
    func heading(_ text: String) { console.print("\n" + style.faint(text) + "\n") }
    func problem(_ error: LunaraError) { error.print(to: console) }
    let sources = catalogue?.sources ?? []
    console.print(style.faint("nodes") + "\n")
    console.print(Table(nodes))
    for node in nodes {
      if let error = node.presence?.problem { problem(LunaraError(error.code, "\(node.id): \(error.message)")) }
    }
    heading("rooms")
    console.print(Table(rooms))
    heading("sources")
    console.print(Table(sources.map { $0.row(at: now) }))
    for source in sources {
      source.printRuns(to: console, at: now)
      source.printProblems(to: console, upTo: source.problems.count)
    }
    guard let outbox else { return }
    heading("scrobbles")
    console.print("\(outbox.counted) counted, \(outbox.pending) to be sent, \(outbox.failed) refused\n")
    console.print(Table(outbox.accounts ?? []))
    for account in outbox.accounts ?? [] {
      if let error = account.error { problem(LunaraError(error.code, "\(account.name): \(error.message)")) }
    }
  }
}

extension LunaraError {
  /// Prints a problem of a node, a source or an account on a line.
  fileprivate func print(to console: Console) {
    let style = console.style
    console.print("  \(style.notable("!")) \(Printable.line(message)) \(style.faint(code))\n")
  }
}

extension NodeStatus: TableRow {
  var row: [Table.Cell] {
    [
      .strong(id.description),
      .init(isAway ? "does not answer" : uptime.map { "up \($0.text)" } ?? "up", isAway ? .bad : .good),
      .faint("pid \(presence?.pid ?? pid ?? 0)"), .faint(presence?.version ?? ""),
      .faint(presence?.journal.map { "journal \($0.seq)" } ?? ""), .faint(presence?.endpoints?.requests ?? ""),
      .init((presence?.lag ?? 0) > 0 ? "\(presence?.lag ?? 0) facts behind" : "", .notable),
    ]
  }
}

extension Library.SyncCounts {
  var line: String {
    let seconds = (seconds * 10).rounded() / 10
    let leftOut = [("no music", unused), ("ignored", ignored)].compactMap { words, count in
      count.flatMap { $0 > 0 ? "\($0) \(words), " : nil }
    }.joined()
    return "\(new) new, \(changed) changed, \(unchanged) unchanged, \(deleted) deleted, \(leftOut)in \(seconds) s"
  }
}

extension Library.SourceStatus {
  fileprivate func printRuns(to console: Console, at now: Timestamp) {
    let facts = [address.map { Printable.line($0) }, method.map { "last asked by \($0)" }].compactMap(\.self)
    if !facts.isEmpty { console.print("  \(console.style.faint(facts.joined(separator: ", ")))\n") }
    printLeftOut(to: console)
    for run in runs ?? [] {
      let line = "\(run.startedAt.ago(at: now)): \(run.counts.line)"
      console.print("  \(console.style.faint(line))\n")
    }
  }

  /// Prints how many files are no music or are left out, where there are such.
  fileprivate func printLeftOut(to console: Console) {
    let known = [
      unused.flatMap { $0 > 0 ? "\(Printable.count($0, "file")) no music" : nil },
      ignored.flatMap { $0 > 0 ? "\($0) left out by rules" : nil },
    ].compactMap(\.self)
    guard !known.isEmpty else { return }
    console.print("  \(console.style.faint("also found: " + known.joined(separator: ", ")))\n")
  }

  /// Prints the first problems, and the command that lists the others.
  fileprivate func printProblems(to console: Console, upTo limit: Int) {
    for error in problems.prefix(limit) { error.print(to: console) }
    let more = problemCount - min(limit, problems.count)
    if more > 0 { console.print(console.style.faint("  and \(more) more: `lunara problems`") + "\n") }
  }

  fileprivate func row(at now: Timestamp) -> [Table.Cell] {
    let progress = self.progress.map { " \($0.done)\($0.total.map { " of \($0)" } ?? "")" } ?? ""
    return [
      .strong(name), .init(health + progress, health == "ready" ? .good : .notable),
      .number(Printable.count(albums, "album")), .number(Printable.count(tracks, "track")),
      .faint(lastRefreshed.map { "refreshed \($0.ago(at: now))" } ?? "never refreshed"),
      .init(problemCount == 0 ? "" : Printable.count(problemCount, "problem"), .notable),
    ]
  }
}

extension Library.SourceDetail {
  /// The number of problems that are shown of each source.
  private static let shownProblems = 3

  func print(to console: Console, at now: Timestamp) {
    console.print(Table([status.row(at: now)]))
    status.printLeftOut(to: console)
    let facts = [
      account.map { "signed in as \(Printable.line($0))" }, status.address.map { Printable.line($0) },
      isFromSettings && sections.allSatisfy { $0.isFromSettings == nil } ? "from the settings" : nil,
    ].compactMap(\.self)
    if !facts.isEmpty { console.print("  \(console.style.faint(facts.joined(separator: ", ")))\n") }
    status.printProblems(to: console, upTo: Self.shownProblems)
    console.print(
      Table(
        sections.map {
          [
            .init("  " + ($0.isOn ? "on" : "off"), $0.isOn ? .good : .faint), .strong($0.title),
            .number(Printable.count($0.tracks, "track")), .faint($0.note),
          ]
        }))
  }
}

extension Library.SourceDetail.Section {
  /// The remark beside the title: a section's key at its server, or that the section is set in the settings.
  fileprivate var note: String { isFromSettings == true ? "from the settings" : key == title ? "" : key }
}
