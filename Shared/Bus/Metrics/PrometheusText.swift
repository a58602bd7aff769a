/// Writes metrics as the text that Prometheus reads (exposition format 0.0.4).
public struct PrometheusText: Sendable {
  private struct Family: Sendable {
    var help: String
    var type: Metric.Form
    var lines: [String] = []
  }

  /// The content type of the text over HTTP.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private var families: [String: Family] = [:]
  private var order: [String] = []

  public init() {}

  /// Adds the metrics of one process. `labels`, such as `role` and `name`, are added to each metric that has no such
  /// label itself. Metrics whose names are not valid in Prometheus are left out.
  public mutating func add(_ metrics: [Metric], labels: [String: String] = [:]) {
    for metric in metrics where Self.isName(metric.name) {
      if families[metric.name] == nil {
        families[metric.name] = Family(help: metric.help, type: metric.type)
        order.append(metric.name)
      }
      let all = labels.merging(metric.labels) { $1 }.filter { Self.isName($0.key) && !$0.key.contains(":") }
      let list = all.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value, quotes: true))\"" }
      let braces = list.isEmpty ? "" : "{\(list.joined(separator: ","))}"
      families[metric.name]?.lines.append("\(metric.name)\(braces) \(Self.text(of: metric.value))\n")
    }
  }

  /// The text: the values of each name follow one line of help and one of type.
  public var text: String {
    order.compactMap { name in
      families[name].map { family in
        "# HELP \(name) \(Self.escaped(family.help, quotes: false))\n# TYPE \(name) \(family.type.rawValue)\n"
          + family.lines.joined()
      }
    }.joined()
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95 || $0 == 58
    }
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  private static func text(of value: Double) -> String {
    if value.isNaN { return "NaN" }
    guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
