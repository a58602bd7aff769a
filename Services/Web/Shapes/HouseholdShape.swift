import Bus
import Messages
import Model

extension Shape {
  /// The catalogue and its sources.
  struct Catalogue: Encodable {
    var generation: Int64
    var albums: Int
    var tracks: Int
    var sources: [Library.SourceStatus]

    init(_ state: Library.CatalogueState) {
      generation = state.generation
      albums = state.albums
      tracks = state.tracks
      sources = state.sources
    }
  }

  /// One process of the household.
  struct Node: Encodable {
    var role: String
    var name: String
    var pid: Int32
    var version: String
    var uptimeSeconds: Double
    var away: Bool
    /// How many facts it has yet to read.
    var lag: Int64
    /// The last sequence number of its journal; left out where it has none.
    var journalHead: Int64?

    init(_ presence: NodePresence) {
      role = presence.id.role
      name = presence.id.name
      pid = presence.pid
      version = presence.version
      uptimeSeconds = (presence.saidAt - presence.startedAt).seconds
      away = presence.away
      lag = presence.lag
      journalHead = presence.journal?.seq
    }
  }

  /// What went wrong.
  struct Failure: Encodable {
    var error: LunaraError

    init(_ error: LunaraError) { self.error = error }
  }
}
