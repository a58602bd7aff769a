import Model

/// A playlist as its server has it now.
struct ServerPlaylist: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    /// The server's own id of the track.
    var native: String
    /// The server's own id of the row; nil at servers whose rows have none.
    var id: String?
  }

  var title: String
  var summary: String?
  /// True for a playlist whose rows are found by a query, so that they cannot be edited.
  var isSmart = false
  var rows: [Row]

  var natives: [String] { rows.map(\.native) }
}

/// The contents that a playlist is to have.
struct WantedPlaylist: Hashable, Sendable {
  /// The title; nil to keep it.
  var title: String?
  /// The description, empty for none; nil to keep it.
  var summary: String?
  /// The server's own ids of the tracks.
  var natives: [String]
}

/// A playlist in the list of all that a server has.
struct ListedPlaylist: Hashable, Sendable {
  /// The server's own id.
  var native: String
  var title: String
}

/// The defaults for servers whose playlists cannot be edited, which their descriptions do not list either.
extension MusicServer {
  func listPlaylists() async throws -> [ListedPlaylist] { throw try await notEditable() }
  func playlist(_ native: String) async throws -> ServerPlaylist { throw try await notEditable() }
  func createPlaylist(_ wanted: WantedPlaylist) async throws -> String { throw try await notEditable() }
  func deletePlaylist(_ native: String) async throws { throw try await notEditable() }
  func edit(_ native: String, from present: ServerPlaylist, to wanted: WantedPlaylist) async throws {
    throw try await notEditable()
  }

  private func notEditable() async throws -> LunaraError {
    LunaraError("library.notEditable", "The playlists of \(try await identify().name) cannot be edited.")
  }
}
