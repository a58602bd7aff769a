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
    self.services = services
    self.hide = hide
  }

  func start(on node: Node) async {
    await serve(Providers.SignIn.self, on: node) { [self] in try await signIn($0.request) }
    await serve(Providers.KeepSignIn.self, on: node) { [signIns] request in
      try await signIns.keep(request.ticket, as: request.name)
      return Done()
    }
    await serve(Providers.Forget.self, on: node) { [self] request in
      await runs.end(request.name)
      for service in services { try await service.forget(request.name) }
      return Done()
    }
    await serve(Providers.Connect.self, on: node) { [self] request in
      let service = try service(request.type)
      return Providers.Connected(run: try await runs.begin(request.name) { try await service.connect(request) })
    }
    await serve(Providers.Read.self, on: node) { [runs] in try await runs.run($0.run).read($0) }
    await serve(Providers.Change.self, on: node) { [runs] in try await runs.run($0.run).make($0) }
    await serve(Providers.HideReleaseGroup.self, on: node) { [hide] request in
      try await hide(request.releaseGroup)
      return Done()
    }
  }

  /// Answers a request of the library, and of nobody else.
  private func serve<R: Request>(
    _ type: R.Type, on node: Node, _ body: @escaping @Sendable (R) async throws -> R.Answer
  ) async {
    await node.serve(type) { request, context in
      guard context.from == .library else {
        throw LunaraError(
          "library.providersForLibraryOnly", "Providers are asked by the library. Ask the library instead.")
      }
      return try await body(request)
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
