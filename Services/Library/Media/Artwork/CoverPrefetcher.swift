import Catalogue
import Messages
import Model
import ServiceKit
import Sources
import Storage
import System

/// Makes thumbnails of album covers before anybody asks for them, in the background: after each refresh those of new
/// albums, until the folder is nearly full. An interrupted run continues the next time.
actor CoverPrefetcher {
  /// The share of the folder that it may fill, so that it never removes pictures that somebody looked at.
  static let limit = 0.9
  /// The number of pictures that are made at once, so that sources and processor stay free for others.
  private static let width = 3
  private static let batch = 200

  private let art: ArtStore
  private let log: Log
  private var work: Task<Void, Never>?
  /// The catalogue's generation of the last run.
  private var seen: Int64?

  init(_ art: ArtStore, log: Log) {
    self.art = art
    self.log = log
  }

  /// Starts a run if the catalogue has a new generation and no refresh is running.
  func observe(_ state: Library.CatalogueState) {
    guard state.generation != seen, state.sources.allSatisfy({ $0.progress == nil }) else { return }
    seen = state.generation
    run()
  }

  /// Removes pictures that nothing refers to, then makes those of new albums; a run that is under way begins again.
  func run() {
    let before = work
    before?.cancel()
    work = Task {
      await before?.value
      do { try await prefetch() } catch is CancellationError {} catch { log.warning(LunaraError(error)) }
    }
  }

  /// Begins no further picture.
  func cancel() { work?.cancel() }

  /// Cancels the run and returns when it has ended.
  func stop() async {
    work?.cancel()
    await work?.value
    work = nil
  }

  func finished() async { await work?.value }

  private func prefetch() async throws {
    try await art.prune()
    // A picture that cannot be read now is tried again after the next refresh.
    var tried: Set<String> = []
    while !Task.isCancelled, await hasRoom() {
      let known = tried
      let next = try await art.database.read { try ArtIndex.unseen(Self.batch, after: known, $0) }
      guard !next.isEmpty else { return }
      tried.formUnion(next.map(\.description))
      await prefetch(next)
    }
  }

  private func prefetch(_ ids: [ArtID]) async {
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

  /// Returns true while the folder has room; the first call reads the whole folder.
  private func hasRoom() async -> Bool {
    let folder = art.folder
    return await BlockingThreads.value { folder.fill < Self.limit } ?? false
  }
}
