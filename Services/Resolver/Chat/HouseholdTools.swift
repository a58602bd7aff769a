import Bus
import Client
import Messages
import Model

/// Uses the tools of a conversation, by the same requests as the command line, so that no tool can do more than a
/// person at a terminal.
struct HouseholdTools: Sendable {
  /// The result of a tool.
  struct Outcome: Sendable {
    /// The result as the plugin gets it.
    var value: PluginValue
    /// A sentence for the person that says what happened.
    var said: String
  }

  /// The most tracks of one call.
  static let trackLimit = 100

  let client: Client
  let unwanted: UnwantedStore
  /// The room that the person named; nil to choose by the rule of requests without a room.
  let roomName: RoomName?

  /// A tool that needs a person's consent: the question, and the action, which affects only what the question names.
  struct Asked: Sendable {
    var question: String
    var run: @Sendable () async throws -> Outcome
  }

  /// Prepares a tool that a person has to agree to; nil for one that needs no question.
  ///
  /// - Throws: the errors of the library and of the room, where there is nothing to clear or to delete.
  func asked(_ call: ChatReply.Call) async throws -> Asked? {
    switch call.name {
    case "queue_clear":
      let room = try await room()
      let count = try await client.ask(Playback.ReadQueue(limit: 1), in: room).count
      return Asked(question: "Clear the queue of \(room), \(Self.count(count, "track"))?") {
        try await clearQueue(of: room)
      }
    case "delete_playlist":
      let playlist = try await playlist(call).playlist
      return Asked(question: "Delete the playlist “\(playlist.title)”, \(Self.count(playlist.trackCount, "track"))?") {
        try await delete(playlist)
      }
    default: return nil
    }
  }

  /// Uses a tool that needs no question.
  ///
  /// - Throws: `resolver.unknownTool`, `resolver.badToolCall`, and the errors of the services.
  func use(_ call: ChatReply.Call) async throws -> Outcome {
    switch call.name {
    case "play": try await play(call.arguments)
    case "control": try await control(call.arguments)
    case "seek": try await seek(call.arguments)
    case "get_position": try await position()
    case "search": try await search(call.arguments)
    case "queue_add": try await queue(call.arguments)
    case "shuffle": try await shuffle(call.arguments)
    case "block_recommendation": try await block(call.arguments)
    case "create_playlist": try await createPlaylist(call)
    case "get_playlists": try await playlists()
    case "get_playlist_tracks": try await playlistTracks(call)
    case "add_to_playlist": try await addToPlaylist(call)
    case "remove_from_playlist": try await removeFromPlaylist(call)
    case "reorder_playlist": try await reorderPlaylist(call)
    case "rename_playlist": try await renamePlaylist(call)
    default: throw LunaraError("resolver.unknownTool", "There is no tool “\(call.name)”.")
    }
  }

  // MARK: - What tools have in common

  static func bad(_ reason: String) -> LunaraError {
    LunaraError("resolver.badToolCall", "The tool cannot be used so: \(reason).")
  }

  static func count(_ number: Int, _ word: String) -> String { "\(number) \(number == 1 ? word : word + "s")" }

  /// Returns a text of the arguments; nil if it is missing.
  static func text(_ arguments: PluginValue, _ name: String) -> String? {
    arguments[name]?.string.map { ChatReply.cleaned($0) }.flatMap { $0.isEmpty ? nil : String($0.prefix(500)) }
  }

  func room() async throws -> RoomName { try await client.room(named: roomName?.rawValue) }

  /// Reads tracks: each by its id, or by its artist and title.
  static func tracks(_ values: [PluginValue]) throws -> (ids: [PlayableID], described: [DescribedTrack]) {
    guard values.count <= trackLimit else { throw bad("it names more than \(trackLimit) tracks") }
    var (ids, described) = ([PlayableID](), [DescribedTrack]())
    for value in values {
      if let id = text(value, "id").flatMap({ TitleChoice.id($0) }), !id.isDescribed {
        ids.append(id)
      } else if let title = text(value, "title"), let artist = text(value, "artist") {
        described.append(DescribedTrack(title: title, artist: artist, album: text(value, "album")))
      } else {
        throw bad("a track has an id, or an artist and a title")
      }
    }
    guard !values.isEmpty else { throw bad("it names no track") }
    return (ids, described)
  }

  private static let done = PluginValue.object(["success": .bool(true)])

  // MARK: - The room

  private func play(_ arguments: PluginValue) async throws -> Outcome {
    let (ids, described) = try Self.tracks([arguments])
    let room = try await room()
    let before = try await client.ask(Playback.ReadQueue(limit: 1), in: room)
    _ = try await client.ask(
      Router.Play(ids: ids, described: described.isEmpty ? nil : described, room: room, mode: .next), of: .router)
    // A room in which nothing is current has begun with the track.
    if let current = before.current {
      _ = try await client.ask(Playback.Transport(.jump(to: current + 1)), in: room)
    }
    let name = described.first.map { Byline.quoted($0.title, $0.artist) } ?? ids.first?.description ?? ""
    return Outcome(value: Self.done, said: "Plays \(name) in \(room).")
  }

