import Bus
import Messages
import Model
import Sync

/// Answers the requests of the library.
struct ProvidersService: Sendable {
  let services: [any ProviderService]
  /// Asks ListenBrainz not to recommend a release group.
  let hide: @Sendable (_ releaseGroup: String) async throws -> Void
  private let signIns = SignIns()
  private let runs = ProviderSessions()

  init(services: [any ProviderService], hide: @escaping @Sendable (_ releaseGroup: String) async throws -> Void) {
    (self.services, self.hide) = (services, hide)
  }

  func start(on node: Node) async {
    await node.serve(Providers.SignIn.self) { [self] request, _ in try await signIn(request.request) }
    await node.serve(Providers.KeepSignIn.self) { [signIns] request, _ in
      try await signIns.keep(request.ticket, as: request.name)
      return Done()
    }
    await node.serve(Providers.Forget.self) { [self] request, _ in
      await runs.end(request.name)
      for service in services { try await service.forget(request.name) }
      return Done()
    }
    await node.serve(Providers.Connect.self) { [self] request, _ in
      let service = try service(request.type)
      return Providers.Connected(run: try await runs.begin(request.name) { try await service.connect(request) })
    }
    await node.serve(Providers.Read.self) { [runs] request, _ in
      try await runs.run(request.run).read(request)
    }
    await node.serve(Providers.Change.self) { [runs] request, _ in
      try await runs.run(request.run).make(request)
    }
    await node.serve(Providers.HideReleaseGroup.self) { [hide] request, _ in
      try await hide(request.releaseGroup)
      return Done()
    }
  }

  func stop() async { await runs.end() }

  private func service(_ kind: String) throws -> any ProviderService {
    guard let service = services.first(where: { $0.kind.kind == kind }) else {
      throw LunaraError("library.unknownProvider", "\(kind) is no kind of provider of this version.")
    }
    return service
  }

  private func signIn(_ request: Library.LinkProvider) async throws -> Providers.SignInStep {
    switch try await service(request.type).link(request) {
    case .open(let address): Providers.SignInStep(open: address)
    case .done(let account, let keep): Providers.SignInStep(account: account, ticket: await signIns.add(keep))
    }
  }
}

/// The sign-ins whose secrets are to be stored once the library has named the provider.
actor SignIns {
  typealias Keep = @Sendable (_ name: String) async throws -> Void

  /// The largest number that is remembered; the oldest is forgotten first.
  private static let most = 8
  private var open: [(ticket: String, keep: Keep)] = []

  /// Returns the ticket of a sign-in.
  func add(_ keep: @escaping Keep) -> String {
    let ticket = "\(UniqueID<SignIns>.random())"
    open.append((ticket, keep))
    if open.count > Self.most { open.removeFirst() }
    return ticket
  }

  /// Stores the secrets of a sign-in. Throws `library.signInFailed` for a ticket that is not known, and the errors of
  /// `CredentialStore`.
  func keep(_ ticket: String, as name: String) async throws {
    guard let index = open.firstIndex(where: { $0.ticket == ticket }) else {
      throw LunaraError(
        "library.signInFailed", "The sign-in was lost, as lunara-providers was started again meanwhile. Begin again.")
    }
    try await open.remove(at: index).keep(name)
  }
}
