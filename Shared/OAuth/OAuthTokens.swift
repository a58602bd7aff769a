public import Messages
public import Model

/// The tokens of one account at a service.
public struct OAuthTokens: Codable, Hashable, Sendable {
  /// The client id of the application to which they were given.
  public var clientID: String
  /// The application's secret; nil for services that give none.
  public var clientSecret: String?
  /// The token with which requests are made.
  public var access: String
  /// The token with which the next one is asked for; nil if the service gave none.
  public var refresh: String?
  /// The time when the access token ends.
  public var expiresAt: Timestamp
  /// The time when it was given; nil for tokens of former versions.
  public var givenAt: Timestamp?

  /// The time before its end at which a token is refreshed.
  static let margin = Milliseconds(60_000)

  /// Reads the answer of the token address (RFC 6749, 5.1); nil if it is none. An answer without a new refresh token
  /// keeps the former one. A token without a length of life holds for an hour.
  public init?(_ view: JSONView, client: OAuthClient, former: String? = nil, at now: Timestamp) {
    guard let access = view["access_token"]?.string, !access.isEmpty else { return nil }
    let seconds = max(0, min(view["expires_in"]?.integer ?? 3600, 365 * 86_400))
    clientID = client.id
    clientSecret = client.secret
    self.access = access
    refresh = view["refresh_token"]?.string ?? former
    expiresAt = Timestamp(microseconds: now.microseconds + seconds * 1_000_000)
    givenAt = now
  }

  /// The application to which they were given.
  public var client: OAuthClient { OAuthClient(id: clientID, secret: clientSecret) }

  /// Returns true while the access token holds for another minute and is not older than `age`.
  public func hold(at now: Timestamp, within age: Milliseconds? = nil) -> Bool {
    guard expiresAt - now > Self.margin else { return false }
    guard let age, let givenAt else { return true }
    return now - givenAt < age
  }
}
