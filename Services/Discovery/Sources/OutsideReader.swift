import Messages
import Model
import ServiceKit

/// Reads the sources outside that are on, one request at a time, each at most daily. What was read is stored part by
/// part, so that a reading continues after the service was killed.
actor OutsideReader {
  private let store: OutsideStore
  private let house: HouseAlbums
  private let access: OutsideAccess
  private let log: Log
  private let now: @Sendable () -> Timestamp
  private let loop = WorkLoop()
  /// The longest rest, after which the clock is looked at again: it may have been set.
  private static let longestRest = Duration.seconds(3600)

  init(
    _ store: OutsideStore, _ access: OutsideAccess, _ taxonomy: Taxonomy, log: Log,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.access = access
    self.log = log
    self.now = now
    house = HouseAlbums(database: store.database, taxonomy: taxonomy)
  }

  func start() async { await loop.start(failed: { [log] in log.error($0.error) }) { try await self.round() } }

  func stop() async { await loop.stop() }

  func wake() async { await loop.wake() }

  /// Reads a part of the source that is due, and returns the rest that follows.
  private func round() async throws -> WorkLoop.Rest {
    guard let state = try await store.next(at: now()) else {
      await access.musicBrainz.release()
      return .untilWoken
    }
    let time = now()
    guard state.nextAt <= time else {
      await access.musicBrainz.release()
      return .atMost(min(Self.longestRest, .milliseconds((state.nextAt - time).rawValue + 1)))
    }
    guard let source = OutsideSources.all.first(where: { $0.name == state.name }) else {
      // A source of another version.
      try await store.set(state.name, isOn: false, at: time)
      return .none
    }
    try await read(source, state)
    return Task.isCancelled ? .untilWoken : .none
  }

  /// Reads one step of a source, and stores what it gave or why it failed. Throws the errors of the database.
  private func read(_ source: any OutsideSource.Type, _ state: OutsideStore.State) async throws {
    do {
      let step = try await source.step(from: state.cursor, house, access)
      // A source that gives the same cursor again would never end.
      let isStuck = step.next != nil && step.next == state.cursor
      try await store.store(
        isStuck ? SourceStep(step.finds, problem: step.problem) : step, of: state, interval: source.interval, at: now())
    } catch is CancellationError {
      return
    } catch let pause as SourcePause {
      try await fail(state, pause.error, until: pause.until)
    } catch {
      guard !Task.isCancelled else { return }
      try await fail(state, LunaraError(error), until: nil)
    }
  }

  private func fail(_ state: OutsideStore.State, _ error: LunaraError, until: Timestamp?) async throws {
    if state.failures == 0 { log.warning(error) }
    try await store.fail(state, error, until: until, at: now())
  }
}
