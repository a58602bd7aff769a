package import Bus
import Messages
package import Model
import Records

/// Answers requests about signing in at accounts whose servers become sources.
package struct SignInRequestHandler: Sendable {
  private let sources: SourceRequestHandler
  private let accounts: [(kind: String, account: any SourceAccount)]

  /// Creates the accounts of all kinds; `sources` adds their servers as sources.
  package init(sources: SourceRequestHandler) {
    self.sources = sources
    accounts = sources.registry.kinds.all.compactMap { descriptor in
      let kind = descriptor.kind.kind
      return descriptor.account.map { make in (kind, make { try await sources.adopt($0, of: kind) }) }
    }
  }

  package func start(on node: Node, now: @escaping @Sendable () -> Timestamp = { .now() }) async {
    await node.serve(Library.BeginSignIn.self) { request, _ in
      guard let found = owner(of: request.service) else { throw unavailable(request.service) }
      return try await found.account.begin(now: now())
    }
    await node.serve(Library.ReadSignIn.self) { request, _ in
      for (_, account) in accounts { if let state = await account.state(of: request.id) { return state } }
      throw LunaraError(
        "library.unknownSignIn", "This sign-in is over, or the library was started again since. Begin it once more.")
    }
    await node.serve(Library.SignOut.self) { request, _ in
      try await signOut(of: request.service)
      return Done()
    }
    for (_, account) in accounts { Task { await account.verify() } }
  }

  /// Cancels sign-ins that wait for a person.
  package func stop() async { for (_, account) in accounts { await account.stop() } }

  /// Returns the account of a kind, or of a source that came with one: such sources are named by the kind, with a
  /// number for further servers.
  private func owner(of name: String) -> (kind: String, account: any SourceAccount)? {
    accounts.first { name == $0.kind || name.hasPrefix($0.kind + "-") }
  }

  /// Forgets the secret of a source that has one of its own; else, or for the name of an account, the account's tokens.
  private func signOut(of name: String) async throws {
    let owner = owner(of: name)
    let isAccount = name == owner?.kind
    var hadOwn = false
    do { hadOwn = try await sources.signOut(of: name) } catch let error as LunaraError
      where isAccount && ["library.unknownSource", "library.sourceFromSettings"].contains(error.code)
    {
      // The name is also that of an account, which is signed out below.
    }
    if hadOwn && !isAccount { return }
    guard let owner else { throw SourceError.notSignedIn(name) }
    do { try await owner.account.signOut() } catch let error as LunaraError
      where hadOwn && error.code == "library.signedOut"
    { return }
    // A refresh shows the account's sources as signed out at once.
    try await sources.refresh(kind: owner.kind)
  }

  private func unavailable(_ service: String) -> LunaraError {
    let kinds = accounts.map { "`\($0.kind)`" }.joined(separator: ", ")
    return LunaraError(
      "library.signInUnavailable",
      "\(service) has no sign-in by a link. These have one: \(kinds.isEmpty ? "nothing" : kinds).")
  }
}
