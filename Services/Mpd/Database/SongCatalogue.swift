import Bus
import Client
import Messages
import Model

/// The songs of the library. They are read when a client first needs them, and again when one needs them after a
/// change. A library that is being scanned changes every second, so there is one reading at a time, and a pause between
/// two.
actor SongCatalogue {
  /// The shortest time between the beginnings of two readings.
  private static let pause = Duration.seconds(2)
  /// The shortest time between two for the paths of queued songs, which may be those of before.
  private static let longPause = Duration.seconds(30)

  private let client: Client
  private var generation: Int64?
  private var newest: (generation: Int64?, index: MusicIndex)?
  private var running: Task<MusicIndex, any Error>?
  private var begunAt: ContinuousClock.Instant?

  init(client: Client) { self.client = client }

  /// Stores the newest generation of the catalogue. Returns true if the music changed.
  func update(generation newest: Int64) -> Bool {
    guard newest != generation else { return false }
    defer { generation = newest }
    return generation != nil
  }

  /// Returns the songs.
  ///
  /// - Throws: the errors of `Client.ask`.
  func index() async throws -> MusicIndex {
    while true {
      if let newest, newest.generation == generation { return newest.index }
      if let running {
        // It may have begun before the newest change; then another one follows.
        let result = await running.result
        if self.running == running { self.running = nil }
        _ = try result.get()
        continue
      }
      if let begunAt, newest != nil, ContinuousClock.now < begunAt + Self.pause {
        try await Task.sleep(until: begunAt + Self.pause)
        continue
      }
      return try await read().value
    }
  }

  /// Returns the songs as they were last read, for the paths of queued songs: it does not wait for a library that is
  /// read again or away.
  func known() async -> MusicIndex {
    if let newest {
      if newest.generation != generation, running == nil, begunAt.map({ .now > $0 + Self.longPause }) ?? true { read() }
      return newest.index
    }
    guard generation != nil, !client.node.isMissing(.library) else { return MusicIndex([]) }
    do { return try await index() } catch { return MusicIndex([]) }
  }

  @discardableResult
  private func read() -> Task<MusicIndex, any Error> {
    let generation = generation
    let task = Task { [client] in
      let tracks = try await Client.list(upTo: .max) { cursor, limit in
        try await client.ask(Library.ListTracks(after: cursor, limit: limit), of: .library)
      }
      let index = MusicIndex(tracks.items)
      finish(index, generation)
      return index
    }
    running = task
    begunAt = .now
    Task {
      _ = await task.result; if running == task { running = nil }
    }
    return task
  }

  private func finish(_ index: MusicIndex, _ generation: Int64?) { newest = (generation, index) }
}
