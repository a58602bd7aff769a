package import Messages
package import Model

/// A music server, such as Plex or OpenSubsonic.
///
/// A value holds the address and the secret of one connection, and nothing of the catalogue. All functions may be
/// cancelled. They throw `library.signedOut` where the server refuses the secret, `library.sourceAway` where it cannot
/// be reached or its answer is malformed, `library.gone` where it no longer has the item, and `CancellationError`.
package protocol MusicServer: Sendable {
  /// Returns the identity of the server, which stays over restarts and new addresses.
  func identify() async throws -> ServerIdentity

  /// Makes all functions but `identify` refuse, with `library.otherServer`, any other machine at the address, as far as
  /// servers of the kind can be told apart.
  func expect(_ machine: String) async

  /// Returns a connection to the same address that expects this machine.
  func expecting(_ machine: String) -> any MusicServer

  /// The sections it has, in its order.
  func sections() async throws -> [ServerSection]

  /// Finds out, as cheaply as possible, how much of these sections has to be read since `mark`.
  func checkForChanges(since mark: RefreshMark?, sections: [String]) async throws -> ServerChangeCheck

  /// Reads the items of `scope` into `staging`, page by page, and returns the new mark. Its `completeAt` is nil if the
  /// server changed during a complete reading, which may have missed items: then none is taken as removed.
  func read(
    _ scope: ReadScope, since mark: RefreshMark?, sections: [String], into staging: StagingTable,
    progress: RefreshProgress
  ) async throws -> RefreshMark

  /// Returns the current address of a track's audio. `part` is the server's reference to the file; where it is
  /// outdated, the server is asked for the track `native`.
  func stream(part: String?, native: String) async throws -> ServerStream

  /// Returns a picture as it is at the server, or of about `size` pixels where the server can make it smaller.
  func picture(_ reference: String, size: Int?) async throws -> [UInt8]

  /// Sets a rating; nil removes it.
  func rate(_ item: RatedItem, _ rating: Rating?) async throws

  /// Tells the server that an album is liked. What it has of the album already, such as a person's own rating, stays.
  func like(album native: String) async throws

  /// Returns the number of plays that the server has counted for a track; nil if it cannot say.
  func playCount(of native: String) async throws -> Int?

  /// Counts a track as played once more on the server; `time` is the start of the listen.
  func countPlay(of native: String, at time: Timestamp) async throws

  /// Sends the server a report about a room that plays one of its tracks.
  func report(_ report: NowPlayingReport) async throws

  /// Waits until something at the server may have changed; throws where it can no longer find that out.
  func awaitChange() async throws

  /// Returns the lyrics of a track, those with times first; none where the server has none, or gives none.
  func lyrics(of native: String) async throws -> [Library.Lyrics]

  /// Returns all playlists that the server has now.
  func listPlaylists() async throws -> [ListedPlaylist]

  /// Returns a playlist as it is now.
  func playlist(_ native: String) async throws -> ServerPlaylist

  /// Makes a playlist, and returns the server's own id of it.
  func createPlaylist(_ wanted: WantedPlaylist) async throws -> String

  /// Changes a playlist, which is `present` now, to what is wanted. Throws `library.notEditable` where the server
  /// cannot do that.
  func edit(_ native: String, from present: ServerPlaylist, to wanted: WantedPlaylist) async throws

  func deletePlaylist(_ native: String) async throws

  /// Returns the server's own ids of the albums that it names as similar to one, the most similar first; none where it
  /// cannot know any.
  func albums(similarTo native: String, limit: Int) async throws -> [String]

  /// Returns an item that the catalogue does not have, by the server's own id; nil if the server has none either.
  func item(_ native: String) async throws -> ServerItem?
}

extension MusicServer {
  /// Returns true if the server answers a request that every signed-in client may send. What it did not accept just
  /// before was then refused; there was no outage.
  package func answers() async -> Bool {
    do {
      _ = try await sections()
      return true
    } catch {
      return false
    }
  }
}

