import HTTP
import Messages
import Model
import Records
import ServiceKit
import Text

/// A server with the Subsonic protocol, with or without the extensions of OpenSubsonic: Navidrome, gonic, Airsonic,
/// supysonic and others.
struct SubsonicServer: MusicServer {
  let client: SubsonicClient
  /// True if plays are sent to the server. Off by default: many servers scrobble the plays that they get, and Lunara
  /// scrobbles them as well.
  var forwardsPlays = false
  var now: @Sendable () -> Timestamp = { .now() }

  /// Returns the address as the identity: servers have none of their own.
  func identify() async throws -> ServerIdentity {
    let profile = try await client.profile()
    // The profile may be an old one, so this checks that the server still answers.
    _ = try await client.call(.reads, "ping")
    return ServerIdentity(
      machine: client.address.base, name: "\(profile.type ?? "Subsonic") at \(client.server)")
  }

  /// The music folders; none where the server is too old to be asked about one of them (before 1.12).
  func sections() async throws -> [ServerSection] {
    guard try await client.profile().supports(atLeast: 12) else { return [] }
    let rows = try await client.call(.reads, "getMusicFolders")["musicFolders"]?["musicFolder"]?.elements ?? []
    let spoken = ["audiobook", "audio book", "podcast", "horbuch", "horspiel"]
    return rows.compactMap { row in
      guard let key = row["id"]?.string else { return nil }
      let title = row["name"]?.string?.normalised ?? key
      let folded = title.folded
      return ServerSection(key: key, title: title, isOnByDefault: !spoken.contains { folded.contains($0) })
    }
  }
}

extension SubsonicServer {
  /// Returns the address of the original file. Reading it counts no play. In place of audio a server that refuses the
  /// sign-in may send a document with the status 200, so the sign-in is checked first.
  func stream(part: String?, native: String) async throws -> ServerStream {
    _ = try await client.call(.reads, "ping")
    return ServerStream(url: try await client.url("stream", [("id", part ?? native), ("format", "raw")]))
  }

  func picture(_ reference: String, size: Int?) async throws -> [UInt8] {
    let bytes = try await client.bytes("getCoverArt", [("id", reference)] + (size.map { [("size", "\($0)")] } ?? []))
    guard !bytes.isEmpty else { throw SubsonicError.from(70, "the picture is empty", client.server) }
    return bytes
  }

  func rate(_ item: RatedItem, _ rating: Rating?) async throws {
    let name =
      switch item {
      case .artist: "artistId"
      case .album: "albumId"
      case .track: "id"
      }
    let parts = [("id", item.native), ("rating", "\(SubsonicRecords.stars(rating))")]
    if case .failed(let code, let message, _) = try await client.ask(.changes, "setRating", parts) {
      // Some servers keep ratings of tracks only, and do not find the id of an album or artist.
      if [0, 70].contains(code), name != "id" {
        throw LunaraError(
          "library.notRateable", "\(client.server) keeps no ratings of that kind. Rate the tracks instead.",
          cause: "error \(code): \(message.prefix(200))")
      }
      throw SubsonicError.from(code, message, client.server)
    }
    guard rating == nil else { return }
    // An item without a rating counts as rated if it is starred, so the star is removed as well, if there is one.
    _ = try await client.callIfKnown(.changes, "unstar", [(name, item.native)])
  }

  /// Stars the album where it has no star. Some servers refuse a second star, with the general error 0.
  func like(album native: String) async throws {
    guard try await !isStarred(album: native) else { return }
    guard case .failed(let code, let message, _) = try await client.ask(.changes, "star", [("albumId", native)]) else {
      return
    }
    if code == 0, try await isStarred(album: native) { return }
    throw SubsonicError.from(code, message, client.server)
  }

  private func isStarred(album native: String) async throws -> Bool {
    try await client.call(.reads, "getAlbum", [("id", native)])["album"]?["starred"]?.text != nil
  }

