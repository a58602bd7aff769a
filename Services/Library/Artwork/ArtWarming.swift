import Messages
import Model
import ServiceKit
import Storage

/// Makes the covers of albums small before anybody asks, in the background: after each refresh those that came with it,
/// until the folder is nearly full. What was interrupted is gone on with the next time.
actor CoverPrefetcher {
  /// How full the folder may get by it, so that it never drives out what somebody looked at.
  static let limit = 0.9
  /// So that neither the sources nor the processor are taken from others.
  private static let width = 3
  private static let batch = 200

  private let art: ArtStore
  private let log: Log
  private var work: Task<Void, Never>?
  /// The generation of the catalogue that was looked at last.
  private var seen: Int64?

  init(_ art: ArtStore, log: Log) {
    self.art = art
    self.log = log
  }

  /// Runs where a refresh has ended that changed something, and at the start.
  func observe(_ state: Library.CatalogueState) {
    guard state.generation != seen, state.sources.allSatisfy({ $0.progress == nil }) else { return }
    seen = state.generation
    run()
  }

  /// Forgets the pictures of what is gone, and warms those of what is new; where that is under way it begins again.
  func run() {
    let before = work
    before?.cancel()
    work = Task {
      await before?.value
      do { try await warm() } catch is CancellationError {} catch { log.warning(LunaraError(error)) }
    }
  }

  /// Has nothing further begun.
  func cancel() { work?.cancel() }

  /// Ends it.
  func stop() async {
    work?.cancel()
    await work?.value
    work = nil
  }

  /// Awaits the end of what is under way.
  func finished() async { await work?.value }

  private func warm() async throws {
    try await art.prune()
    // A picture that cannot be had now is tried again after the next refresh.
    var tried: Set<String> = []
    while !Task.isCancelled, await hasRoom() {
      let known = tried
      let next = try await art.database.read { try ArtIndex.unseen(Self.batch, after: known, $0) }
      guard !next.isEmpty else { return }
      tried.formUnion(next.map(\.description))
      await warm(next)
    }
  }

  private func warm(_ ids: [ArtID]) async {
    await withTaskGroup(of: Void.self) { group in
      var rest = ids[...]
      func more() {
        guard !Task.isCancelled, let id = rest.popFirst() else { return }
        group.addTask { [art, log] in
          do {
            _ = try await art.locate(id, size: ArtStore.sizes[0], takesWebP: true, isUrgent: false)
          } catch {
            let error = LunaraError(error)
            log.debug(error.message, ["picture": id.description, "code": error.code])
          }
        }
      }
      for _ in 0..<Self.width { more() }
      while await group.next() != nil { if await hasRoom() { more() } }
    }
  }

  /// The first look goes through the whole folder.
  private func hasRoom() async -> Bool {
    let folder = art.folder
    return await BlockingThreads.value { folder.fill < Self.limit } ?? false
  }
}
