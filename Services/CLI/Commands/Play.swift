import Bus
import Client
import Messages
import Model

extension Option {
  static let next = Option("--next", help: "after what plays now")
  static let later = Option("--later", help: "at the end of the queue")
  static let shuffle = Option("--shuffle", help: "in an order drawn now")
  fileprivate static let wholeAlbums = Option("--albums", help: "with --shuffle: albums mixed, each in its own order")
  fileprivate static let search = Option("--search", help: "the words are no ids or titles: all tracks they find")
  fileprivate static let goOn = Option("--continue", help: "and then the albums that come after it")
  static let from = Option("--from", "N", help: "begin with the Nth track")
  static let random = Option("--random", help: "an album by chance, sooner one that was not heard lately")
  fileprivate static let artist = Option(
    "--artist", "NAME", help: "with --title: the artist of a track that may not be here")
  fileprivate static let title = Option(
    "--title", "TITLE", help: "a track by its title; it is looked for when it plays")
  fileprivate static let album = Option("--album", "TITLE", help: "with --title: the album that the track is on")
  fileprivate static let ofWall = Option(
    "--wall", help: "a wall of albums, as `lunara wall` shows it, one after the other")
  fileprivate static let ofFeed = Option("--feed", "GENRE", help: "the feed of a genre, likewise")
  fileprivate static let with = Option(
    "--with", "PLUGIN", help: "with --title: play what this plugin finds, before all others and the library")
  fileprivate static let preview = Option(
    "--preview", help: "with --title: only the preview of about 30 s that a service offers")
  fileprivate static let words = Option("--queue", "WORDS", help: "a queue that a plugin makes by these words")
  static let all = Option("--all", help: "everything there is, in the order in which it came")
}

extension Command {
  static let play = Command(
    name: "play", summary: "play albums, artists, tracks, collections or playlists in a room",
    discussion:
      "With --continue the music goes on after the last album with those after it, in their order by artist and title; --random goes on at random.",
    examples: [
      "lunara play files:a3": "an album by its id",
      "lunara play \"Night Lines\" --room kitchen": "by its title, if only one fits",
      "lunara play files:a3 --from 4": "from its fourth track on",
      "lunara play files:a3 files:a7 --later": "behind what is queued",
      "lunara play files:a3 --continue": "and then the albums after it",
      "lunara play /music/Jazz": "a folder or a file in the music folders",
      "lunara play --search tram": "all tracks that a search finds",
      "lunara play \"Nova Kessler\" --shuffle --albums": "an artist's albums, mixed as a whole",
      "lunara play --artist \"Nova Kessler\" --title \"Tram at Night\" --later":
        "a track by its names, wherever it is found",
      "lunara play --artist \"Nova Kessler\" --title \"Tram at Night\" --with archive": "what this plugin finds",
      "lunara play --artist \"Nova Kessler\" --title \"Tram at Night\" --on spotify":
        "on a device of your own with Spotify, not in a room",
      "lunara play https://music.example/album/7": "what an address of a service names, by the plugin that knows it",
      "lunara play --queue \"rainy evening, no vocals\"": "what a plugin with a language model names",
      "lunara play --wall --dial 4": "an evening of albums that you hardly know",
      "lunara play --feed electronic": "albums of a genre", "lunara play --random": "an album by chance",
      "lunara play --all --shuffle": "everything, mixed",
    ],
    takes: .context(
      .room, .next, .later, .shuffle, .wholeAlbums, .from, .goOn, .search, .artist, .title, .album, .with, .preview,
      .words, .byPlugin, .random, .all, .playOn, .device, .ofWall, .ofFeed, .subcategory, .dialPosition, .wallSeed),
    Parameter(
      operand: Operand(
        name: "ID…", count: 0...10_000,
        help: "ids, or titles of albums, artists, tracks or collections, or paths, or addresses of services",
        completes: .household(.playables))
    ) { try start(in: $0) },
    through: { context in
      let arguments = context.arguments
      if arguments.has(.ofWall) || arguments.has(.ofFeed) { return try await Client.startingDiscovery(context) }
      return try await Client(context, asking: arguments.has(.playOn) ? nil : .router)
    }, run: playMusic)