  func playCount(of native: String) async throws -> Int? {
    guard forwardsPlays else { return nil }
    let song = try await client.call(.reads, "getSong", [("id", native)])["song"]
    return Int(clamping: song?["playCount"]?.integer ?? 0)
  }

  func countPlay(of native: String, at time: Timestamp) async throws {
    guard forwardsPlays else { return }
    let time = "\(time.microseconds / 1000)"
    _ = try await client.call(.changes, "scrobble", [("id", native), ("time", time), ("submission", "true")])
  }

  func report(_ report: NowPlayingReport) async throws {
    guard forwardsPlays, report.state == .playing else { return }
    _ = try await client.call(.changes, "scrobble", [("id", report.native), ("submission", "false")])
  }

  func item(_ native: String) async throws -> ServerItem? {
    let id = [("id", native)]
    if let track = try await client.callIfKnown(.reads, "getSong", id)?["song"].flatMap({
      SubsonicRecords.track($0, section: nil)
    }) {
      return .track(track)
    }
    if let row = try await client.callIfKnown(.reads, "getAlbum", id)?["album"],
      let album = SubsonicRecords.album(row, section: nil)
    {
      let songs = row["song"]?.elements ?? []
      return .album(album, songs.compactMap { SubsonicRecords.track($0, section: nil) })
    }
    let artist = try await client.callIfKnown(.reads, "getArtist", id)?["artist"]
    return artist.flatMap { SubsonicRecords.artist($0, section: nil) }.map { .artist($0) }
  }
}

extension SubsonicServer {
  /// The time after which everything is read again: stars, ratings and plays change without a scan. A person's request
  /// reads stars and ratings at once (`ReadScope.ratings`).
  static let freshness = Milliseconds(86_400_000)
  private static let tries = 3

  func checkForChanges(since mark: RefreshMark?, sections: [String]) async throws -> ServerChangeCheck {
    guard let mark, let completeAt = mark.completeAt else {
      return ServerChangeCheck(need: .everything, method: "full")
    }
    let state = try await state(sections)
    // A mark without counters may be of a reading whose list of playlists was refused.
    var nothing = ServerChangeCheck(
      need: .nothing, method: "counter", areListsUnread: mark.partial != nil || mark.counters.isEmpty)
    // During a scan the server's answers mix old and new contents.
    if state.isScanning { return nothing }
    // No answer lists the songs that were rated.
    nothing.missesRatings = true
    guard !state.counters.isEmpty, state.counters == mark.counters, now() - completeAt < Self.freshness else {
      return ServerChangeCheck(need: .everything, method: "full")
    }
    let isDue = mark.partial != nil && now() >= mark.retryAt ?? Timestamp(seconds: 0)
    return isDue ? ServerChangeCheck(need: .delta, method: "delta", missesRatings: true) : nothing
  }

  func read(
    _ scope: ReadScope, since mark: RefreshMark?, sections: [String], into staging: StagingTable,
    progress: RefreshProgress
  ) async throws -> RefreshMark {
    let reading = SubsonicReader(client: client, staging: staging, progress: progress, areKeysWanted: scope == .keys)
    if scope == .delta, var mark, let partial = mark.partial {
      mark.record(refused: try await reading.playlists(only: Set(partial)) ?? partial, at: now())
      progress.allListed()
      return mark
    }
    let all = try await self.sections()
    if scope == .ratings, let mark {
      try await readItems(reading, all, sections)
      progress.allListed()
      return mark
    }
    for attempt in 1... {
      let before = try await state(sections)
      try await readItems(reading, all, sections)
      let refused = try await reading.playlists()
      progress.allListed()
      let after = try await state(sections)
      let isWhole = !before.isScanning && before == after
      if isWhole || attempt == Self.tries {
        // A mark without counters makes the next check read everything again.
        guard isWhole else { return RefreshMark() }
        // Without the list of playlists, the next check reads everything again.
        var mark = RefreshMark(counters: refused == nil ? [:] : after.counters, completeAt: now())
        mark.record(refused: refused ?? [], at: now())
        return mark
      }
      // Items moved between the pages: some may have been missed.
      try await staging.clear()
    }
    throw CancellationError()
  }

