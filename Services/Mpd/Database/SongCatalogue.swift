import Bus
import Client
import Messages
import Model

/// The songs of the library, read at the start and again after each change.
actor SongCatalogue {
  private let client: Client
  private var generation: Int64?
  private var newest: MusicIndex?
  private var reading: (generation: Int64?, task: Task<MusicIndex, any Error>)?

  init(client: Client) { self.client = client }

  /// Notes the newest generation of the catalogue, whose songs are read at once. Returns true if the music changed.
  func update(generation newest: Int64) -> Bool {
    guard newest != generation else { return false }
    let isFirst = generation == nil
    generation = newest
    read()
    return !isFirst
  }

  /// Returns the songs.
  ///
  /// - Throws: the errors of `Client.ask`.
  func index() async throws -> MusicIndex {
    let task = reading.flatMap { $0.generation == generation ? $0.task : nil } ?? read()
    do {
      let index = try await task.value
      newest = index
      return index
    } catch {
      // The next command tries again.
      if reading?.task == task { reading = nil }
      throw error
    }
  }

  /// Returns the songs as they were last read, for the paths of queued songs: it does not wait for a library that is
  /// read again or away.
  func known() async -> MusicIndex {
    if let newest { return newest }
    guard generation != nil, !client.node.isMissing(.library) else { return MusicIndex([]) }
    do { return try await index() } catch { return MusicIndex([]) }
  }

  @discardableResult
  private func read() -> Task<MusicIndex, any Error> {
    let client = client
    let task = Task {
      let tracks = try await Client.list(upTo: .max) { cursor, limit in
        try await client.ask(Library.ListTracks(after: cursor, limit: limit), of: .library)
      }
      return MusicIndex(tracks.items)
    }
    reading = (generation, task)
    return task
  }
}
