package import Bus
import Glibc
import Messages
import Model
import Storage
package import Sync
import System

/// The folder in the home folder that says that providers are linked: where it is, `lunara-providers` runs.
package struct ProvidersFolder: Sendable {
  let path: String

  package init(home: String) { path = "\(home)/providers" }

  /// Makes the folder. Throws `library.providersNotRunning`.
  func make() throws {
    do throws(Errno) { try Files.makeFolder(path, mode: 0o750) } catch {
      throw LunaraError(
        ProviderProcess.notRunning.code,
        "The folder \(path) cannot be made, so lunara-providers is not started. Check the owner of the home folder.",
        cause: error)
    }
  }

  /// Removes the folder if it is empty. One that stays costs no more than a process that waits.
  func remove() { rmdir(path) }
}

/// The process `lunara-providers`, which signs in at providers and makes the calls.
package struct ProviderProcess: Sendable {
  let node: Node
  package let folder: ProvidersFolder
  /// The time in which the process starts.
  var startTime = Duration.seconds(20)
  /// The time limit of a sign-in, and of what needs only a few calls.
  var shortTime = Duration.seconds(90)
  /// The time limit of a call, in which a long list is read with the pauses that its provider asks for.
  var callTime = Duration.seconds(1800)
  var now: @Sendable () -> Timestamp = { .now() }

  package init(node: Node, folder: ProvidersFolder) {
    self.node = node
    self.folder = folder
  }

  static let notRunning = LunaraError(
    "library.providersNotRunning",
    "lunara-providers does not run, so providers cannot be asked. The household starts it where it is installed; after `lunara enable` run that once more."
  )

  /// The kinds of providers that the process knows.
  package var services: [any ProviderService] {
    Library.ProviderKind.all.map { RemoteProviderService(kind: $0, process: self) }
  }

  /// Asks ListenBrainz not to recommend a release group. Throws as `OpinionSender.Hiding` does.
  package func hide(_ releaseGroup: String) async throws {
    try await start()
    let title = Library.ProviderKind.listenBrainz.title
    _ = try await ask(Providers.HideReleaseGroup(releaseGroup: releaseGroup), about: title, within: shortTime)
  }

  /// Makes the folder, and returns once the process answers. Throws `library.providersNotRunning`,
  /// `CancellationError`.
  func start() async throws {
    try folder.make()
    do { _ = try await node.request(ReadPresence(), to: .providers, within: startTime) } catch {
      try Task.checkCancellation()
      throw Self.notRunning
    }
  }

  /// Sends a request about a provider.
  ///
  /// The bus carries out a command at most once. Without an answer, as after a restart of the process, it is not known
  /// if a change was made at the provider, as with a call whose answer is lost.
  ///
  /// - Throws: the errors of the process; `library.providersNotRunning` if nothing was sent, `library.providerUnclear`
  ///   for a change and `library.providerAway` for another request without an answer; `CancellationError`.
  func ask<R: Request>(_ request: R, about title: String, within time: Duration? = nil) async throws -> R.Answer {
    do { return try await node.request(request, to: .providers, within: time ?? callTime) } catch {
      try Task.checkCancellation()
      let error = LunaraError(error)
      guard !error.code.hasPrefix("library."), !error.code.hasPrefix("settings.") else { throw error }
      if error.code == "bus.unreachable" { throw Self.notRunning }
      let isChange = request is Providers.Change || request is Providers.HideReleaseGroup
      throw isChange ? ProviderError.unclear(title, error.message) : ProviderError.away(title, error.message)
    }
  }
}