  @Sendable private static func playMusic(
    _ client: Client, _ console: Console, _ context: Context, from start: Int
  ) async throws {
    let arguments = context.arguments
    let queue = arguments.value(.words)
    let all = arguments.has(.all)
    let described = arguments.value(.title).map {
      DescribedTrack(
        title: $0, artist: arguments.value(.artist) ?? "", album: arguments.value(.album),
        choice: arguments.has(.with) || arguments.has(.preview)
          ? ChosenSource(plugin: arguments.value(.with), isPreview: arguments.has(.preview) ? true : nil) : nil)
    }
    if let plugin = arguments.value(.playOn) {
      return try await client.play(on: plugin, described, arguments, console)
    }
    if arguments.has(.ofWall) || arguments.has(.ofFeed) { return try await playWall(client, context, from: start) }
    let room = try await client.room(for: context)
    if let played = try await playKept(context, client, in: room, from: start) {
      return console.print(played.json, text: played.line(arguments.mode))
    }
    var music = GivenMusic(described: described.map { [$0] } ?? [])
    let isNamed = described == nil && queue == nil && !arguments.has(.random) && !all && !arguments.has(.search)
    if isNamed {
      do { music = try await client.music(arguments.operands) } catch let error as LunaraError {
        guard let played = try await playKept(context, client, in: room, from: start, instead: error) else {
          throw error
        }
        return console.print(played.json, text: played.line(arguments.mode))
      }
    }
    if music.ids.isEmpty, music.described.isEmpty, isNamed { throw GivenMusic.nothing }
    if let queue {
      music.described = try await client.generated(queue, by: arguments.value(.byPlugin)).tracks
      for track in music.described { console.remark("\(track.artist) – \(track.title)") }
    }
    let ids =
      if isNamed || described != nil {
        music.ids
      } else if arguments.has(.random) {
        [try await client.randomAlbum()]
      } else if all {
        [PlayableID(source: "library", native: "all")]
      } else if arguments.has(.search) {
        [try await client.found(arguments.operands.joined(separator: " "))]
      } else {
        [PlayableID]()
      }
    let shuffles = arguments.has(.shuffle)
    let list = Library.AlbumList(
      sort: arguments.has(.random) ? .random : .name, seed: arguments.has(.random) ? .random(in: 0 ... .max) : nil)
    let intent = Router.Play(
      ids: ids, described: music.described.isEmpty ? nil : music.described, room: room, mode: arguments.mode,
      startAt: start - 1, shuffle: shuffles, seed: shuffles ? .random(in: 0...UInt64(Int64.max)) : nil,
      continues: arguments.has(.goOn) ? list : nil,
      order: shuffles ? arguments.has(.wholeAlbums) ? .albums : .tracks : nil)
    // A large part of the library takes a while to load.
    let isMuch = all || arguments.has(.search)
    let played: Router.Played
    do { played = try await client.load(intent, within: isMuch ? .seconds(300) : .seconds(60)) } catch {
      guard let kept = try await playKept(context, client, in: room, from: start, instead: LunaraError(error)) else {
        throw error
      }
      played = kept
    }
    console.print(played.json, text: played.line(arguments.mode))
  }

