import Model
package import Records
package import ServiceKit

/// Asks a server about an item that the catalogue does not have: it may have come since the last refresh.
package actor RemoteLookup {
  /// The number of unknown ids that are remembered, so that a wrong id costs one request.
  private static let mostMisses = 200
  /// The time for which an unknown id is remembered; its item may be added later.
  private static let missLife = Duration.seconds(600)
  /// The longest wait for a refresh; a first one takes minutes.
  private static let patience = Duration.seconds(10)

  private let server: @Sendable (_ source: String) async -> (any MusicServer)?
  private let refresh: @Sendable (_ source: String) async -> Void
  private let log: Log
  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private var misses: [(name: String, until: ContinuousClock.Instant)] = []
  private var asking: [String: Task<Bool, Never>] = [:]

  package init(
    log: Log, patience: Duration = patience, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    server: @escaping @Sendable (_ source: String) async -> (any MusicServer)?,
    refresh: @escaping @Sendable (_ source: String) async -> Void
  ) {
    self.log = log
    self.patience = patience
    self.now = now
    self.server = server
    self.refresh = refresh
  }

  /// Calls `question` and returns its answer. Where it fails because the id is unknown, but the server has the item,
  /// the source is refreshed and `question` called again.
  func answer<Kind, Answer: Sendable>(
    _ id: ItemID<Kind>, _ question: @Sendable () async throws -> Answer
  ) async throws -> Answer {
    do { return try await question() } catch let error as LunaraError where error.code == CatalogueID.unknown(id).code {
      guard await isThere(id.source, id.native) else { throw error }
      do { return try await question() } catch let error as LunaraError where error.code == CatalogueID.unknown(id).code
      {
        // The refresh did not add the item, for example because its section is off: the id counts as unknown for a
        // while.
        miss("\(id.source):\(id.native)")
        throw error
      }
    }
  }

  private func miss(_ name: String) {
    misses = misses.filter { $0.name != name }.suffix(Self.mostMisses - 1) + [(name, now() + Self.missLife)]
  }

  private func isThere(_ source: String, _ native: String) async -> Bool {
    let name = "\(source):\(native)"
    if let task = asking[name] { return await task.value }
    let time = now()
    misses.removeAll { $0.until <= time }
    guard !misses.contains(where: { $0.name == name }) else { return false }
    let task = Task { await ask(source, native) }
    asking[name] = task
    defer { asking[name] = nil }
    return await task.value
  }

  private func ask(_ source: String, _ native: String) async -> Bool {
    guard let server = await server(source) else { return false }
    do {
      guard try await server.item(native) != nil else {
        miss("\(source):\(native)")
        return false
      }
    } catch {
      log.debug("\(LunaraError(error))", ["source": source])
      return false
    }
    await refreshed(source)
    return true
  }

  /// Refreshes the source, and returns when that has ended or after `patience`.
  private func refreshed(_ source: String) async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let (refresh, patience) = (refresh, patience)
    Task {
      await refresh(source)
      end.finish()
    }
    let limit = Task {
      do { try await Task.sleep(for: patience) } catch { return }
      end.finish()
    }
    for await _ in ends {}
    limit.cancel()
  }
}
