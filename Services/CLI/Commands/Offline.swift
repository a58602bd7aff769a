import Bus
import Client
import Messages
import Model

extension Command {
  static let offline = Command(
    name: "offline", summary: "albums that are kept whole on a room's machine",
    discussion: """
      A room plays a kept album without network, library and router: `lunara play` on its machine finds it by id or title.
      If there is no room for another album, those that were played longest ago go first, unless they are pinned. Nothing is
      fetched over a connection that costs by volume, unless `lunara offline network` says so.
      """,
    examples: [
      "lunara offline": "what is kept, and how far it is", "lunara offline add files:a3": "an album",
      "lunara offline add \"Nova Kessler\" --pin": "all albums of an artist, which stay",
      "lunara offline remove files:a3": "it is kept no more",
      "lunara offline space 64GB": "at most so much disk",
      "lunara offline network wifi": "fetch over Wi-Fi and cables only",
    ],
    takes: .room,
    commands: [
      Command(
        name: "list", summary: "the albums, and how far each is",
        examples: ["lunara offline list --json": "for programs, with the progress from 0 to 1"], takes: .room,
        run: listOffline),
      Command(
        name: "add", summary: "keep albums, or all albums of an artist, a collection or a playlist",
        discussion: "Albums that are kept already are only compared with their source again.",
        examples: ["lunara offline add files:a3": "an album", "lunara offline add files:a3 files:a7 --unpin": "two"],
        takes: .room, .flag("--pin", help: "keep them even if others need the room"),
        .flag("--unpin", help: "let them go if others need the room"),
        .operands("ID", help: "ids, or titles", completes: .household(.playables)),
        refuses: [.both("--pin", "--unpin")], run: addOffline),
      Command(
        name: "remove", summary: "keep albums no more, and delete their copies",
        examples: ["lunara offline remove files:a3": "one", "lunara offline remove --all": "all of them"],
        takes: .room, .flag("--all", help: "all albums that the room keeps"),
        .operands("ID…", 0...10_000, help: "ids, or titles of kept albums"),
        refuses: [
          Refusal("--all removes everything; give no ids with it.") { $0.has("--all") && !$0.operands.isEmpty },
          Refusal("Say which albums, or --all.") { !$0.has("--all") && $0.operands.isEmpty },
        ], run: removeOffline),
      Command(
        name: "space", summary: "how much disk kept albums may use",
        discussion: "By default 128 GB, or half of what is free, whichever is smaller.",
        examples: [
          "lunara offline space": "how much it is, and how much is used",
          "lunara offline space 64GB": "at most so much",
          "lunara offline space auto": "the default",
        ],
        takes: .room,
        Parameter(operand: .optional("SIZE", help: "such as 64GB or 500MB, or auto")) {
          try $0.operands.first.map { word in
            guard word == "auto" || DiskSize.bytes(word) != nil else {
              throw UsageError("SIZE is a number with a unit, such as 64GB or 500MB, or auto, not “\(word)”.")
            }
            return Playback.SetOffline(limit: DiskSize.bytes(word))
          }
        }, run: offlineSpace),
      Command(
        name: "network", summary: "the connections over which albums are fetched",
        discussion: """
          unmetered: all that do not cost by volume, which is the default; wifi: of these, only Wi-Fi and cables, no mobile
          broadband; any: all. NetworkManager says which connection there is; without it all are taken.
          """,
        examples: [
          "lunara offline network": "which they are",
          "lunara offline network wifi": "no mobile broadband",
          "lunara offline network unmetered": "the default",
        ],
        takes: .room,
        Parameter(
          operand: .optional(
            "CONNECTIONS", help: "unmetered, wifi or any", completes: .words(["unmetered", "wifi", "any"]))
        ) {
          try $0.operands.first.map { word in
            guard let connection = Playback.OfflineConnection(rawValue: word), connection != .unknown else {
              throw UsageError("CONNECTIONS is unmetered, wifi or any, not “\(word)”.")
            }
            return Playback.SetOfflineConnection(connection: connection)
          }
        }, run: offlineNetwork),
    ],
    run: listOffline)

  @Sendable private static func listOffline(_ client: Client, _ console: Console, _ room: RoomName) async throws {
    let albums = try await client.offlineAlbums(in: room)
    console.print(
      .list(albums.items) { $0.json(of: room) },
      Table(
        albums.items.map { album in
          [
            .faint("\(album.id)"), .strong(album.title), .init(album.artist), .number(DiskSize.text(album.bytes)),
            album.state == .whole
              ? .init("whole", .good) : .init("\(album.state.rawValue) \(Int(album.progress * 100)) %"),
            .faint(album.isPinned ? "pinned" : ""), .faint(album.problem?.message ?? ""),
          ]
        }), ifEmpty: "\(room) keeps no album. `lunara offline add ID` has it keep one.")
    if !albums.items.isEmpty { console.remark(albums.state.line) }
  }

  @Sendable private static func addOffline(
    _ client: Client, _ console: Console, _ room: RoomName, isPinned: Bool, isUnpinned: Bool, _ words: [String]
  ) async throws {
    let isPinned: Bool? = isPinned ? true : isUnpinned ? false : nil
    let ids = try await client.playables(words)
    let change = try await client.ask(Playback.AddOffline(ids: ids, isPinned: isPinned), in: room)
    let there = change.unchanged > 0 ? ", \(change.unchanged) there already" : ""
    console.print(
      change.json.with("room", room.json),
      text: "\(Printable.count(change.changed, "album")) to keep in \(room)\(there)\n")
  }