  private func control(_ arguments: PluginValue) async throws -> Outcome {
    let actions: [String: (Playback.Transport.Action, String)] = [
      "resume": (.resume, "Plays on"), "play": (.resume, "Plays on"), "pause": (.pause, "Paused"),
      "next": (.next, "Went to the next track"), "skip": (.next, "Went to the next track"),
      "previous": (.previous, "Went to the track before"), "stop": (.stop, "Stopped"),
    ]
    guard let (action, words) = Self.text(arguments, "action").flatMap({ actions[$0] }) else {
      throw Self.bad("the action is one of resume, pause, next, previous, stop")
    }
    let room = try await room()
    let state = try await client.ask(Playback.Transport(action), in: room)
    return Outcome(value: Self.value(RoomStatus(answered: state)), said: "\(words), in \(room).")
  }

  private func seek(_ arguments: PluginValue) async throws -> Outcome {
    guard let seconds = (arguments["seconds"] ?? arguments["position"])?.number, (0...86_400).contains(seconds) else {
      throw Self.bad("seconds is a number from 0")
    }
    let room = try await room()
    let state = try await client.ask(Playback.Transport(.seek(to: Milliseconds(Int64(seconds * 1000)))), in: room)
    return Outcome(
      value: Self.value(RoomStatus(answered: state)), said: "Went to \(Int(seconds)) s of the track, in \(room).")
  }

  private func position() async throws -> Outcome {
    let room = try await room()
    guard let state = try await client.state(Playback.RoomState.self, of: .playback(room)) else {
      throw Self.bad("\(room) has not said yet what it plays")
    }
    return Outcome(value: Self.value(RoomStatus(state)), said: "Looked what plays in \(room).")
  }

  private static func value(_ status: RoomStatus) -> PluginValue {
    .members([
      "room": .text(status.name.rawValue), "state": .text(status.state),
      "title": .optional(status.track?.title), "artist": .optional(status.track?.artist),
      "album": .optional(status.track?.album), "position": .number(status.position.seconds.rounded()),
      "duration": status.duration.map { .number($0.seconds.rounded()) },
    ])
  }

  private func queue(_ arguments: PluginValue) async throws -> Outcome {
    let (ids, described) = try Self.tracks(arguments["tracks"]?.elements ?? [arguments])
    let mode: Playback.LoadMode = Self.text(arguments, "position") == "next" ? .next : .later
    let room = try await room()
    let played = try await client.ask(
      Router.Play(ids: ids, described: described.isEmpty ? nil : described, room: room, mode: mode), of: .router)
    return Outcome(
      value: .object(["success": .bool(true), "queued": .number(Double(played.tracks))]),
      said: "Queued \(Self.count(played.tracks, "track")), in \(room).")
  }

  private func clearQueue(of room: RoomName) async throws -> Outcome {
    _ = try await client.ask(Playback.EditQueue(.clear), in: room)
    return Outcome(value: Self.done, said: "Cleared the queue of \(room). `lunara queue restore` brings it back.")
  }

  private func shuffle(_ arguments: PluginValue) async throws -> Outcome {
    let isOn = arguments["enabled"]?.isTrue ?? true
    let room = try await room()
    let order: Playback.Order = isOn ? .tracks : .queued
    _ = try await client.ask(
      Playback.EditQueue(.order(order, seed: .random(in: 0...UInt64(Int64.max)))), in: room)
    return Outcome(value: Self.done, said: "\(isOn ? "Shuffled" : "Sorted") the queue of \(room).")
  }

  private func search(_ arguments: PluginValue) async throws -> Outcome {
    guard let words = Self.text(arguments, "query") else { throw Self.bad("query has the words") }
    let found = try await client.ask(Library.Search(words: words, limit: 10), of: .library)
    let value = PluginValue.object([
      "tracks": .list(
        found.tracks.prefix(10).map {
          .object([
            "id": .text($0.id.description), "title": .text($0.title), "artist": .text($0.artist),
            "album": .text($0.album),
          ])
        }),
      "albums": .list(
        found.albums.prefix(10).map {
          .object(["id": .text($0.id.description), "title": .text($0.title), "artist": .text($0.artist)])
        }),
      "artists": .list(
        found.artists.prefix(10).map { .object(["id": .text($0.id.description), "name": .text($0.name)]) }),
    ])
    return Outcome(value: value, said: "Searched the library for “\(found.searchedWords ?? words)”.")
  }

  private func block(_ arguments: PluginValue) async throws -> Outcome {
    guard let artist = Self.text(arguments, "artist") ?? Self.text(arguments, "name") else {
      throw Self.bad("artist is missing")
    }
    let item = Resolver.UnwantedMusic(artist: artist, title: Self.text(arguments, "title"))
    _ = try await unwanted.change(.init(add: [item]))
    let words = item.title.map { "“\($0)” by \(artist)" } ?? artist
    return Outcome(
      value: Self.done,
      said: "Noted that \(words) is unwanted. `lunara plugins unwanted` lists such music and takes it back.")
  }
}
