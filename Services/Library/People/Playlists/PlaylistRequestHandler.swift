package import Bus
import Catalogue
package import HTTP
import Messages
package import Model
package import Records
package import Storage

/// Answers the requests that make and edit playlists of the library itself.
package struct PlaylistRequestHandler: Sendable {
  let database: Database
  let hostID: String
  let now: @Sendable () -> Timestamp
  let folders: MusicFolders
  let http: HTTPClient
  let covers: PlaylistCovers
  /// Called when the playlist of a server may have a change to send.
  let wake: @Sendable () async -> Void
  /// Called when a playlist has changed.
  let changed: @Sendable () async -> Void

  package init(
    database: Database, hostID: String, now: @escaping @Sendable () -> Timestamp, folders: MusicFolders,
    http: HTTPClient, covers: PlaylistCovers, wake: @escaping @Sendable () async -> Void,
    changed: @escaping @Sendable () async -> Void
  ) {
    self.database = database
    self.hostID = hostID
    self.now = now
    self.folders = folders
    self.http = http
    self.covers = covers
    self.wake = wake
    self.changed = changed
  }

  package func start(on node: Node) async {
    await serve(Library.CreatePlaylist.self, on: node) { try $0.create($1) }
    await serve(Library.AddToPlaylist.self, on: node) { try $0.add($1) }
    await serve(Library.RemoveFromPlaylist.self, on: node) { try $0.remove($1) }
    await serve(Library.MoveInPlaylist.self, on: node) { try $0.move($1) }
    await serve(Library.DescribePlaylist.self, on: node) { try $0.describe($1) }
    await serve(Library.DeletePlaylist.self, on: node) { editor, request in
      try editor.delete(request)
      return Done()
    }
    await serve(Library.UndoPlaylist.self, on: node) { try $0.undo($1) }
    await node.serve(Library.SetPlaylistCover.self) { [self] request, _ in
      let playlist = try await covers.set(request)
      await changed()
      return playlist
    }
    await node.serve(Library.ImportToPlaylist.self) { [self] request, _ in try await importTracks(request) }
    await node.serve(Library.ExportPlaylist.self) { [database] request, _ in
      try await database.read { try Catalogue.export(request, $0) }
    }
    await node.serve(Library.ReadListFile.self) { [http] request, _ in
      try await ListFileDownload(http: http).read(request.address)
    }
  }

  /// Adds the tracks of a list file. They are looked for before the transaction that writes, which other writers wait
  /// for.
  func importTracks(_ request: Library.ImportToPlaylist) async throws -> Library.ImportedTracks {
    guard request.tracks.count <= 500 else {
      throw LunaraError("library.badPlaylist", "At most 500 tracks of a list file can be added at once.")
    }
    let roots = folders.paths
    let matches = try await database.read { transaction in
      try TrackMatcher(roots: roots, transaction: transaction).matches(
        of: request.tracks.map { TrackMatcher.Wanted(track: $0, folder: request.folder) })
    }
    let answer = try await database.write(.power) { transaction in
      try PlaylistEditor(now: now(), hostID: hostID, transaction: transaction).add(request, matches)
    }
    await changed()
    await wake()
    return answer
  }

  /// Serves a request by an edit in one transaction. A playlist cannot be read again from anywhere, so it is synced to
  /// disk.
  private func serve<R: CommandRequest>(
    _ type: R.Type, on node: Node, _ edit: @escaping @Sendable (PlaylistEditor, R) throws -> R.Answer
  ) async {
    await node.serve(type) { [self] request, _ in
      let answer = try await database.write(.power) { transaction in
        try edit(PlaylistEditor(now: now(), hostID: hostID, transaction: transaction), request)
      }
      await changed()
      await wake()
      return answer
    }
  }
}
