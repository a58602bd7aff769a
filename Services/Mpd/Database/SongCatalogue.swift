import Bus
import Client
import Messages
import Model

/// The songs of the library. They are read when a client first needs them, and after a change when one needs them
/// again: a library that is being scanned changes every second.
actor SongCatalogue {
  /// The shortest time between two readings for the paths of queued songs, which may be those of before.
  private static let pause = Duration.seconds(30)

  private let client: Client
  private var readAt = ContinuousClock.now
  private var generation: Int64?
  private var newest: MusicIndex?
  private var reading: (generation: Int64?, task: Task<MusicIndex, any Error>)?

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
    if let newest {
      if reading?.generation != generation, ContinuousClock.now - readAt > Self.pause { refresh() }
      return newest
    }
    guard generation != nil, !client.node.isMissing(.library) else { return MusicIndex([]) }
    do { return try await index() } catch { return MusicIndex([]) }
  }

  /// Reads the songs again, without a wait for them.
  private func refresh() {
    let task = read()
    Task {
      do { newest = try await task.value } catch {
        // The next command that needs the songs tries again.
        if reading?.task == task { reading = nil }
      }
    }
  }

  private func read() -> Task<MusicIndex, any Error> {
    readAt = .now
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