  @Sendable private static func removeOffline(
    _ client: Client, _ console: Console, _ room: RoomName, all: Bool, _ words: [String]
  ) async throws {
    var ids: [AlbumID]?
    if !all {
      let kept = try await client.offlineAlbums(in: room).items
      ids = try words.map { try keptAlbum($0, kept, in: room) }
    }
    let change = try await client.ask(Playback.RemoveOffline(ids: ids), in: room)
    console.print(
      change.json.with("room", room.json), text: "\(Printable.count(change.changed, "album")) removed from \(room)\n")
  }

  /// Returns the id of a kept album by its id or title. The library is not asked, as it may be away.
  private static func keptAlbum(_ word: String, _ kept: [Playback.OfflineAlbum], in room: RoomName) throws -> AlbumID {
    if let id = TitleChoice.id(word) { return AlbumID(source: id.source, native: id.native) }
    let titled = kept.filter { $0.title.lowercased() == word.lowercased() }
    guard let album = titled.first, titled.count == 1 else {
      throw LunaraError(
        "playback.notKept",
        titled.isEmpty
          ? "\(room) keeps no album “\(word)”. `lunara offline list` shows those that it keeps."
          : "“\(word)” may mean several albums: \(titled.map(\.id.description).joined(separator: ", ")). Give the id.")
    }
    return album.id
  }

  @Sendable private static func offlineSpace(
    _ client: Client, _ console: Console, _ room: RoomName, _ wanted: Playback.SetOffline?
  ) async throws {
    let state = try await client.offlineState(of: room, after: wanted)
    console.print(state.json.with("room", room.json), text: state.line + "\n")
  }
}

extension Command {
  @Sendable fileprivate static func offlineNetwork(
    _ client: Client, _ console: Console, _ room: RoomName, _ wanted: Playback.SetOfflineConnection?
  ) async throws {
    let state = try await client.offlineState(of: room, after: wanted)
    let text =
      switch state.connection {
      case .wifi: "Wi-Fi and cables that do not cost by volume."
      case .any: "Any connection, also one that costs by volume."
      default: "Any connection that does not cost by volume."
      }
    console.print(state.json.with("room", room.json), text: text + "\n")
  }
}

extension Client {
  /// Returns false for a node that is not running, or does not answer.
  func canReach(_ node: NodeID) -> Bool { nodes().contains(node) && !self.node.isMissing(node) }

  /// Returns all albums that a room keeps, and the state of the space.
  fileprivate func offlineAlbums(
    in room: RoomName
  ) async throws -> (items: [Playback.OfflineAlbum], state: Playback.OfflineState) {
    var page = try await ask(Playback.ListOffline(), in: room)
    var items = page.albums
    while let next = page.next {
      page = try await ask(Playback.ListOffline(after: next), in: room)
      items += page.albums
    }
    return (items, page.state)
  }

  /// Makes a change if there is one, and returns the state of the albums that a room keeps.
  fileprivate func offlineState<Change: CommandRequest>(
    of room: RoomName, after change: Change?
  ) async throws -> Playback.OfflineState where Change.Answer == Playback.OfflineState {
    if let change { return try await ask(change, in: room) }
    return try await ask(Playback.ListOffline(), in: room).state
  }

  /// Plays kept albums in a room without router and library. Returns nil if the room keeps none of them; the reason why
  /// they cannot be played as usual is then the better answer.
  func playOffline(
    _ words: [String], in room: RoomName, _ mode: Playback.LoadMode, from start: Int
  ) async throws -> Router.Played? {
    do {
      return try await ask(Playback.PlayOffline(names: words, mode: mode, startAt: start), in: room)
    } catch let error as LunaraError where ["playback.notKept", "bus.unknownRequest"].contains(error.code) {
      return nil
    }
  }
}

extension Playback.OfflineState {
  fileprivate var line: String {
    let pause =
      switch pause {
      case "metered": " It waits, as this connection costs by volume."
      case "mobile": " It waits for Wi-Fi or a cable."
      default: ""
      }
    let part = albums == whole ? "" : " \(albums - whole) not whole yet."
    return
      "\(DiskSize.text(bytes)) of at most \(DiskSize.text(limit)), \(DiskSize.text(free)) free on the disk.\(part)\(pause)"
  }
}

/// Sizes on a disk, in decimal units as disks are sold.
enum DiskSize {
  private static let units: [(name: String, size: Int64)] = [
    ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
  ]

  static func text(_ bytes: Int64) -> String {
    guard let unit = units.first(where: { bytes >= $0.size }) else { return "\(bytes) B" }
    let tenths = (Double(bytes) / Double(unit.size) * 10).rounded()
    return tenths < 100 ? "\(tenths / 10) \(unit.name)" : "\(Int64((tenths / 10).rounded())) \(unit.name)"
  }

  /// Reads a size such as `64GB`, `1.5 TB` or `500M`; nil for other text.
  static func bytes(_ text: String) -> Int64? {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.uppercased()
    let known = units.first { $0.name.uppercased() == unit || $0.name.prefix(1).uppercased() == unit }
    guard let value = Double(number), let factor = known?.size ?? (["", "B"].contains(unit) ? 1 : nil) else {
      return nil
    }
    return Int64(exactly: (value * Double(factor)).rounded())
  }
}
