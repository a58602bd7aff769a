import Glibc
import Testing

/// Values that many tests read.
extension Household {
  /// The only room, once it answers: a room that is busy for two seconds is shown as away.
  func room() async throws -> JSON {
    try await soon("the room answers") {
      try await json("rooms")[0]
    } satisfies: {
      $0.away.asBool == false
    }
  }

  /// Waits until the room has a state, and returns it.
  func room(is state: String) async throws -> JSON {
    try await soon("the room is \(state)") {
      try await room()
    } satisfies: {
      $0.state.asString == state
    }
  }

  /// Waits until the catalogue holds that many tracks and no source is being read, and returns the source.
  func source(holding tracks: Int) async throws -> JSON {
    try await soon("\(tracks) tracks in the catalogue") {
      try await json("status").sources[0]
    } satisfies: {
      $0.tracks.asInt == tracks && $0.health.asString != "scanning"
    }
  }

  /// The albums of the list, without two fields that change later: the colours of their covers, which appear with the
  /// thumbnails, and the time they were last played, which changes when a listen counts.
  func albums() async throws -> [JSON] {
    try await json("albums").items.elements.map { album in
      guard case .object(var members) = album else { return album }
      members["palette"] = nil
      members["lastPlayedAt"] = nil
      return .object(members)
    }
  }

  /// The album with a title.
  func album(_ title: String) async throws -> JSON {
    let albums = try await json("albums").items.elements
    guard let album = albums.first(where: { $0.title.asString == title }) else {
      throw ChildProcess.Failure(description: "no album \(title) among \(albums)")
    }
    return album
  }

  /// The process of a service, as `lunara status` names it; nil while it is away.
  func process(of role: String) async throws -> pid_t? {
    let node = try await json("status").nodes.elements.first { $0.role.asString == role && $0.away.asBool == false }
    return node?.pid.asInt.map { pid_t($0) }
  }

  /// The facts of a kind in the journals, oldest first.
  func facts(_ kind: String) async throws -> [JSON] {
    try await lines("tap", "--since", "1h", "--kind", kind, "--for", "300ms")
      .filter { $0["class"].asString == "fact" && $0.kind.asString == kind }
  }
}
