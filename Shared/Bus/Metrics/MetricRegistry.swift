public import Messages
import Model
import Synchronization

/// The figures that a process has to show. Each is read when somebody asks, so one that nobody asks for costs nothing.
public final class MetricRegistry: Sendable {
  /// One value of a family.
  public struct Sample: Sendable {
    /// The labels that tell it from the others.
    public var labels: [String: String]
    /// The figure.
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

  /// The most figures that are told, so that they fit into one frame.
  static let limit = 500

  private let families = Mutex<[Family]>([])

  public init() {}

  /// Adds a figure that moves up and down.
  ///
  /// - Parameters:
  ///   - name: words with underscores, without the `lunara_` that all have.
  ///   - help: one sentence; it names the unit.
  ///   - labels: the labels that tell it from others of its name.
  ///   - read: gives the figure, or nil where there is none at the moment.
  public func gauge(
    _ name: String, _ help: String, labels: [String: String] = [:],
    _ read: @escaping @Sendable () async throws -> Double?
  ) {
    family(name, help, .gauge) { try await read().map { [Sample($0, labels)] } ?? [] }
  }

  /// Adds a figure that only grows, as `gauge` does; its name gets the ending `_total`.
  public func counter(
    _ name: String, _ help: String, labels: [String: String] = [:],
    _ read: @escaping @Sendable () async throws -> Double?
  ) {
    family(name, help, .counter) { try await read().map { [Sample($0, labels)] } ?? [] }
  }

  /// Adds a figure that only grows and is counted where the result is held, from 0 on. A new metric of that kind is
  /// this one line, and a call of `increment` where it happens.
  public func counter(_ name: String, _ help: String, labels: [String: String] = [:]) -> MetricCounter {
    let counter = MetricCounter()
    self.counter(name, help, labels: labels) { Double(counter.value) }
    return counter
  }

  /// Adds a figure that stands there several times, told apart by labels; `read` gives all its values.
  public func family(
    _ name: String, _ help: String, _ type: Metric.Form, _ read: @escaping @Sendable () async throws -> [Sample]
  ) {
    let name = "lunara_" + name + (type == .counter ? "_total" : "")
    families.withLock { $0.append(Family(name: name, help: help, type: type, read: read)) }
  }

  /// All figures now. What cannot be read is reported and left out, and so is what is no number.
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

/// A number that only grows, such as the requests that were refused. Several tasks may count at once.
public final class MetricCounter: Sendable {
  private let count = Atomic<Int>(0)

  /// Makes a counter that no metric shows; `MetricRegistry.counter` makes the others.
  public init() {}

  /// The number so far.
  public var value: Int { count.load(ordering: .relaxed) }

  /// Counts one, or several at once.
  public func increment(by amount: Int = 1) { count.add(amount, ordering: .relaxed) }
}

/// One figure of one process at a moment.
public struct Metric: Codable, Hashable, Sendable {
  /// The ways in which a figure moves.
  public enum Form: String, Codable, Sendable {
    /// Only up, from zero at the process's start.
    case counter
    /// Up and down.
    case gauge
    /// In a way that this version does not know.
    case untyped

    /// Reads a name; one that is not known is `untyped`.
    public init(from decoder: any Decoder) throws {
      self = Form(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .untyped
    }
  }

  /// Its name: `lunara_` and words with underscores, a counter's ended by `_total`.
  public var name: String
  /// A sentence that says what it counts or measures, and in which unit.
  public var help: String
  /// The way in which it moves.
  public var type: Form
  /// The labels that tell it from others of its name.
  public var labels: [String: String]
  /// The figure; finite.
  public var value: Double

  public init(_ name: String, _ help: String, _ type: Form, labels: [String: String] = [:], value: Double) {
    self.name = name
    self.help = help
    self.type = type
    self.labels = labels
    self.value = value
  }
}

/// Asks a process for its figures. Every node answers.
public struct ReadMetrics: ReadRequest {
  public static let kind = "bus.read-metrics"

  /// The figures.
  public struct Answer: Codable, Hashable, Sendable {
    /// Those of the bus, of the process and of its service, in the order in which they were registered.
    public var metrics: [Metric]
  }

  public init() {}
}
