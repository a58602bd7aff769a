public import Messages
import Model
import Synchronization

/// The metrics of a process. Each is read when somebody requests it, so an unused one costs nothing.
public final class MetricRegistry: Sendable {
  /// One value of a metric family.
  public struct Sample: Sendable {
    /// The labels that tell it from the other values.
    public var labels: [String: String]
    /// The value.
    public var value: Double

    public init(_ value: Double, _ labels: [String: String] = [:]) {
      self.labels = labels
      self.value = value
    }
  }

  private struct Family: Sendable {
    var name: String
    var help: String
    var type: Metric.Form
    var read: @Sendable () async throws -> [Sample]
  }

  /// The largest number of values in an answer, so that they fit into one frame.
  static let limit = 500

  private let families = Mutex<[Family]>([])

  public init() {}

  /// Adds a metric that goes up and down.
  ///
  /// - Parameters:
  ///   - name: words with underscores, without the common prefix `lunara_`.
  ///   - help: one sentence; it names the unit.
  ///   - labels: the labels that tell it from others of its name.
  ///   - read: returns the value, or nil if there is none at the moment.
  public func gauge(
    _ name: String, _ help: String, labels: [String: String] = [:],
    _ read: @escaping @Sendable () async throws -> Double?
  ) {
    family(name, help, .gauge) { try await read().map { [Sample($0, labels)] } ?? [] }
  }

  /// Adds a metric that only grows, with the parameters of `gauge`; `_total` is added to its name.
  public func counter(
    _ name: String, _ help: String, labels: [String: String] = [:],
    _ read: @escaping @Sendable () async throws -> Double?
  ) {
    family(name, help, .counter) { try await read().map { [Sample($0, labels)] } ?? [] }
  }

  /// Adds a metric that only grows and starts at 0; returns the counter that the caller increments.
  public func counter(_ name: String, _ help: String, labels: [String: String] = [:]) -> MetricCounter {
    let counter = MetricCounter()
    self.counter(name, help, labels: labels) { Double(counter.value) }
    return counter
  }

  /// Adds a metric with several values, told apart by labels; `read` returns all of them.
  public func family(
    _ name: String, _ help: String, _ type: Metric.Form, _ read: @escaping @Sendable () async throws -> [Sample]
  ) {
    let name = "lunara_" + name + (type == .counter ? "_total" : "")
    families.withLock { $0.append(Family(name: name, help: help, type: type, read: read)) }
  }

  /// Returns the present values of all metrics. Errors are reported, and values that are not finite are left out.
  func read(report: @Sendable (LunaraError) -> Void) async -> [Metric] {
    var metrics: [Metric] = []
    for family in families.withLock({ $0 }) {
      do {
        for sample in try await family.read() where sample.value.isFinite && metrics.count < Self.limit {
          metrics.append(Metric(family.name, family.help, family.type, labels: sample.labels, value: sample.value))
        }
      } catch {
        report(LunaraError(error))
      }
    }
    return metrics
  }
}

/// A number that only grows, such as the count of refused requests. Several tasks may increment it at once.
public final class MetricCounter: Sendable {
  private let count = Atomic<Int>(0)

  /// Creates a counter that is not in any registry; `MetricRegistry.counter` creates one that is.
  public init() {}

  /// The number so far.
  public var value: Int { count.load(ordering: .relaxed) }

  /// Adds `amount` to the counter.
  public func increment(by amount: Int = 1) { count.add(amount, ordering: .relaxed) }
}

/// One value of a metric of a process.
public struct Metric: Codable, Hashable, Sendable {
  /// The kinds of metrics.
  public enum Form: String, Codable, Sendable {
    /// A value that only grows, from zero at the process's start.
    case counter
    /// A value that goes up and down.
    case gauge
    /// A kind that this version does not know.
    case untyped

    /// Reads a kind; an unknown one is `untyped`.
    public init(from decoder: any Decoder) throws {
      self = Form(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .untyped
    }
  }

  /// The name: `lunara_` and words with underscores; that of a counter ends with `_total`.
  public var name: String
  /// A sentence that describes the metric and names its unit.
  public var help: String
  /// The kind.
  public var type: Form
  /// The labels that tell it from others of its name.
  public var labels: [String: String]
  /// The value; finite.
  public var value: Double

  public init(_ name: String, _ help: String, _ type: Form, labels: [String: String] = [:], value: Double) {
    self.name = name
    self.help = help
    self.type = type
    self.labels = labels
    self.value = value
  }
}

/// Asks a process for its metrics. Every node answers.
public struct ReadMetrics: ReadRequest {
  public static let kind = "bus.read-metrics"

  /// The metrics.
  public struct Answer: Codable, Hashable, Sendable {
    /// The metrics of the bus, then those of the process and its service in the order of registration.
    public var metrics: [Metric]
  }

  public init() {}
}
