public import Model

/// Limits the searches that run at the same time, so that no service is flooded. It only decides: its owner tells it
/// what happens and when, and starts what it says.
public struct RequestLimiter: Sendable {
  /// The limits.
  public struct Limits: Hashable, Sendable {  // memberwise
    /// The most requests at the same time.
    public var atOnce: Int
    /// The time between two starts.
    public var gap: Milliseconds
    /// The number of throttle errors in a row after which no request starts for a while; nil for no such number.
    public var errorLimit: Int?
    /// The time for which no request starts then.
    public var pause: Milliseconds

    /// The limits of most plugins.
    public static let usual = Limits(
      atOnce: 4, gap: Milliseconds(100), errorLimit: 3, pause: Milliseconds(5000))
    /// The limits of Apple Music's plugin, which is asked beside the others.
    public static let own = Limits(atOnce: 3, gap: Milliseconds(150), errorLimit: 3, pause: Milliseconds(8000))
  }

  /// The ends of requests.
  public enum Outcome: Hashable, Sendable {
    case success
    /// The service asked for fewer requests, or broke the connection.
    case throttled
    /// Another failure.
    case failure
  }

  private let limits: Limits
  private var waiting: [UInt64] = []
  private var running: Set<UInt64> = []
  private var errors = 0
  private var lastStart: Milliseconds?
  private var pausedUntil: Milliseconds?

  public init(_ limits: Limits = .usual) { self.limits = limits }

  /// Adds a request at the end of the queue.
  public mutating func enqueue(_ request: UInt64) { waiting.append(request) }

  /// Takes a request out that has not started; one that runs continues until `finish`.
  public mutating func cancel(_ request: UInt64) { waiting.removeAll { $0 == request } }

  /// Notes the end of a request.
  public mutating func finish(_ request: UInt64, _ outcome: Outcome, at now: Milliseconds) {
    guard running.remove(request) != nil else { return }
    switch outcome {
    case .success: errors = max(0, errors - 1)
    case .throttled:
      errors += 1
      if let limit = limits.errorLimit, errors >= limit {
        pausedUntil = now + limits.pause
        errors = 0
      }
    case .failure: break
    }
  }

  /// Returns the requests that start now, in the order in which they came.
  public mutating func start(at now: Milliseconds) -> [UInt64] {
    var started: [UInt64] = []
    while let next = waiting.first, running.count < limits.atOnce, isReady(at: now) {
      waiting.removeFirst()
      running.insert(next)
      started.append(next)
      lastStart = now
    }
    return started
  }

  /// The time when another request may start; nil while none waits, or while too many run.
  public var nextStart: Milliseconds? {
    guard !waiting.isEmpty, running.count < limits.atOnce else { return nil }
    return max(pausedUntil ?? .zero, lastStart.map { $0 + limits.gap } ?? .zero)
  }

  private func isReady(at now: Milliseconds) -> Bool {
    now >= pausedUntil ?? now && now >= lastStart.map { $0 + limits.gap } ?? now
  }

  /// Returns true for the message of an error that says that a service wants fewer requests, or that its connection
  /// broke.
  public static func isThrottle(_ message: String) -> Bool {
    let message = message.lowercased()
    return ["429", "rate limit", "rate-limit", "too many requests", "reset", "closed", "timeout", "timed out"]
      .contains { message.contains($0) }
  }
}
