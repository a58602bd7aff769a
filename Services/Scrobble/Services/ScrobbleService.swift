import HTTP
import Messages
import Model

/// A kind of scrobble service: its description for the CLI and the web page, and how to sign in and to send.
///
/// A new kind is a folder beside `LastFM` with a type that conforms to this protocol, and an entry in
/// `ScrobbleServices.kinds`. Servers that speak the same protocol are of the same kind.
protocol ScrobbleService: Sendable {
  /// The description for the CLI and the web page.
  static var descriptor: Scrobble.ServiceDescriptor { get }
  /// True if the service keeps only one listen with the same time, artist and title, so that sending it again does no
  /// harm.
  static var ignoresDuplicateListens: Bool { get }
  /// The setting with the token of an account to which nobody signs in; nil if there is no such setting.
  static var tokenSetting: String? { get }

  /// Creates the service. `setting` returns the value of a setting by its name.
  init(http: HTTPClient, setting: (String) -> String?)

  /// Returns the address to which requests are sent. `address` is a base address without a slash at its end;
  /// `namesOnlyServer` is true if it has no path.
  static func requestAddress(_ address: String, namesOnlyServer: Bool) -> String

  /// Returns the client that sends to an account with these credentials; nil if one of them is missing.
  func client(at address: ServerAddress, with credentials: Credentials) -> (any ScrobbleClient)?

  /// Signs in with a token, or with a user and a password. Throws `scrobble.badSignIn`, `scrobble.serviceAway`,
  /// `scrobble.noKey`.
  func signIn(user: String?, secret: Secret, at address: ServerAddress) async throws -> SignedIn

  /// Starts a sign-in by a link that a person opens. Throws `scrobble.unknownAccount` if the service has no such
  /// sign-in, `scrobble.noKey`, `scrobble.badAddress`, `scrobble.serviceAway`, `scrobble.refused`.
  func beginSignIn(at address: ServerAddress, page: String?) async throws -> any LinkSignIn
}

extension ScrobbleService {
  static var ignoresDuplicateListens: Bool { true }
  static var tokenSetting: String? { nil }

  static func requestAddress(_ address: String, namesOnlyServer: Bool) -> String { address }

  func beginSignIn(at address: ServerAddress, page: String?) async throws -> any LinkSignIn {
    throw ScrobbleError.unknownAccount(Self.descriptor.kind, nil)
  }
}

/// A user who has signed in, and the credentials for sending.
struct SignedIn: Sendable {
  var user: String
  var credentials: Credentials
}

/// A sign-in that waits until a person has opened a link.
protocol LinkSignIn: Sendable {
  var started: Scrobble.SignIn { get }
  /// The state that is shown; `poll` is called while it is `waiting`.
  var state: Scrobble.SignInState { get set }
  /// The time to wait before the next `poll`.
  var pause: Duration { get }

  /// Asks the service once for the session; nil if there is none. Throws the error that ends the sign-in.
  mutating func poll() async throws -> SignedIn?
}

/// The kinds of scrobble services that this version knows.
enum ScrobbleServices {
  /// The kinds, in the order in which they are shown. A new kind is added here.
  static let kinds: [any ScrobbleService.Type] = [LastFMService.self, ListenBrainzService.self]

  /// Returns the kind with a name, such as `lastfm`; nil for a kind that this version does not know.
  static func kind(_ name: String) -> (any ScrobbleService.Type)? { kinds.first { $0.descriptor.kind == name } }

  /// Returns the names of kinds as a list of SQL texts.
  static func list(_ kinds: [any ScrobbleService.Type]) -> String {
    kinds.map { "'\($0.descriptor.kind)'" }.joined(separator: ", ")
  }
}

/// The base address of a server of a service.
struct ServerAddress: Hashable, Sendable {
  /// The kind of the service, such as `lastfm`.
  let service: String
  /// The address to which requests are sent.
  let text: String
  /// The host, with the port if the address has one.
  let host: String
  let isOwn: Bool

