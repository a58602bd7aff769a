import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let pin = Option("--pin", help: "keep them even if others need the room")
  fileprivate static let unpin = Option("--unpin", help: "let them go if others need the room")
  fileprivate static let everyAlbum = Option("--all", help: "all albums that the room keeps")
}

extension Command {
  static let offline = Command(
    name: "offline", summary: "albums that are kept whole on a room's machine",
    discussion: """
      A room plays a kept album without network, library and router: `lunara play` on its machine finds it by id or title.
      If there is no room for another album, those that were played longest ago go first, unless they are pinned. Nothing is
      fetched over a connection that costs by volume.
      """,
    examples: [
      "lunara offline": "what is kept, and how far it is", "lunara offline add files:a3": "an album",
      "lunara offline add \"Nova Kessler\" --pin": "all albums of an artist, which stay",
      "lunara offline remove files:a3": "it is kept no more",
      "lunara offline space 64GB": "at most so much disk",
    ],
    options: [.room],
    commands: [
      Command(
        name: "list", summary: "the albums, and how far each is",
        examples: ["lunara offline list --json": "for programs, with the progress from 0 to 1"], options: [.room],
        action: .asynchronous { try await listOffline($0) }),
      Command(
        name: "add", summary: "keep albums, or all albums of an artist, a collection or a playlist",
        discussion: "Albums that are kept already are only compared with their source again.",
        examples: ["lunara offline add files:a3": "an album", "lunara offline add files:a3 files:a7 --unpin": "two"],
        options: [.room, .pin, .unpin],
        operand: .some("ID", help: "ids, or titles", completes: .household(.playables)),
        action: .asynchronous { try await addOffline($0) }),
      Command(
        name: "remove", summary: "keep albums no more, and delete their copies",
        examples: ["lunara offline remove files:a3": "one", "lunara offline remove --all": "all of them"],
        options: [.room, .everyAlbum],
        operand: Operand(name: "ID…", count: 0...10_000, help: "ids, or titles of kept albums"),
        action: .asynchronous { try await removeOffline($0) }),
      Command(
        name: "space", summary: "how much disk kept albums may use",
        discussion: "By default 128 GB, or half of what is free, whichever is smaller.",
        examples: [
          "lunara offline space": "how much it is, and how much is used",
          "lunara offline space 64GB": "at most so much",
          "lunara offline space auto": "the default",
        ],
        options: [.room], operand: .optional("SIZE", help: "such as 64GB or 500MB, or auto"),
        action: .asynchronous { try await offlineSpace($0) }),
    ],
    action: .asynchronous { try await listOffline($0) })

  private static func listOffline(_ context: Context) async throws {
    let client = try await Client(context)
    let room = try await client.room(for: context)
    let albums = try await client.offlineAlbums(in: room)
    context.console.print(
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
    if !albums.items.isEmpty { context.console.note(albums.state.line) }
  }

  private static func addOffline(_ context: Context) async throws {
    let isPinned: Bool? = context.arguments.has(.pin) ? true : context.arguments.has(.unpin) ? false : nil
    guard !(context.arguments.has(.pin) && context.arguments.has(.unpin)) else {
      throw UsageError("--pin and --unpin exclude each other.")
    }
    let client = try await Client(context)
    let room = try await client.room(for: context)
    let ids = try await client.playables(context.arguments.operands)
    let change = try await client.ask(Playback.AddOffline(ids: ids, isPinned: isPinned), in: room)
    let there = change.unchanged > 0 ? ", \(change.unchanged) there already" : ""
    context.console.print(
      change.json.with("room", room.json),
      text: "\(Printable.count(change.changed, "album")) to keep in \(room)\(there)\n")
  }

  private static func removeOffline(_ context: Context) async throws {
    let (all, words) = (context.arguments.has(.everyAlbum), context.arguments.operands)
    guard all != !words.isEmpty else {
      throw UsageError(all ? "--all removes everything; give no ids with it." : "Say which albums, or --all.")
    }
    let client = try await Client(context)
    let room = try await client.room(for: context)
    var ids: [AlbumID]?
    if !all {
      let kept = try await client.offlineAlbums(in: room).items
      ids = try words.map { try keptAlbum($0, kept, in: room) }
    }
    let change = try await client.ask(Playback.RemoveOffline(ids: ids), in: room)
    context.console.print(
      change.json.with("room", room.json), text: "\(Printable.count(change.changed, "album")) removed from \(room)\n")
  }

  /// Returns the id of a kept album by its id or title. The library is not asked, as it may be away.
  private static func keptAlbum(
    _ word: String, _ kept: [Playback.OfflineAlbum], in room: RoomName
  ) throws -> AlbumID {
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

  private static func offlineSpace(_ context: Context) async throws {
    var wanted: Playback.SetOffline?
    if let word = context.arguments.operands.first {
      if word != "auto", DiskSize.bytes(word) == nil {
        throw UsageError("SIZE is a number with a unit, such as 64GB or 500MB, or auto, not “\(word)”.")
      }
      wanted = Playback.SetOffline(limit: DiskSize.bytes(word))
    }
    let client = try await Client(context)
    let room = try await client.room(for: context)
    let state =
      if let wanted {
        try await client.ask(wanted, in: room)
      } else {
        try await client.ask(Playback.ListOffline(), in: room).state
      }
    context.console.print(state.json.with("room", room.json), text: state.line + "\n")
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
    let pause = pause == "metered" ? " It waits, as this connection costs by volume." : ""
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
