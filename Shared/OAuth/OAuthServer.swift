public import Model

/// The addresses of a service at which people sign in by OAuth 2 (RFC 6749) with a proof key (RFC 7636).
public struct OAuthServer: Sendable {
  /// The service's name on screen.
  public var title: String
  /// The page that people open.
  public var authorizeAddress: String
  /// The address that exchanges codes and refreshes tokens.
  public var tokenAddress: String
  /// The permissions that are asked for; none are named if it is empty.
  public var scopes: [String]
  /// Further parameters of the page that people open.
  public var parameters: [(String, String)] = []
  /// The address of this machine at which the browser ends.
  public var redirect = "http://127.0.0.1:8888/callback"
  /// The time within which a sign-in has to be finished.
  public var signInTime = Milliseconds(5 * 60_000)
  /// The age at which a token is refreshed though it has not expired; nil if only its end counts.
  public var renewalAge: Milliseconds?
  /// Makes the error of a failure that people see.
  public var error: @Sendable (OAuthFailure) -> LunaraError

  public init(
    title: String, authorizeAddress: String, tokenAddress: String, scopes: [String],
    error: @escaping @Sendable (OAuthFailure) -> LunaraError
  ) {
    self.title = title
    self.authorizeAddress = authorizeAddress
    self.tokenAddress = tokenAddress
    self.scopes = scopes
    self.error = error
  }
}

/// The application that a person has registered at a service.
public struct OAuthClient: Codable, Hashable, Sendable {
  /// The client id.
  public var id: String
  /// The client's secret; nil for services that give none.
  public var secret: String?

  public init(id: String, secret: String? = nil) {
    self.id = id
    self.secret = secret
  }

  /// The fields by which a form names the application.
  var fields: [(String, String)] { [("client_id", id)] + (secret.map { [("client_secret", $0)] } ?? []) }
}

/// A failure of a sign-in or of a refresh.
public struct OAuthFailure: Error, Hashable, Sendable {
  /// The kinds of failures.
  public enum Kind: Hashable, Sendable {
    /// The sign-in was not finished, and has to begin again.
    case signInFailed
    /// The service no longer accepts the account. Nothing helps but another sign-in.
    case signedOut
    /// The service cannot be asked now. The account stays signed in.
    case away
    /// The service gave an answer that cannot be read. The account stays signed in.
    case unreadable
  }

  /// The kind.
  public var kind: Kind
  /// Sentences that say what happened and what to do.
  public var message: String
  /// A word of the service; nil if there is none.
  public var cause: String?

  init(_ kind: Kind, _ message: String, cause: String? = nil) {
    self.kind = kind
    self.message = message
    self.cause = cause.map { String($0.prefix(100)) }
  }
}
