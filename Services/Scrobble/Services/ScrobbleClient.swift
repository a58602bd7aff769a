import Model

/// Sends to one account of a scrobble service.
///
/// What goes wrong is a result, not an error: each has its own consequence. Only a cancelled task throws.
protocol ScrobbleClient: Sendable {
  /// The most listens that one request may carry.
  var batchLimit: Int { get }
  /// Returns why the service would always refuse a listen, where that is known without asking; nil where it is not.
  func problem(with submission: Submission, at now: Timestamp) -> String?
  /// Sends listens, oldest first, at most `batchLimit`.
  func submit(_ batch: [Submission]) async throws -> SendResult
  /// Sends the track that plays now.
  func announce(_ now: Submission) async throws -> SendResult
  /// Sends that a track is loved, or no longer is.
  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult
}

extension ScrobbleClient {
  func problem(with submission: Submission, at now: Timestamp) -> String? { nil }

  /// Makes a result of an error of the network. Its text names the server, and nothing that is secret.
  func result(_ body: () async throws -> SendResult) async throws -> SendResult {
    do { return try await body() } catch let error as LunaraError {
      // A listen may be the cause of an answer that cannot be read, but not of one that never came.
      let isAnswer = ["http.tooLarge", "http.brokenAnswer"].contains(error.code)
      return SendResult(.failed(error.message, isAnswer: isAnswer))
    }
  }
}

/// The result of a request.
struct SendResult: Hashable, Sendable {
  var outcome: SendOutcome
  /// How long the service asks for no further request, whatever it answered; nil where it does not.
  var quiet: Duration?

  init(_ outcome: SendOutcome, quiet: Duration? = nil) {
    self.outcome = outcome
    self.quiet = quiet
  }
}

/// A service's answer to a batch.
enum SendOutcome: Hashable, Sendable {
  /// It answered for each item, in the batch's order.
  case answered([ItemAnswer])
  /// It refuses the batch because of something in it.
  case rejected(String)
  /// It cannot take the batch now. `isAnswer` is true where it answered at all: then something in the batch may be the
  /// cause.
  case failed(String, isAnswer: Bool)
  /// It limits requests, for `wait` where it says for how long.
  case limited(String, wait: Duration?)
  /// It refuses the account.
  case refused(Pause, String)
}

/// A service's answer to one item of a batch.
enum ItemAnswer: Hashable, Sendable {
  /// It was accepted; with the service's remark, where it makes one.
  case accepted(String?)
  /// It will never be accepted.
  case ignored(String)
  /// It is not accepted today.
  case later(String)
}

/// The reason why an account is paused until a person acts.
enum Pause: String, Hashable, Sendable {
  /// The service refuses the session or token: a person has to sign in again.
  case signedOut
  /// The service refuses this program's key, or everything that it is sent.
  case refused
}
