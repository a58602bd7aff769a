import Messages
import Model

@testable import Records
@testable import Sources

/// A server during whose request the process is killed: the call that counts a play never returns.
struct CrashingServer: MusicServer {
  enum Moment: Sendable { case beforeTelling, afterTelling }

  let server: PlexServer
  let moment: Moment
  let killSignal = KillSignal()

  /// Signals the moment of the kill.
  actor KillSignal {
    private var isOver = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func come() {
      isOver = true
      for each in waiting { each.resume() }
      waiting = []
    }

    func wait() async {
      if isOver { return }
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func countPlay(of native: String, at time: Timestamp) async throws {
    if moment == .afterTelling { try await server.countPlay(of: native, at: time) }
    await killSignal.come()
    // Waits until the end of the test cancels it.
    try await Task.sleep(for: .seconds(3600))
  }

  func playCount(of native: String) async throws -> Int? { try await server.playCount(of: native) }
  func identify() async throws -> ServerIdentity { try await server.identify() }
  func sections() async throws -> [ServerSection] { try await server.sections() }
  func checkForChanges(since mark: RefreshMark?, sections: [String]) async throws -> ServerChangeCheck {
    try await server.checkForChanges(since: mark, sections: sections)
  }
  func read(
    _ scope: ReadScope, since mark: RefreshMark?, sections: [String], into staging: StagingTable,
    progress: RefreshProgress
  ) async throws -> RefreshMark {
    try await server.read(scope, since: mark, sections: sections, into: staging, progress: progress)
  }
  func stream(part: String?, native: String) async throws -> ServerStream {
    try await server.stream(part: part, native: native)
  }
  func picture(_ reference: String, size: Int?) async throws -> [UInt8] {
    try await server.picture(reference, size: size)
  }
  func rate(_ item: RatedItem, _ rating: Rating?) async throws { try await server.rate(item, rating) }
  func report(_ report: NowPlayingReport) async throws { try await server.report(report) }
  func awaitChange() async throws { try await server.awaitChange() }
  func item(_ native: String) async throws -> ServerItem? { try await server.item(native) }
}
