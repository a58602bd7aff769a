package import Bus
package import Catalogue
import Messages
import Model
import Storage

/// Answers the requests that read playlists, and the tracks of whatever a person plays.
package struct PlayableRequestHandler: Sendable {
  let queries: QueryServer
  /// The id of the library's host.
  let hostID: String
  let searches: SearchCache

  package init(queries: QueryServer, hostID: String, searches: SearchCache) {
    self.queries = queries
    self.hostID = hostID
    self.searches = searches
  }

  package func start(on node: Node) async {
    let (hostID, searches, counts) = (hostID, searches, SmartCounts())
    await queries.serve(Library.ListPlaylists.self, on: node) { try Catalogue.playlists($0, keeping: counts, $1) }
    await queries.serve(Library.ReadPlaylist.self, on: node) { try Catalogue.playlist($0, $1) }
    await queries.serve(Library.PreviewRules.self, on: node) { try Catalogue.preview($0, $1) }
    await queries.serve(Library.ListPlayable.self, on: node, lookingUp: { $0.ids.count == 1 ? $0.ids.first : nil }) {
      try Catalogue.playable($0, host: hostID, keeping: searches, $1)
    }
  }
}
