import Model
import ServiceKit

/// Asks a server about an item that the catalogue does not have: it may have come since the last refresh.
actor RemoteLookup {
  /// How many items that no server has are remembered, so that a wrong id costs one question.
  private static let mostMisses = 200

  private let server: @Sendable (_ source: String) async -> (any MusicServer)?
  private let refresh: @Sendable (_ source: String) async -> Void
  private let log: Log
  private var misses: [String] = []
  private var asking: [String: Task<Bool, Never>] = [:]

  /// Makes one; `refresh` returns when the source was refreshed.
  init(
    log: Log, server: @escaping @Sendable (_ source: String) async -> (any MusicServer)?,
    refresh: @escaping @Sendable (_ source: String) async -> Void
  ) {
    self.log = log
    self.server = server
    self.refresh = refresh
  }

  /// What a question comes to; where it fails because an id is unknown, and a server knows it, its source is refreshed
  /// and the question put again.
  ///
  /// - Throws: what the question throws.
  func answer<Kind, Answer: Sendable>(
    _ id: ItemID<Kind>, _ question: @Sendable () async throws -> Answer
  ) async throws -> Answer {
    do { return try await question() } catch let error as LunaraError where error.code == CatalogueID.unknown(id).code {
      guard await isThere(id.source, id.native) else { throw error }
      return try await question()
    }
  }

  private func isThere(_ source: String, _ native: String) async -> Bool {
    let name = "\(source):\(native)"
    if let task = asking[name] { return await task.value }
    guard !misses.contains(name) else { return false }
    let task = Task { await ask(source, native) }
    asking[name] = task
    defer { asking[name] = nil }
    return await task.value
  }

  private func ask(_ source: String, _ native: String) async -> Bool {
    guard let server = await server(source) else { return false }
    do {
      guard try await server.item(native) != nil else {
        misses = misses.suffix(Self.mostMisses - 1) + ["\(source):\(native)"]
        return false
      }
    } catch {
      log.debug("\(LunaraError(error))", ["source": source])
      return false
    }
    await refresh(source)
    return true
  }
}