  /// Reads an address that a person typed; nil means the service's own server. Throws `scrobble.badAddress`.
  init(_ typed: String?, of kind: any ScrobbleService.Type) throws(LunaraError) {
    service = kind.descriptor.kind
    var text = typed ?? kind.descriptor.address
    let scheme = ["https://", "http://"].first { text.lowercased().hasPrefix($0) }
    guard let scheme, !text.contains(where: { "@?#".contains($0) || $0.isWhitespace }) else {
      throw ScrobbleError.badAddress
    }
    host = text.dropFirst(scheme.count).prefix { $0 != "/" }.lowercased()
    guard !host.isEmpty else { throw ScrobbleError.badAddress }
    while text.hasSuffix("/") { text.removeLast() }
    self.text = kind.requestAddress(text, namesOnlyServer: text.dropFirst(scheme.count).count == host.count)
    isOwn = self.text == kind.descriptor.address
  }

  /// Runs a request to the server. Throws `scrobble.serviceAway` if the server does not answer.
  func asking<Answer>(_ request: () async throws -> Answer) async throws -> Answer {
    do { return try await request() } catch let error as LunaraError where error.code.hasPrefix("http.") {
      throw error.code == "http.redirectRefused"
        ? ScrobbleError.redirected(error) : ScrobbleError.away(host, cause: error.message)
    }
  }

  /// Returns the name of a user's account: the user, followed by the host if the server is not the service's own.
  func accountName(of user: String) -> String { isOwn ? user : "\(user)@\(host)" }
}

/// Sends to one account of a scrobble service.
///
/// A failure is a result and not an error, as each has another consequence. Only a cancelled task throws.
protocol ScrobbleClient: Sendable {
  /// The largest number of listens in one request.
  var batchLimit: Int { get }
  /// Returns the reason why the service would always refuse a listen, if that is known without a request; else nil.
  func problem(with submission: Submission, at now: Timestamp) -> String?
  /// Sends listens, the oldest first, at most `batchLimit`.
  func submit(_ batch: [Submission]) async throws -> SendResult
  func announce(_ now: Submission) async throws -> SendResult
  /// Sends that a track is loved, or no longer loved.
  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult
}

extension ScrobbleClient {
  func problem(with submission: Submission, at now: Timestamp) -> String? { nil }

  /// Turns an error of the network into a result. Its text names the server, but contains no secret.
  func result(_ body: () async throws -> SendResult) async throws -> SendResult {
    do { return try await body() } catch let error as LunaraError {
      // A listen may cause an answer that cannot be read, but not the lack of an answer.
      let isAnswer = ["http.tooLarge", "http.brokenAnswer"].contains(error.code)
      let wasNotSent = ["http.unreachable", "http.insecure", "http.badAddress", "http.badRequest", "http.noThread"]
      return SendResult(
        .failed(error.message, isAnswer: isAnswer), mayHaveArrived: !wasNotSent.contains(error.code))
    }
  }
}

struct SendResult: Hashable, Sendable {
  var outcome: SendOutcome
  /// The time for which the service asks for no further request, with any outcome; nil if it does not.
  var quiet: Duration?
  /// True if the service may have kept listens of the batch without saying so: its answer was lost or does not cover
  /// them.
  var mayHaveArrived: Bool

  init(_ outcome: SendOutcome, quiet: Duration? = nil, mayHaveArrived: Bool = false) {
    self.outcome = outcome
    self.quiet = quiet
    self.mayHaveArrived = mayHaveArrived
  }
}

/// A service's answer to a batch.
enum SendOutcome: Hashable, Sendable {
  /// The service answered for each item, in the batch's order.
  case answered([ItemAnswer])
  /// The service refuses the batch because of an item in it.
  case rejected(String)
  /// The service cannot accept the batch now. If it answered (`isAnswer`), an item in the batch may be the cause.
  case failed(String, isAnswer: Bool)
  /// The service limits requests, for `wait` if it states a time.
  case limited(String, wait: Duration?)
  case refused(Pause, String)
}

enum ItemAnswer: Hashable, Sendable {
  /// The item was accepted; the text is the service's remark, if it makes one.
  case accepted(String?)
  /// The item will never be accepted.
  case ignored(String)
  /// The item is not accepted today.
  case later(String)
}

/// The reason why an account is paused until a person acts.
enum Pause: String, Hashable, Sendable {
  /// The service refuses the session or token: a person must sign in again.
  case signedOut
  /// The service refuses this program's key, or everything that it is sent.
  case refused
}
