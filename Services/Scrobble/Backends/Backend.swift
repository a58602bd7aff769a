import Model

/// A service that takes scrobbles, as an account of it is used.
///
/// What goes wrong is a result, not an error: each has its own consequence. Only a cancelled task throws.
protocol Backend: Sendable {
  /// The most listens that one request may carry.
  var batchLimit: Int { get }
  /// Why the service would never take a listen, where that is known without asking; nil where it is not.
  func problem(with submission: Submission, at now: Timestamp) -> String?
  /// Tells of listens, oldest first, at most `batchLimit`.
  func submit(_ batch: [Submission]) async throws -> SendResult
  /// Tells what is heard now.
  func announce(_ now: Submission) async throws -> SendResult
  /// Marks a track as loved, or takes that back.
  func love(_ track: Submission, _ isLoved: Bool) async throws -> SendResult
}

extension Backend {
  func problem(with submission: Submission, at now: Timestamp) -> String? { nil }
}

/// What came of a request.
struct SendResult: Hashable, Sendable {
  var outcome: SendOutcome
  /// How long the service asks to be left alone, whatever it answered; nil where it does not.
  var quiet: Duration?

  init(_ outcome: SendOutcome, quiet: Duration? = nil) {
    self.outcome = outcome
    self.quiet = quiet
  }
}

/// What a service answered to a batch.
enum SendOutcome: Hashable, Sendable {
  /// It answered for each item, in the batch's order.
  case answered([ItemAnswer])
  /// It refuses the batch for what is in it.
  case rejected(String)
  /// It cannot now. `isAnswer` where it spoke at all, so that something in the batch may be the cause.
  case failed(String, isAnswer: Bool)
  /// It had too much of us; nil where it does not say for how long.
  case limited(String, wait: Duration?)
  /// It refuses the account.
  case refused(Pause, String)
}

/// What a service says of one item of a batch.
enum ItemAnswer: Hashable, Sendable {
  /// It has it; with what it says of it, where it says anything.
  case taken(String?)
  /// It will never take it.
  case ignored(String)
  /// It does not take it today.
  case later(String)
}

/// Why an account stands still until a person does something.
enum Pause: String, Hashable, Sendable {
  /// The service refuses the session or token: one has to sign in again.
  case signedOut
  /// The service refuses this program's key, or all that it is sent.
  case refused
}
