import Messages
import Model
import Synchronization

@testable import Records
@testable import Sources

/// A music server in memory, whose contents and behaviour a test sets.
final class FakeServer: MusicServer {
  /// The server's music and its behaviour.
  struct Contents: Sendable {
    var machine = "machine-1"
    var sections = [ServerSection(key: "1", title: "Music", isOnByDefault: true)]
    var artists: [ServerArtist] = []
    var albums: [ServerAlbum] = []
    var tracks: [ServerTrack] = []
    var collections: [ServerList] = []
    var playlists: [ServerList] = []
    /// Changes whenever the contents change, so that a check for changes notices.
    var counter = 1
    /// True if it can list changes; it lists `changedItems`.
    var tellsDeltas = false
    var changedItems: Set<String> = []
    /// True if a check for changes gives the number of tracks.
    var tellsCount = false
    /// The number of tracks that it counts and never lists.
    var hidden = 0
    /// True if a delta brings all lists.
    var readsLists = false
    /// True if its contents change during every reading.
    var isUnsteady = false
    /// The error that every call throws.
    var error: LunaraError?
    /// True if edits of playlists are made, and their answers lost.
    var losesAnswers = false
    /// True if edits of playlists are refused.
    var refusesEdits = false
    /// The address of its audio; nil for addresses that lead nowhere.
    var audio: String?
    /// True if it is asleep, so that a request for audio is never answered.
    var isAsleep = false
    /// The error that waiting for a change throws.
    var changesError: LunaraError?
  }

  private let state: Mutex<Contents>
  private let scopes = Mutex<[ReadScope]>([])
  private let changes: AsyncStream<Void>
  private let changed: AsyncStream<Void>.Continuation
  /// The plays that it counted. It cannot give a number of plays.
  let counted = Mutex<[CountedPlay]>([])

  struct CountedPlay: Equatable {
    var native: String
    var time: Timestamp
  }

  /// The reports of rooms, in the order in which they arrived.
  let reports = Mutex<[NowPlayingReport]>([])
  /// The albums of whose likes it was told.
  let liked = Mutex<[String]>([])
  /// The error with which it refuses likes; nil for none.
  let likeError = Mutex<LunaraError?>(nil)
  /// Awaited before a report is accepted.
  let beforeReport = Mutex<(@Sendable (NowPlayingReport) async throws -> Void)?>(nil)
  /// Awaited in the middle of each reading, after the albums and before the tracks.
  let duringReading = Mutex<(@Sendable () async throws -> Void)?>(nil)
  /// Awaited before it identifies itself.
  let beforeIdentify = Mutex<(@Sendable () async throws -> Void)?>(nil)

  init(_ contents: Contents = Contents()) {
    state = Mutex(contents)
    (changes, changed) = AsyncStream.makeStream()
  }

  /// The number of requests for audio that waited while it was asleep.
  let asked = Atomic(0)
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  /// The readings so far.
  var readings: [ReadScope] { scopes.withLock { $0 } }

  /// Changes the contents, which a check for changes notices.
  func change(_ body: (inout Contents) -> Void) {
    state.withLock { contents in
      contents.counter += 1
      body(&contents)
    }
  }

  /// Ends the wait of `awaitChange`.
  func tellOfChange() { changed.yield() }

  private func contents() throws -> Contents {
    let contents = state.withLock { $0 }
    if let error = contents.error { throw error }
    return contents
  }

  func identify() async throws -> ServerIdentity {
    if let hook = beforeIdentify.withLock({ $0 }) { try await hook() }
    return ServerIdentity(machine: try contents().machine, name: "Fake")
  }
  func sections() async throws -> [ServerSection] { try contents().sections }

  func checkForChanges(since mark: RefreshMark?, sections: [String]) async throws -> ServerChangeCheck {
    let contents = try contents()
    let there = contents.tracks.count { sections.contains($0.section ?? "") } + contents.hidden
    let count = contents.tellsCount ? there : nil
    guard let mark else { return ServerChangeCheck(need: .everything, method: "full", tracks: count) }
    if mark.counters["all"] == "\(contents.counter)", mark.counters["playlists"] != nil {
      return ServerChangeCheck(need: .nothing, method: "counter", tracks: count)
    }
    return contents.tellsDeltas
      ? ServerChangeCheck(need: .delta, method: "delta", tracks: count)
      : ServerChangeCheck(need: .everything, method: "full", tracks: count)
  }

