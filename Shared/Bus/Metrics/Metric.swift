public import Messages

/// One figure of one process at a moment.
public struct Metric: Codable, Hashable, Sendable {
  /// How a figure moves.
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

  /// What it is called; `lunara_` and words with underscores, a counter's ended by `_total`.
  public var name: String
  /// What it counts or measures, and in which unit.
  public var help: String
  /// How it moves.
  public var type: Form
  /// What tells it from others of its name.
  public var labels: [String: String]
  /// The figure; finite.
  public var value: Double

  /// Makes a metric from its parts.
  public init(_ name: String, _ help: String, _ type: Form, labels: [String: String] = [:], value: Double) {
    self.name = name
    self.help = help
    self.type = type
    self.labels = labels
    self.value = value
  }
}

/// Asks a process for its figures. Every node answers.
public struct ReadMetrics: Request {
  /// The stable name; `bus` requests are answered by every role.
  public static let kind = "bus.read-metrics"
  /// It changes nothing.
  public static let isCommand = false

  /// The figures.
  public struct Answer: Codable, Hashable, Sendable {
    /// Those of the bus, of the process and of its service, in the order in which they were registered.
    public var metrics: [Metric]

    /// Makes an answer.
    public init(metrics: [Metric]) { self.metrics = metrics }
  }

  /// Makes a request.
  public init() {}
}