  /// Reads the wanted sections. A server without folders is read as a whole.
  private func readItems(_ reading: SubsonicReader, _ all: [ServerSection], _ sections: [String]) async throws {
    if all.isEmpty { try await reading.run(section: nil) }
    for section in sections { try await reading.run(section: section, isOnly: all.count == 1) }
  }

  private struct State: Equatable {
    /// Values that stay the same while nothing changes; empty if the server cannot say.
    var counters: [String: String] = [:]
    var isScanning = false
  }

  /// Returns the state of the server's own scan, by either method that it knows, and of its playlists.
  private func state(_ sections: [String]) async throws -> State {
    var state = State()
    let scan = try await client.callIfKnown(.reads, "getScanStatus")?["scanStatus"]
    state.isScanning = scan?["scanning"]?.isTrue == true
    if let last = scan?["lastScan"]?.string {
      state.counters["scan"] = "\(last)/\(scan?["count"]?.string ?? "")"
    } else if let changed = try await client.callIfKnown(.reads, "getIndexes", [("ifModifiedSince", "99999999999999")])
    {
      // With a time in the far future the server sends only the time of the last change.
      if let last = changed["indexes"]?["lastModified"]?.string { state.counters["scan"] = last }
    }
    guard !state.counters.isEmpty else { return state }
    state.counters["sections"] = sections.joined(separator: ",")
    state.counters["playlists"] = try await markOfPlaylists()
    return state
  }

  /// Returns a text that changes when a playlist does; nil if the playlists cannot be listed, which the reading
  /// reports.
  private func markOfPlaylists() async throws -> String? {
    let playlists: [JSONView]
    do {
      playlists = try await SubsonicReader.playlists(client)
    } catch let error as LunaraError where error.code != "library.signedOut" {
      return nil
    }
    return playlists.map { row in
      "\(row["id"]?.string ?? ""):\(row["changed"]?.string ?? ""):\(row["songCount"]?.string ?? "")"
    }.joined(separator: ",")
  }
}

extension RefreshMark {
  private static let retries = RetryPolicy(first: .seconds(300), longest: .seconds(86_400))

  /// Notes the lists that a server refused: they are requested again with the next check, and later after a pause that
  /// doubles each time, from five minutes to a day.
  fileprivate mutating func record(refused natives: [String], at now: Timestamp) {
    guard !natives.isEmpty else {
      partial = nil
      refusals = nil
      retryAt = nil
      return
    }
    let count = (partial == nil ? 0 : refusals ?? 0) + 1
    let pause = count == 1 ? 0 : Self.retries.pause(after: count - 1).components.seconds
    partial = natives.sorted()
    refusals = count
    retryAt = Timestamp(seconds: now.seconds + pause)
  }
}

/// OpenSubsonic as a kind of source.
extension SubsonicServer {
  static let kind = sourceKind.kind

  static let sourceKind = Library.SourceKind.subsonic

  /// Returns the description of Subsonic; all connections share one HTTP client.
  static func descriptor(in environment: SourceKinds.Environment) -> SourceDescriptor {
    let http = environment.http
    return SourceDescriptor(
      sourceKind, keepsHalfStars: false, sendsOfLikes: "A like stars the album on its server.",
      settings: environment.settings, baseAddress: { try SubsonicAddress($0).base },
      connect: { record, secret in
        let address = try SubsonicAddress(record.address ?? "")
        guard let secret else { throw SubsonicError.noSecret(address.server) }
        let settings = try SourceSettings(record.settings)
        // With a user the secret is a password.
        let client = SubsonicClient(
          address, record.account.map { .password(user: $0, password: secret) } ?? .apiKey(secret),
          hasConsent: settings.isOn(SourceSettings.exposesPassword), http: http)
        return SubsonicServer(client: client, forwardsPlays: settings.isOn(SourceSettings.forwardsPlays))
      })
  }
}