  /// Returns the number of the first track to play. Throws a `UsageError` for options that do not go together.
  private static func start(in arguments: Arguments) throws -> Int {
    let start = try arguments.integer(.from, in: 1...1_000_000) ?? 1
    let (all, isLater, hasWords) = (arguments.has(.all), arguments.mode != .now, !arguments.operands.isEmpty)
    let (isDescribed, makesQueue) = (arguments.has(.title), arguments.has(.words))
    let isWall = arguments.has(.ofWall) || arguments.has(.ofFeed)
    let mistakes = [
      (arguments.has(.ofWall) && arguments.has(.ofFeed), "--wall and --feed exclude each other."),
      (
        isWall
          && (hasWords || all || isLater || isDescribed || arguments.has(.random) || arguments.has(.goOn)
            || arguments.has(.search) || arguments.has(.shuffle) || arguments.has(.words) || arguments.has(.playOn)),
        "--wall and --feed choose the albums and their order themselves; give --room, --from, --dial or --seed only."
      ),
      (
        !isWall && (arguments.has(.dialPosition) || arguments.has(.wallSeed)),
        "--dial and --seed go with --wall or --feed."
      ),
      (!arguments.has(.ofFeed) && arguments.has(.subcategory), "--sub goes with --feed."),
      (arguments.has(.next) && arguments.has(.later), "--next and --later exclude each other."),
      (start > 1 && isLater, "--from goes with playing at once, not with --next or --later."),
      (arguments.has(.wholeAlbums) && !arguments.has(.shuffle), "--albums goes with --shuffle."),
      (arguments.has(.goOn) && (isLater || all), "--continue goes with playing at once, and not with everything."),
      (arguments.has(.search) && !hasWords, "Say what to search for: lunara play --search WORDS."),
      (arguments.has(.random) && hasWords, "--random draws an album itself; give no ids or titles with it."),
      (all && hasWords, "--all plays everything; give no ids or titles with it."),
      (arguments.has(.random) && all, "--random and --all exclude each other."),
      (
        !isDescribed && [Option.artist, .album, .with, .preview].contains(where: arguments.has),
        "--artist, --album, --with and --preview go with --title."
      ),
      (isDescribed && !arguments.has(.artist), "--title goes with --artist."),
      (
        isDescribed && (hasWords || all || arguments.has(.random) || arguments.has(.goOn)),
        "--title names the track to play; give no ids or titles with it, nor --random, --all or --continue."
      ),
      (
        makesQueue && (isDescribed || hasWords || all || arguments.has(.random) || arguments.has(.goOn)),
        "--queue makes a queue itself; give nothing else to play with it."
      ),
      (!makesQueue && arguments.has(.byPlugin), "--plugin goes with --queue."),
      (
        !arguments.has(.random) && !all && !hasWords && !isDescribed && !makesQueue && !isWall,
        "Say what to play: ids or titles, or --random, or --all, or --wall, or --artist and --title."
      ),
      (!arguments.has(.playOn) && arguments.has(.device), "--device goes with --on."),
      (
        arguments.has(.playOn)
          && (isLater || all || start > 1
            || [.shuffle, .goOn, .search, .random, .room].contains { arguments.has($0) }),
        "--on plays a track, or ids and titles, on a device: of the other options it takes --device only."
      ),
    ]
    for (isMistake, message) in mistakes where isMistake { throw UsageError(message) }
    return start
  }
}

extension Command {
  /// Plays albums that the room keeps on its disk, if router or library cannot be reached. Returns nil if they can,
  /// if the options need them, and if the room does not keep all of these albums.
  ///
  /// - Parameter error: the error of router or library; nil before they were asked.
  private static func playKept(
    _ context: Context, _ client: Client, in room: RoomName, from start: Int, instead error: LunaraError? = nil
  ) async throws -> Router.Played? {
    let arguments = context.arguments
    let needsOthers = [Option.shuffle, .random, .all, .goOn, .search, .title, .words].contains { arguments.has($0) }
    guard !needsOthers, !arguments.operands.isEmpty else { return nil }
    if let error {
      guard ["bus.unreachable", "bus.timeout"].contains(error.code) else { return nil }
    } else if client.canReach(.router), client.canReach(.library) {
      return nil
    }
    let mode = arguments.mode
    let words = arguments.operands
    if let played = try await client.playOffline(words, in: room, mode, from: start - 1) { return played }
    // Several words may be one title.
    guard words.count > 1 else { return nil }
    return try await client.playOffline([words.joined(separator: " ")], in: room, mode, from: start - 1)
  }

