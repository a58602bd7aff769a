import Messages
import Model
import Sync

/// A kind of provider whose calls `lunara-providers` makes.
struct RemoteProviderService: ProviderService {
  let kind: Library.ProviderKind
  let process: ProviderProcess

  func link(_ request: Library.LinkProvider) async throws -> ProviderSignIn {
    try await process.start()
    let step = try await process.ask(
      Providers.SignIn(request: request), about: kind.title, within: process.shortTime)
    if let address = step.open { return .open(address) }
    let ticket = step.ticket ?? ""
    return .done(account: step.account) { name in
      _ = try await process.ask(
        Providers.KeepSignIn(ticket: ticket, name: name), about: kind.title, within: process.shortTime)
    }
  }

  func forget(_ name: String) async throws {
    try await process.start()
    _ = try await process.ask(Providers.Forget(name: name), about: kind.title, within: process.shortTime)
  }

  func connect(_ link: Providers.Connect) async throws -> ProviderConnection {
    try await process.start()
    let run = try await process.ask(link, about: kind.title, within: process.shortTime).run
    let provider = RemoteProvider(kind: kind, run: run, process: process)
    return ProviderConnection(provider: provider) { await provider.pacing() ?? pacingAfterLoss(of: link) }
  }

  /// Returns the pacing after a run whose process ended: the next run is in ten minutes.
  private func pacingAfterLoss(of link: Providers.Connect) -> ProviderPacing {
    var pacing = link.pacing
    pacing.finish(isWaiting: true, at: process.now())
    return pacing
  }
}

/// A provider whose calls `lunara-providers` makes, for one run.
struct RemoteProvider: ListProvider {
  let kind: Library.ProviderKind
  let run: String
  let process: ProviderProcess

  /// The size of a part of a long replacement, in bytes.
  private static let partSize = 48 << 10
  /// The largest number of items that one request adds or removes.
  private static let batch = 500

  private func ask<R: Request>(_ request: R, within time: Duration? = nil) async throws -> R.Answer {
    try await process.ask(request, about: kind.title, within: time)
  }

  private func read(
    _ question: Providers.Question, list: String? = nil, within time: Duration? = nil
  ) async throws -> Providers.Reading {
    try await ask(Providers.Read(run: run, question, list: list), within: time)
  }

  /// Returns what the answers of the run asked for; nil if the process no longer knows.
  func pacing() async -> ProviderPacing? {
    do { return try await read(.pacing, within: process.startTime).pacing } catch { return nil }
  }

  func known(_ track: DescribedTrack) -> String? { kind.known(track) }

  func snapshot(of list: String) async throws -> String? { try await read(.snapshot, list: list).snapshot }

  func track(_ track: DescribedTrack) async throws -> String? {
    try await ask(Providers.Read(run: run, .track, track: track)).native
  }

  func item(_ item: SyncItem, of part: Library.SyncPart) async throws -> String? {
    try await ask(Providers.Read(run: run, .item, part: part, item: item)).native
  }

  func capabilities(of list: String) async throws -> ListCapabilities {
    guard let capabilities = try await read(.capabilities, list: list).capabilities else {
      throw ProviderError.unreadable(kind.title)
    }
    return capabilities
  }

  func lists() async throws -> [RemoteList]? { try await elements(try await read(.lists), \.lists)?.all }

  func items(of part: Library.SyncPart) async throws -> [RemoteItem]? {
    try await elements(try await ask(Providers.Read(run: run, .items, part: part)), \.items)?.all
  }

  func reading(of list: String) async throws -> RemoteReading? {
    try await elements(try await read(.entries, list: list), \.entries).map {
      RemoteReading(entries: $0.all, snapshot: $0.snapshot)
    }
  }

  /// Returns the elements of all pages; nil if the provider's list changed while it was read. Throws
  /// `library.providerAway` unless they are one complete reading.
  private func elements<Element>(
    _ first: Providers.Reading, _ elements: (Providers.Reading) -> [Element]?
  ) async throws -> (all: [Element], snapshot: String?)? {
    guard let reading = first.reading, let pages = first.pages, let total = first.total else { return nil }
    var all = elements(first) ?? []
    for number in 1..<max(1, pages) {
      let page = try await ask(
        Providers.Read(run: run, .page, reading: reading, page: number), within: process.startTime)
      guard page.reading == reading, page.total == total else { throw ProviderError.unreadable(kind.title) }
      all += elements(page) ?? []
    }
    guard all.count == total else { throw ProviderError.unreadable(kind.title) }
    return (all, first.snapshot)
  }

  func create(title: String, summary: String) async throws -> String {
    guard let native = try await ask(Providers.Change(run: run, .create, title: title, summary: summary)).native else {
      throw ProviderError.unclear(kind.title, "Its answer has no id.")
    }
    return native
  }

  func describe(_ list: String, title: String, summary: String) async throws {
    _ = try await ask(Providers.Change(run: run, .describe, list: list, title: title, summary: summary))
  }

  func delete(_ list: String) async throws { _ = try await ask(Providers.Change(run: run, .delete, list: list)) }

  func apply(_ step: RemoteStep, to list: String) async throws {
    var change = step.change(list, in: run)
    if case .replace(let natives, let expected) = step {
      // All entries of a long list do not fit in one message.
      var (natives, expected, held) = (natives[...], expected[...], 0)
      while true {
        change.natives = Self.part(&natives)
        change.expected = Self.part(&expected)
        change.held = held
        guard !natives.isEmpty || !expected.isEmpty else { break }
        let some = Providers.Change(
          run: run, .hold, natives: change.natives, expected: change.expected, held: held)
        _ = try await ask(some)
        held += (change.natives?.count ?? 0) + (change.expected?.count ?? 0)
      }
    }
    _ = try await ask(change)
  }

  /// Removes and returns the beginning of a list that fits in a message.
  private static func part(_ rest: inout ArraySlice<String>) -> [String] {
    var room = partSize
    let count = rest.prefix { native in
      room -= native.utf8.count + 3
      return room > 0
    }.count
    defer { rest = rest.dropFirst(max(1, count)) }
    return Array(rest.prefix(max(1, count)))
  }

  func add(_ natives: [String], to part: Library.SyncPart) async throws { try await change(.addItems, natives, part) }

  func remove(_ natives: [String], from part: Library.SyncPart) async throws {
    try await change(.removeItems, natives, part)
  }

  private func change(_ edit: Providers.Edit, _ natives: [String], _ part: Library.SyncPart) async throws {
    for start in stride(from: 0, to: natives.count, by: Self.batch) {
      let some = Array(natives[start..<min(start + Self.batch, natives.count)])
      _ = try await ask(Providers.Change(run: run, edit, part: part, natives: some))
    }
  }
}
