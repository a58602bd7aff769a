import Bus
import Client
import Messages
import Model
import TestSupport
import Testing

/// What feeds a queue, and how it ends.
@Suite(.timeLimit(.minutes(1)))
struct QueueExplanationTests {
  private let den = RoomName(from: "den")

  /// Returns an item of a minute.
  private func item(_ number: Int, album: String, of place: String?, isContinued: Bool? = nil) -> QueueItem {
    let track = Track(
      id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: album),
      title: "Track \(number)", artist: "Nova", albumArtist: "Nova", album: "Album \(album)",
      duration: Milliseconds(60_000))
    return QueueItem(
      entry: EntryID(rawValue: "e\(number)"), track: track,
      origin: .init(node: "test@main", place: place, isContinued: isContinued))
  }

  /// Explains the queue of a room that plays its second item, at 15 s.
  private func explanation(
    _ items: [QueueItem], _ list: Library.AlbumList? = nil, isOff: Bool? = nil, modes: Playback.Modes? = nil
  ) async throws -> QueueExplanation {
    let bus = try TestBus()
    let (node, room, library) = (
      try await bus.node("test@main"), try await bus.node("playback@den"), try await bus.node("library@main")
    )
    let places: [Playback.AudioPlace] = [.here, .here, .fetched, .kept, .away]
    await room.serve(Playback.ReadQueue.self) { request, _ in
      // Pages of two items, so that the whole queue takes several.
      let part = Array(items.dropFirst(request.first).prefix(min(2, request.limit)))
      return Playback.QueueState(
        revision: 7, count: items.count, current: 1, first: request.first, items: part,
        continuation: list.map {
          Playback.Continuation(list: $0, after: AlbumID(source: "files", native: "a2"), isOff: isOff)
        },
        audio: request.wantsAudio == true ? Array(places.dropFirst(request.first).prefix(part.count)) : nil)
    }
    await room.publish(
      Playback.RoomState(
        room: den, state: .playing, item: items[1],
        position: Position(offset: Milliseconds(15_000), rate: 0, takenAt: .now()), duration: Milliseconds(60_000),
        volume: 50, queueRevision: 7, modes: modes))
    await library.serve(Library.ListNextAlbums.self) { request, _ in
      let albums = (1...request.limit).map { Sample.album("n\($0)", "Next \($0)") }
      return Library.Page(items: albums, next: nil)
    }
    await library.serve(Library.ReadArtist.self) { request, _ in
      Library.ArtistPage(
        artist: Artist(id: request.id, name: "Nova", albumCount: 1), summary: nil, genres: [], albums: [])
    }
    let found = try await Client(node: node).explanation(ofQueueIn: den)
    for node in [room, library, node] { await node.close() }
    return found
  }

  private func items() -> [QueueItem] {
    [
      item(1, album: "a1", of: "files:a1"), item(2, album: "a1", of: "files:a1"), item(3, album: "a1", of: "files:a1"),
      item(4, album: "a3", of: "files:r1"), item(5, album: "a2", of: "files:a2", isContinued: true),
      item(6, album: "a2", of: "files:a2", isContinued: true),
    ]
  }

  @Test func whatWasQueuedIsNamedFromTheCurrentItemOn() async throws {
    let found = try await explanation(items())
    #expect(found.origins.map(\.title) == ["Album a1", "Nova", "Album a2"])
    #expect(found.origins.map(\.tracks) == [2, 1, 2] && found.origins.map(\.isContinued) == [false, false, true])
    #expect(found.coming.map(\.place) == [2, 3, 4, 5, 6] && found.tracksLeft == 4)
    // The audio is read for the first page only.
    #expect(found.coming.map(\.audio) == [.here, .fetched, nil, nil, nil])
    #expect(found.continuation == nil && found.isPlaying)
    // 45 s of the current track, and four more minutes.
    #expect(found.endsIn == Milliseconds(285_000))
  }

  @Test func theNextAlbumsAreNamedWithTheTimeAtWhichTheyAreAdded() async throws {
    let found = try await explanation(items(), Library.AlbumList(artist: ArtistID(source: "files", native: "r1")))
    let continuation = try #require(found.continuation)
    #expect(continuation.isOn && continuation.batch == 4 && continuation.words == "the albums of Nova")
    #expect(continuation.titles == ["Next 1", "Next 2", "Next 3", "Next 4"])
    // When the album that was queued last begins: after the current track and two more.
    #expect(continuation.startsIn == Milliseconds(165_000))
    let off = try await explanation(items(), Library.AlbumList(sort: .year), isOff: true)
    #expect(off.continuation?.isOn == false && off.continuation?.startsIn == nil)
    #expect(off.continuation?.words == "all albums by year")
  }

  @Test func aQueueThatRepeatsHasNoEnd() async throws {
    let modes = Playback.Modes(
      repeats: .all, order: .queued, stopsAfterCurrent: false, sleepsAt: nil, isMuted: false, maximumVolume: 100)
    let found = try await explanation(items(), Library.AlbumList(), modes: modes)
    #expect(found.endsIn == nil && found.continuation?.startsIn == nil)
  }

  @Test func aShuffledQueueGoesOnWhenItsLastItemBegins() async throws {
    let modes = Playback.Modes(
      repeats: .off, order: .tracks, stopsAfterCurrent: false, sleepsAt: nil, isMuted: false, maximumVolume: 100)
    let found = try await explanation(items(), Library.AlbumList(), modes: modes)
    #expect(found.continuation?.startsIn == Milliseconds(225_000))
  }
}
