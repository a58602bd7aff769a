import ServiceKit
import Bus
import Client
import Messages
import Model

extension Option {
  static let wait = Option("--wait", help: "stay until it is done, and print what changed")
  static let readAgain = Option("--read-again", help: "read the tags of files again that look unchanged")
  static let acceptDeletions = Option("--accept-deletions", help: "delete what is gone, however much it is")
}

extension Command {
  static let sync = Command(
    name: "sync", summary: "refresh the sources now",
    examples: [
      "lunara sync": "all sources; `lunara status` shows how far it is",
      "lunara sync files --wait": "one source, with what changed",
      "lunara sync --accept-deletions": "when much of the music is gone for good",
      "lunara sync --read-again ~/Music/New": "the tags of all files in a folder, also of those that look unchanged",
    ], options: [.wait, .acceptDeletions, .readAgain],
    operand: .optional(
      "SOURCE", help: "the source's name, or with --read-again a folder; all where none is given",
      completes: .household(.sources)),
    action: .asynchronous { context in
      let request = request(context.arguments)
      guard context.arguments.has(.wait) else {
        _ = try await Client(context).ask(request)
        context.console.print(
          ["started": true],
          text: "Refreshing \(request.source ?? "all sources"); `lunara status` shows how far it is.\n")
        return
      }
      try await refresh(context, request)
    })

  private static func request(_ arguments: Arguments) -> Library.Sync {
    var request = Library.Sync(
      source: arguments.operands.first, acceptDeletions: arguments.has(.acceptDeletions) ? true : nil)
    guard arguments.has(.readAgain) else { return request }
    request.isReadAgain = true
    if let path = request.source, path.contains("/") || path == "." {
      request.folder = LocalPath(ProgramLocation.absolute(path))
      request.source = "files"
    }
    return request
  }

  /// The end of a refresh, as a fact reports it.
  private struct End: Sendable {
    var source: String
    var refresh: Int64?
    var result: Result<Library.SyncFinished, LunaraError>
  }

  /// Asks for a refresh, and waits until exactly the refreshes that answer the request have ended.
  private static func refresh(_ context: Context, _ request: Library.Sync) async throws {
    let directory = try Client.directory(try context.settings())
    let console = context.console
    try await context.withNode("sync", in: directory, try context.settings().network(identity: "")) { node in
      let (ends, ended) = AsyncStream.makeStream(of: End.self)
      // Reading starts at a time before the refresh is requested, so that its end cannot be missed.
      await node.follow("library", from: .since(.now())) { fact in
        do {
          if let end = try fact.decode(Library.SyncFinished.self) {
            ended.yield(End(source: end.source, refresh: end.refresh, result: .success(end)))
          }
          if let end = try fact.decode(Library.SyncFailed.self) {
            ended.yield(End(source: end.source, refresh: end.refresh, result: .failure(end.error)))
          }
        } catch {
          console.report(LunaraError(error))
        }
      }
      let status = try await node.state(Library.CatalogueState.self, of: .library)
      let sources = request.source.map { [$0] } ?? status?.value.sources.map(\.name) ?? []
      let started = try await node.request(request, to: .library).refreshes
      let numbers = started.map { Dictionary($0.map { ($0.source, $0.refresh) }) { $1 } }
      // An older library does not number its refreshes: the next end of each source counts.
      var waiting = numbers.map { Set($0.keys) } ?? Set(sources)
      let watch = Task {
        await watchProgress(of: node, on: console)
        ended.finish()
      }
      defer { watch.cancel() }
      var failure: LunaraError?
      for await end in ends where numbers == nil || numbers?[end.source] == end.refresh {
        guard waiting.remove(end.source) != nil else { continue }
        console.progress(nil)
        switch end.result {
        case .success(let end): console.print(end.json, text: end.line)
        case .failure(let error):
          // The command still waits for the other sources; its result is the last failure.
          if let failure { console.report(failure) }
          failure = error
        }
        if waiting.isEmpty { break }
      }
      console.progress(nil)
      try Task.checkCancellation()
      if let failure { throw failure }
      if let lost = waiting.min() { throw await refreshLost(lost, node) }
    }
  }

  /// Shows the progress to people at a terminal, and returns when no source has reported any for 5 s.
  private static func watchProgress(of node: Node, on console: Console) async {
    var quiet = 0
    while !Task.isCancelled, quiet < 10 {
      do {
        try await Task.sleep(for: .milliseconds(500))
        quiet += 1
        for source in try await node.state(Library.CatalogueState.self, of: .library)?.value.sources ?? [] {
          guard let progress = source.progress else { continue }
          quiet = 0
          console.progress(progress.bar(of: source.name))
        }
      } catch {
        // After a restart the library refreshes by itself; while it does not answer, nothing is under way.
      }
    }
  }

  private static func refreshLost(_ source: String, _ node: Node) async -> LunaraError {
    let lost = LunaraError(
      "cli.refreshLost", "The refresh of \(source) came to no end. `lunara status` shows what is wrong with it.")
    do {
      let state = try await node.state(Library.CatalogueState.self, of: .library)
      return state?.value.sources.first { $0.name == source }?.problems.first ?? lost
    } catch {
      return lost
    }
  }
}

extension Library.SyncFinished {
  var line: String { "\(source): \(counts.line)\n" }
}
