import Model

/// Does what a pursuit asks for. While a page takes effect the next one is fetched already: one, and no more.
struct FactJourney {
  private struct Ahead {
    var start: ReplayStart
    var page: Task<FactPage, any Error>
  }

  /// What decides.
  private(set) var pursuit: FactPursuit
  private let sink: any FactSink
  private let fetch: @Sendable (ReplayStart) async throws -> FactPage
  private let report: @Sendable (LunaraError) -> Void
  private var ahead: Ahead?

  init(
    pursuit: FactPursuit, sink: any FactSink, fetch: @escaping @Sendable (ReplayStart) async throws -> FactPage,
    report: @escaping @Sendable (LunaraError) -> Void
  ) {
    self.pursuit = pursuit
    self.sink = sink
    self.fetch = fetch
    self.report = report
  }

  /// Takes in what came: facts in order, then all that the journal has beyond them.
  ///
  /// The place moves with what is applied, so an error half-way repeats nothing.
  mutating func takeIn(_ batch: FactBacklog.Batch) async throws {
    defer {
      ahead?.page.cancel()
      ahead = nil
    }
    var event: FactPursuit.Event? = .came(batch)
    while let happened = event {
      event = nil
      for action in pursuit.handle(happened) {
        switch action {
        case .report(let error): report(error)
        case .giveUp(let error): throw error
        case .recall, .fetch, .apply: event = await perform(action)
        }
      }
    }
  }

  private mutating func perform(_ action: FactPursuit.Action) async -> FactPursuit.Event? {
    do {
      try Task.checkCancellation()
      switch action {
      case .recall(let journal): return .recalled(try await sink.place(in: pursuit.publisher, journal: journal))
      case .fetch(let start): return .fetched(try await page(from: start))
      case .apply(let facts, let position, let next):
        if let next {
          let fetch = fetch
          ahead = Ahead(start: next, page: Task { try await fetch(next) })
        }
        try await sink.apply(facts, through: position, of: pursuit.publisher)
        return .applied
      case .report, .giveUp: return nil
      }
    } catch {
      return .failed(LunaraError(error))
    }
  }

  private mutating func page(from start: ReplayStart) async throws -> FactPage {
    guard let ahead, ahead.start == start else { return try await fetch(start) }
    self.ahead = nil
    return try await withTaskCancellationHandler {
      try await ahead.page.value
    } onCancel: {
      ahead.page.cancel()
    }
  }
}
