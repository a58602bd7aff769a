import Messages
import Model
import Synchronization

@testable import Records
@testable import Sources

/// A server whose calls a test interrupts: `pass` is called before each call, and between its answer and what follows.
struct InterruptedServer: MusicServer {
  let server: any MusicServer
  let pass: @Sendable () throws -> Void

  private func call<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    try pass()
    let value = try await body()
    try pass()
    return value
  }

  func identify() async throws -> ServerIdentity { try await call { try await server.identify() } }
  func sections() async throws -> [ServerSection] { try await call { try await server.sections() } }
  func checkForChanges(since mark: RefreshMark?, sections: [String]) async throws -> ServerChangeCheck {
    try await call { try await server.checkForChanges(since: mark, sections: sections) }
  }
  func read(
    _ scope: ReadScope, since mark: RefreshMark?, sections: [String], into staging: StagingTable,
    progress: RefreshProgress
  ) async throws -> RefreshMark {
    try await call {
      try await server.read(scope, since: mark, sections: sections, into: staging, progress: progress)
    }
  }
  func stream(part: String?, native: String) async throws -> ServerStream {
    try await call { try await server.stream(part: part, native: native) }
  }
  func picture(_ reference: String, size: Int?) async throws -> [UInt8] {
    try await call { try await server.picture(reference, size: size) }
  }
  func listPlaylists() async throws -> [ListedPlaylist] { try await call { try await server.listPlaylists() } }
  func playlist(_ native: String) async throws -> ServerPlaylist {
    try await call { try await server.playlist(native) }
  }
  func createPlaylist(_ wanted: WantedPlaylist) async throws -> String {
    try await call { try await server.createPlaylist(wanted) }
  }
  func edit(_ native: String, from present: ServerPlaylist, to wanted: WantedPlaylist) async throws {
    try await call { try await server.edit(native, from: present, to: wanted) }
  }
  func deletePlaylist(_ native: String) async throws { try await call { try await server.deletePlaylist(native) } }
}

/// The addresses of a Plex server, with an interruption before each of its requests.
struct InterruptedEndpoint: PlexEndpoint {
  let endpoint: any PlexEndpoint
  let pass: @Sendable () throws -> Void

  func base(isFresh: Bool) async throws -> String {
    try pass()
    return try await endpoint.base(isFresh: isFresh)
  }
  func failed(_ base: String, _ error: LunaraError) async { await endpoint.failed(base, error) }
  func recheck() async { await endpoint.recheck() }
  func confirm() async -> String? { await endpoint.confirm() }
  func machine() async throws -> String { try await endpoint.machine() }
  func expect(_ machine: String) async { await endpoint.expect(machine) }
  func expecting(_ machine: String) -> any PlexEndpoint {
    InterruptedEndpoint(endpoint: endpoint.expecting(machine), pass: pass)
  }
}

/// Ends a run at one moment, as a kill does: nothing is called or written after it.
final class Kill: Sendable {
  private struct State {
    /// The number of moments that still pass; nil for all.
    var left: Int?
    var run: Task<Void, Never>?
  }

  private let state: Mutex<State>

  init(after moments: Int?) { state = Mutex(State(left: moments)) }

  /// True if the run reached the moment.
  var hasCome: Bool { state.withLock { $0.left.map { $0 < 0 } ?? false } }

  func pass() throws {
    try state.withLock { state in
      guard let left = state.left else { return }
      state.left = left - 1
      guard left <= 0 else { return }
      state.run?.cancel()
      throw CancellationError()
    }
  }

  func run(_ body: @escaping @Sendable () async -> Void) async {
    let run = state.withLock { state in
      let run = Task { await body() }
      state.run = run
      return run
    }
    await run.value
  }
}
