public import Model

/// Reading from the scrobble services for other services of the household, so that an account is signed in once and its
/// token stays in one process.
extension Scrobble {
  /// Reads from the interface of ListenBrainz or Last.fm, with the account that scrobbles, whose token stays with the
  /// scrobbler. Only what is on a list may be read, one request at a time for each service. Since 0.2.
  public struct ReadFromService: ReadRequest {
    public static let kind = "scrobble.read-from-service"
    /// The answer of the service; refused with `scrobble.unknownService`, `scrobble.noAccount` without an account or
    /// key, `scrobble.notReadable` for what may not be read, and `scrobble.serviceAway` where it does not answer.
    public typealias Answer = ServiceAnswer
    /// The kind of service, as in `ServiceDescriptor`: `listenbrainz` or `lastfm`.
    public var service: String
    /// The path at ListenBrainz, such as `1/popularity/release-group`, or the method at Last.fm, such as
    /// `artist.getSimilar`. A `{user}` in the path stands for the name of the account.
    public var path: String
    /// The parameters, texts by name; the value `{user}` stands for the account.
    public var parameters: [String: String] = [:]
    /// The body in JSON, which makes the request a `POST`; nil for a `GET`.
    public var body: String? = nil
  }

  /// The answer of a scrobble service.
  public struct ServiceAnswer: Codable, Hashable, Sendable {
    /// The status: 200, 204 where nothing was computed, or an error.
    public var status: Int
    /// The body, at most 700 KiB of text; empty if it was longer, with the status 413.
    public var body: String
    /// The time before which the service asks not to be asked again; nil if it did not.
    public var waitsUntil: Timestamp? = nil
  }
}
