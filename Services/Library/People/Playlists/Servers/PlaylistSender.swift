package import Catalogue
import Messages
package import Model
package import Records
package import ServiceKit
package import Storage

/// Sends the changes of servers' playlists that were made here, each as soon as its server answers. What changed at the
/// server meanwhile is kept as well (`PlaylistMerge`).
package struct PlaylistSender: OutboxSender {
  package let loop = WorkLoop()
  package let log: Log
  private let database: Database
  private let hostID: String
  /// Returns the server of a source; nil if there is none now.
  private let server: @Sendable (String) async -> (any MusicServer)?
  /// Called when a playlist has changed.
  private let changed: @Sendable () async -> Void
  private let time: @Sendable () -> Timestamp

  package init(
    database: Database, hostID: String, log: Log, server: @escaping @Sendable (String) async -> (any MusicServer)?,
    changed: @escaping @Sendable () async -> Void = {}, time: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    self.database = database
    self.hostID = hostID
    self.log = log
    self.server = server
    self.changed = changed
    self.time = time
  }

  package func waiting() async throws -> [PlaylistOutbox.Item] { try await database.read(PlaylistOutbox.items) }

  package func send(_ item: PlaylistOutbox.Item) async throws -> Bool {
    let isDone: Bool
    do {
      guard let server = await server(item.source) else { throw SourceError.away(item.source, cause: nil) }
      isDone = try await send(item, to: server)
    } catch {
      try Task.checkCancellation()
      isDone = try await fail(item, LunaraError(error))
    }
    await changed()
    return isDone
  }

  private func send(_ item: PlaylistOutbox.Item, to server: any MusicServer) async throws -> Bool {
    guard let present = item.present else {
      do {
        if let native = try await identified(item, at: server).native, try await isOurs(native, item, server) {
          try await server.deletePlaylist(native)
        }
      } catch let error as LunaraError where error.code == "library.gone" {
        // Somebody deleted it there as well.
      }
      try await database.write { try PlaylistOutbox.remove(item.playlist, $0) }
      return true
    }
    var item = try await identified(item, at: server)
    guard let native = item.native else {
      // A server may refuse an empty playlist, so one that is still to be made waits for its first track.
      guard !present.natives.isEmpty else { return false }
      let listed = try await server.listPlaylists().map(\.native)
      try await database.write { [item] in try PlaylistOutbox.storeCreation(of: item, present, listed: listed, $0) }
      let native = try await server.createPlaylist(
        WantedPlaylist(title: present.title, summary: present.summary, natives: present.natives))
      return try await finish(item, native: native, server, note: nil)
    }
    let theirs: ServerPlaylist
    do { theirs = try await server.playlist(native) } catch let error as LunaraError
      where error.code == "library.gone"
    {
      try await detach(item)
      return true
    }
    // A beginning of what was sent last is a list of which not all parts came.
    let isUnfinished = theirs.natives != item.base && item.sent?.starts(with: theirs.natives) ?? false
    let natives = isUnfinished ? item.sent ?? [] : theirs.natives
    let isConflict = natives != item.base && natives != item.sent
    // If the server has just what was sent last, only later changes are merged.
    if natives == item.sent { item.base = item.sentFrom ?? item.base }
    let merged = PlaylistMerge.merged(base: item.base, ours: present.natives, theirs: natives)
    let wanted = WantedPlaylist(
      title: present.title == item.baseTitle ? nil : present.title,
      summary: present.summary == item.baseSummary ? nil : present.summary ?? "", natives: merged)
    try await database.write { [item] in try PlaylistOutbox.storeSending(item, sent: merged, from: present.natives, $0)
    }
    try await server.edit(native, from: theirs, to: wanted)
    let isBoth = isConflict && merged != theirs.natives
    let note = isBoth ? "It was changed here and on \(item.source) at the same time. Both changes are in it." : nil
    return try await finish(item, native: native, server, note: note)
  }

  /// Returns an item with the server's id of the playlist, if the server has made it though the answer was lost.
  private func identified(
    _ item: PlaylistOutbox.Item, at server: any MusicServer
  ) async throws -> PlaylistOutbox.Item {
    guard item.native == nil, item.listed != nil else { return item }
    let others = try await database.read { try PlaylistOutbox.madeHere(besides: item, $0) }
    for list in try await server.listPlaylists() where item.isCandidate(list) && !others.contains(list.native) {
      guard let made = item.made(among: try await server.playlist(list.native).natives) else { continue }
      var item = item
      item.native = list.native
      item.base = made
      if item.present != nil {
        try await database.write { [item] in try PlaylistOutbox.storeCreated(item, native: list.native, $0) }
      }
      return item
    }
    return item
  }

  /// Returns true if a playlist may be deleted at the server: its id is known from the server's answer, or it has
  /// nothing but the first of the tracks that were sent.
  private func isOurs(_ native: String, _ item: PlaylistOutbox.Item, _ server: any MusicServer) async throws -> Bool {
    guard item.native == nil else { return true }
    let theirs = try await server.playlist(native).natives
    return item.sent?.starts(with: theirs) ?? false
  }

  /// Stores what the server has now.
  private func finish(
    _ item: PlaylistOutbox.Item, native: String, _ server: any MusicServer, note: String?
  ) async throws -> Bool {
    let now = try await server.playlist(native)
    return try await database.write(.power) {
      try PlaylistOutbox.finish(item, native: native, at: now, note: note, $0)
    }
  }

  /// Makes a playlist that its server no longer has one of the library itself, as it was changed here.
  private func detach(_ item: PlaylistOutbox.Item) async throws {
    let (time, hostID) = (time(), hostID)
    try await database.write(.power) { transaction in
      try PlaylistEditor(now: time, hostID: hostID, transaction: transaction).detach(
        item.playlist, note: "\(item.source) no longer has this playlist, so it is one of yours now.")
      try PlaylistOutbox.remove(item.playlist, transaction)
    }
  }

  /// Stores that a change was not sent. Returns true if it was given up: then a copy of the playlist has it.
  private func fail(_ item: PlaylistOutbox.Item, _ error: LunaraError) async throws -> Bool {
    let isRefused = !SourceError.isAway(error) && error.code != "library.signedOut"
    guard isRefused, item.failures + 1 >= PlaylistOutbox.mostFailures else {
      log.debug("a playlist waits for its server", ["source": item.source, "code": error.code])
      try await database.write { try PlaylistOutbox.fail(item, error, isRefused: isRefused, $0) }
      return false
    }
    log.warning("\(item.source) refuses a change of a playlist: \(error.message)")
    let (time, hostID) = (time(), hostID)
    try await database.write(.power) { transaction in
      if item.present != nil {
        let editor = PlaylistEditor(now: time, hostID: hostID, transaction: transaction)
        try editor.keepCopy(
          of: item.playlist, note: "\(item.source) refused these changes: \(error.message)")
      }
      try PlaylistOutbox.giveUp(
        item, note: "\(item.source) refused the changes that were made here; a copy has them.", transaction)
    }
    return true
  }
}
