import Bus
import Client
import HTTP
import Messages
import Model

/// Walls of albums, feeds of genres, and how they are made. A household that does not use them has no service to ask:
/// all is refused then with `discovery.notRunning` until `useDiscovery` starts it.
extension Endpoint {
  static let discovery: [Endpoint] = [
    Endpoint("GET", "/api/v1/wall", "readWall", of: .discovery) { try $0.wall(genre: nil) },
    Endpoint("GET", "/api/v1/genres", "listGenres", of: .discovery) { _ in Discovery.ListGenres() },
    Endpoint("GET", "/api/v1/genres/{genre}/feed", "readFeed", of: .discovery) {
      try $0.wall(genre: $0.text("genre"))
    },
    Endpoint("GET", "/api/v1/albums/{id}/similar", "listSimilarAlbums", of: .discovery) { call in
      Discovery.ListSimilarAlbums(
        album: try call.id(), limit: Int(try call.parameters.number("limit", in: 1...50) ?? 12))
    },
    Endpoint("GET", "/api/v1/discovery", "readDiscovery", of: .discovery) { _ in Discovery.ReadDiagnostics() },
    Endpoint("PUT", "/api/v1/discovery", "useDiscovery") { api, _ in
      guard !api.node.nodes().contains(.discovery) else { return .json(Done().json) }
      guard let home = api.home else { throw Client.noDiscovery }
      try Client.beginDiscovery(home: home)
      let end = ContinuousClock.now + Client.discoveryStartTime
      while !api.node.nodes().contains(.discovery) {
        guard ContinuousClock.now < end else { throw Client.notStarted(home: home) }
        try await Task.sleep(for: .milliseconds(100))
      }
      return .json(Done().json)
    },
    Endpoint("PUT", "/api/v1/discovery/dial", "setDial", of: .discovery) { try $0.body(Discovery.SetDial.self) },
    Endpoint("PUT", "/api/v1/discovery/tags", "assignTag", of: .discovery) {
      try $0.body(Discovery.AssignTag.self)
    },
    Endpoint("PUT", "/api/v1/discovery/less/{id}", "showLess", of: .discovery) {
      try $0.body(Discovery.ShowLess.self, fixed: ["album": try $0.id() as AlbumID])
    },
  ]

  /// Sources outside the house, and albums that are not in the library.
  static let outside: [Endpoint] = [
    Endpoint("GET", "/api/v1/discovery/sources", "listDiscoverySources", of: .discovery) { _ in
      Discovery.ListSources()
    },
    Endpoint("PUT", "/api/v1/discovery/sources/{name}", "setDiscoverySource", of: .discovery) {
      try $0.body(Discovery.SetSource.self, fixed: ["name": $0.text("name")])
    },
    Endpoint("POST", "/api/v1/discovery/sources/refresh", "refreshDiscoverySources", of: .discovery) {
      try $0.body(Discovery.RefreshSource.self)
    },
    Endpoint("PUT", "/api/v1/discovery/missing", "setMissingAlbums", of: .discovery) {
      try $0.body(Discovery.SetMissingAlbums.self)
    },
    Endpoint("PUT", "/api/v1/discovery/wishes/{releaseGroup}", "setWishedAlbum", of: .discovery) {
      try $0.body(Discovery.SetWish.self, fixed: ["releaseGroup": $0.text("releaseGroup")])
    },
  ]
}

extension Call {
  /// Returns the request for the page of a wall or feed that the query describes.
  fileprivate func wall(genre: String?) throws -> Discovery.ReadWall {
    let subcategories = parameters.texts("sub")
    return Discovery.ReadWall(
      after: after, seed: try parameters.number("seed", in: 0...Int64(1) << 53 - 1),
      dial: try parameters.number("dial", in: 1...5), count: try parameters.number("count", in: 1...200),
      genre: genre, subcategories: subcategories.isEmpty ? nil : subcategories)
  }
}