  func read(
    _ scope: ReadScope, since mark: RefreshMark?, sections: [String], into staging: StagingTable,
    progress: RefreshProgress
  ) async throws -> RefreshMark {
    let contents = try contents()
    scopes.withLock { $0.append(scope) }
    func isRead(_ section: String?, _ native: String) -> Bool {
      (section.map(sections.contains) ?? true) && (scope != .delta || contents.changedItems.contains(native))
    }
    let artists = contents.artists.filter { isRead($0.section, $0.native) }
    let albums = contents.albums.filter { isRead($0.section, $0.native) }
    let tracks = contents.tracks.filter { isRead($0.section, $0.native) }
    if scope == .keys {
      try await staging.add(keys: artists.map(\.native), of: .artist)
      try await staging.add(keys: albums.map(\.native), of: .album)
      try await staging.add(keys: tracks.map(\.native), of: .track)
      try await staging.add(keys: contents.collections.map(\.native), of: .collection)
      try await staging.add(keys: contents.playlists.map(\.native), of: .playlist)
    } else {
      try await staging.add(artists, of: .artist)
      try await staging.add(albums, of: .album)
      if let hook = duringReading.withLock({ $0 }) { try await hook() }
      progress.add(found: tracks.count)
      for start in stride(from: 0, to: tracks.count, by: 500) {
        try Task.checkCancellation()
        let page = Array(tracks[start..<min(start + 500, tracks.count)])
        try await staging.add(page, of: .track)
        progress.add(done: page.count)
      }
      let readsLists = contents.readsLists
      try await staging.add(
        contents.collections.filter { readsLists || isRead($0.section, $0.native) }, of: .collection)
      try await staging.add(contents.playlists.filter { readsLists || isRead(nil, $0.native) }, of: .playlist)
      if readsLists {
        for section in sections { try await staging.add(whole: .collection, section: section) }
        try await staging.add(whole: .playlist)
      }
    }
    state.withLock { $0.changedItems = [] }
    var next = RefreshMark(counters: ["all": "\(contents.counter)", "playlists": ""])
    if scope != .delta, !contents.isUnsteady { next.completeAt = Timestamp(seconds: 1_800_000_000) }
    return next
  }

  func stream(part: String?, native: String) async throws -> ServerStream {
    let contents = try contents()
    if contents.isAsleep {
      asked.add(1, ordering: .relaxed)
      // Goes on when its caller is cancelled, as a search for a server does.
      await withCheckedContinuation { asleep in waiting.withLock { $0.append(asleep) } }
    }
    guard let audio = contents.audio else { return ServerStream(url: "fake:\(part ?? native)") }
    return ServerStream(url: audio + (part ?? native), headers: ["X-Token": "secret"])
  }

  /// Ends the sleep that requests for audio wait for.
  func wake() {
    change { $0.isAsleep = false }
    for asleep in waiting.withLock({ waiting in
      defer { waiting = [] }
      return waiting
    }) { asleep.resume() }
  }
  func picture(_ reference: String, size: Int?) async throws -> [UInt8] { Array(reference.utf8) }
  func rate(_ item: RatedItem, _ rating: Rating?) async throws {}
  func like(album native: String) async throws {
    _ = try contents()
    if let error = likeError.withLock({ $0 }) { throw error }
    liked.withLock { $0.append(native) }
  }
  func playCount(of native: String) async throws -> Int? { nil }
  func countPlay(of native: String, at time: Timestamp) async throws {
    _ = try contents()
    counted.withLock { $0.append(CountedPlay(native: native, time: time)) }
  }
  func report(_ report: NowPlayingReport) async throws {
    if let hook = beforeReport.withLock({ $0 }) { try await hook(report) }
    _ = try contents()
    reports.withLock { $0.append(report) }
  }
  func awaitChange() async throws {
    if let changesError = try contents().changesError { throw changesError }
    for await _ in changes { return }
    throw CancellationError()
  }
  func item(_ native: String) async throws -> ServerItem? {
    try contents().albums.first { $0.native == native }.map { .album($0, []) }
  }

  // Playlists.

  var playlists: [ServerList] { state.withLock { $0.playlists } }

  var losesAnswers: Bool {
    get { state.withLock { $0.losesAnswers } }
    set { state.withLock { $0.losesAnswers = newValue } }
  }

  var refusesEdits: Bool {
    get { state.withLock { $0.refusesEdits } }
    set { state.withLock { $0.refusesEdits = newValue } }
  }

