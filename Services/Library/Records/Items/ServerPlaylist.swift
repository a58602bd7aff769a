import Model

/// A playlist as its server has it now.
package struct ServerPlaylist: Hashable, Sendable {  // memberwise
  package struct Row: Hashable, Sendable {  // memberwise
    /// The server's own id of the track.
    package var native: String
    /// The server's own id of the row; nil at servers whose rows have none.
    package var id: String? = nil
  }

  package var title: String
  package var summary: String? = nil
  /// True for a playlist whose rows are found by a query, so that they cannot be edited.
  var isSmart = false
  package var rows: [Row]

  package var natives: [String] { rows.map(\.native) }
}

/// The contents that a playlist is to have.
package struct WantedPlaylist: Hashable, Sendable {  // memberwise
  /// The title; nil to keep it.
  package var title: String? = nil
  /// The description, empty for none; nil to keep it.
  package var summary: String? = nil
  /// The server's own ids of the tracks.
  package var natives: [String]
}

/// A playlist in the list of all that a server has.
package struct ListedPlaylist: Hashable, Sendable {  // memberwise
  /// The server's own id.
  package var native: String
  package var title: String
}

/// The defaults for servers whose playlists cannot be edited, which their descriptions do not list either.
extension MusicServer {
  package func listPlaylists() async throws -> [ListedPlaylist] { throw try await notEditable() }
  package func playlist(_ native: String) async throws -> ServerPlaylist { throw try await notEditable() }
  package func createPlaylist(_ wanted: WantedPlaylist) async throws -> String { throw try await notEditable() }
  package func deletePlaylist(_ native: String) async throws { throw try await notEditable() }
  package func edit(_ native: String, from present: ServerPlaylist, to wanted: WantedPlaylist) async throws {
    throw try await notEditable()
  }

  private func notEditable() async throws -> LunaraError {
    LunaraError("library.notEditable", "The playlists of \(try await identify().name) cannot be edited.")
  }
}
