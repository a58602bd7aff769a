import Client
import Messages
import Model

/// Music that a command was given: things and files of the library, and tracks that addresses of services name.
struct GivenMusic: Sendable {
  var ids: [PlayableID] = []
  var described: [DescribedTrack] = []

  /// The error for addresses at which there are no tracks.
  static let nothing = LunaraError(
    "client.nothingFound", "There are no tracks at this address, or none with a title and an artist.")

  /// Returns true for the address of something at a service.
  static func isAddress(_ word: String) -> Bool {
    ["https://", "http://", "spotify:track:", "spotify:album:", "spotify:playlist:"].contains { word.hasPrefix($0) }
  }
}

extension Client {
  /// The time that a plugin has to open an address, and a little more.
  static let openTime = Duration.seconds(75)

  /// Returns the things that words name: ids and titles of the library, folders and files in it, and what plugins open
  /// at addresses. The tracks of addresses have no ids.
  ///
  /// - Throws: the errors of `playables(_:)` and `playables(atPath:)`, `cli.noResolver`, `resolver.unknownAddress`, and
  ///   those of the plugin.
  func music(_ words: [String]) async throws -> GivenMusic {
    var given = GivenMusic()
    let names = words.filter { !GivenMusic.isAddress($0) }
    if !names.isEmpty { given.ids = try await things(names) }
    for address in words where GivenMusic.isAddress(address) {
      try requireResolver()
      let opened = try await ask(Resolver.OpenAddress(address: address), within: Self.openTime)
      given.described += opened.tracks
    }
    return given
  }

  /// Returns the ids of things of the library by ids, titles and paths, in this order.
  private func things(_ words: [String]) async throws -> [PlayableID] {
    guard words.contains(where: MusicPath.isPath) else { return try await playables(words) }
    var ids: [PlayableID] = []
    for word in words { ids += try await MusicPath.isPath(word) ? playables(atPath: word) : playables([word]) }
    return ids
  }

  /// Sends an intent to the router. More described tracks than one intent takes are loaded by further ones, behind
  /// the first.
  func load(_ intent: Router.Play, within time: Duration) async throws -> Router.Played {
    let limit = Router.Play.describedLimit
    guard let all = intent.described, all.count > limit else { return try await ask(intent, within: time) }
    let tracks = intent.shuffle ? all.shuffled() : all
    var parts = stride(from: 0, to: tracks.count, by: limit).map { Array(tracks[$0..<min($0 + limit, tracks.count)]) }
    var first = intent
    // Each part that plays next goes before the one that was loaded before it.
    if intent.mode == .next { parts.reverse() }
    first.described = parts.removeFirst()
    var played = try await ask(first, within: time)
    for part in parts {
      let more = Router.Play(ids: [], described: part, room: played.room, mode: intent.mode == .next ? .next : .later)
      let next = try await ask(more, within: time)
      played = Router.Played(room: next.room, tracks: played.tracks + next.tracks, queue: next.queue)
    }
    return played
  }
}