  func playlist(_ native: String) async throws -> ServerPlaylist {
    guard let list = try contents().playlists.first(where: { $0.native == native }) else {
      throw SourceError.gone("Fake")
    }
    return ServerPlaylist(
      title: list.title, summary: list.summary, isSmart: list.isSmart, rows: list.items.map { .init(native: $0) })
  }

  func listPlaylists() async throws -> [ListedPlaylist] {
    try contents().playlists.map { ListedPlaylist(native: $0.native, title: $0.title) }
  }

  func createPlaylist(_ wanted: WantedPlaylist) async throws -> String {
    let native = "\(9100 + playlists.count)"
    try edit {
      $0.playlists.append(
        ServerList(
          native: native, title: wanted.title ?? "", summary: wanted.summary, items: wanted.natives))
    }
    return native
  }

  func edit(_ native: String, from present: ServerPlaylist, to wanted: WantedPlaylist) async throws {
    try edit { contents in
      guard let index = contents.playlists.firstIndex(where: { $0.native == native }) else { return }
      contents.playlists[index].items = wanted.natives
      if let title = wanted.title { contents.playlists[index].title = title }
      if let summary = wanted.summary { contents.playlists[index].summary = summary }
    }
  }

  func deletePlaylist(_ native: String) async throws {
    guard playlists.contains(where: { $0.native == native }) else { throw SourceError.gone("Fake") }
    try edit { $0.playlists.removeAll { $0.native == native } }
  }

  private func edit(_ body: (inout Contents) -> Void) throws {
    let contents = try contents()
    if contents.refusesEdits { throw LunaraError("library.sourceRefused", "No.") }
    change(body)
    if contents.losesAnswers { throw SourceError.away("plex", cause: "the answer was lost") }
  }
}

extension FakeServer.Contents {
  /// Adds an album with tracks `1…count`. The tracks' ids follow the album's: album 100 has the tracks 101, 102 …
  mutating func album(
    _ native: Int, _ title: String, by artist: String = "Joni", year: Int? = 1971, tracks: Int = 3, from first: Int = 1,
    format: String = "mp3", seconds: Int64 = 180, section: String = "1"
  ) {
    albums.append(
      ServerAlbum(
        native: "\(native)", title: title, artist: artist, year: year, genres: ["Folk"],
        guid: "plex://album/\(title)-\(artist)", art: "/thumb/\(native)", section: section))
    for number in first..<(first + tracks) {
      self.tracks.append(
        ServerTrack(
          native: "\(native + number - first + 1)", album: "\(native)", title: "Song \(number) of \(title)",
          number: number, duration: Milliseconds(seconds * 1000),
          guid: "plex://track/\(title)-\(artist)-\(number)", file: "/music/\(artist)/\(title)/\(number).\(format)",
          part: "/parts/\(native + number)", format: format, section: section))
    }
  }

  /// Removes an album with its tracks.
  mutating func remove(_ native: Int) {
    albums.removeAll { $0.native == "\(native)" }
    tracks.removeAll { $0.album == "\(native)" }
  }

  /// Adds a number to all ids, as in a library that was built anew.
  mutating func renumber(by step: Int, guids: Bool = true, files: Bool = true) {
    func new(_ native: String) -> String { "\((Int(native) ?? 0) + step)" }
    for index in albums.indices {
      albums[index].native = new(albums[index].native)
      if !guids { albums[index].guid = "local://\(albums[index].native)" }
    }
    for index in tracks.indices {
      tracks[index].native = new(tracks[index].native)
      tracks[index].album = new(tracks[index].album)
      if !guids { tracks[index].guid = "local://\(tracks[index].native)" }
      if !files { tracks[index].file = nil }
    }
    for index in collections.indices {
      collections[index].native = new(collections[index].native)
      collections[index].items = collections[index].items.map(new)
    }
    for index in playlists.indices {
      playlists[index].native = new(playlists[index].native)
      playlists[index].items = playlists[index].items.map(new)
    }
  }
}

extension SourceDescriptor {
  /// A kind of source whose servers are in memory.
  init(name: String, connect: @escaping @Sendable (SourceRecord, _ secret: String?) throws -> any MusicServer) {
    let capabilities: [Capability] = [.ratings, .plays, .nowPlaying, .playlists]
    self.init(Library.SourceKind(kind: name, title: name, capabilities: capabilities), connect: connect)
  }
}

extension SourceKinds {
  /// The kinds as people are shown them, which cannot be connected to.
  static let withoutConnections = SourceKinds([
    FilesSource.descriptor, SourceDescriptor(PlexServer.sourceKind), SourceDescriptor(SubsonicServer.sourceKind),
  ])
}
