import Messages
import Model
import Sync

/// The runs that have begun, at most one with each provider.
actor ProviderSessions {
  private var runs: [String: ProviderCalls] = [:]

  /// Begins a run with a provider, after the calls of the former one have ended: a call that comes late would otherwise
  /// change what the new run has read. Returns the id of the run.
  func begin(_ name: String, _ connect: @Sendable () async throws -> ProviderConnection) async throws -> String {
    await end(name)
    let connection = try await connect()
    // Another run may have begun meanwhile.
    await end(name)
    let calls = ProviderCalls(connection)
    runs[name] = calls
    return calls.run
  }

  /// Ends the run with a provider.
  func end(_ name: String) async {
    while let calls = runs.removeValue(forKey: name) { await calls.end() }
  }

  /// Ends all runs.
  func end() async {
    for name in runs.keys { await end(name) }
  }

  /// Returns the calls of a run. Throws `library.providerAway` for a run that has ended.
  func run(_ id: String) throws -> ProviderCalls {
    guard let calls = runs.values.first(where: { $0.run == id }) else { throw Self.ended }
    return calls
  }

  static let ended = LunaraError(
    "library.providerAway",
    "lunara-providers was started again, or began another run, so this one ended. The library tries again later.")
}

/// Makes the calls of one run, one after another.
actor ProviderCalls {
  nonisolated let run = "\(UniqueID<ProviderCalls>.random())"
  private let connection: ProviderConnection
  /// The end of the last call.
  private var last: Task<Void, Never>?
  private var cancels: [Int: @Sendable () -> Void] = [:]
  private var calls = 0
  private var isEnded = false
  /// The pages of the last reading, and its number.
  private var pages: [Providers.Reading] = []
  private var readings = 0
  /// The beginning of a long replacement.
  private var held: (natives: [String], expected: [String]) = ([], [])

  init(_ connection: ProviderConnection) { self.connection = connection }

  /// Breaks off the calls, and returns when they have ended.
  func end() async {
    isEnded = true
    for cancel in cancels.values { cancel() }
    await last?.value
  }

  /// Makes a call after those that came before.
  ///
  /// - Parameter changes: true if it changes something at the provider.
  private func call<Result: Sendable>(
    changes: Bool = false, _ body: @escaping @Sendable (any ListProvider) async throws -> Result
  ) async throws -> Result {
    guard !isEnded else { throw ProviderSessions.ended }
    let (former, provider) = (last, connection.provider)
    let task = Task {
      await former?.value
      try Task.checkCancellation()
      return try await body(provider)
    }
    calls += 1
    let number = calls
    cancels[number] = { task.cancel() }
    defer { cancels[number] = nil }
    last = Task { _ = await task.result }
    do { return try await task.value } catch is CancellationError {
      guard changes else { throw ProviderSessions.ended }
      throw ProviderError.unclear("The provider", "lunara-providers was stopped.")
    }
  }
}

/// Reading.
extension ProviderCalls {
  /// Answers a question. Throws `library.providerAway`, `bus.badPayload` and the provider's errors.
  func read(_ request: Providers.Read) async throws -> Providers.Reading {
    switch (request.question, request.list, request.part) {
    case (.lists, _, _): return try hold(try await call { try await $0.lists() }) { .init(lists: $0) }
    case (.entries, let list?, _):
      let reading = try await call { try await $0.reading(of: list) }
      return try hold(reading?.entries) { .init(entries: $0, snapshot: reading?.snapshot) }
    case (.items, _, let part?): return try hold(try await call { try await $0.items(of: part) }) { .init(items: $0) }
    case (.page, _, _): return try page(request)
    case (.snapshot, let list?, _): return .init(snapshot: try await call { try await $0.snapshot(of: list) })
    case (.capabilities, let list?, _):
      return .init(capabilities: try await call { try await $0.capabilities(of: list) })
    case (.track, _, _):
      guard let track = request.track else { throw Self.incomplete }
      return .init(native: try await call { try await $0.track(track) })
    case (.item, _, let part?):
      guard let item = request.item else { throw Self.incomplete }
      return .init(native: try await call { try await $0.item(item, of: part) })
    case (.pacing, _, _): return .init(pacing: await connection.pacing())
    default: throw Self.incomplete
    }
  }

  private static let incomplete = LunaraError(
    "bus.badPayload", "A call of a provider is not understood. Are all services of one version?")

  private func page(_ request: Providers.Read) throws -> Providers.Reading {
    guard request.reading == readings, let number = request.page, pages.indices.contains(number) else {
      throw ProviderSessions.ended
    }
    defer { if number == pages.count - 1 { pages = [] } }
    return pages[number]
  }

  /// Keeps a reading in pages, and returns the first one; one without a number if there is no complete reading.
  private func hold<Element: Encodable>(
    _ elements: [Element]?, _ page: ([Element]) -> Providers.Reading
  ) throws -> Providers.Reading {
    guard let elements else { return Providers.Reading() }
    readings += 1
    let parts = try MessagePages.split(elements)
    pages = parts.map { part in
      var page = page(part)
      page.reading = readings
      page.pages = parts.count
      page.total = elements.count
      return page
    }
    defer { if pages.count == 1 { pages = [] } }
    return pages[0]
  }
}

/// Changing.
extension ProviderCalls {
  /// Makes a change. Throws `library.providerAway`, `bus.badPayload` and the provider's errors.
  func make(_ request: Providers.Change) async throws -> Providers.Changed {
    let natives = request.natives ?? []
    switch (request.edit, request.list, request.part) {
    case (.create, _, _):
      guard let title = request.title, let summary = request.summary else { throw Self.incomplete }
      return .init(native: try await call(changes: true) { try await $0.create(title: title, summary: summary) })
    case (.describe, let list?, _):
      guard let title = request.title, let summary = request.summary else { throw Self.incomplete }
      try await call(changes: true) { try await $0.describe(list, title: title, summary: summary) }
    case (.delete, let list?, _): try await call(changes: true) { try await $0.delete(list) }
    case (.addItems, _, let part?): try await call(changes: true) { try await $0.add(natives, to: part) }
    case (.removeItems, _, let part?): try await call(changes: true) { try await $0.remove(natives, from: part) }
    case (.hold, _, _):
      try resume(request.held ?? 0)
      held.natives += natives
      held.expected += request.expected ?? []
    case (_, let list?, _):
      let step = try step(request)
      try await call(changes: true) { try await $0.apply(step, to: list) }
    default: throw Self.incomplete
    }
    return .init()
  }

  /// Forgets what another replacement held. Throws `library.providerChanged` if parts of this one are missing.
  private func resume(_ count: Int) throws {
    if count == 0 { held = ([], []) }
    guard held.natives.count + held.expected.count == count else {
      held = ([], [])
      throw LunaraError("library.providerChanged", "A part of a change was lost, so nothing was changed.")
    }
  }

  /// Returns the step of a request, with what was held before it.
  private func step(_ request: Providers.Change) throws -> RemoteStep {
    guard let step = RemoteStep(request) else { throw Self.incomplete }
    try resume(request.held ?? 0)
    defer { held = ([], []) }
    guard case .replace(let natives, let expected) = step else { return step }
    return .replace(held.natives + natives, expecting: held.expected + expected)
  }
}