  /// Plays the first albums of a wall or feed; the queue continues with it by itself.
  private static func playWall(_ client: Client, _ context: Context, from start: Int) async throws {
    let room = try await client.room(for: context)
    let request = try Discovery.ReadWall(context.arguments, genre: context.arguments.value(.ofFeed))
    let wall = try await client.ask(request, within: .seconds(12))
    let ids = wall.tiles.compactMap(\.id).prefix(albumsAtOnce).map(\.playable)
    guard !ids.isEmpty else {
      throw LunaraError("cli.noMusic", "There is no album for this wall. `lunara genres` shows what the library has.")
    }
    let intent = Router.Play(
      ids: Array(ids), room: room, mode: .now, startAt: start - 1, continues: Library.AlbumList(wall: wall.name))
    let played = try await client.ask(intent, within: .seconds(60))
    context.console.print(played.json.with("wall", wall.name.json), text: played.line(context.arguments.mode))
  }

  /// The number of albums of a wall that are queued at a time.
  private static let albumsAtOnce = 5

  static let move = Command(
    name: "move", summary: "move what plays to another room, with its queue and position",
    discussion: """
      The queue of the other room is replaced; `lunara queue restore` brings it back. With --keep what moves plays at once, and the
      queue of the other room stays: from its current track on it follows after what moved.
      """,
    examples: [
      "lunara move kitchen bath": "the music goes on in the bath, and the kitchen is quiet",
      "lunara move bath kitchen": "and back again",
      "lunara move kitchen bath --keep": "what was queued in the bath follows after it",
    ],
    takes: .flag("--keep", help: "keep what is queued there: it follows after what moves"),
    .operands("FROM TO", 2...2, help: "the room that plays now, and the room to move to", completes: .household(.rooms))
  ) { client, console, keeps, words in
    let rooms = [await client.roomName(words[0]), await client.roomName(words[1])]
    let before = keeps ? 0 : await client.queueLength(of: rooms[1])
    let state = try await client.ask(Router.Move(from: rooms[0], to: rooms[1], keepsQueue: keeps ? true : nil))
    let status = RoomStatus(answered: state)
    if console.isJSON { return console.print(status.json.with(["replacedTracks": before])) }
    status.print(to: console)
    guard before > 0 else { return }
    console.remark(
      "\(Printable.count(before, "track")) that were queued in \(rooms[1]) were replaced. `lunara queue restore --room \(rooms[1])` brings them back."
    )
  }
}

extension Client {
  /// Returns the number of items in a room's queue; 0 for a room that does not answer, as the move then says why.
  fileprivate func queueLength(of room: RoomName) async -> Int {
    do {
      return try await ask(Playback.ReadQueue(first: 0, limit: 1), of: .playback(room), within: .seconds(2)).count
    } catch {
      return 0
    }
  }
}

extension Client {
  fileprivate func randomAlbum() async throws -> PlayableID {
    try await ask(Library.DrawAlbum()).album.id.playable
  }

  fileprivate func found(_ words: String) async throws -> PlayableID {
    let found = try await ask(Library.Search(words: words, limit: 1))
    guard !(found.tracks.isEmpty && found.albums.isEmpty && found.artists.isEmpty) else {
      throw LunaraError(
        "client.nothingFound", "Nothing is found for “\(words)”. A search finds by the beginnings of words.")
    }
    return PlayableID(source: "library", native: "search:\(found.searchedWords ?? words)")
  }
}

extension Arguments {
  fileprivate var mode: Playback.LoadMode { has(.next) ? .next : has(.later) ? .later : .now }
}

extension Router.Played {
  func line(_ mode: Playback.LoadMode) -> String {
    let place = mode == .next ? "next" : mode == .later ? "at the end of the queue" : "now"
    return "\(Printable.count(tracks, "track")) \(place), in \(room)\n"
  }
}
