import Bus
import Messages
import Model
import ServiceKit

extension Option {
  static let wait = Option("--wait", help: "stay until it is done, and print what changed")
}

extension Command {
  /// Refreshes sources.
  static let sync = Command(
    name: "sync", summary: "refresh the sources now",
    examples: [
      .init("lunara sync", "all sources; `lunara status` shows how far it is"),
      .init("lunara sync files --wait", "one source, with what changed"),
    ], options: [.wait],
    operand: Operand(name: "SOURCE", count: 0...1, help: "the source's name; all where none is given"),
    action: .asynchronous { context in
      let source = context.arguments.operands.first
      guard context.arguments.has(.wait) else {
        _ = try await BusHousehold(context).ask(Library.Sync(source: source), of: .library)
        context.console.isJSON
          ? context.console.print(.object(["started": .bool(true)]))
          : context.console.print("Refreshing \(source ?? "all sources"); `lunara status` shows how far it is.\n")
        return
      }
      try await refreshAndWait(context, source)
    })

  private static func refreshAndWait(_ context: Context, _ source: String?) async throws {
    let directory = try BusHousehold.directory(try context.settings())
    let node = try await Node.start(
      passerBy("sync"), in: directory, version: LunaraVersion.current, report: { context.console.report($0) })
    let console = context.console
    do {
      let finished = AsyncStream.makeStream(of: Library.SyncFinished.self)
      // From a moment before the refresh is asked for, so that its end cannot be missed.
      await node.follow("library", from: .since(.now())) { fact in
        do {
          if let end = try fact.decode(Library.SyncFinished.self) { finished.continuation.yield(end) }
        } catch {
          console.report(LunaraError(error))
        }
      }
      let status = try await node.state(Library.CatalogueState.self, of: .library)
      var waiting = Set(source.map { [$0] } ?? status?.value.sources.map(\.name) ?? [])
      _ = try await node.request(Library.Sync(source: source), to: .library)
      let progress = Task { await showProgress(of: node, on: console) }
      defer { progress.cancel() }
      for await end in finished.stream where waiting.remove(end.source) != nil {
        console.isJSON ? console.print(end.json) : console.print(end.line)
        if waiting.isEmpty { break }
      }
      if Task.isCancelled { throw CancellationError() }
      await node.close()
    } catch {
      await node.close()
      throw error
    }
  }

  /// Says now and then how far the refresh is, to people who watch a terminal.
  private static func showProgress(of node: Node, on console: Console) async {
    guard console.width != nil else { return }
    var last = ""
    for await states in await node.states(Library.CatalogueState.self) {
      for source in states.flatMap(\.value.sources) {
        guard let progress = source.progress else { continue }
        let text = "\(source.name): \(progress.done)\(progress.total.map { " of \($0)" } ?? "") files"
        if text != last { console.note(text) }
        last = text
      }
    }
  }
}

extension Library.SyncFinished {
  /// The shape of `sync`.
  var json: JSON {
    .object([
      "source": .text(source), "new": .count(counts.new), "changed": .count(counts.changed),
      "unchanged": .count(counts.unchanged), "deleted": .count(counts.deleted), "seconds": .number(counts.seconds),
    ])
  }

  /// One line for people.
  var line: String {
    let seconds = (counts.seconds * 10).rounded() / 10
    return "\(source): \(counts.new) new, \(counts.changed) changed, \(counts.unchanged) unchanged, "
      + "\(counts.deleted) deleted, in \(seconds) s\n"
  }
}
