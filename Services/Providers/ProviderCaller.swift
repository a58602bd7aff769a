import HTTP
import Model
import Sync

/// Makes the calls of one provider, with the pauses that it asks for. One task makes them one after another.
///
/// A call that only reads is made again after a failure that may pass. One that changes something is made again only
/// after an answer that says that nothing was done: 429, or 401 after which the token was refreshed.
///
/// - Throws: `library.providerAway` for a provider that cannot be reached or asked for a long pause,
///   `library.signedOut`, `library.providerRefused` for a call that it does not allow, `library.providerUnclear` for a
///   change whose effect is not known, `CancellationError`.
actor ProviderCaller {
  /// Returns the header with which a call is authorised. The parameter is the value that the provider has just refused,
  /// so that another one is needed; nil for none. Throws `library.signedOut` where there is no other.
  typealias Authorisation = @Sendable (_ refused: String?) async throws -> (name: String, value: String)

  let title: String
  private(set) var pacing: ProviderPacing
  private let http: HTTPClient
  private let gap: Duration
  private let authorisation: Authorisation
  private let now: @Sendable () -> Timestamp
  private let sleep: @Sendable (Duration) async throws -> Void
  /// True once a call was made: each further one waits for `gap`.
  private var hasCalled = false

  /// - Parameters:
  ///   - title: the provider's name on screen.
  ///   - gap: the time between two calls.
  init(
    title: String, http: HTTPClient, pacing: ProviderPacing, gap: Duration = .milliseconds(100),
    now: @escaping @Sendable () -> Timestamp = { .now() },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    authorisation: @escaping Authorisation
  ) {
    self.title = title
    self.http = http
    self.pacing = pacing
    self.gap = gap
    self.now = now
    self.sleep = sleep
    self.authorisation = authorisation
  }

  /// Sends a request, with the header of the authorisation, and returns an answer of success (200 to 299).
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let changes = request.effect == .changes
    var refused: String?
    while true {
      try Task.checkCancellation()
      if hasCalled { try await sleep(gap) }
      hasCalled = true
      let header = try await authorisation(refused)
      refused = nil
      var authorised = request
      authorised.headers.append(header)
      let outcome: ProviderPacing.Outcome
      var answer: HTTPResponse?
      var failure: LunaraError?
      do {
        let response = try await http.send(authorised)
        answer = response
        outcome =
          (200..<300).contains(response.status)
          ? .success : .status(response.status, retryAfter: Self.pause(response, at: now()))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failure = LunaraError(error)
        outcome = .noAnswer
      }
      switch pacing.record(outcome, at: now()) {
      case .proceed:
        if let answer { return answer }
      case .retry(let time):
        guard !changes || answer?.status == 429 else { throw unclear(answer, failure) }
        try await sleep(.milliseconds(max(0, (time - now()).rawValue)))
      case .refreshToken: refused = header.value
      case .skip: throw self.refused(answer)
      case .stop: throw changes && answer?.status != 429 ? unclear(answer, failure) : away(answer, failure)
      case .signIn: throw ProviderError.signedOut(title)
      }
    }
  }

  /// Returns the pause that an answer asks for, by `Retry-After` or by ListenBrainz' header.
  private static func pause(_ response: HTTPResponse, at now: Timestamp) -> Milliseconds? {
    let reset = response.header("X-RateLimit-Reset-In").flatMap { Int64($0) }.map { max(0, min($0, 86_400)) }
    let seconds = [reset, response.retryAfter(now: Int(now.seconds)).map { $0.components.seconds }].compactMap { $0 }
    return response.status == 429 || response.status >= 500 ? seconds.max().map { Milliseconds($0 * 1000) } : nil
  }

  private func words(_ answer: HTTPResponse?, _ failure: LunaraError?) -> String {
    failure?.message ?? answer.map { "It answered \($0.status)." } ?? "It did not answer."
  }

  private func away(_ answer: HTTPResponse?, _ failure: LunaraError?) -> LunaraError {
    ProviderError.away(title, answer?.status == 429 ? "It asked for a pause." : words(answer, failure))
  }

  private func unclear(_ answer: HTTPResponse?, _ failure: LunaraError?) -> LunaraError {
    ProviderError.unclear(title, words(answer, failure))
  }

  private func refused(_ answer: HTTPResponse?) -> LunaraError {
    LunaraError(
      "library.providerRefused",
      "\(title) refused a call (\(answer.map { "\($0.status)" } ?? "no status")). It is left out; what it meant stays here."
    )
  }
}