/// The defaults for servers without these capabilities, which their descriptors do not list either.
extension MusicServer {
  package func expect(_ machine: String) async {}
  package func expecting(_ machine: String) -> any MusicServer { self }
  package func rate(_ item: RatedItem, _ rating: Rating?) async throws {
    throw SourceError.notRateable(item.native, try await identify().name)
  }
  package func like(album native: String) async throws {}
  package func playCount(of native: String) async throws -> Int? { nil }
  package func countPlay(of native: String, at time: Timestamp) async throws {}
  package func report(_ report: NowPlayingReport) async throws {}
  package func awaitChange() async throws { while true { try await Task.sleep(for: .seconds(86_400)) } }
  package func item(_ native: String) async throws -> ServerItem? { nil }
  package func lyrics(of native: String) async throws -> [Library.Lyrics] { [] }
  package func albums(similarTo native: String, limit: Int) async throws -> [String] { [] }
}

package struct ServerIdentity: Codable, Hashable, Sendable {  // memberwise
  /// The machine's own id: another one at the same address is another server.
  package var machine: String
  package var name: String
}

/// The state up to which a source was read, in the server's own terms; written in the transaction that stores what was
/// read.
package struct RefreshMark: Codable, Hashable, Sendable {  // memberwise
  /// The newest change that was read, for asking for later ones.
  package var changedAt: Timestamp? = nil
  /// A counter or a text of the server by section, that stays the same while nothing changes. Those of lists are
  /// called `playlists` and `collections/`, with the section.
  package var counters: [String: String] = [:]
  /// The server's ids of items whose details it did not give, or of lists that it refused, and that must be requested
  /// again; nil for none.
  package var partial: [String]? = nil
  /// The number of times in a row that these lists were refused, and when they are requested again unless a person asks
  /// for it earlier; nil for none, and for at once.
  package var refusals: Int? = nil
  package var retryAt: Timestamp? = nil
  /// The time of the last complete reading, which shows what is gone.
  package var completeAt: Timestamp? = nil
  /// The time when all ids were last compared, or all was read and may not have been whole.
  package var comparedAt: Timestamp? = nil
  /// The server's number of tracks at that time, minus the catalogue's after the refresh: what the comparison could not
  /// explain.
  package var difference: Int? = nil

  /// Makes the next refresh read the playlists and collections again.
  package mutating func forgetLists() {
    counters = counters.filter { key, _ in key != "playlists" && !key.hasPrefix("collections/") }
  }
}

package struct ServerChangeCheck: Hashable, Sendable {  // memberwise
  package enum Need: Hashable, Sendable {
    case nothing, delta, everything
  }
  package var need: Need
  /// The method of the check: `counter`, `delta` or `full`.
  package var method: String
  /// The number of tracks in the sections, where the check found it out: if it is not the catalogue's after a reading,
  /// a track was removed or missed.
  package var tracks: Int? = nil
  /// True if lists that the server refused are still unread, and nothing needs to be read now.
  package var areListsUnread = false
  /// True if the check cannot see that a rating or a star was set at the server.
  package var missesRatings = false
}

package enum ReadScope: Hashable, Sendable {
  /// The items that are new or changed since the mark. This does not show which were removed.
  case delta
  /// All items; those that are missing were removed.
  case everything
  /// Only the ids of all items; those that are missing were removed.
  case keys
  /// All items without the lists, for the ratings of a server that cannot say which changed. This does not show which
  /// items were removed.
  case ratings
}

/// The place where audio can be had now. It contains secrets, and is never stored.
package struct ServerStream: Hashable, Sendable {  // memberwise
  package var url: String
  package var headers: [String: String] = [:]
}

package enum RatedItem: Hashable, Sendable {
  case artist(String)
  case album(String)
  case track(String)

  package var native: String {
    switch self {
    case .artist(let native), .album(let native), .track(let native): native
    }
  }

  /// The kind of the item's record.
  var stagedKind: StagingTable.Kind {
    switch self {
    case .artist: .artist
    case .album: .album
    case .track: .track
    }
  }
}

/// The state of a track in a room.
package struct NowPlayingReport: Hashable, Sendable {  // memberwise
  package enum State: String, Hashable, Sendable { case playing, paused, buffering, stopped }
  package var native: String
  package var state: State
  package var position: Milliseconds
  package var duration: Milliseconds
  /// The room, as the server's list of players shows it.
  package var room: RoomName
  package var listen: ListenID? = nil
  /// True for a stop after which the room plays another track.
  package var isContinuing = false
}

package enum ServerItem: Hashable, Sendable {
  case artist(ServerArtist)
  /// An album with its tracks.
  case album(ServerAlbum, [ServerTrack])
  case track(ServerTrack)
}
