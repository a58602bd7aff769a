package import Bus
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

  /// Removes the folder. Throws `library.providersNotRunning`.
  func remove() throws {
    do throws(Errno) { try Files.removeTree(path) } catch {
      throw LunaraError(ProviderProcess.notRunning.code, "The folder \(path) cannot be removed.", cause: error)
    }
  }
}

/// The process `lunara-providers`, which signs in at providers and makes the calls.
package struct ProviderProcess: Sendable {
  let node: Node
  package let folder: ProvidersFolder
  /// The time in which the process starts.
  var startTime = Duration.seconds(20)
  /// The time limit of a call, in which a long list is read with the pauses that its provider asks for.
  var callTime = Duration.seconds(1800)
  var now: @Sendable () -> Timestamp = { .now() }

  package init(node: Node, folder: ProvidersFolder) { (self.node, self.folder) = (node, folder) }

  static let notRunning = LunaraError(
    "library.providersNotRunning",
    "lunara-providers does not run, so providers cannot be asked. The household starts it; `lunara doctor` tells what is missing."
  )

  /// The kinds of providers that the process knows.
  package var services: [any ProviderService] {
    Library.ProviderKind.all.map { RemoteProviderService(kind: $0, process: self) }
  }

  /// Asks ListenBrainz not to recommend a release group. Throws as `OpinionSender.Hiding` does.
  package func hide(_ releaseGroup: String) async throws {
    try await start()
    let title = Library.ProviderKind.listenBrainz.title
    _ = try await ask(Providers.HideReleaseGroup(releaseGroup: releaseGroup), about: title)
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
  /// if a change was made, as with a call whose answer is lost.
  ///
  /// - Throws: the errors of the process; `library.providersNotRunning` if nothing was sent, `library.providerUnclear`
  ///   for a command and `library.providerAway` for another request without an answer; `CancellationError`.
  func ask<R: Request>(_ request: R, about title: String) async throws -> R.Answer {
    do { return try await node.request(request, to: .providers, within: callTime) } catch {
      try Task.checkCancellation()
      let error = LunaraError(error)
      guard !error.code.hasPrefix("library."), !error.code.hasPrefix("settings.") else { throw error }
      if error.code == "bus.unreachable" { throw Self.notRunning }
      throw R.isCommand ? ProviderError.unclear(title, error.message) : ProviderError.away(title, error.message)
    }
  }
}
